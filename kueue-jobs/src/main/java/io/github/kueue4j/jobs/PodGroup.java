// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a group that are managed, which have one Workload together: a pod set for each role,
 * named by it (KEP-976). A pod is active until it has ended without success.
 *
 * @param name of the group, and of its Workload
 * @param pods those that are to be kept come first: started ones, then those of lower ordinals if
 *     they serve, then older ones
 */
@API(status = API.Status.INTERNAL)
public record PodGroup(String name, List<V1Pod> pods) {
  /** A Workload has no more pod sets. */
  private static final int MOST_ROLES = 8;

  private static final int MOST_PODS = 5_000;

  /** What an owner adds to a Workload in bytes, with its field manager, beside its name. */
  private static final int OWNER_SIZE = 170;

  /** An API server stores objects of 1.5 MiB by default; a part is left for all but the owners. */
  private static final int MOST_OWNERS_SIZE = 1_300_000;

  private static final PlainPod KIND = new PlainPod();

  private static final Comparator<V1Pod> KEPT_FIRST =
      Comparator.comparing(KIND::suspended)
          .thenComparing(pod -> serves(pod) ? ordinal(pod) : 0)
          .thenComparing(PodGroup::created)
          .thenComparing(pod -> ObjectKey.of(pod).name());

  static final Comparator<V1Pod> NEWEST_FIRST =
      Comparator.comparing(PodGroup::created)
          .thenComparing(pod -> ObjectKey.of(pod).name())
          .reversed();

  /** What has to be the same for all pods that are to have one Workload. */
  private static final Map<String, Function<V1Pod, @Nullable String>> SHARED =
      new LinkedHashMap<>();

  static {
    SHARED.put(
        annotationField(Keys.POD_GROUP_TOTAL),
        pod -> PlainPod.annotation(pod, Keys.POD_GROUP_TOTAL));
    SHARED.put(labelField(Keys.QUEUE_NAME), pod -> PlainPod.label(pod, Keys.QUEUE_NAME));
    SHARED.put(labelField(Keys.PRIORITY_CLASS), pod -> PlainPod.label(pod, Keys.PRIORITY_CLASS));
  }

  public PodGroup {
    pods = pods.stream().sorted(KEPT_FIRST).toList();
  }

  /**
   * A pod that can't be queued with its group.
   *
   * @param why the field, the problem and the remedy, without a period
   */
  public record Misfit(V1Pod pod, String why) {}

  /**
   * The managed ones of these pods: those that the webhook took, and have the gate, were started by
   * this core, or own the Workload.
   *
   * @param workload empty if there is none yet
   */
  public static PodGroup of(String name, Collection<V1Pod> found, Optional<Workload> workload) {
    Set<String> owners =
        workload.stream()
            .flatMap(PodGroup::owners)
            .map(V1OwnerReference::getUid)
            .collect(Collectors.toSet());
    return new PodGroup(
        name,
        found.stream()
            .filter(
                pod ->
                    owners.contains(Uids.of(pod))
                        ? PlainPod.kept(pod) || runs(pod)
                        : KIND.manageable(pod))
            .toList());
  }

  /**
   * Whether a Workload is that of a group, by its pods or by the object that has them serve and for
   * which this core has made it.
   */
  public static boolean has(Workload workload) {
    return "true".equals(Metadata.annotations(workload).get(Keys.GROUP_WORKLOAD))
        && (server(workload).isPresent()
            || owners(workload).allMatch(owner -> CoreTypes.POD.kind().equals(owner.getKind())));
  }

  /** Whether a Workload is that of these pods, and this core has made it. */
  public static boolean has(Workload workload, Collection<V1Pod> members) {
    return has(workload)
        && (server(workload).isPresent()
            || members.stream().noneMatch(PodGroup::serves)
            || (abandoned(workload)
                && members.stream().allMatch(pod -> !runs(pod) || PlainPod.startedByCore(pod))));
  }

  /** Whether the object that had its pods serve was deleted without them. */
  public static boolean abandoned(Workload workload) {
    return owners(workload).findAny().isEmpty()
        && ServingKind.mayName(ObjectKey.of(workload).name());
  }

  /** Whether it belongs to a group that serves requests, and so has no end. */
  public static boolean serves(V1Pod pod) {
    return "true".equals(PlainPod.annotation(pod, Keys.POD_GROUP_SERVING));
  }

  /** The object whose pods serve as a group; empty if it has none. */
  public static Optional<V1OwnerReference> server(V1Pod pod) {
    return serves(pod) ? server(Metadata.owners(pod).stream()) : Optional.empty();
  }

  /** The object for whose pods this Workload was made; empty if its owners are pods. */
  public static Optional<V1OwnerReference> server(Workload workload) {
    return server(owners(workload));
  }

  private static Optional<V1OwnerReference> server(Stream<V1OwnerReference> owners) {
    return owners
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .filter(owner -> ServingKind.grouping(owner).isPresent())
        .findFirst();
  }

  /** Whether its pods serve requests, and so have no end. */
  public boolean serves() {
    return pods.stream().anyMatch(PodGroup::serves);
  }

  static Stream<V1OwnerReference> owners(Workload workload) {
    return Metadata.owners(workload).stream();
  }

  /** Why this pod can be in no group, whatever the others are. */
  static Optional<String> refusal(V1Pod pod) {
    if (serves(pod) && server(pod).isEmpty()) {
      return Optional.of(
          annotationField(Keys.POD_GROUP_SERVING)
              + " is \"true\": groups that serve requests are those of StatefulSets and LeaderWorkerSets only; leave out the label "
              + Keys.POD_GROUP
              + ", so that each pod is queued by itself");
    }
    Optional<String> ofServing =
        Keys.OF_SERVING_GROUPS.stream().filter(key -> has(pod, key)).findFirst();
    if (ofServing.isPresent()) {
      return Optional.of(
          "the label or annotation "
              + ofServing.get()
              + " is for groups that serve requests or have a topology, which are not supported;"
              + " leave it out");
    }
    if (JobWorkload.prebuilt(pod).isPresent()) {
      return Optional.of(
          "a pod has either the label "
              + Keys.POD_GROUP
              + " or a prebuilt Workload, "
              + Keys.PREBUILT_WORKLOAD
              + "; leave one of them out");
    }
    String total = PlainPod.annotation(pod, Keys.POD_GROUP_TOTAL);
    return PositiveNumber.read(Objects.requireNonNullElse(total, ""))
            .filter(number -> number <= MOST_PODS)
            .isPresent()
        ? Optional.empty()
        : Optional.of(
            annotationField(Keys.POD_GROUP_TOTAL)
                + (total == null ? " is missing" : " is \"" + total + '"')
                + ": it has to be the number of pods of the group, at most %d and the same for each of them"
                    .formatted(MOST_PODS));
  }

  private static boolean has(V1Pod pod, String key) {
    return PlainPod.label(pod, key) != null || PlainPod.annotation(pod, key) != null;
  }

  private static String annotationField(String key) {
    return "metadata.annotations[" + key + "]";
  }

  private static String labelField(String key) {
    return "metadata.labels[" + key + "]";
  }

  /** The active pods; the others have ended without success: others of their role replace them. */
  static boolean active(V1Pod pod) {
    return succeeded(pod) || !ended(pod);
  }

  /** Whether it has ended, with success or without. */
  public static boolean ended(V1Pod pod) {
    return KIND.finished(pod).isPresent();
  }

  /** The object of one that serves makes another in its place, however it has ended. */
  public static boolean succeeded(V1Pod pod) {
    return !serves(pod)
        && KIND.finished(pod).filter(end -> end.reason().equals("Succeeded")).isPresent();
  }

  /** Whether it has been started, and not ended. */
  public static boolean runs(V1Pod pod) {
    return !KIND.suspended(pod) && !ended(pod);
  }

  /** The pods among some that are not among others. */
  public static List<V1Pod> without(Collection<V1Pod> some, Collection<V1Pod> others) {
    Set<String> uids = others.stream().map(Uids::of).collect(Collectors.toSet());
    return some.stream().filter(pod -> !uids.contains(Uids.of(pod))).toList();
  }

  static String role(V1Pod pod) {
    return KIND.podSet(pod);
  }

  /** The pods that have been started, and not ended. */
  public List<V1Pod> running() {
    return pods.stream().filter(PodGroup::runs).toList();
  }

  /** The active ones. */
  public List<V1Pod> active() {
    return pods.stream().filter(PodGroup::active).toList();
  }

  /** The first pod that is no part of one Workload with those before it. */
  public Optional<Misfit> misfit() {
    List<V1Pod> active = active();
    Map<String, V1Pod> roles = new LinkedHashMap<>();
    for (V1Pod pod : active) {
      Optional<String> unlike = unlike(active.getFirst(), pod);
      if (unlike.isPresent()) {
        return Optional.of(new Misfit(pod, unlike.get()));
      }
      V1Pod like = roles.putIfAbsent(role(pod), pod);
      if (like != null
          && !serves(pod)
          && !Equivalence.sameQuota(PlainPod.template(like), PlainPod.template(pod))) {
        return Optional.of(
            new Misfit(
                pod,
                "%s is \"%s\" as for pod %s, which requests other resources; leave it out, so that the core tells their roles apart"
                    .formatted(annotationField(Keys.ROLE), role(pod), ObjectKey.of(like).name())));
      }
      if (roles.size() > MOST_ROLES && !fast()) {
        return Optional.of(
            new Misfit(
                pod,
                "it is of the group's role number %d, and a group has at most %d: pods of one role have the same requests, node selectors, affinity and tolerations"
                    .formatted(roles.size(), MOST_ROLES)));
      }
    }
    return active.stream().findFirst().filter(pod -> server(pod).isEmpty()).flatMap(this::tooLong);
  }

  /** Each pod owns the Workload, whose size the API server limits. */
  private Optional<Misfit> tooLong(V1Pod first) {
    int longest =
        active().stream().mapToInt(pod -> ObjectKey.of(pod).name().length()).max().orElse(0);
    int most = MOST_OWNERS_SIZE / total() - OWNER_SIZE;
    return longest <= most
        ? Optional.empty()
        : Optional.of(
            new Misfit(
                first,
                "the longest metadata.name of its group has %d characters, but at most %d fit into the Workload of a group of %d pods; create them with shorter names"
                    .formatted(longest, most, total())));
  }

  /** The difference that keeps a pod from having one Workload with the first of its group. */
  static Optional<String> unlike(V1Pod first, V1Pod pod) {
    return SHARED.entrySet().stream()
        // It is that of the time at which the pod was made, and no user can change it.
        .filter(field -> !serves(pod) || !field.getKey().contains(Keys.POD_GROUP_TOTAL))
        .filter(
            field -> !Objects.equals(field.getValue().apply(first), field.getValue().apply(pod)))
        .map(
            field ->
                "%s is %s, but %s for pod %s of the same group; create it anew with the same"
                    .formatted(
                        field.getKey(),
                        quoted(field.getValue().apply(pod)),
                        quoted(field.getValue().apply(first)),
                        ObjectKey.of(first).name()))
        .findFirst();
  }

  private static String quoted(@Nullable String value) {
    return value == null ? "missing" : '"' + value + '"';
  }

  /** The number of pods that the group has when it is complete. */
  private int total() {
    List<V1Pod> active = active();
    V1Pod newest = serves() ? active.stream().min(NEWEST_FIRST).orElseThrow() : active.getFirst();
    return Optional.ofNullable(PlainPod.annotation(newest, Keys.POD_GROUP_TOTAL))
        .flatMap(PositiveNumber::read)
        .orElse(Integer.MAX_VALUE);
  }

  /** Whether the first pod stands for all of them, so that the group needn't be complete. */
  public boolean fast() {
    return Stream.concat(active().stream(), pods.stream())
        .findFirst()
        .filter(pod -> "true".equals(PlainPod.annotation(pod, Keys.POD_GROUP_FAST)))
        .isPresent();
  }

  /** Whether a Workload can be made for it, which has no misfit. */
  public boolean ready() {
    List<V1Pod> active = active();
    return !active.isEmpty() && (fast() || active.size() >= total());
  }

  /** Why there can be no Workload yet, as the end of a sentence; empty if there can. */
  public Optional<String> incomplete() {
    Optional<Misfit> misfit = misfit();
    if (misfit.isPresent()) {
      return misfit.map(
          found ->
              "can't be queued: of pod %s, %s"
                  .formatted(ObjectKey.of(found.pod()).name(), found.why()));
    }
    int present = active().size();
    return ready()
        ? Optional.empty()
        : Optional.of(
            present == 0
                ? "has no pods that can run"
                : "has %d of its %d pods".formatted(present, total()));
  }

  /** The pods for which the Workload is made; further ones are too many. */
  public List<V1Pod> chosen() {
    return active().stream().limit(total()).toList();
  }

  /**
   * A pod set that a group asks for.
   *
   * @param like the pod that stands for it; empty if there is none yet, and its template is that of
   *     the pods' object
   */
  public record AskedPodSet(PodSet podSet, Optional<V1Pod> like) {}

  /**
   * The pod sets of the group, which is {@link #ready}.
   *
   * @param replicas the number of pods that their object has by now; empty if it has none
   */
  public List<AskedPodSet> asked(OptionalInt replicas) {
    Map<String, List<V1Pod>> roles =
        chosen().stream()
            .collect(Collectors.groupingBy(KIND::podSet, LinkedHashMap::new, Collectors.toList()));
    List<AskedPodSet> asked = new ArrayList<>();
    for (List<V1Pod> role : fast() ? List.of(active()) : roles.values()) {
      int count = fast() ? replicas.orElseGet(this::total) : role.size();
      V1Pod first = role.getFirst();
      PodSet podSet = new PodSet(role(first), PlainPod.template(first), count, null);
      asked.add(new AskedPodSet(podSet, Optional.of(first)));
    }
    return asked;
  }

  /**
   * Whether all its active pods were made after its Workload and ask for other requests than that,
   * so that none of them could ever start.
   */
  public boolean outgrew(Workload workload) {
    List<PodSet> podSets = workload.spec().podSets();
    OffsetDateTime made = workload.metadata().getCreationTimestamp();
    return made != null
        && !active().isEmpty()
        && active().stream()
            .allMatch(
                pod ->
                    created(pod).isAfter(made)
                        && podSets.stream()
                            .noneMatch(
                                podSet ->
                                    Equivalence.sameQuota(
                                        PlainPod.template(pod), podSet.template())));
  }

  /** The number in the name of a pod of a StatefulSet, or of one in its group of others. */
  public static int ordinal(V1Pod pod) {
    String name = ObjectKey.of(pod).name();
    return LeaderWorkerSet.GroupPlace.of(pod)
        .map(LeaderWorkerSet.GroupPlace::worker)
        .orElseGet(() -> PositiveNumber.read(name.substring(name.lastIndexOf('-') + 1)).orElse(0));
  }

  /** How it ended, by the pod sets of its Workload; empty until it has. */
  public Optional<FinishedOwner> finished(List<PodSet> podSets) {
    if (serves()) {
      return Optional.empty();
    }
    int total = podSets.stream().mapToInt(PodSet::count).sum();
    int succeeded = succeeded(podSets).values().stream().mapToInt(Integer::intValue).sum();
    String counts = "Pods succeeded: %d/%d".formatted(succeeded, total);
    if (succeeded >= total) {
      return Optional.of(new FinishedOwner("Succeeded", counts));
    }
    // One that is queued with its first pod may have had no others yet.
    if (pods.size() < total || !pods.stream().allMatch(PodGroup::ended)) {
      return Optional.empty();
    }
    boolean retriable =
        pods.stream().noneMatch(pod -> "false".equals(PlainPod.annotation(pod, Keys.RETRIABLE)));
    return retriable ? Optional.empty() : Optional.of(new FinishedOwner("Failed", counts));
  }

  /**
   * Whether all its pods were deleted and have ended, not because the core stopped them: then no
   * other pod is to be expected, though one may come.
   *
   * @param admitted whether its Workload lets pods run, so that the core stopped single ones only
   */
  public boolean deleted(boolean admitted) {
    return !pods.isEmpty()
        && !serves()
        && pods.stream().allMatch(pod -> PlainPod.terminating(pod) && ended(pod))
        && (admitted
            ? !pods.stream().allMatch(PlainPod::stoppedByCore)
            : pods.stream().noneMatch(PlainPod::stoppedByCore));
  }

  /**
   * Whether each pod set of its Workload has all its pods, and they are ready or have succeeded; of
   * one that serves, whether those that its object has made so far are. The groups of a
   * LeaderWorkerSet are whole.
   */
  public boolean podsReady(List<PodSet> podSets) {
    if (serves() && active().stream().noneMatch(LeaderWorkerSet::belongs)) {
      return !active().isEmpty() && active().stream().allMatch(KIND::podsReady);
    }
    Map<String, List<V1Pod>> members = in(podSets);
    return podSets.stream()
        .allMatch(
            podSet ->
                of(podSet, members).filter(PodGroup::active).filter(KIND::podsReady).count()
                    >= podSet.count());
  }

  /** The number of pods of each pod set that have succeeded. */
  public Map<String, Integer> succeeded(List<PodSet> podSets) {
    Map<String, List<V1Pod>> members = in(podSets);
    Map<String, Integer> succeeded = new LinkedHashMap<>();
    for (PodSet podSet : podSets) {
      int count =
          (int) of(podSet, members).filter(PodGroup::succeeded).limit(podSet.count()).count();
      if (count > 0) {
        succeeded.put(podSet.name(), count);
      }
    }
    return succeeded;
  }

  private static Stream<V1Pod> of(PodSet podSet, Map<String, List<V1Pod>> members) {
    return members.getOrDefault(podSet.name(), List.of()).stream();
  }

  /**
   * The pods by the pod set that they belong to, whether they have a place in it or not; under the
   * empty name those that belong to none.
   */
  public Map<String, List<V1Pod>> in(List<PodSet> podSets) {
    Set<String> names = podSets.stream().map(PodSet::name).collect(Collectors.toSet());
    return pods.stream().collect(Collectors.groupingBy(pod -> podSet(pod, podSets, names)));
  }

  /** Another core names its pod sets otherwise: there the requests say which one is meant. */
  private static String podSet(V1Pod pod, List<PodSet> podSets, Set<String> names) {
    String role = role(pod);
    if (names.contains(role)) {
      return role;
    }
    V1PodTemplateSpec template = PlainPod.template(pod);
    return podSets.stream()
        .filter(
            podSet ->
                KIND.suspended(pod)
                    ? Equivalence.sameRole(template, podSet.template())
                    : Equivalence.sameQuota(template, podSet.template()))
        .map(PodSet::name)
        .findFirst()
        .orElse("");
  }

  private static OffsetDateTime created(V1Pod pod) {
    OffsetDateTime created =
        pod.getMetadata() == null ? null : pod.getMetadata().getCreationTimestamp();
    return Objects.requireNonNullElse(created, OffsetDateTime.MIN);
  }
}
