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

import io.github.kueue4j.api.ObjectKey;
import org.apiguardian.api.API;

/**
 * Something that a check holds for one attempt of a workload, named so that it can be found again
 * when the attempt is over or the workload gone: keep all four with every booking.
 *
 * @param workload namespace and name of the Workload
 * @param uid of the Workload: one deleted and created again under its name is another
 * @param check the name of the AdmissionCheck
 * @param attempt {@link Evaluation#attemptId}; empty: all that is held for the workload, whichever
 *     attempt it was taken for
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Holding(ObjectKey workload, String uid, String check, String attempt) {

  /** Names what this evaluation may take. */
  public static Holding of(Evaluation<?> evaluation) {
    return Attempts.holding(evaluation.workload(), evaluation.check());
  }

  /** The same, whichever attempt it was taken for. */
  public Holding ofAnyAttempt() {
    return new Holding(workload, uid, check, "");
  }

  /** Whether this names all that is held for the workload. */
  public boolean isOfAnyAttempt() {
    return attempt.isEmpty();
  }
}
