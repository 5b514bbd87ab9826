/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.Accounts;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.PreemptionTexts;
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
 * One scheduling cycle. First every head is looked at as if it were alone, then they get what they
 * ask for one after the other, as far as it is still there.
 *
 * <p>Two accounts are kept: the quota <em>now</em>, with what this cycle has reserved, and <em>
 * then</em>, when all who give way in this cycle have let go and those they give way to have got
 * what it was for. Who is to get quota at once must fit into both, so that nobody takes what a
 * preemptor waits for. Where a preemption is deferred (KEP-993) the preemptor reserves at once, but
 * counts only <em>then</em>; {@link Accounts} has what earlier cycles deferred.
 */
@API(status = API.Status.INTERNAL)
public final class SchedulingCycle {
  private final Snapshot snapshot;
  private final QuotaTree.Trial now;
  private QuotaTree then;
  private final Accounts accounts;
  private final Set<ObjectKey> givingWay = new HashSet<>();
  private final Set<ObjectKey> givingWayLater = new HashSet<>();
  private final Set<NodeId> reservedIn = new HashSet<>();
  private final Map<NodeId, List<Decision.Inadmissible>> keptFor = new HashMap<>();

  private SchedulingCycle(Snapshot snapshot, Accounts accounts) {
    this.snapshot = snapshot;
    this.accounts = accounts;
    this.now = accounts.running().trial();
    this.then = accounts.settled();
  }

  /**
   * A Workload that is next in its ClusterQueue.
   *
   * @param clusterQueue name of the ClusterQueue
   * @param workload its head
   * @param preempting whether others were evicted for it: what they let go of is for it, and for
   *     nobody who would have to be evicted next
   */
  public record Head(String clusterQueue, QueuedWorkload workload, boolean preempting) {
    /** One for which nobody was evicted yet. */
    public Head(String clusterQueue, QueuedWorkload workload) {
      this(clusterQueue, workload, false);
    }
  }

  /** Decides about every head; the decisions are in the order in which they hold. */
  public static List<Decision> run(Snapshot snapshot, List<Head> heads) {
    Accounts accounts = Accounts.of(snapshot.quota(), snapshot.claims());
    Nominator nominator = new Nominator(snapshot, accounts);
    return new SchedulingCycle(snapshot, accounts)
        .decide(heads.stream().map(nominator::nominate).toList());
  }

  private List<Decision> decide(List<Nomination> nominations) {
    CycleOrder order =
        snapshot.rivals().settings().fairSharing()
            ? CycleOrder.byShares(snapshot.rivals().settings().nonBorrowingFirst())
            : CycleOrder.byBorrowing(snapshot.gates().prioritySorting());
    List<Decision> decisions = new ArrayList<>();
    List<Nomination> competing = new ArrayList<>();
    for (Nomination nomination : nominations) {
      if (nomination instanceof Nomination.Refused refused && refused.kept().isEmpty()) {
        // It takes nothing, and must not stand for its Cohort in place of one that does.
        decisions.add(refused.decision());
      } else {
        competing.add(nomination);
      }
    }
    Map<Boolean, List<Nomination>> preempting =
        competing.stream()
            .collect(Collectors.partitioningBy(nomination -> nomination.head().preempting()));
    for (boolean first : new boolean[] {true, false}) {
      List<Nomination> remaining = new ArrayList<>(preempting.getOrDefault(first, List.of()));
      while (!remaining.isEmpty()) {
        decisions.add(
            switch (order.next(remaining, then)) {
              case Nomination.Fits fits -> reserve(fits);
              case Nomination.Preempts preempts -> preempt(preempts);
              case Nomination.Refused refused -> keep(refused);
            });
      }
    }
    return decisions;
  }

  private Decision keep(Nomination.Refused refused) {
    String queue = refused.head().clusterQueue();
    then = then.reserve(queue, refused.kept());
    keptFor
        .computeIfAbsent(snapshot.quota().rootOf(queue), root -> new ArrayList<>())
        .add(refused.decision());
    return refused.decision();
  }

  private Decision reserve(Nomination.Fits fits) {
    String queue = fits.decision().clusterQueue();
    if (!now.fits(queue, fits.usage()) || !then.fits(queue, fits.usage())) {
      return skipped(fits.head(), Decision.Skip.TAKEN, false);
    }
    now.take(queue, fits.usage());
    then = then.reserve(queue, fits.usage());
    reservedIn.add(snapshot.quota().rootOf(queue));
    return fits.decision();
  }

  private Decision preempt(Nomination.Preempts preempts) {
    String queue = preempts.head().clusterQueue();
    Amounts<FlavorResource> usage = preempts.usage();
    List<Target> targets = preempts.targets();
    if (overlap(targets, givingWayLater)) {
      // The next cycle knows that claim and what is left beside it.
      return skipped(preempts.head(), Decision.Skip.TAKEN, true);
    }
    boolean overlapping = overlap(targets, givingWay);
    if (overlapping) {
      if (then.fits(queue, usage)) {
        then = then.reserve(queue, usage);
        return skipped(preempts.head(), Decision.Skip.FITS_AFTER_OTHERS, true);
      }
      targets = snapshot.gates().recomputesOverlaps() ? targetsBesides(preempts) : List.of();
      if (targets.isEmpty()) {
        return skipped(preempts.head(), Decision.Skip.TARGETS_TAKEN, true);
      }
    }
    QuotaTree relieved = without(targets, then);
    if (!relieved.fits(queue, usage)) {
      return skipped(preempts.head(), Decision.Skip.TAKEN, true);
    }
    if (preempts.deferred()) {
      return defer(preempts, targets, relieved);
    }
    then = relieved.reserve(queue, usage);
    targets.forEach(target -> givingWay.add(target.candidate().key()));
    return new Decision.Preempt(
        queue,
        preempts.head().workload(),
        usage,
        targets,
        preempts.shortage() + PreemptionTexts.pending(targets.size()),
        overlapping);
  }

  private QuotaTree without(List<Target> targets, QuotaTree quota) {
    QuotaTree relieved = quota;
    for (Target target : targets) {
      // What is promised to a claim doesn't count then anyway.
      if (!accounts.promised().contains(target.candidate().key())) {
        relieved = relieved.release(target.candidate().clusterQueue(), target.candidate().usage());
      }
    }
    return relieved;
  }

  /** Nobody gives way yet, and so nothing is taken now. */
  private Decision defer(Nomination.Preempts preempts, List<Target> targets, QuotaTree relieved) {
    String queue = preempts.head().clusterQueue();
    if (!fitsNowWithout(targets, queue, preempts.usage())) {
      return skipped(preempts.head(), Decision.Skip.TAKEN, true);
    }
    then = relieved.reserve(queue, preempts.usage());
    targets.forEach(target -> givingWayLater.add(target.candidate().key()));
    reservedIn.add(snapshot.quota().rootOf(queue));
    return preempts.reservation().deferring(targets);
  }

  /** Whether it could run once these have let go, whatever becomes of other claims. */
  private boolean fitsNowWithout(
      List<Target> targets, String queue, Amounts<FlavorResource> usage) {
    List<Candidate> running =
        targets.stream().map(Target::candidate).filter(accounts::runs).toList();
    running.forEach(candidate -> now.giveBack(candidate.clusterQueue(), candidate.usage()));
    boolean fits = now.fits(queue, usage);
    running.forEach(candidate -> now.take(candidate.clusterQueue(), candidate.usage()));
    return fits;
  }

  private static boolean overlap(List<Target> targets, Set<ObjectKey> some) {
    return targets.stream().anyMatch(target -> some.contains(target.candidate().key()));
  }

  /** Other targets than those that give way to somebody else in this cycle. */
  private List<Target> targetsBesides(Nomination.Preempts preempts) {
    Snapshot.Queue queue =
        Objects.requireNonNull(snapshot.queues().get(preempts.head().clusterQueue()));
    Set<ObjectKey> taken = accounts.involved();
    taken.addAll(givingWay);
    taken.addAll(givingWayLater);
    return snapshot
        .rivals()
        .without(Set.copyOf(taken))
        .searchIn(then)
        .targets(preempts.preemptor(), queue.spec().preemption());
  }

  private Decision skipped(Head head, Decision.Skip why, boolean preemptor) {
    NodeId root = snapshot.quota().rootOf(head.clusterQueue());
    boolean taken = why == Decision.Skip.TAKEN;
    // A reservation was made, so the same doesn't come out for ever: worth another try at once.
    boolean again = taken && reservedIn.contains(root);
    return new Decision.Skipped(
        head.clusterQueue(),
        head.workload(),
        why,
        preemptor,
        again,
        taken ? keptFor.getOrDefault(root, List.of()) : List.of());
  }
}
