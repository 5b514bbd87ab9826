// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A LeaderWorkerSet ({@code leaderworkerset.x-k8s.io/v1}), with the fields that admission needs. It
 * has groups of a leader and its workers. A StatefulSet of the same name makes the leaders, and for
 * each of them another one its workers.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the number of groups, and what each is made of
 */
@API(status = API.Status.INTERNAL)
public record LeaderWorkerSet(V1ObjectMeta metadata, GroupsSpec spec) implements ApiObject {
  public static final ResourceType<LeaderWorkerSet> TYPE =
      ResourceType.of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", LeaderWorkerSet.class);

  /** The role of the leader in its group, and of the workers if the leader has its own template. */
  private static final String LEADER = "leader";

  private static final String WORKER = "worker";
  private static final String ANY = "main";

  /** Label of a pod: its LeaderWorkerSet. */
  private static final String NAME = "leaderworkerset.sigs.k8s.io/name";

  /** Label of a pod: the revision of the templates that it was made of. */
  private static final String REVISION = "leaderworkerset.sigs.k8s.io/template-revision-hash";

  /** Label of a pod: the number of its group, from 0 on. */
  private static final String GROUP_INDEX = "leaderworkerset.sigs.k8s.io/group-index";

  /** Label of a pod: its number in its group, 0 for the leader. */
  private static final String WORKER_INDEX = "leaderworkerset.sigs.k8s.io/worker-index";

  public LeaderWorkerSet {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? new GroupsSpec(null, null) : spec;
  }

  /**
   * The spec of a LeaderWorkerSet.
   *
   * @param replicas the number of groups; absent is 1
   * @param leaderWorkerTemplate what each group is made of
   */
  public record GroupsSpec(
      @Nullable Integer replicas, @Nullable LeaderWorkerTemplate leaderWorkerTemplate) {}

  /**
   * The template of a group.
   *
   * @param size the number of its pods, with the leader; absent is 1
   * @param leaderTemplate of the leader; absent if it has that of the workers
   * @param workerTemplate of the workers
   */
  public record LeaderWorkerTemplate(
      @Nullable Integer size,
      @Nullable V1PodTemplateSpec leaderTemplate,
      @Nullable V1PodTemplateSpec workerTemplate) {}

  /**
   * The place that the labels of a pod name.
   *
   * @param set the name of the LeaderWorkerSet
   * @param group the number of the group, from 0 on
   * @param worker the number of the pod in its group, 0 for the leader
   */
  public record GroupPlace(String set, int group, int worker) {
    /**
     * The place of a pod as it is created: webhooks of the LeaderWorkerSet's controller may be
     * asked after the core's, so that its name stands for labels that are to come.
     */
    public static Optional<GroupPlace> of(Map<String, String> labels, String podName) {
      String set = labels.get(NAME);
      if (set == null) {
        return Optional.empty();
      }
      int ordinal = number(podName.substring(podName.lastIndexOf('-') + 1));
      boolean leads = "0".equals(labels.get(WORKER_INDEX));
      String group = labels.get(GROUP_INDEX);
      return Optional.of(
          new GroupPlace(set, group == null ? ordinal : number(group), leads ? 0 : ordinal));
    }

    /** The place of a pod that is queued with its group; empty for any other. */
    public static Optional<GroupPlace> of(V1Pod pod) {
      String group = PlainPod.label(pod, Keys.POD_GROUP);
      return PodGroup.serves(pod)
              && group != null
              && ServingKind.LEADER_WORKER_SET.mayHaveNamed(group)
          ? of(Metadata.labels(pod), ObjectKey.of(pod).name())
          : Optional.empty();
    }

    private static int number(String text) {
      return PositiveNumber.read(text).orElse(0);
    }
  }

  /** Whether a pod is queued with its group, and leads it. */
  public static boolean leads(V1Pod pod) {
    return GroupPlace.of(pod).filter(place -> place.worker() == 0).isPresent();
  }

  /** The revision of its templates that a pod was made of. */
  static Optional<String> revision(V1Pod pod) {
    return Optional.ofNullable(PlainPod.label(pod, REVISION));
  }

  /** Whether a pod is queued with its group of a LeaderWorkerSet. */
  static boolean belongs(V1Pod pod) {
    return GroupPlace.of(pod).isPresent();
  }

  /** Whether a pod is queued with its group, and is a worker of it. */
  public static boolean follows(V1Pod pod) {
    return GroupPlace.of(pod).filter(place -> place.worker() != 0).isPresent();
  }

  @Override
  public ResourceType<LeaderWorkerSet> type() {
    return TYPE;
  }

  /** The name of a group of pods, and of its Workload. */
  public String groupOf(int group) {
    return ServingKind.LEADER_WORKER_SET.groupOf(
        new V1OwnerReference().name(ObjectKey.of(this).name() + "-" + group).uid(Uids.of(this)));
  }

  /** The number of pods of a group; none of one that is to be there no more, or in no queue. */
  public int wanted(int group) {
    Integer replicas = spec.replicas();
    return queued() && group < (replicas == null ? 1 : replicas) ? size() : 0;
  }

  private boolean queued() {
    return JobWorkload.queueName(this).isPresent()
        || Stream.of(template().leaderTemplate(), template().workerTemplate())
            .anyMatch(
                template ->
                    template != null
                        && Metadata.labels(template.getMetadata()).containsKey(Keys.QUEUE_NAME));
  }

  /** The number of pods of each group. */
  public int size() {
    Integer size = template().size();
    return size == null ? 1 : size;
  }

  /** The role of a pod in its group. */
  public String role(GroupPlace place) {
    return template().leaderTemplate() == null ? ANY : place.worker() == 0 ? LEADER : WORKER;
  }

  /** The pod sets of each group, by its templates. */
  List<PodSet> podSets() {
    List<PodSet> podSets = new ArrayList<>();
    V1PodTemplateSpec leader = template().leaderTemplate();
    if (leader != null) {
      podSets.add(podSet(LEADER, leader, 1));
    }
    int others = size() - podSets.size();
    if (others > 0) {
      podSets.add(podSet(leader == null ? ANY : WORKER, template().workerTemplate(), others));
    }
    return podSets;
  }

  private static PodSet podSet(String role, @Nullable V1PodTemplateSpec template, int count) {
    V1Pod pod =
        template == null
            ? new V1Pod()
            : new V1Pod().metadata(template.getMetadata()).spec(template.getSpec());
    return new PodSet(role, PlainPod.template(pod), count, null);
  }

  private LeaderWorkerTemplate template() {
    LeaderWorkerTemplate template = spec.leaderWorkerTemplate();
    return template == null ? new LeaderWorkerTemplate(null, null, null) : template;
  }
}
