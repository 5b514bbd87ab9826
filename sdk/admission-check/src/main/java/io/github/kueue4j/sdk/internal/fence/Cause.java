// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import org.apiguardian.api.API;

/** Why a verdict came too late. The label names it in metrics. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Cause {
  /** The Workload is deleted, being deleted, or another one of the same name. */
  DELETED("Deleted"),
  /** The Workload finished. */
  FINISHED("Finished"),
  /** The Workload was deactivated. */
  DEACTIVATED("Deactivated"),
  /** The queue no longer requires this check. */
  CHECK_REMOVED("CheckRemoved"),
  /** Evicted or in backoff, where a Ready or a Pending no longer applies. */
  EVICTED("Evicted"),
  /** The quota was given back, and the workload waits for a new reservation. */
  NOT_RESERVED("NotReserved"),
  /** The quota that the verdict was about was given back and reserved anew. */
  OTHER_RESERVATION("OtherReservation"),
  /** The same reservation, but the entry was reset since the evaluation began. */
  ENTRY_RESET("EntryReset"),
  /**
   * A Ready was to be taken back, and its Workload has been admitted since the evaluation began.
   */
  ADMITTED("Admitted"),
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
