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
package io.github.kueue4j.sdk;

import org.apiguardian.api.API;

/** Whether the backend of a check can answer at all; see {@link ProbingCheck}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface BackendHealth {

  /** It can. */
  record Up() implements BackendHealth {
    private static final Up INSTANCE = new Up();
  }

  /**
   * It can't.
   *
   * @param reason for machines
   * @param message for people: what is wrong and what to do; keep it the same while the trouble is
   *     the same, since every change is written to the AdmissionCheck
   */
  record Down(Reason reason, String message) implements BackendHealth {}

  /** The backend can answer. */
  static BackendHealth up() {
    return Up.INSTANCE;
  }

  /** The backend can't answer. */
  static BackendHealth down(Reason reason, String message) {
    return new Down(reason, message);
  }
}
