// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.jobs.CopiedMetadata;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.WorkloadNames;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The Workloads that are made for Jobs, by the configuration.
 *
 * @param names of the Workloads
 * @param partialAdmission whether a Job may be admitted with fewer pods
 * @param copied the metadata that a Workload copies from its Job
 */
@API(status = API.Status.INTERNAL)
public record NewWorkloads(WorkloadNames names, boolean partialAdmission, CopiedMetadata copied) {
  /** The settings of a configuration. */
  public static NewWorkloads of(Configuration configuration) {
    return new NewWorkloads(
        new WorkloadNames(configuration.featureGates().enabled(FeatureGate.SHORT_WORKLOAD_NAMES)),
        configuration.featureGates().enabled(FeatureGate.PARTIAL_ADMISSION),
        configuration.integrations().copied());
  }

  /**
   * The Workload to create for a Job.
   *
   * @param podSets of the Job, with untrimmed templates
   */
  public <T extends KubernetesObject> Workload of(
      JobKind<T> kind, T job, List<PodSet> podSets, JobWorkload.Priority priority) {
    return JobWorkload.create(
        names.of(kind.type(), job), kind.type(), job, unmarked(podSets), priority, copied);
  }

  /**
   * The Workload to create for a group of untrimmed pods that is ready; empty if these serve, and
   * the object whose pods they are is gone.
   *
   * @param key of the Workload
   * @param api has the object whose pods they are if they serve
   */
  public Optional<Workload> ofGroup(
      ObjectKey key, PodGroup group, JobWorkload.Priority priority, KubernetesApi api) {
    return new ServingObjects(api)
        .demand(key, group)
        .map(
            demand ->
                demand.numbered(
                    ofGroup(
                        key,
                        demand.server(),
                        group.chosen(),
                        demand.podSets().stream().map(PodGroup.AskedPodSet::podSet).toList(),
                        priority)));
  }

  /** The Workload to create for a group of pods; see {@link #of}. */
  Workload ofGroup(
      ObjectKey key,
      Optional<V1OwnerReference> server,
      List<V1Pod> pods,
      List<PodSet> podSets,
      JobWorkload.Priority priority) {
    return JobWorkload.ofGroup(key, server, pods, unmarked(podSets), priority, copied);
  }

  /** The pod sets without what the configuration doesn't permit. */
  List<PodSet> permitted(List<PodSet> podSets) {
    return partialAdmission
        ? podSets
        : podSets.stream().map(podSet -> podSet.withMinCount(null)).toList();
  }

  /** The pod sets without what an earlier start of their Job has left on them. */
  List<PodSet> unmarked(List<PodSet> podSets) {
    return permitted(podSets).stream().map(JobWorkload::withoutMarks).toList();
  }
}
