// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.LeaderWorkerGroup;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the objects whose pods serve as groups, which no informer watches. */
final class ServingObjects {
  private static final Logger log = LoggerFactory.getLogger(ServingObjects.class);

  private final KubernetesApi api;

  ServingObjects(KubernetesApi api) {
    this.api = api;
  }

  /**
   * The demand of a group.
   *
   * @param server the object whose pods they are if they serve
   * @param number of the group, if that object has several
   */
  record ServingDemand(
      Optional<V1OwnerReference> server, OptionalInt number, List<PodGroup.AskedPodSet> podSets) {
    /** The Workload, which outlives the pods that have the number. */
    Workload numbered(Workload workload) {
      number.ifPresent(
          group -> workload.metadata().putAnnotationsItem(Keys.GROUP_INDEX, String.valueOf(group)));
      return workload;
    }
  }

  /**
   * The demand of a group that is ready; empty if that can't be known since its object is gone.
   *
   * @param key of its Workload
   */
  Optional<ServingDemand> demand(ObjectKey key, PodGroup group) {
    V1Pod first = group.active().getFirst();
    Optional<LeaderWorkerSet.GroupPlace> place = LeaderWorkerSet.GroupPlace.of(first);
    if (place.isPresent()) {
      int number = place.get().group();
      return seen(
              new ObjectKey(key.namespace(), place.get().set()),
              LeaderWorkerSet.TYPE,
              found -> found)
          .flatMap(found -> found)
          .filter(set -> set.groupOf(number).equals(key.name()))
          .map(
              set ->
                  new ServingDemand(
                      Optional.of(reference(set)),
                      OptionalInt.of(number),
                      new LeaderWorkerGroup(group).asked(set)));
    }
    Optional<V1OwnerReference> server = PodGroup.server(first);
    OptionalInt replicas =
        server
            .map(owner -> replicas(key.namespace(), owner))
            .filter(wanted -> wanted.orElse(0) > 0)
            .orElse(OptionalInt.empty());
    return Optional.of(new ServingDemand(server, OptionalInt.empty(), group.asked(replicas)));
  }

  /** Why the group of a pod can't be queued whose object is gone. */
  static PodGroup.Misfit misfit(V1Pod pod) {
    return new PodGroup.Misfit(
        pod,
        "its LeaderWorkerSet is gone or can't be read, or another one has its name; delete the pod, and what makes"
            + " it anew has it queued as it is then");
  }

  private static V1OwnerReference reference(LeaderWorkerSet set) {
    return new V1OwnerReference()
        .apiVersion(LeaderWorkerSet.TYPE.apiVersion())
        .kind(LeaderWorkerSet.TYPE.kind())
        .name(ObjectKey.of(set).name())
        .uid(Uids.of(set));
  }

  /**
   * How many pods the object that has them serve is to have in a queue by now for this Workload:
   * none if it is gone, or names no queue any more. Empty if that can't be seen, or they don't
   * serve.
   */
  OptionalInt wanted(Workload workload) {
    Optional<V1OwnerReference> server = PodGroup.server(workload);
    if (server.isEmpty()) {
      return OptionalInt.empty();
    }
    String namespace = ObjectKey.of(workload).namespace();
    OptionalInt number = number(workload);
    return number.isPresent()
        ? number(
            seen(
                namespace,
                server.get(),
                LeaderWorkerSet.TYPE,
                found -> found.map(set -> set.wanted(number.getAsInt())).orElse(0)))
        : replicas(namespace, server.get());
  }

  private OptionalInt replicas(String namespace, V1OwnerReference server) {
    return number(read(namespace, server, found -> found.map(ServingKind::queuedPods).orElse(0)));
  }

  /**
   * Whether the group of a Workload is to have other pods than those that it was queued with.
   *
   * @param counted whether another number of pods counts, by what their object is by now
   */
  boolean outdated(Workload workload, PodGroup group, boolean counted) {
    OptionalInt number = number(workload);
    if (number.isEmpty()) {
      return (counted && differs(wanted(workload).orElse(0), workload)) || group.outgrew(workload);
    }
    return PodGroup.server(workload)
        .flatMap(
            server ->
                seen(
                    ObjectKey.of(workload).namespace(),
                    server,
                    LeaderWorkerSet.TYPE,
                    found ->
                        found
                            .filter(
                                set ->
                                    (counted && differs(set.wanted(number.getAsInt()), workload))
                                        || new LeaderWorkerGroup(group).outgrew(workload, set))
                            .isPresent()))
        .orElse(false);
  }

  private static boolean differs(int wanted, Workload workload) {
    return wanted > 0 && wanted != places(workload);
  }

  /** The number of pods of a Workload. */
  static int places(Workload workload) {
    return workload.spec().podSets().stream().mapToInt(PodSet::count).sum();
  }

  /** The number of its group, of an object that has several. */
  private static OptionalInt number(Workload workload) {
    String number = Metadata.annotations(workload).getOrDefault(Keys.GROUP_INDEX, "");
    return number.matches("[0-9]{1,9}")
        ? OptionalInt.of(Integer.parseInt(number))
        : OptionalInt.empty();
  }

  /** The first ordinal of the pods of a Workload that serve; empty if that can't be seen. */
  OptionalInt firstOrdinal(Workload workload) {
    return PodGroup.server(workload)
        .map(
            server ->
                number(
                    read(
                        ObjectKey.of(workload).namespace(),
                        server,
                        found ->
                            found
                                .flatMap(object -> object.spec().ordinals())
                                .flatMap(ServingKind.Ordinals::start)
                                .orElse(0))))
        .orElse(OptionalInt.empty());
  }

  private static OptionalInt number(Optional<Integer> number) {
    return number.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private <R> Optional<R> read(
      String namespace,
      V1OwnerReference server,
      Function<Optional<CustomResource<ServingKind.Replicas>>, R> use) {
    return ServingKind.grouping(server).flatMap(kind -> seen(namespace, server, kind.type(), use));
  }

  private <T extends KubernetesObject, R> Optional<R> seen(
      String namespace,
      V1OwnerReference server,
      ResourceType<T> type,
      Function<Optional<T>, R> use) {
    return seen(
        new ObjectKey(namespace, server.getName()),
        type,
        found -> use.apply(found.filter(object -> Uids.of(object).equals(server.getUid()))));
  }

  /** Empty if it can't be seen. */
  private <T extends KubernetesObject, R> Optional<R> seen(
      ObjectKey key, ResourceType<T> type, Function<Optional<T>, R> use) {
    try {
      return Optional.of(use.apply(api.get(type, key)));
    } catch (KubernetesApiException.Forbidden e) {
      // Its framework may have been taken out: nothing may get stuck for it.
      log.atWarn()
          .addKeyValue("kind", type.kind())
          .addKeyValue("object", key)
          .addKeyValue("cause", e.getMessage())
          .log("Can't see how many pods are to serve; the quota of their group is kept");
      return Optional.empty();
    }
  }
}
