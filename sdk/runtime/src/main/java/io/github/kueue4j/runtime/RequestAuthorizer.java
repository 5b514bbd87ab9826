/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import org.apiguardian.api.API;

/** Decides who may read what a server of ours shows. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface RequestAuthorizer {

  /**
   * Decides about one request; may ask somebody else and take its time.
   *
   * @param authorization the request's header of that name; empty if it has none
   * @param verb the method in lower case
   * @param path such as {@code /metrics}
   */
  Decision decide(String authorization, String verb, String path);

  /** What becomes of a request. */
  sealed interface Decision {

    /** It is answered. */
    record Allowed() implements Decision {}

    /**
     * Nobody knows who sent it; the sender has to show a valid token.
     *
     * @param why for the sender
     */
    record Unauthenticated(String why) implements Decision {}

    /**
     * The sender is known and may not; somebody has to grant it.
     *
     * @param why for the sender
     */
    record Denied(String why) implements Decision {}

    /**
     * Who decides can't be asked; the sender may try again.
     *
     * @param why for the sender
     */
    record Undecided(String why) implements Decision {}
  }
}
