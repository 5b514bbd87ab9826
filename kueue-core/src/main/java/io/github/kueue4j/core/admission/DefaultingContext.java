// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.core.job.ChildJob;
import org.apiguardian.api.API;

/** The facts about the cluster that the defaults of Jobs depend on. */
@API(status = API.Status.INTERNAL)
public interface DefaultingContext {
  /** Whether Jobs of that namespace are managed. */
  boolean managesNamespace(String namespace);

  /** Whether a LocalQueue exists. */
  boolean hasLocalQueue(String namespace, String name);

  /** Whether a WorkloadPriorityClass exists. */
  boolean hasWorkloadPriorityClass(String name);

  /**
   * Whether the owner of a Job is itself managed, so that it decides when the Job runs.
   *
   * @param apiVersion its group and version
   * @param name of the owner, in that namespace
   * @param child the Job, which the owner has to have created
   */
  boolean managesOwner(
      String namespace, String apiVersion, String kind, String name, ChildJob child);

  /** Whether objects of that kind can be managed and create Jobs. */
  boolean createsJobs(String apiVersion, String kind);
}
