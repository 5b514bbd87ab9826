// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodNeeds;
import io.github.kueue4j.gpu.fit.RepellingTaint;
import io.github.kueue4j.gpu.fit.Rooms;
import io.github.kueue4j.gpu.fit.Shortage;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.gpu.source.CapacitySources;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Grants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The free room on the nodes, and the Workloads for which room is kept: nodes and pods as their
 * watches tell, reservations as the workloads' entries tell, and what was answered in the moment
 * before a watch shows it. Every change is taken in when it comes; what follows from it is worked
 * out before the next answer. Guarded by its own monitor.
 */
final class Capacity {

  private final ClusterObjects objects;
  private final Rooms rooms = new Rooms();
  private final NodeLosses losses = new NodeLosses(rooms);
  private final OwnedPods pods;
  private final LetThrough letThrough;
  private final OfferedNodes offered = new OfferedNodes(rooms);
  private final Reservations reservations = new Reservations(rooms, offered);
  private final ReservationUpkeep upkeep;
  private final UnboundPods unbound;
  private final WaitingLine line = new WaitingLine();
  private final Grants<Boolean> grants;

  private boolean grew;

  /** Whether cpu or memory has become free on nodes without devices. */
  private boolean grewUsual;

  private boolean resumed;
  private long version;
  private long nodesVersion;

  /**
   * Nothing yet.
   *
   * @param withoutParameters by which workloads are counted that no known check let through, and
   *     pods without a workload
   */
  Capacity(ClusterObjects objects, GpuPolicy withoutParameters) {
    this.objects = objects;
    this.pods = new OwnedPods(objects.pods(), objects.jobs(), objects.workloads());
    this.unbound =
        new UnboundPods(rooms, withoutParameters.reservationTimeout(), pods::mayHaveWorkload);
    this.letThrough = new LetThrough(objects, withoutParameters);
    this.upkeep =
        new ReservationUpkeep(objects.workloads()::get, pods, rooms, reservations, letThrough);
    this.grants = new Grants<>(objects.workloads()::get);
    objects.nodes().onChange(this::nodeChanged);
    objects.pods().onChange(this::podChanged);
    objects.jobs().onChange(this::jobChanged);
    objects.workloads().onChange(this::workloadChanged);
    objects.checks().onChange(this::checkChanged);
  }

  private synchronized void nodeChanged(ObjectKey key) {
    Optional<NodeFacts> now = objects.nodes().get(key).map(NodeFacts::of);
    Optional<NodeFacts> before = now.isPresent() ? rooms.put(now.get()) : rooms.remove(key.name());
    if (!now.equals(before)) {
      losses.changed(key.name());
      pods.workloadsOfTerminating(key.name(), upkeep::add);
      upkeep.roomsChanged();
      grew = true;
      version++;
      nodesVersion++;
    }
  }

  private synchronized void podChanged(ObjectKey key) {
    Optional<BoundPod> before = pods.pod(key);
    Optional<BoundPod> now = objects.pods().get(key).flatMap(BoundPod::of);
    grew |= unbound.put(key, objects.pods().get(key).flatMap(UnboundPod::of).orElse(null));
    if (now.equals(before)) {
      return;
    }
    version++;
    before.ifPresent(pod -> pods.workloadsOf(pod, upkeep::add));
    pods.put(key, now.orElse(null));
    now.ifPresent(pod -> pods.workloadsOf(pod, upkeep::add));
    before.ifPresent(
        pod -> {
          if (endsWithItsNode(pod, now)) {
            pods.workloadsOf(pod, of -> reservations.of(of).ifPresent(one -> one.lost(pod)));
          }
          rooms.give(pod.node(), pod.requests(), 1);
          if (rooms.node(pod.node()).filter(Capacity::offersMoreThanUsual).isPresent()) {
            grew = true;
          } else {
            grewUsual |= !letThrough.usualResources().isEmpty();
          }
        });
    now.ifPresent(pod -> rooms.take(pod.node(), pod.requests(), 1));
    upkeep.roomsChanged();
  }

  /** Whether the pod, which ran before, ends now since its node is lost. */
  private boolean endsWithItsNode(BoundPod before, Optional<BoundPod> now) {
    return !before.terminating()
        && now.filter(pod -> !pod.terminating()).isEmpty()
        && losses.contain(before.node())
        && objects.pods().get(before.key()).filter(BoundPod::succeeded).isEmpty();
  }

  /**
   * Whether it has a device of any kind: on others no workload waits for room whose policy counts
   * only devices.
   */
  private static boolean offersMoreThanUsual(NodeFacts node) {
    return node.allocatable().byName().keySet().stream().anyMatch(name -> name.contains("/"));
  }

  private synchronized void jobChanged(ObjectKey key) {
    pods.jobChanged(key, upkeep::add);
  }

  private synchronized void workloadChanged(ObjectKey key) {
    pods.workloadChanged(key);
    upkeep.add(key);
    Optional<Workload> waiting = objects.workloads().get(key).filter(Capacity::mayComeBack);
    if (waiting.isEmpty()) {
      line.leave(key);
    } else {
      // Also one whose check only observes: it goes on, whatever was said.
      letThrough
          .checks(waiting.get(), CheckState.READY)
          .toList()
          .forEach(check -> line.leave(key, check));
    }
  }

  private static boolean mayComeBack(Workload workload) {
    return workload.spec().active() && !workload.conditions().finished();
  }

  private synchronized void checkChanged(ObjectKey key) {
    if (objects.checks().get(key).isEmpty()) {
      Set<String> before = letThrough.usualResources();
      letThrough.forget(key.name());
      if (!letThrough.usualResources().equals(before)) {
        deriveAnew(workload -> true);
      }
    }
  }

  /**
   * Takes in the policy of the check. Where it is new, what was worked out without it is worked out
   * again: after a restart a policy is known from the first evaluation of its check.
   */
  synchronized void takeIn(Evaluation<GpuPolicy> evaluation) {
    String check = evaluation.check();
    Set<String> before = letThrough.usualResources();
    if (!letThrough.takeIn(check, evaluation.parameters())) {
      return;
    }
    boolean all = !letThrough.usualResources().equals(before);
    deriveAnew(
        workload -> all || letThrough.checks(workload, CheckState.READY).anyMatch(check::equals));
  }

  private void deriveAnew(Predicate<Workload> concerned) {
    for (Workload workload : objects.workloads().list()) {
      if (concerned.test(workload)) {
        ObjectKey key = workload.key();
        if (reservations.of(key).filter(one -> one.derived).isPresent()) {
          grew |= !reservations.withdraw(key).isEmpty();
        }
        upkeep.add(key);
      }
    }
  }

  /** The number of this moment, for requests to capacity sources. */
  synchronized long moment() {
    return offered.moment();
  }

  /** Takes in what a capacity source offers. */
  synchronized void offered(CapacitySource source, CapacitySources.Offered now) {
    if (offered.put(source, now)) {
      grew = true;
      version++;
    }
  }

  /**
   * Keeps room for the pods of the evaluated workload, whose own pods don't stand in their way.
   *
   * @return where it is kept now, or why there is none
   */
  synchronized Outcome reserve(Evaluation<GpuPolicy> evaluation, Demand demand) {
    Instant now = evaluation.now();
    settle(now);
    ObjectKey key = evaluation.key();
    List<Place> before = reservations.withdraw(key);
    List<BoundPod> own = pods.of(evaluation.workload());
    own.forEach(pod -> rooms.give(pod.node(), pod.requests(), 1));
    Outcome outcome =
        demand
            .place(rooms)
            .or(() -> reservations.placeByMoving(demand))
            .<Outcome>map(Outcome.Kept::new)
            .orElseGet(() -> new Outcome.Refused(refusal(demand)));
    own.forEach(pod -> rooms.take(pod.node(), pod.requests(), 1));
    List<Place> places = List.of();
    if (outcome instanceof Outcome.Kept kept) {
      places = kept.placed().places();
      Reservation reservation =
          new Reservation(
              uid(evaluation.workload()), kept.placed().demand(), timeout(evaluation), now);
      upkeep.answered(key, reservation, places);
      grants.granted(evaluation, true);
      line.leave(key, evaluation.check());
    }
    grew |= !before.isEmpty() && !places.equals(before);
    return outcome;
  }

  /** The outcome of asking for room for a workload. */
  sealed interface Outcome {
    /** It is kept at these places. */
    record Kept(Demand.Placed placed) implements Outcome {}

    /** There is none. */
    record Refused(Refusal refusal) implements Outcome {}
  }

  private Refusal refusal(Demand demand) {
    Shortage shortage = demand.shortage(rooms);
    List<RepellingTaint> taints =
        RepellingTaint.of(rooms, shortage.group()).stream()
            .filter(one -> !CapacitySource.isOffered(one.taint()))
            .toList();
    int ahead =
        unbound.places().stream()
            .filter(place -> competes(place, shortage.group().needs()))
            .mapToInt(Place::count)
            .sum();
    return new Refusal(shortage, taints, ahead);
  }

  /** Whether these pods would take the same devices of the place. */
  private boolean competes(Place place, PodNeeds needs) {
    return rooms.mayTake(place.node(), needs.constraints())
        && place.needs().requests().byName().keySet().stream()
            .anyMatch(one -> one.contains("/") && needs.requests().of(one) > 0);
  }

  /**
   * Puts the workload, which was answered that there is no room, in the line.
   *
   * @param since when it was answered
   */
  synchronized void waits(Evaluation<GpuPolicy> evaluation, Demand demand, Instant since) {
    line.join(evaluation.key(), evaluation.check(), uid(evaluation.workload()), demand, since);
  }

  /** The reason why the workload waits, if that is known. */
  synchronized Optional<WaitingLine.Waiting> waiting(Evaluation<GpuPolicy> evaluation) {
    return line.of(evaluation.key(), evaluation.check())
        .filter(one -> one.uid().equals(uid(evaluation.workload())));
  }

  /** Whether room is offered to the workload, which waits. */
  synchronized boolean isOffered(ObjectKey key) {
    return line.isOffered(key);
  }

  /**
   * Offers what has become free to those that wait, the longest waiting first. The first call also
   * finds those that a former process sent back.
   *
   * @return those that should be evaluated now
   */
  synchronized List<ObjectKey> offer(Instant now) {
    settle(now);
    List<ObjectKey> due = new ArrayList<>();
    if (!resumed) {
      resumed = true;
      objects.workloads().list().stream()
          .filter(this::isSentBack)
          .map(Workload::key)
          .filter(key -> !line.contains(key))
          .forEach(due::add);
    }
    if (grew) {
      line.roomGrew();
    } else if (grewUsual) {
      line.usualRoomGrew();
    }
    grew = false;
    grewUsual = false;
    due.addAll(line.offer(rooms, reservations, now));
    return due;
  }

  private boolean isSentBack(Workload workload) {
    return mayComeBack(workload)
        && !workload.conditions().holdsQuota()
        && letThrough.checks(workload, CheckState.RETRY).findAny().isPresent();
  }

  /** Whether {@link #offer} has more to offer. */
  synchronized boolean hasMoreToOffer() {
    return grew || grewUsual || line.isUnfinished();
  }

  /** How many workloads wait to be offered room. */
  synchronized int waiting() {
    return line.size();
  }

  /** When room that is kept or offered now lapses next, which leaves some for others. */
  synchronized Optional<Instant> nextLapse() {
    Instant next =
        Stream.of(
                upkeep.nextLapse(),
                line.nextEnd().orElse(Instant.MAX),
                unbound.nextLapse().orElse(Instant.MAX))
            .min(Instant::compareTo)
            .orElseThrow();
    return next.equals(Instant.MAX) ? Optional.empty() : Optional.of(next);
  }

  /**
   * The loss of a workload that was let through: nodes of its pods, or the room for pods that are
   * to follow those that ended with their nodes. Pods that never were seen on a node that was lost
   * don't count: they may have succeeded, or can't be told from those of another workload.
   *
   * @return for people; empty if it lost nothing, or not for as long as the policy allows, or while
   *     most of the nodes aren't ready
   */
  synchronized Optional<String> lost(Evaluation<GpuPolicy> evaluation) {
    Instant now = evaluation.now();
    Duration grace = evaluation.parameters().lostNodeGracePeriod();
    settle(now);
    return losses
        .podLostFor(grace, pods.of(evaluation.workload()), now)
        .map(pod -> "The node " + pod.node() + " of the pod " + pod.key().name() + " is lost.")
        .or(() -> lostRoom(evaluation.key(), grace, now))
        .filter(what -> !losses.areTooMany());
  }

  /**
   * The loss of the domain that was chosen for the workload, which isn't admitted yet: its nodes
   * have the label no longer, or the room is kept no longer and others have it.
   *
   * @return for people; empty if the pods may start there
   */
  synchronized Optional<String> lostDomain(Evaluation<GpuPolicy> evaluation) {
    if (evaluation.workload().conditions().trueSince(WorkloadConditions.ADMITTED).isPresent()) {
      return Optional.empty();
    }
    settle(evaluation.now());
    return reservations
        .of(evaluation.key())
        .flatMap(
            one ->
                one.demand
                    .chosen()
                    .filter(
                        domain ->
                            !rooms.values(domain.getKey()).contains(domain.getValue())
                                || hasLapsed(evaluation.key(), one))
                    .findFirst())
        .map(
            domain ->
                "Room in %s=%s is no longer there.".formatted(domain.getKey(), domain.getValue()));
  }

  /** Whether room is kept no longer for pods that still are to be bound, and others have it. */
  private boolean hasLapsed(ObjectKey key, Reservation one) {
    return !reservations.open().containsKey(key)
        && one.lacksPlaces()
        && !reservations.haveRoom(one, one.missing);
  }

  private Optional<String> lostRoom(ObjectKey key, Duration grace, Instant now) {
    return reservations
        .of(key)
        .filter(one -> one.lacksPlaces() && !now.isBefore(one.since.plus(grace)))
        .filter(one -> !reservations.haveRoom(one, one.lostWithNodes()))
        .map(
            one ->
                "No node has room any more for "
                    + Reservation.pods(one.lostWithNodes())
                    + " of its pods, whose nodes are lost.");
  }

  /** How much is noted for the next answer: workloads, nodes with changes, nodes that are lost. */
  synchronized int pending() {
    return upkeep.pending() + rooms.strained() + losses.size();
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
    List<Place> kept = new ArrayList<>(unbound.places());
    reservations.open().values().forEach(one -> kept.addAll(one.places));
    return GpuUsage.of(rooms, kept, policy);
  }

  /** Works out what follows from all changes since the last call. */
  private void settle(Instant now) {
    version++;
    // Reservations come first: what was promised is kept.
    unbound.withdraw();
    grew |= upkeep.settle(now, grants.outstanding().keySet(), grew || grewUsual);
    grew |= unbound.place(now);
    losses.prune();
  }

  private static Duration timeout(Evaluation<GpuPolicy> evaluation) {
    return evaluation.parameters().reservationTimeout();
  }

  private static String uid(Workload workload) {
    return Uids.of(workload);
  }
}
