// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * How the owner ended, or why there is no owner to wait for.
 *
 * @param reason of the Finished condition: Succeeded, Failed, OutOfSync, OwnerNotFound, ...
 * @param message of the same condition
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FinishedOwner(String reason, String message) {
  public FinishedOwner {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }
}
