// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.PreemptionTexts;
import io.github.kueue4j.core.preemption.QuotaProjections;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * One scheduling cycle. First every head is nominated as if it were alone; then the nominations are
 * carried out one after the other, as far as the quota is still available.
 *
 * <p>The cycle tracks two usages: <em>now</em>, with the reservations of this cycle, and
 * <em>then</em>, after the preemptions of this cycle, with the preemptors instead of their targets.
 * A head that gets quota at once must fit both, so that it doesn't take quota that a preemptor
 * waits for. If a preemption is deferred (KEP-993), the preemptor reserves at once but counts only
 * <em>then</em>; {@link QuotaProjections} contains the preemptions that earlier cycles deferred.
 *
 * <p>A queue has one head in a cycle, so that the quota of a queue with many Workloads is filled in
 * many cycles. While that goes on, no Workload of its Cohort tree borrows, because the queue could
 * reclaim in the next cycle what was borrowed in this one.
 */
@API(status = API.Status.INTERNAL)
public final class SchedulingCycle {
  private final Snapshot snapshot;
  private final QuotaTree.Trial now;
  private final QuotaTree.Trial then;
  private final QuotaProjections quotaProjections;
  private final Set<ObjectKey> preempted = new HashSet<>();
  private final Set<ObjectKey> preemptedLater = new HashSet<>();
  private final Set<NodeId> reservedIn = new HashSet<>();
  private final Map<NodeId, List<Decision.Inadmissible>> keptFor = new HashMap<>();

  /** The roots below which no Workload borrows in this cycle. */
  private final Set<NodeId> ownersFirst;

  /** The order of the nominations that are being carried out. */
  private CycleOrder order;

  private SchedulingCycle(
      Snapshot snapshot, QuotaProjections quotaProjections, Set<NodeId> ownersFirst) {
    this.snapshot = snapshot;
    this.ownersFirst = new HashSet<>(ownersFirst);
    this.quotaProjections = quotaProjections;
    this.now = quotaProjections.running().trial();
    this.then = quotaProjections.settled().trial();
    this.order = orderOf(List.of());
  }

  /**
   * The first Workload of a ClusterQueue.
   *
   * @param clusterQueue name of the ClusterQueue
   * @param workload its head
   * @param preempting whether Workloads were evicted for it: it precedes other heads, because one
   *     that took the released quota would have to be evicted next
   * @param followed whether its ClusterQueue has further Workloads to try
   */
  public record Head(
      String clusterQueue, QueuedWorkload workload, boolean preempting, boolean followed) {
    /** A head for which no Workload has been evicted, the last of its queue. */
    public Head(String clusterQueue, QueuedWorkload workload) {
      this(clusterQueue, workload, false, false);
    }

    /** The same head, of which it is known whether Workloads were evicted for it. */
    public Head preempting(boolean isSo) {
      return new Head(clusterQueue, workload, isSo, followed);
    }
  }

  /** Like {@link #run(Snapshot, List, Set)}, where no Workload waits to borrow. */
  public static List<Decision> run(Snapshot snapshot, List<Head> heads) {
    return run(snapshot, heads, Set.of());
  }

  /**
   * Decides about every head; each decision presupposes those before it.
   *
   * @param ownersFirst the roots below which Workloads of this cycle wait to borrow after others
   *     waited in an earlier one
   */
  public static List<Decision> run(Snapshot snapshot, List<Head> heads, Set<NodeId> ownersFirst) {
    QuotaProjections quotaProjections = QuotaProjections.of(snapshot.quota(), snapshot.claims());
    Nominator nominator = new Nominator(snapshot, quotaProjections);
    return new SchedulingCycle(snapshot, quotaProjections, ownersFirst)
        .decide(heads.stream().map(nominator::nominate).toList());
  }

  private List<Decision> decide(List<Nomination> nominations) {
    List<Decision> decisions = new ArrayList<>();
    List<Nomination> competing = new ArrayList<>();
    for (Nomination nomination : nominations) {
      if (nomination instanceof Nomination.NotAssigned notAssigned
          && notAssigned.kept().isEmpty()) {
        // It takes no quota, so it must not represent its Cohort in the order by shares.
        decisions.add(notAssigned.decision());
      } else {
        competing.add(nomination);
      }
    }
    Map<Boolean, List<Nomination>> preempting =
        competing.stream()
            .collect(Collectors.partitioningBy(nomination -> nomination.head().preempting()));
    for (boolean first : new boolean[] {true, false}) {
      order = orderOf(preempting.getOrDefault(first, List.of()));
      while (!order.isEmpty()) {
        decisions.add(
            switch (order.next(then)) {
              case Nomination.NotAssigned notAssigned -> keep(notAssigned);
              case Nomination borrower when borrowsLater(borrower) ->
                  skipped(
                      borrower.head(),
                      Decision.Skip.AFTER_OWNERS,
                      borrower instanceof Nomination.NeedsPreemption);
              case Nomination.FitsNow fitsNow -> reserve(fitsNow);
              case Nomination.NeedsPreemption needsPreemption -> preempt(needsPreemption);
            });
      }
    }
    return decisions;
  }

  private CycleOrder orderOf(List<Nomination> nominations) {
    PreemptionSettings settings = snapshot.preemptionCandidates().settings();
    return settings.fairSharing()
        ? CycleOrder.byShares(nominations, settings.nonBorrowingFirst())
        : CycleOrder.byBorrowing(nominations, snapshot.gates().prioritySorting());
  }

  private void reserveThen(String queue, Amounts<FlavorResource> usage) {
    then.reserve(queue, usage);
    order.usageChanged(queue);
  }

  private Decision keep(Nomination.NotAssigned notAssigned) {
    String queue = notAssigned.head().clusterQueue();
    reserveThen(queue, notAssigned.kept());
    keptFor
        .computeIfAbsent(snapshot.quota().rootOf(queue), root -> new ArrayList<>())
        .add(notAssigned.decision());
    return notAssigned.decision();
  }

  /** Whether it must not borrow yet; what was freed for it is its own. */
  private boolean borrowsLater(Nomination nomination) {
    return nomination.borrowLevel() > 0
        && !nomination.head().preempting()
        && ownersFirst.contains(snapshot.quota().rootOf(nomination.head().clusterQueue()));
  }

  /** Whether the queue of this head, which got quota, could reclaim quota for the next one. */
  private boolean reclaimsForNext(Nomination.FitsNow fitsNow) {
    Snapshot.Queue queue = snapshot.queues().get(fitsNow.head().clusterQueue());
    return fitsNow.borrowLevel() == 0
        && fitsNow.head().followed()
        && queue != null
        && !queue.spec().preemption().reclaimWithinCohort().equals(ReclaimPolicy.NEVER);
  }

  private Decision reserve(Nomination.FitsNow fitsNow) {
    String queue = fitsNow.decision().clusterQueue();
    if (!now.fits(queue, fitsNow.usage()) || !then.fits(queue, fitsNow.usage())) {
      return skipped(fitsNow.head(), Decision.Skip.TAKEN, false);
    }
    now.reserve(queue, fitsNow.usage());
    reserveThen(queue, fitsNow.usage());
    NodeId root = snapshot.quota().rootOf(queue);
    reservedIn.add(root);
    if (reclaimsForNext(fitsNow)) {
      ownersFirst.add(root);
    }
    return fitsNow.decision();
  }

  private Decision preempt(Nomination.NeedsPreemption needsPreemption) {
    String queue = needsPreemption.head().clusterQueue();
    Amounts<FlavorResource> usage = needsPreemption.usage();
    List<Target> targets = needsPreemption.targets();
    if (overlap(targets, preemptedLater)) {
      // Leave it to the next cycle, whose projections contain that claim.
      return skipped(needsPreemption.head(), Decision.Skip.TAKEN, true);
    }
    boolean overlapping = overlap(targets, preempted);
    if (overlapping) {
      if (then.fits(queue, usage)) {
        reserveThen(queue, usage);
        return skipped(needsPreemption.head(), Decision.Skip.FITS_AFTER_OTHERS, true);
      }
      targets = snapshot.gates().recomputesOverlaps() ? otherTargets(needsPreemption) : List.of();
      if (targets.isEmpty()) {
        return skipped(needsPreemption.head(), Decision.Skip.TARGETS_TAKEN, true);
      }
    }
    boolean deferred = needsPreemption.deferred();
    if ((deferred && !fitsNowWithout(targets, queue, usage))
        || !replaceThen(targets, queue, usage)) {
      return skipped(needsPreemption.head(), Decision.Skip.TAKEN, true);
    }
    if (deferred) {
      return defer(needsPreemption, targets);
    }
    targets.forEach(target -> preempted.add(target.candidate().key()));
    return new Decision.Preempt(
        queue,
        needsPreemption.head().workload(),
        usage,
        targets,
        needsPreemption.shortage() + PreemptionTexts.pending(targets.size()),
        overlapping);
  }

  /**
   * Reserves instead of these targets, <em>then</em>, if that fits; false if it doesn't, and
   * nothing has changed.
   */
  private boolean replaceThen(List<Target> targets, String queue, Amounts<FlavorResource> usage) {
    // The victims of claims don't count in the settled usage anyway.
    List<Candidate> counted =
        targets.stream()
            .map(Target::candidate)
            .filter(victim -> !quotaProjections.promisedVictims().contains(victim.key()))
            .toList();
    counted.forEach(victim -> then.release(victim.clusterQueue(), victim.usage()));
    boolean fits = then.fits(queue, usage);
    if (fits) {
      counted.forEach(victim -> order.usageChanged(victim.clusterQueue()));
      reserveThen(queue, usage);
    } else {
      counted.forEach(victim -> then.reserve(victim.clusterQueue(), victim.usage()));
    }
    return fits;
  }

  /** Reserves for a deferred preemption: its targets still run, so the usage now doesn't change. */
  private Decision defer(Nomination.NeedsPreemption needsPreemption, List<Target> targets) {
    targets.forEach(target -> preemptedLater.add(target.candidate().key()));
    reservedIn.add(snapshot.quota().rootOf(needsPreemption.head().clusterQueue()));
    return needsPreemption.reservation().deferring(targets);
  }

  /** Whether usage fits now without these targets, whether or not other claims are carried out. */
  private boolean fitsNowWithout(
      List<Target> targets, String queue, Amounts<FlavorResource> usage) {
    List<Candidate> running =
        targets.stream().map(Target::candidate).filter(quotaProjections::countsAsRunning).toList();
    running.forEach(candidate -> now.release(candidate.clusterQueue(), candidate.usage()));
    boolean fits = now.fits(queue, usage);
    running.forEach(candidate -> now.reserve(candidate.clusterQueue(), candidate.usage()));
    return fits;
  }

  private static boolean overlap(List<Target> targets, Set<ObjectKey> some) {
    return targets.stream().anyMatch(target -> some.contains(target.candidate().key()));
  }

  /** Targets other than those that this cycle already preempts for other heads. */
  private List<Target> otherTargets(Nomination.NeedsPreemption needsPreemption) {
    Snapshot.Queue queue =
        Objects.requireNonNull(snapshot.queues().get(needsPreemption.head().clusterQueue()));
    Set<ObjectKey> taken = quotaProjections.preemptorsAndVictims();
    taken.addAll(preempted);
    taken.addAll(preemptedLater);
    return snapshot
        .preemptionCandidates()
        .without(Set.copyOf(taken))
        .searchIn(then.tree())
        .targets(needsPreemption.preemptor(), queue.spec().preemption());
  }

  private Decision skipped(Head head, Decision.Skip why, boolean preemptor) {
    NodeId root = snapshot.quota().rootOf(head.clusterQueue());
    boolean taken = why == Decision.Skip.TAKEN;
    // A reservation was made in this cycle, so the next one starts from another state: try again.
    boolean again = why == Decision.Skip.AFTER_OWNERS || (taken && reservedIn.contains(root));
    return new Decision.Skipped(
        head.clusterQueue(),
        head.workload(),
        why,
        preemptor,
        again,
        taken ? keptFor.getOrDefault(root, List.of()) : List.of());
  }
}
