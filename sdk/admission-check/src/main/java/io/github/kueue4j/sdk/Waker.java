// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.ObjectKey;
import org.apiguardian.api.API;

/**
 * Has workloads that wait for a check looked at again, because something outside of the cluster has
 * changed. Those that wait for a verdict are evaluated; those that wait out a delay of a {@link
 * DelayEndingCheck} are asked about it. Others are left alone.
 *
 * <p>Any thread may call its methods. They do nothing before the controller is built.
 *
 * @see io.github.kueue4j.sdk.maintenance.Maintenance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Waker {

  /** Wakes this workload. */
  void wake(ObjectKey workload);

  /** Wakes all workloads. Calls in quick succession count as one. */
  void wakeAll();
}
