// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1StatefulSetSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays the controllers of a LeaderWorkerSet by their public contract: a StatefulSet of its name
 * has the leaders, all at once; each leader owns a StatefulSet of its own name, which has its
 * workers, numbered from 1 on. A group goes as a whole when one of its pods goes. A changed
 * template is rolled out group by group, the last one first.
 */
final class PlayedLeaderWorkerSet extends PlayedController<LeaderWorkerSet> {
  private static final String PREFIX = "leaderworkerset.sigs.k8s.io/";
  private static final ResourceType<V1StatefulSet> STATEFUL_SET =
      ResourceType.of("apps/v1", "StatefulSet", V1StatefulSet.class);

  /** The fields of the kind's own definition that its contract depends on. */
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: leaderworkersets.leaderworkerset.x-k8s.io}
      spec:
        group: leaderworkerset.x-k8s.io
        names:
          {kind: LeaderWorkerSet, listKind: LeaderWorkerSetList, plural: leaderworkersets,
            singular: leaderworkerset, shortNames: [lws]}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            subresources:
              status: {}
              scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                  spec:
                    type: object
                    required: [leaderWorkerTemplate]
                    properties:
                      replicas: {type: integer, format: int32, default: 1, minimum: 0}
                      startupPolicy:
                        {type: string, default: LeaderCreated, enum: [LeaderCreated, LeaderReady]}
                      leaderWorkerTemplate:
                        type: object
                        required: [workerTemplate]
                        properties:
                          size: {type: integer, format: int32, default: 1}
                          restartPolicy: {type: string, default: RecreateGroupOnPodRestart}
                          leaderTemplate:
                            {type: object, x-kubernetes-preserve-unknown-fields: true}
                          workerTemplate:
                            {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String TEMPLATE =
      """
      {metadata: {labels: {app: llm%s}}, spec: {containers: [{name: main, image: "llm:1",
        resources: {requests: {cpu: %d}}}]}}""";

  private boolean afterReady;
  private int surge;
  private @Nullable LeaderWorkerSet kept;

  PlayedLeaderWorkerSet(PodsCluster cluster) {
    super(cluster, LeaderWorkerSet.TYPE, "llm");
    cluster.cluster.server.applyCrds(List.of(DEFINITION));
  }

  /** Workers come once their leader is ready. */
  PlayedLeaderWorkerSet afterReady() {
    afterReady = true;
    return this;
  }

  /**
   * Its rollout makes so many groups beyond its replicas, as its maxSurge has it, until it is over.
   */
  void surges(int groups) {
    surge = groups;
  }

  /** Its partition keeps all groups at what it is now, those that are made anew, too. */
  void keepRevision() {
    kept = read().orElseThrow();
  }

  /** One that is queued, and of which all groups of three pods run. */
  static PlayedLeaderWorkerSet running(PodsCluster cluster, int replicas) {
    PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
    set.queued(replicas);
    set.reach("all run", () -> set.running().size() == 3 * replicas);
    cluster.cluster.settle();
    return set;
  }

  @Override
  void queued(int replicas) {
    create(replicas, "kueue.x-k8s.io/queue-name: lq", ", kueue.x-k8s.io/queue-name: lq", 0);
  }

  /** As the webhook leaves it, with a leader that requests as many CPUs, and two workers of one. */
  void queuedWithLeaders(int replicas, int cpus) {
    create(replicas, "kueue.x-k8s.io/queue-name: lq", ", kueue.x-k8s.io/queue-name: lq", cpus);
  }

  /** One group is queued, whose leader requests two CPUs, and its three pods run. */
  PlayedLeaderWorkerSet runsWithLeader() {
    queuedWithLeaders(1, 2);
    reach("all run", () -> running().size() == 3);
    cluster.cluster.settle();
    return this;
  }

  /**
   * A user creates it.
   *
   * @param labels of its own, as the inside of a YAML flow mapping
   * @param carried further labels of its templates, likewise
   * @param leader the CPUs that a leader requests; 0 if it has the template of the workers
   */
  void create(int replicas, String labels, String carried, int leader) {
    cluster.cluster.apply(
        """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: llm, namespace: team, labels: {%s}}
        spec:
          replicas: %d
          leaderWorkerTemplate:
            size: 3
            workerTemplate: %s
        %s
        """
            .formatted(
                labels,
                replicas,
                TEMPLATE.formatted(carried, 1).replace("\n", " "),
                leader == 0
                    ? ""
                    : "    leaderTemplate: "
                        + TEMPLATE.formatted(carried, leader).replace("\n", " ")));
  }

  /** What each of its groups is made of. */
  LeaderWorkerSet.LeaderWorkerTemplate templates() {
    return Objects.requireNonNull(read().orElseThrow().spec().leaderWorkerTemplate());
  }

  void scale(int replicas) {
    patch("{\"spec\": {\"replicas\": " + replicas + "}}");
  }

  /** Its controllers and kubelets act until it holds. */
  void reach(String what, BooleanSupplier expected) {
    cluster.reach(
        what,
        () -> {
          step();
          return expected.getAsBoolean();
        });
  }

  /** It is about to be deleted without its dependents, as its leaders' StatefulSet. */
  void leadersStay() {
    stays(name);
  }

  /** The garbage collector takes its time: the workers of this leader stay when it goes. */
  void workersStay(String leader) {
    stays(leader);
  }

  private void stays(String statefulSet) {
    cluster.cluster.api.patch(
        STATEFUL_SET,
        TestCluster.key(statefulSet),
        TestCluster.merge("{\"metadata\": {\"ownerReferences\": null}}"));
  }

  /** The garbage collector comes to the workers of a leader that has gone. */
  void collectWorkers(String leader) {
    cluster.cluster.api.delete(STATEFUL_SET, TestCluster.key(leader), DeleteOptions.background());
  }

  /** The names of the pods that run. */
  List<String> names() {
    return running().stream().map(pod -> ObjectKey.of(pod).name()).sorted().toList();
  }

  /** The Workloads of its groups, in their order. */
  List<Workload> workloads() {
    return cluster.cluster.workloads().stream()
        .filter(workload -> ObjectKey.of(workload).name().startsWith("leaderworkerset-llm-"))
        .sorted(Comparator.comparing(workload -> ObjectKey.of(workload).name()))
        .toList();
  }

  @Override
  V1PodTemplateSpec template() {
    return template(read().orElseThrow(), false);
  }

  @Override
  void control(LeaderWorkerSet current) {
    LeaderWorkerSet set = Objects.requireNonNullElse(kept, current);
    int replicas = Objects.requireNonNull(current.spec().replicas()) + surge;
    V1StatefulSet leaders = statefulSet(name, controller(LeaderWorkerSet.TYPE, set));
    for (int group = 0; group < replicas; group++) {
      V1Pod leader = cluster.find(name + "-" + group).orElse(null);
      if (leader == null) {
        pod(set, group, 0, controller(STATEFUL_SET, leaders));
      } else if (!Health.terminating(leader)) {
        workers(set, group, leader, kept == null ? size(leader) : current.size());
      }
    }
    pods().stream()
        .filter(pod -> worker(pod) == 0 && group(pod) >= replicas && !Health.terminating(pod))
        .forEach(pod -> cluster.delete(ObjectKey.of(pod).name()));
    rollOut(set, replicas);
  }

  private void workers(LeaderWorkerSet set, int group, V1Pod leader, int size) {
    List<V1Pod> members = pods().stream().filter(pod -> group(pod) == group).toList();
    String leaderName = ObjectKey.of(leader).name();
    V1StatefulSet workers =
        cluster.cluster.api.get(STATEFUL_SET, TestCluster.key(leaderName)).orElse(null);
    boolean stale = workers != null && !owned(workers, leader);
    boolean goes =
        members.stream()
            .filter(pod -> worker(pod) == 0 || (workers != null && owned(pod, workers)))
            .anyMatch(pod -> Health.terminating(pod) || phase(pod).equals("Failed"));
    if (goes && !stale) {
      cluster.delete(leaderName);
    } else if (!stale && (!afterReady || ready(leader))) {
      V1StatefulSet current =
          workers == null ? statefulSet(leaderName, controller(CoreTypes.POD, leader)) : workers;
      IntStream.range(1, size)
          .filter(worker -> cluster.find(leaderName + "-" + worker).isEmpty())
          .forEach(worker -> pod(set, group, worker, controller(STATEFUL_SET, current)));
    }
  }

  private void rollOut(LeaderWorkerSet set, int replicas) {
    List<V1Pod> leaders = pods().stream().filter(pod -> worker(pod) == 0).toList();
    int complete = leaders.stream().mapToInt(PlayedLeaderWorkerSet::size).sum();
    if (leaders.size() == replicas && running().size() == complete && pods().size() == complete) {
      leaders.stream()
          .filter(pod -> !revision(set).equals(label(pod, "template-revision-hash")))
          .max(Comparator.comparing(this::group))
          .ifPresent(pod -> cluster.delete(ObjectKey.of(pod).name()));
    }
  }

  private V1StatefulSet statefulSet(String called, V1OwnerReference owner) {
    return cluster
        .cluster
        .api
        .get(STATEFUL_SET, TestCluster.key(called))
        .orElseGet(
            () ->
                cluster.cluster.api.create(
                    STATEFUL_SET,
                    new V1StatefulSet()
                        .apiVersion("apps/v1")
                        .kind("StatefulSet")
                        .metadata(
                            new V1ObjectMeta()
                                .namespace("team")
                                .name(called)
                                .labels(read().orElseThrow().metadata().getLabels())
                                .addOwnerReferencesItem(owner))
                        .spec(
                            new V1StatefulSetSpec()
                                .serviceName(name)
                                .selector(new V1LabelSelector().putMatchLabelsItem("app", name))
                                .template(template()))));
  }

  private void pod(LeaderWorkerSet set, int group, int worker, V1OwnerReference owner) {
    V1PodTemplateSpec template = template(set, worker == 0);
    V1ObjectMeta metadata = Objects.requireNonNull(template.getMetadata());
    metadata.putLabelsItem(PREFIX + "name", name);
    metadata.putLabelsItem(PREFIX + "group-index", String.valueOf(group));
    metadata.putLabelsItem(PREFIX + "worker-index", String.valueOf(worker));
    metadata.putLabelsItem(PREFIX + "template-revision-hash", revision(set));
    metadata.putAnnotationsItem(PREFIX + "size", String.valueOf(set.size()));
    String leader = name + "-" + group;
    pod(
        worker == 0 ? leader : leader + "-" + worker,
        owner,
        template,
        Optional.of(set.groupOf(group)),
        Map.of(
            "kueue.x-k8s.io/pod-group-total-count",
            String.valueOf(set.size()),
            "kueue.x-k8s.io/pod-group-fast-admission",
            "true",
            "kueue.x-k8s.io/pod-group-serving",
            "true",
            "kueue.x-k8s.io/role-hash",
            set.role(new LeaderWorkerSet.GroupPlace(name, group, worker)),
            "kueue.x-k8s.io/pod-suspending-parent",
            "leaderworkerset.x-k8s.io/leaderworkerset"));
  }

  private static V1PodTemplateSpec template(LeaderWorkerSet set, boolean leads) {
    LeaderWorkerSet.LeaderWorkerTemplate both =
        Objects.requireNonNull(set.spec().leaderWorkerTemplate());
    V1PodTemplateSpec leader = both.leaderTemplate();
    V1PodTemplateSpec template = leads && leader != null ? leader : both.workerTemplate();
    return KueueJson.fromTree(KueueJson.toTree(template), V1PodTemplateSpec.class);
  }

  private static String revision(LeaderWorkerSet set) {
    return Integer.toHexString(
        Objects.requireNonNull(set.spec().leaderWorkerTemplate()).hashCode());
  }

  private static boolean owned(KubernetesObject object, KubernetesObject owner) {
    return Objects.requireNonNullElse(
            object.getMetadata().getOwnerReferences(), new ArrayList<V1OwnerReference>())
        .stream()
        .anyMatch(reference -> reference.getUid().equals(Uids.of(owner)));
  }

  /** The number of pods that its group had when its leader was made. */
  private static int size(V1Pod leader) {
    return Integer.parseInt(
        Objects.requireNonNull(leader.getMetadata().getAnnotations()).get(PREFIX + "size"));
  }

  private int group(V1Pod pod) {
    return Integer.parseInt(label(pod, "group-index"));
  }

  private int worker(V1Pod pod) {
    return Integer.parseInt(label(pod, "worker-index"));
  }

  private static String label(V1Pod pod, String key) {
    return Objects.requireNonNull(pod.getMetadata().getLabels()).getOrDefault(PREFIX + key, "0");
  }
}
