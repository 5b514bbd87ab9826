// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Workload;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Where the workers of Workloads report what became of their writes. The State takes the reports in
 * soon, in their order. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public interface WriteOutcomes {
  /** A write has returned this version. */
  void written(Workload workload);

  /** The reservation was written, or the worker has found that it is there. */
  void reservationWritten(AssumedReservation reservation, Workload written);

  /**
   * The reservation could not be written: its quota is free again.
   *
   * @param pause until the scheduler may try the Workload again
   */
  void reservationFailed(AssumedReservation reservation, Duration pause);

  /**
   * The worker of a victim found nothing to preempt.
   *
   * @param pause until the scheduler may try the preemptor again
   */
  void preemptionFailed(PreemptionOrder order, Duration pause);

  /** Waits until everything that was reported before this call has been taken in. */
  void catchUp() throws InterruptedException;
}
