// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonObject;

/**
 * Converts LocalQueues: v1beta1 has another name for the usage list, and a list of flavors that
 * v1beta2 removed.
 */
final class LocalQueueConversion implements KindConversion {
  private static final String OLD_USAGE = "flavorUsage";
  private static final String NEW_USAGE = "flavorsUsage";

  @Override
  public void upgrade(JsonObject queue) {
    Fields.object(queue, "status")
        .ifPresent(
            status -> {
              Fields.rename(status, OLD_USAGE, NEW_USAGE);
              status.remove("flavors");
            });
  }

  @Override
  public void downgrade(JsonObject queue) {
    Fields.object(queue, "status").ifPresent(status -> Fields.rename(status, NEW_USAGE, OLD_USAGE));
  }
}
