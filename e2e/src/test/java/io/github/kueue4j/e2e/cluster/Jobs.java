// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The Jobs of a namespace, each by its name, with their pods and Workloads as they are now.
 *
 * @param api where they are read
 * @param namespace theirs
 */
public record Jobs(KubernetesApi api, String namespace) {
  private static final String JOB_NAME = "batch.kubernetes.io/job-name";

  public ObjectKey key(String name) {
    return new ObjectKey(namespace, name);
  }

  public V1Job job(String name) {
    return api.get(CoreTypes.JOB, key(name)).orElseThrow();
  }

  public boolean suspended(String job) {
    return Boolean.TRUE.equals(Objects.requireNonNull(job(job).getSpec()).getSuspend());
  }

  public V1JobStatus status(String job) {
    return Objects.requireNonNullElseGet(job(job).getStatus(), V1JobStatus::new);
  }

  /** Whether so many pods are ready, by the Job's status, and no other is active. */
  public boolean ready(String job, int pods) {
    V1JobStatus status = status(job);
    return Objects.requireNonNullElse(status.getActive(), 0) == pods
        && Objects.requireNonNullElse(status.getReady(), 0) == pods;
  }

  /** Whether its pods have been made, at any time since it was last resumed. */
  public boolean begun(String job) {
    return status(job).getStartTime() != null;
  }

  public boolean complete(String job) {
    return status(job).getCompletionTime() != null;
  }

  /** The pods of a Job, in whatever phase. */
  public List<V1Pod> pods(String job) {
    return api.list(
            CoreTypes.POD,
            ListOptions.inNamespace(namespace).withLabelSelector(JOB_NAME + "=" + job))
        .items();
  }

  /** The pods of a Job that haven't ended. */
  public List<V1Pod> activePods(String job) {
    return pods(job).stream().filter(Jobs::active).toList();
  }

  /** The Jobs that have such pods at one instant. */
  public Set<String> withActivePods() {
    return api
        .list(CoreTypes.POD, ListOptions.inNamespace(namespace).withLabelSelector(JOB_NAME))
        .items()
        .stream()
        .filter(Jobs::active)
        .map(pod -> Objects.requireNonNull(pod.getMetadata().getLabels()).get(JOB_NAME))
        .collect(Collectors.toSet());
  }

  private static boolean active(V1Pod pod) {
    return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
  }

  /** When a pod of the Job was told to end; empty while none is. */
  public Optional<Instant> toldToEnd(String job) {
    return pods(job).stream()
        .map(V1Pod::getMetadata)
        .filter(pod -> pod.getDeletionTimestamp() != null)
        .map(
            pod ->
                pod.getDeletionTimestamp()
                    .toInstant()
                    .minusSeconds(Objects.requireNonNull(pod.getDeletionGracePeriodSeconds())))
        .findFirst();
  }

  /** The Workload of a Job that has one. */
  public Workload workload(String job) {
    return findWorkload(job).orElseThrow();
  }

  /** The Workload of a Job, if it has one yet. */
  public Optional<Workload> findWorkload(String job) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(namespace)).items().stream()
        .filter(workload -> isOwnedBy(workload, job))
        .findFirst();
  }

  private static boolean isOwnedBy(Workload workload, String job) {
    List<V1OwnerReference> owners = workload.metadata().getOwnerReferences();
    return owners != null && owners.stream().anyMatch(owner -> owner.getName().equals(job));
  }
}
