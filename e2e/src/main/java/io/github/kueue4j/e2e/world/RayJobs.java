// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import com.google.gson.JsonObject;
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
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Plays what KubeRay does with RayJobs, as far as their users and the core see it: the pods of head
 * and workers come when the RayJob isn't suspended, it runs for its time once all are ready, and
 * has no pods when it is suspended or complete. The RayCluster in between is left out.
 */
final class RayJobs implements Reconciler {
  private static final String OWNER = "ray.io/originated-from-cr-name";

  private final KubernetesApi api;
  private final TimeSource time;
  private final Duration defaultRuntime;

  RayJobs(KubernetesApi api, TimeSource time, Duration defaultRuntime) {
    this.api = api;
    this.time = time;
    this.defaultRuntime = defaultRuntime;
  }

  static List<ObjectKey> rayJobsOf(Change<V1Pod> change) {
    String name = Metadata.labels(change.object()).get(OWNER);
    return name == null ? List.of() : List.of(new ObjectKey(change.key().namespace(), name));
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<RayJob> found = api.get(RayJob.TYPE, key);
    if (found.isEmpty() || found.get().metadata().getDeletionTimestamp() != null) {
      return Requeue.never(); // Its pods go with it.
    }
    RayJob job = found.get();
    List<V1Pod> pods =
        api.list(
                CoreTypes.POD,
                ListOptions.inNamespace(key.namespace())
                    .withLabelSelector(OWNER + "=" + key.name()))
            .items();
    String state = job.status().jobDeploymentStatus();
    if (state.equals("Complete") || Boolean.TRUE.equals(job.spec().suspend())) {
      pods.stream().filter(pod -> !Kubelets.isTerminating(pod)).forEach(this::end);
      if (pods.isEmpty() && !state.isEmpty() && !state.equals("Complete")) {
        write(
            job,
            Map.of(
                "jobDeploymentStatus",
                "Suspended",
                "jobStatus",
                "",
                "startTime",
                "",
                "rayClusterStatus",
                Map.of("state", "")));
      }
      return Requeue.never();
    }
    return run(job, pods);
  }

  private Requeue run(RayJob job, List<V1Pod> pods) {
    Map<String, V1Pod> wanted = podsOf(job);
    Set<String> there =
        pods.stream().map(pod -> ObjectKey.of(pod).name()).collect(Collectors.toSet());
    wanted.forEach(
        (name, pod) -> {
          if (!there.contains(name)) {
            create(pod);
          }
        });
    boolean ready = pods.stream().filter(JobRun::isReady).count() == wanted.size();
    String started = job.status().startTime();
    if (!ready) {
      write(job, Map.of("jobDeploymentStatus", "Initializing"));
      return Requeue.never();
    }
    if (started == null || started.isEmpty()) {
      write(
          job,
          Map.of(
              "jobDeploymentStatus",
              "Running",
              "jobStatus",
              "RUNNING",
              "startTime",
              time.instant().toString(),
              "rayClusterStatus",
              Map.of("state", "ready")));
      return Requeue.never();
    }
    Instant end = Instant.parse(started).plus(PodRuns.runtime(job.metadata(), defaultRuntime));
    if (end.isAfter(time.instant())) {
      return Requeue.at(end);
    }
    write(job, Map.of("jobDeploymentStatus", "Complete", "jobStatus", "SUCCEEDED"));
    return Requeue.never();
  }

  private static Map<String, V1Pod> podsOf(RayJob job) {
    Map<String, V1Pod> pods = new LinkedHashMap<>();
    RayJob.ClusterSpec cluster = job.spec().rayClusterSpec();
    if (cluster == null) {
      return pods;
    }
    RayJob.Group head = cluster.headGroupSpec();
    if (head != null) {
      add(pods, job, "head", head.template());
    }
    for (RayJob.Group group : cluster.workerGroupSpecs()) {
      for (int i = 0; i < group.count(); i++) {
        add(pods, job, group.groupName() + "-" + i, group.template());
      }
    }
    return pods;
  }

  private static void add(
      Map<String, V1Pod> pods, RayJob job, String suffix, V1PodTemplateSpec template) {
    V1ObjectMeta owner = job.metadata();
    V1ObjectMeta own = Objects.requireNonNullElseGet(template.getMetadata(), V1ObjectMeta::new);
    Map<String, String> labels = new HashMap<>(Metadata.labels(own));
    labels.put(OWNER, Objects.requireNonNull(owner.getName()));
    String name = owner.getName() + "-" + suffix;
    pods.put(
        name,
        new V1Pod()
            .metadata(
                new V1ObjectMeta()
                    .namespace(owner.getNamespace())
                    .name(name)
                    .labels(labels)
                    .annotations(own.getAnnotations())
                    .ownerReferences(
                        List.of(
                            new V1OwnerReference()
                                .apiVersion(RayJob.TYPE.apiVersion())
                                .kind(RayJob.TYPE.kind())
                                .name(owner.getName())
                                .uid(owner.getUid())
                                .controller(true))))
            .spec(Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new)));
  }

  private void create(V1Pod pod) {
    try {
      api.create(CoreTypes.POD, pod);
    } catch (KubernetesApiException.AlreadyExists unseen) {
      return; // Its change brings the RayJob here again.
    }
  }

  private void end(V1Pod pod) {
    api.delete(
        CoreTypes.POD,
        ObjectKey.of(pod),
        DeleteOptions.background().withUid(pod.getMetadata().getUid()));
  }

  private void write(RayJob job, Map<String, ?> fields) {
    JsonObject change = new JsonObject();
    change.add("status", KueueJson.toTree(fields));
    api.patchStatus(RayJob.TYPE, ObjectKey.of(job), new MergePatch(change));
  }
}
