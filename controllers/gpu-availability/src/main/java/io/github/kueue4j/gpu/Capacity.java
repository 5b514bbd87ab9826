// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.gpu.fit.Packing;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.Rooms;
import io.github.kueue4j.gpu.fit.Shortage;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.controller.Grants;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is free on the nodes, and for whom room is kept: nodes and pods as their watches tell,
 * reservations as the workloads' entries tell, and what was answered in the moment before a watch
 * shows it. Every change is taken in when it comes; what follows from it is worked out before the
 * next answer. Guarded by its own monitor.
 */
final class Capacity {

  private final ClusterObjects objects;
  private final GpuPolicy withoutParameters;
  private final Rooms rooms = new Rooms();
  private final OwnedPods pods;
  private final Reservations reservations = new Reservations(rooms);
  private final WaitingLine line = new WaitingLine();
  private final Grants<Boolean> grants;

  private final Set<ObjectKey> changed = new LinkedHashSet<>();
  private final Map<String, GpuPolicy> policies = new HashMap<>();
  private final Map<String, Instant> lostSince = new HashMap<>();
  private Instant nextLapse = Instant.MAX;
  private boolean grew;
  private long version;
  private long nodesVersion;

  /**
   * Nothing yet.
   *
   * @param withoutParameters by which workloads are counted that no known check let through
   */
  Capacity(ClusterObjects objects, GpuPolicy withoutParameters) {
    this.objects = objects;
    this.withoutParameters = withoutParameters;
    this.pods = new OwnedPods(objects.pods(), objects.jobs(), objects.workloads());
    this.grants = new Grants<>(objects.workloads()::get);
    objects.nodes().onChange(this::nodeChanged);
    objects.pods().onChange(this::podChanged);
    objects.jobs().onChange(this::jobChanged);
    objects.workloads().onChange(this::workloadChanged);
  }

  private synchronized void nodeChanged(ObjectKey key) {
    Optional<NodeFacts> now = objects.nodes().get(key).map(NodeFacts::of);
    Optional<NodeFacts> before = now.isPresent() ? rooms.put(now.get()) : rooms.remove(key.name());
    if (now.filter(NodeFacts::ready).isPresent()) {
      lostSince.remove(key.name());
    }
    if (!now.equals(before)) {
      pods.workloadsOfTerminating(key.name(), changed::add);
      grew = true;
      version++;
      nodesVersion++;
    }
  }

  private synchronized void podChanged(ObjectKey key) {
    Optional<BoundPod> before = pods.pod(key);
    Optional<BoundPod> now = objects.pods().get(key).flatMap(BoundPod::of);
    if (now.equals(before)) {
      return;
    }
    version++;
    before.ifPresent(pod -> pods.workloadsOf(pod, changed::add));
    pods.put(key, now.orElse(null));
    now.ifPresent(pod -> pods.workloadsOf(pod, changed::add));
    before.ifPresent(
        pod -> {
          if (endsWithItsNode(pod, now)) {
            pods.workloadsOf(pod, of -> reservations.of(of).ifPresent(one -> one.lost(pod)));
          }
          rooms.give(pod.node(), pod.requests(), 1);
          grew |= rooms.node(pod.node()).filter(Capacity::offersMoreThanUsual).isPresent();
        });
    now.ifPresent(pod -> rooms.take(pod.node(), pod.requests(), 1));
  }

  /** Whether the pod, which ran before, ends now since its node is lost. */
  private boolean endsWithItsNode(BoundPod before, Optional<BoundPod> now) {
    return !before.terminating()
        && now.filter(pod -> !pod.terminating()).isEmpty()
        && isLost(before.node())
        && objects.pods().get(before.key()).filter(BoundPod::succeeded).isEmpty();
  }

  /** Whether it has a device of any kind: on others no workload of this check waits for room. */
  private static boolean offersMoreThanUsual(NodeFacts node) {
    return node.allocatable().byName().keySet().stream().anyMatch(name -> name.contains("/"));
  }

  private synchronized void jobChanged(ObjectKey key) {
    pods.jobChanged(key, changed::add);
  }

  private synchronized void workloadChanged(ObjectKey key) {
    pods.workloadChanged(key);
    changed.add(key);
    if (objects.workloads().get(key).isEmpty()) {
      line.leave(key);
    }
  }

  /**
   * Keeps room for the pods of the evaluated workload, whose own pods don't stand in their way.
   *
   * @return why there is none; empty if room is kept now
   */
  synchronized Optional<Shortage> reserve(Evaluation<GpuPolicy> evaluation, Demand demand) {
    Instant now = evaluation.now();
    policies.put(evaluation.check(), evaluation.parameters());
    settle(now);
    ObjectKey key = evaluation.key();
    reservations.remove(key);
    List<BoundPod> own = pods.of(evaluation.workload());
    own.forEach(pod -> rooms.give(pod.node(), pod.requests(), 1));
    Packing packing = new Packing(rooms, demand.resources());
    Optional<List<Place>> places =
        packing.place(demand.groups()).or(() -> reservations.placeByMoving(demand));
    Optional<Shortage> shortage =
        places.isPresent()
            ? Optional.empty()
            : Optional.of(Shortage.of(rooms, demand.groups(), demand.resources()));
    own.forEach(pod -> rooms.take(pod.node(), pod.requests(), 1));
    if (places.isPresent()) {
      Reservation kept =
          new Reservation(uid(evaluation.workload()), demand, timeout(evaluation), now);
      kept.unseen = true;
      reservations.put(key, kept, places.get());
      nextLapse = earlier(nextLapse, kept.until());
      grants.granted(evaluation, true);
      line.leave(key, evaluation.check());
      changed.add(key);
    }
    return shortage;
  }

  /** Puts the workload, which was answered that there is no room, in the line. */
  synchronized void waits(Evaluation<GpuPolicy> evaluation, Demand demand) {
    line.join(
        evaluation.key(),
        evaluation.check(),
        uid(evaluation.workload()),
        demand,
        evaluation.parameters(),
        evaluation.now());
  }

  /** What the workload waits for, if that is known. */
  synchronized Optional<WaitingLine.Waiting> waiting(Evaluation<GpuPolicy> evaluation) {
    return line.of(evaluation.key(), evaluation.check())
        .filter(one -> one.uid().equals(uid(evaluation.workload())));
  }

  /** Whether room is offered to the workload, which waits. */
  synchronized boolean isOffered(ObjectKey key) {
    return line.isOffered(key);
  }

  /**
   * Offers what has become free to those that wait, the longest waiting first.
   *
   * @return those that should be evaluated now
   */
  synchronized List<ObjectKey> offer(Instant now) {
    settle(now);
    if (grew) {
      grew = false;
      line.roomGrew();
    }
    return line.isUnfinished() ? line.offer(rooms, reservations, now) : List.of();
  }

  /** Whether {@link #offer} has more to offer. */
  synchronized boolean hasMoreToOffer() {
    return grew || line.isUnfinished();
  }

  /** How many workloads wait to be offered room. */
  synchronized int waiting() {
    return line.size();
  }

  /** When room that is kept now lapses next, which leaves some for others. */
  synchronized Optional<Instant> nextLapse() {
    return nextLapse.equals(Instant.MAX) ? Optional.empty() : Optional.of(nextLapse);
  }

  /**
   * What the workload, which was let through, has lost: nodes of its pods, or the room for pods
   * that are to follow those that ended with their nodes. Pods that never were seen on a node that
   * was lost don't count: they may have succeeded, or can't be told from those of another workload.
   *
   * @return for people; empty if it lost nothing, or not for as long as the policy allows
   */
  synchronized Optional<String> lost(Evaluation<GpuPolicy> evaluation) {
    Instant now = evaluation.now();
    Duration grace = evaluation.parameters().lostNodeGracePeriod();
    policies.put(evaluation.check(), evaluation.parameters());
    settle(now);
    for (BoundPod pod : pods.of(evaluation.workload())) {
      if (!pod.terminating() && isLost(pod.node())) {
        Instant since = lostSince.computeIfAbsent(pod.node(), node -> now);
        if (!now.isBefore(since.plus(grace))) {
          return Optional.of(
              "The node " + pod.node() + " of the pod " + pod.key().name() + " is lost.");
        }
      }
    }
    return reservations
        .of(evaluation.key())
        .filter(one -> one.lacksPlaces() && !now.isBefore(one.since.plus(grace)))
        .filter(one -> !reservations.haveRoom(one, one.lostWithNodes()))
        .map(
            one ->
                "No node has room any more for "
                    + Reservation.pods(one.lostWithNodes())
                    + " of its pods, whose nodes are lost.");
  }

  /** Changes whenever {@link #usage} may. */
  synchronized long version() {
    return version;
  }

  /** Changes whenever a node does. */
  synchronized long nodesVersion() {
    return nodesVersion;
  }

  /** GPUs by resource and kind. */
  synchronized Map<GpuUsage.Series, GpuUsage> usage(GpuPolicy policy) {
    return GpuUsage.of(rooms, reservations.open().values(), policy);
  }

  /** Works out what follows from all changes since the last call. */
  private void settle(Instant now) {
    Set<ObjectKey> due = new LinkedHashSet<>(changed);
    changed.clear();
    Set<ObjectKey> answered = grants.outstanding().keySet();
    boolean lapse = !now.isBefore(nextLapse);
    reservations
        .open()
        .forEach(
            (key, one) -> {
              if (lapse || (one.unseen && !answered.contains(key)) || (grew && one.lacksPlaces())) {
                due.add(key);
              }
            });
    due.forEach(key -> review(key, now, answered.contains(key)));
    version += due.size();
    Set<String> strained = new HashSet<>(rooms.takeStrained());
    reservations.leave(strained);
    rooms.takeStrained();
    if (lapse) {
      nextLapse =
          reservations.open().values().stream()
              .map(Reservation::until)
              .min(Instant::compareTo)
              .orElse(Instant.MAX);
    }
  }

  private void review(ObjectKey key, Instant now, boolean answered) {
    @Nullable Workload workload = objects.workloads().get(key).orElse(null);
    @Nullable Reservation known =
        reservations
            .of(key)
            .filter(one -> workload != null && one.uid.equals(uid(workload)))
            .orElse(null);
    @Nullable Instant basis = workload == null ? null : letThrough(workload).orElse(null);
    if (workload == null || (basis == null && (known == null || !known.unseen || !answered))) {
      grew |= reservations.remove(key);
      return;
    }
    Reservation kept = known == null ? derived(workload, now) : known;
    if (kept.demand.isEmpty()) {
      return;
    }
    if (known == null) {
      reservations.put(key, kept, List.of());
    }
    if (basis != null && (kept.unseen || !kept.basis.equals(basis))) {
      kept.unseen = false;
      kept.basis = basis;
      kept.since = now;
    }
    Demand left = kept.demand.withoutReclaimed(workload);
    boolean hadPlaces = !kept.places.isEmpty();
    List<BoundPod> standing = standing(workload);
    kept.bound(standing);
    List<PodGroup> missing = Reservation.missing(left, standing);
    reservations.missing(key, kept, missing, now);
    if (reservations.open().containsKey(key)) {
      nextLapse = earlier(nextLapse, kept.until());
    } else {
      grew |= hadPlaces;
    }
  }

  /**
   * The pods of the workload that stand for some of its demand: not those that end on a node that
   * takes no others in their place.
   */
  private List<BoundPod> standing(Workload workload) {
    return pods.of(workload).stream()
        .filter(
            pod ->
                !pod.terminating() || rooms.node(pod.node()).filter(NodeFacts::usable).isPresent())
        .toList();
  }

  private boolean isLost(String node) {
    return rooms.node(node).filter(NodeFacts::ready).isEmpty();
  }

  /** After a restart, or of a workload that no check of this controller was asked about. */
  private Reservation derived(Workload workload, Instant now) {
    GpuPolicy policy =
        ownEntries(workload)
            .flatMap(check -> Optional.ofNullable(policies.get(check)).stream())
            .findFirst()
            .orElse(withoutParameters);
    Demand demand = Demand.of(workload, objects.podSets(workload), policy);
    return new Reservation(uid(workload), demand, policy.reservationTimeout(), now);
  }

  /**
   * Since when the workload's pods may start as far as this controller is concerned: a check has
   * answered Ready, or it is admitted, whatever checks say.
   */
  private Optional<Instant> letThrough(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    if (!conditions.holdsQuota() || conditions.evicted()) {
      return Optional.empty();
    }
    return conditions
        .trueSince(WorkloadConditions.ADMITTED)
        .or(
            () ->
                ownEntries(workload)
                    .flatMap(check -> workload.status().admissionCheck(check).stream())
                    .map(entry -> entry.lastTransitionTime())
                    .max(Instant::compareTo));
  }

  /** The checks of this controller that have let the workload through. */
  private Stream<String> ownEntries(Workload workload) {
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.is(CheckState.READY))
        .map(entry -> entry.name())
        .filter(objects::isOwnCheck);
  }

  private static Duration timeout(Evaluation<GpuPolicy> evaluation) {
    return evaluation.parameters().reservationTimeout();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static String uid(Workload workload) {
    return Uids.of(workload);
  }
}
