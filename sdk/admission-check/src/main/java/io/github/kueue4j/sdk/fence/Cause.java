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
package io.github.kueue4j.sdk.fence;

import org.apiguardian.api.API;

/** Why a verdict came too late. The label names it in metrics. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Cause {
  /** The Workload is gone, going, or another one of the same name. */
  DELETED("Deleted"),
  /** The Workload finished. */
  FINISHED("Finished"),
  /** The Workload was deactivated. */
  DEACTIVATED("Deactivated"),
  /** The queue no longer asks this check. */
  CHECK_REMOVED("CheckRemoved"),
  /** Evicted or in backoff, where a Ready or a Pending says nothing any more. */
  EVICTED("Evicted"),
  /** The quota was given back, and the workload waits for a new reservation. */
  NOT_RESERVED("NotReserved"),
  /** The quota of the verdict was given back and reserved anew. */
  OTHER_RESERVATION("OtherReservation"),
  /** The same reservation, but somebody reset the entry. */
  ENTRY_RESET("EntryReset"),
  /** In the check's own backoff the queue controller recorded when the delay counts from. */
  BASE_RECORDED("BaseRecorded");

  private final String label;

  Cause(String label) {
    this.label = label;
  }

  /** One upper-camel-case word. */
  public String label() {
    return label;
  }
}
