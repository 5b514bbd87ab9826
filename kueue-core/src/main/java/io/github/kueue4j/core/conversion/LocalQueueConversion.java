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
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonObject;

/** The usage list was named otherwise; the list of flavors is no more. */
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
