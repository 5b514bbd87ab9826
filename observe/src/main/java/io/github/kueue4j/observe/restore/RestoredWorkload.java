// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.ObjectKey;
import org.apiguardian.api.API;

/**
 * The outcome for one Workload of a backup.
 *
 * @param workload its key in the backup
 * @param outcome what was done
 * @param why the reason, as a clause; empty if the outcome says all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RestoredWorkload(ObjectKey workload, RestoreOutcome outcome, String why) {
  /** The step that was done with a Workload of a backup. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum RestoreOutcome {
    /** Its admission is back: what runs on it runs on, and its quota counts as used. */
    RUNS_ON,
    /**
     * It is as in the backup: it waits for quota, a queue or the end of a delay, or has finished.
     */
    WAITS,
    /** It held quota in the backup, but its Job doesn't run: it waits for quota again. */
    WAITS_AGAIN,
    /** There is nothing left that could wait or run. */
    NOT_NEEDED,
    /** It could not be restored; the core will treat its Job as a new one. */
    NOT_RESTORED
  }
}
