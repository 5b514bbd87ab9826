// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An admission check that ends delays of its own early, because what they waited for has come
 * about: a node is back, a licence was returned. {@code evaluate} judges a workload with quota,
 * this method one that waits without.
 *
 * <p>It needs something that wakes it: an object that it watches ({@link
 * CheckController.Builder#watch}), or a {@link Waker}. A change of the check's parameters ends its
 * delays without being asked, as for every check.
 *
 * {@snippet file="io/github/kueue4j/sdk/example/LicenseFileCheck.java" region=delay}
 *
 * @param <P> as in {@link Check}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DelayEndingCheck<P> extends Check<P> {

  /**
   * Decides whether the delay that this check asked for last ends now. Called while the workload
   * waits it out, each time the check is woken, and once after a start, since what wakes it may
   * have come while no controller ran; on a thread and with a timeout as {@code evaluate}. No quota
   * is reserved, and none of it is known: nothing is to be booked or promised to people. Once the
   * delay has ended, and those of other checks, the workload is queued again, and evaluated with
   * quota as ever.
   *
   * @param waiting the workload; its entry is the Retry, its pod sets have no flavors
   * @return why it ends, for people; empty: it goes on
   * @throws Exception if it can't be told: the delay goes on, and the check is asked again after a
   *     growing time
   */
  Optional<String> delayEnds(Evaluation<P> waiting) throws Exception;
}
