// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.Workload;
import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The second interface of a {@link Check} that holds something for workloads, such as a booking:
 * giving it up once a workload no longer has the quota for which it was taken.
 *
 * <p>Each call runs on a thread of its own, is interrupted after the controller's timeout ({@link
 * io.github.kueue4j.sdk.Guards#timeout}), and never runs while the check evaluates the same
 * workload, not even while an evaluation that has timed out still ignores its interruption. What
 * fails is tried again with a growing delay.
 *
 * {@snippet file="io/github/kueue4j/sdk/example/LicenseServerCheck.java" region=server}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Cleanup {

  /**
   * Gives up what the check holds for an attempt that is over: the workload was evicted, sent back,
   * deactivated or has finished, has another reservation by now, its queue no longer asks the
   * check, or it runs with what an alternative said (see {@link io.github.kueue4j.api.CheckGroup}).
   * Called at least once for each attempt that was evaluated, so it must do nothing if there is
   * nothing (left) to give up.
   *
   * @param workload as it is now; it may have another reservation already, and what was taken for
   *     that one stays
   * @param holding the attempt; {@linkplain Holding#isOfAnyAttempt of any attempt} where the
   *     controller doesn't know for which ones something was taken, as after a restart
   * @throws Exception any failure
   */
  void cleanUp(Workload workload, Holding holding) throws Exception;

  /**
   * Gives up what the check holds for a workload that is gone. Called at least once; does nothing
   * unless overridden, which is right where all that is held goes with the workload by an owner
   * reference.
   *
   * @param holding names the workload; there may be a new one of the same name
   * @throws Exception any failure
   */
  default void cleanUpDeleted(Holding holding) throws Exception {}

  /**
   * All that the check holds, as far as its backend knows. Asked once after each start (with leader
   * election: once this replica leads), because attempts may have ended, and workloads may have
   * been deleted, while no controller was there to see it; what is no longer needed of it is given
   * up. A check that comes after others (see {@link io.github.kueue4j.api.CheckOrder}), or to which
   * there are alternatives, needs it: a later reservation of the workload, or the one that it runs
   * with, may have no entry of the check.
   *
   * @return empty unless overridden
   * @throws Exception any failure
   */
  default Collection<Holding> owned() throws Exception {
    return List.of();
  }
}
