// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import org.apiguardian.api.API;

/**
 * The owner of a Workload as the core knows it: the object that runs its pods, usually a Job.
 *
 * <p>Quota is released only when no pod can run on it any more. So only the serial worker that also
 * starts the owner may report {@link #STOPPED}, after reading the owner from the API and with no
 * start in flight. Every other caller passes {@link #UNKNOWN}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Owner {
  /** The Workload has no owner; it counts as stopped. */
  NONE,
  /** The caller didn't read the owner; no plan that requires a stopped owner is made. */
  UNKNOWN,
  /** Running, starting or not fully stopped. */
  RUNNING,
  /**
   * Suspended, as read from the API server, and no pod runs on its quota; whether pods still end
   * isn't asked if {@code quotaRelease.when} is JobSuspended.
   */
  STOPPED;

  /** Whether quota may be released because no pod runs on it. */
  boolean stopped() {
    return this == NONE || this == STOPPED;
  }
}
