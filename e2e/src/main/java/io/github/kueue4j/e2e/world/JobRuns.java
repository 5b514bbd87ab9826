// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Carries out {@link JobRun}: pods appear on nodes, run for their time, succeed; Jobs complete.
 * Pods that were lost are replaced.
 */
final class JobRuns implements Reconciler {
  private static final String JOB_NAME = "batch.kubernetes.io/job-name";
  private static final String JOB_UID = "batch.kubernetes.io/controller-uid";

  private final KubernetesApi api;
  private final Nodes nodes;
  private final TimeSource time;
  private final Duration defaultRuntime;

  JobRuns(KubernetesApi api, Nodes nodes, TimeSource time, Duration defaultRuntime) {
    this.api = api;
    this.nodes = nodes;
    this.time = time;
    this.defaultRuntime = defaultRuntime;
  }

  /**
   * The Jobs whose count of pods is no longer true after another client's change to a pod: it is
   * gone, has ended, or isn't ready any more.
   */
  static List<ObjectKey> jobsOf(Change<V1Pod> change) {
    boolean lost =
        switch (change) {
          case Change.Deleted<V1Pod> deleted -> true;
          case Change.Added<V1Pod> added -> Placement.hasEnded(added.object());
          case Change.Updated<V1Pod> updated ->
              Placement.hasEnded(updated.object())
                  || JobRun.isReady(updated.before()) != JobRun.isReady(updated.object());
        };
    V1ObjectMeta metadata = change.object().getMetadata();
    String job = Metadata.labels(metadata).get(JOB_NAME);
    return lost && job != null ? List.of(new ObjectKey(change.key().namespace(), job)) : List.of();
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<V1Job> found = api.get(CoreTypes.JOB, key);
    if (found.isEmpty() || found.get().getMetadata().getDeletionTimestamp() != null) {
      return Requeue.never();
    }
    V1Job job = found.get();
    Instant now = time.instant();
    List<V1Pod> pods = podsOf(key);
    JobRun run = JobRun.decide(job, pods, now, PodRuns.runtime(job.getMetadata(), defaultRuntime));
    run.delete().forEach(pod -> end(pod));
    run.succeed().forEach(nodes::succeed);
    int started = start(job, run.start(), pods, now);
    writeStatus(job, run);
    if (started < run.start().size()) {
      return Requeue.after(Nodes.LOOK_AGAIN);
    }
    if (started > 0 || !run.succeed().isEmpty() || !run.delete().isEmpty()) {
      return Requeue.after(Duration.ofNanos(1)); // Pods changed: their count goes into the status.
    }
    return run.wakeAt().<Requeue>map(Requeue::at).orElseGet(Requeue::never);
  }

  private List<V1Pod> podsOf(ObjectKey job) {
    return api.list(
            CoreTypes.POD,
            ListOptions.inNamespace(job.namespace()).withLabelSelector(JOB_NAME + "=" + job.name()))
        .items();
  }

  /** Tells a pod to end; its kubelet removes it when it has. */
  private void end(V1Pod pod) {
    api.delete(
        CoreTypes.POD,
        ObjectKey.of(pod),
        DeleteOptions.background().withUid(pod.getMetadata().getUid()));
  }

  /** Starts pods while there is room; returns how many. */
  private int start(V1Job job, List<Integer> indexes, List<V1Pod> pods, Instant now) {
    if (indexes.isEmpty()) {
      return 0;
    }
    V1PodTemplateSpec template = Objects.requireNonNull(job.getSpec()).getTemplate();
    V1PodSpec spec = Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new);
    int started = 0;
    for (int index : indexes) {
      V1ObjectMeta metadata = metadata(job, template, index, pods);
      if (!nodes.place(spec, node -> start(metadata, template, node, now))) {
        return started;
      }
      started++;
    }
    return started;
  }

  private void start(V1ObjectMeta metadata, V1PodTemplateSpec template, String node, Instant now) {
    V1Pod pod =
        Nodes.copy(
            new V1Pod()
                .metadata(metadata)
                .spec(Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new)));
    Objects.requireNonNull(pod.getSpec()).setNodeName(node);
    V1Pod created;
    try {
      created = api.create(CoreTypes.POD, pod);
    } catch (KubernetesApiException.AlreadyExists unseen) {
      return; // Our own, from before a crash or not yet deleted: the next look counts it.
    }
    nodes.run(created, now);
  }

  private static V1ObjectMeta metadata(
      V1Job job, V1PodTemplateSpec template, int index, List<V1Pod> pods) {
    V1ObjectMeta owner = job.getMetadata();
    Map<String, String> labels = new HashMap<>();
    V1ObjectMeta own = template.getMetadata();
    if (own != null && own.getLabels() != null) {
      labels.putAll(own.getLabels());
    }
    labels.put(JOB_NAME, Objects.requireNonNull(owner.getName()));
    labels.put(JOB_UID, Objects.requireNonNull(owner.getUid()));
    labels.put(JobRun.INDEX, Integer.toString(index));
    return new V1ObjectMeta()
        .namespace(owner.getNamespace())
        .name(freeName(owner.getName() + "-" + index, pods))
        .labels(labels)
        .annotations(own == null ? null : own.getAnnotations())
        .ownerReferences(
            List.of(
                new V1OwnerReference()
                    .apiVersion("batch/v1")
                    .kind("Job")
                    .name(owner.getName())
                    .uid(owner.getUid())
                    .controller(true)));
  }

  /** Failed pods stay, so the pod that replaces one has another name. */
  private static String freeName(String wanted, List<V1Pod> pods) {
    Set<String> taken =
        pods.stream().map(pod -> ObjectKey.of(pod).name()).collect(Collectors.toSet());
    return Stream.iterate(0, attempt -> attempt + 1)
        .map(attempt -> attempt == 0 ? wanted : wanted + "-retry-" + attempt)
        .filter(name -> !taken.contains(name))
        .findFirst()
        .orElseThrow();
  }

  private void writeStatus(V1Job job, JobRun run) {
    V1Job after = KueueJson.fromTree(KueueJson.toTree(job), V1Job.class);
    after.setStatus(run.status());
    api.patchStatus(CoreTypes.JOB, GuardedPatch.ofStatus(job, after));
  }
}
