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
package io.github.kueue4j.core.lifecycle;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The scheduler's order to evict a victim.
 *
 * @param reason of the Preempted condition, such as InClusterQueue or InCohortReclamation
 * @param message for the Evicted and Preempted conditions: for whom and why
 * @param note for the event on the victim
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Preemption(String reason, String message, String note) {
  public Preemption {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(note, "note");
  }

  /** A preemption whose event says what its condition says. */
  public static Preemption of(String reason, String message) {
    return new Preemption(reason, message, message);
  }
}
