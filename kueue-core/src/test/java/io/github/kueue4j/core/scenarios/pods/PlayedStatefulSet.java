// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.ServingKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1StatefulSetOrdinals;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Plays the controller of a StatefulSet: pods in order, each once those before it are ready, of
 * fixed names, so that an old one has to be gone before it is made anew; the last one goes first.
 */
final class PlayedStatefulSet extends PlayedController<V1StatefulSet> {
  private static final ResourceType<V1StatefulSet> TYPE =
      ResourceType.of("apps/v1", "StatefulSet", V1StatefulSet.class);

  private boolean parallel;

  PlayedStatefulSet(PodsCluster cluster, String name) {
    super(cluster, TYPE, name);
  }

  /** It waits for none of its pods before it makes the next. */
  PlayedStatefulSet parallel() {
    parallel = true;
    return this;
  }

  /** One that is queued, and of which all pods run. */
  static PlayedStatefulSet running(PodsCluster cluster, int replicas) {
    PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
    set.queued(replicas);
    set.reach("all run", () -> set.running().size() == replicas);
    cluster.cluster.settle();
    return set;
  }

  /** Its controller and kubelets act until it holds. */
  void reach(String what, BooleanSupplier expected) {
    cluster.reach(
        what,
        () -> {
          step();
          return expected.getAsBoolean();
        });
  }

  /** The names of the pods that run. */
  List<String> names() {
    return running().stream().map(pod -> ObjectKey.of(pod).name()).sorted().toList();
  }

  /** As the garbage collector does when it is deleted without its dependents. */
  void deleteAlone() {
    String unowned = "{\"metadata\": {\"ownerReferences\": null}}";
    pods().forEach(pod -> cluster.patch(ObjectKey.of(pod).name(), unowned));
    cluster.cluster.api.patch(
        KueueTypes.WORKLOAD, ObjectKey.of(workload().orElseThrow()), TestCluster.merge(unowned));
    delete();
  }

  @Override
  V1PodTemplateSpec template() {
    return read().orElseThrow().getSpec().getTemplate();
  }

  @Override
  void control(V1StatefulSet set) {
    int replicas = replicas(set);
    int start = start(set);
    for (int ordinal = start; ordinal < start + replicas; ordinal++) {
      V1Pod pod = cluster.find(name + "-" + ordinal).orElse(null);
      if (pod == null) {
        pod(name + "-" + ordinal, controller(TYPE, set));
        return;
      }
      if (!Health.terminating(pod) && List.of("Failed", "Succeeded").contains(phase(pod))) {
        cluster.delete(ObjectKey.of(pod).name());
        return;
      }
      if (!parallel && (Health.terminating(pod) || !ready(pod))) {
        break;
      }
    }
    last(pods().stream().filter(pod -> ordinal(pod) >= start + replicas).toList());
    if (running().size() == replicas) {
      String image = image(template().getSpec().getContainers().getFirst().getImage());
      last(
          alive().stream()
              .filter(
                  pod -> !image(pod.getSpec().getContainers().getFirst().getImage()).equals(image))
              .toList());
    }
  }

  private static String image(Object image) {
    return String.valueOf(image);
  }

  private void last(List<V1Pod> pods) {
    pods.stream()
        .max(Comparator.comparing(this::ordinal))
        .filter(pod -> !Health.terminating(pod))
        .ifPresent(pod -> cluster.delete(ObjectKey.of(pod).name()));
  }

  private int ordinal(V1Pod pod) {
    return Integer.parseInt(ObjectKey.of(pod).name().substring(name.length() + 1));
  }

  private static int start(V1StatefulSet set) {
    V1StatefulSetOrdinals ordinals = set.getSpec().getOrdinals();
    return ordinals == null ? 0 : Objects.requireNonNull(ordinals.getStart());
  }

  private static int replicas(V1StatefulSet set) {
    return Objects.requireNonNull(set.getSpec().getReplicas());
  }

  void scale(int replicas) {
    patch("{\"spec\": {\"replicas\": " + replicas + "}}");
  }

  /** The Workload of its pods. */
  Optional<Workload> workload() {
    return cluster.cluster.workloads().stream()
        .filter(
            workload ->
                Objects.requireNonNullElse(
                        workload.metadata().getOwnerReferences(), List.<V1OwnerReference>of())
                    .stream()
                    .anyMatch(
                        owner ->
                            read().filter(set -> Uids.of(set).equals(owner.getUid())).isPresent()))
        .findFirst();
  }

  @Override
  Optional<String> group(V1OwnerReference owner) {
    return ServingKind.grouping(owner).map(kind -> kind.groupOf(owner));
  }

  @Override
  Map<String, String> ofGroup() {
    return Map.of(
        "kueue.x-k8s.io/pod-group-total-count",
        String.valueOf(replicas(read().orElseThrow())),
        "kueue.x-k8s.io/pod-group-fast-admission",
        "true",
        "kueue.x-k8s.io/pod-group-serving",
        "true",
        "kueue.x-k8s.io/role-hash",
        "main",
        "kueue.x-k8s.io/pod-suspending-parent",
        "statefulset");
  }
}
