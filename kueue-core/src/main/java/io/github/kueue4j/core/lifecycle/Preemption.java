// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The scheduler's order to evict a victim.
 *
 * @param reason of the Preempted condition, such as InClusterQueue or InCohortReclamation
 * @param message for the Evicted and Preempted conditions: the preemptor and the reason
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Preemption(String reason, String message) {
  public Preemption {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }
}
