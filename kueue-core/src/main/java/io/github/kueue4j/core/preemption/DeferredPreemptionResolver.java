// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Computes the claims of deferred preemption (KEP-993, {@code AfterCheckPassedOrOnDemand}): which
 * reservations count on the quota of which Workloads. The claims depend on the holders of quota
 * only; targets that were found before are only preferred. So a restarted process, and a claimant
 * whose targets are gone, get an answer too.
 */
@API(status = API.Status.INTERNAL)
public final class DeferredPreemptionResolver {
  private final PreemptionCandidates preemptionCandidates;
  private final Map<ObjectKey, List<Target>> before;
  private final Function<String, ClusterQueuePreemption> policies;

  /**
   * A computation for these holders and policies.
   *
   * @param preemptionCandidates all holders of quota, claimants included
   * @param before the targets of each claimant until now
   * @param policies of the ClusterQueues
   */
  public DeferredPreemptionResolver(
      PreemptionCandidates preemptionCandidates,
      Map<ObjectKey, List<Target>> before,
      Function<String, ClusterQueuePreemption> policies) {
    this.preemptionCandidates = preemptionCandidates;
    this.before = before;
    this.policies = policies;
  }

  /**
   * The claims, and the reservations that can't be kept.
   *
   * @param preemptions in the order of their reservations, the oldest first
   * @param unsatisfiable reservations that don't fit and may not preempt any other holder
   */
  @API(status = API.Status.INTERNAL)
  public record Outcome(List<DeferredPreemption> preemptions, List<Candidate> unsatisfiable) {
    public Outcome {
      preemptions = List.copyOf(preemptions);
      unsatisfiable = List.copyOf(unsatisfiable);
    }
  }

  /**
   * Computes the claims, in the order of the reservations.
   *
   * @param tree the quota with all reservations
   * @param deferring the holders whose preemption may be deferred
   * @param settling whether a claim ends when its claimant fits without it. False until the
   *     Workloads for which that quota was released have been tried
   */
  public Outcome resolve(QuotaTree tree, Collection<Candidate> deferring, boolean settling) {
    QuotaTree others = tree;
    Set<ObjectKey> undecided = new HashSet<>();
    for (Candidate candidate : deferring) {
      others = others.release(candidate.clusterQueue(), candidate.usage());
      undecided.add(candidate.key());
    }
    QuotaProjections quotaProjections = QuotaProjections.of(others);
    List<DeferredPreemption> claims = new ArrayList<>();
    List<Candidate> hopeless = new ArrayList<>();
    for (Candidate candidate :
        deferring.stream()
            .sorted(Comparator.comparing(Candidate::reservedSince).thenComparing(Candidate::key))
            .toList()) {
      boolean fits = quotaProjections.fits(candidate.clusterQueue(), candidate.usage());
      if (fits && (settling || !before.containsKey(candidate.key()))) {
        quotaProjections = quotaProjections.with(candidate);
      } else {
        List<Target> targets =
            fits ? remainingTargets(candidate) : targets(quotaProjections, candidate, undecided);
        if (!fits && targets.isEmpty()) {
          hopeless.add(candidate);
          continue;
        }
        DeferredPreemption deferredPreemption = new DeferredPreemption(candidate, targets);
        claims.add(deferredPreemption);
        quotaProjections = quotaProjections.with(deferredPreemption);
      }
      undecided.remove(candidate.key());
    }
    return new Outcome(claims, hopeless);
  }

  private List<Target> remainingTargets(Candidate claimant) {
    List<Target> targets = new ArrayList<>();
    for (Target target : before.getOrDefault(claimant.key(), List.of())) {
      preemptionCandidates.quotaHolders().of(target.candidate().clusterQueue()).stream()
          .filter(holder -> holder.key().equals(target.candidate().key()))
          .map(holder -> new Target(holder, target.reason()))
          .forEach(targets::add);
    }
    return targets;
  }

  private List<Target> targets(
      QuotaProjections quotaProjections, Candidate claimant, Set<ObjectKey> undecided) {
    PreemptionCandidates present = preemptionCandidates.without(Set.copyOf(undecided));
    Set<ObjectKey> known =
        before.getOrDefault(claimant.key(), List.of()).stream()
            .map(target -> target.candidate().key())
            .collect(Collectors.toUnmodifiableSet());
    if (!known.isEmpty()) {
      List<Target> kept = search(quotaProjections, claimant, present.only(known));
      if (!kept.isEmpty()) {
        return kept;
      }
    }
    return search(quotaProjections, claimant, present);
  }

  private List<Target> search(
      QuotaProjections quotaProjections, Candidate claimant, PreemptionCandidates among) {
    for (QuotaProjections.SearchScope searchScope : quotaProjections.searchScopes(among)) {
      List<Target> targets =
          searchScope
              .candidates()
              .searchIn(searchScope.quota())
              .targets(
                  preemptor(claimant, searchScope.quota()),
                  policies.apply(claimant.clusterQueue()));
      if (!targets.isEmpty()
          && quotaProjections.fitsWithout(targets, claimant.clusterQueue(), claimant.usage())) {
        return targets;
      }
    }
    return List.of();
  }

  /** The claimant as a preemptor, as if it held no reservation yet. */
  private static Preemptor preemptor(Candidate claimant, QuotaTree quota) {
    Set<FlavorResource> contested =
        claimant.usage().asMap().entrySet().stream()
            .filter(
                entry ->
                    entry.getValue() > quota.available(claimant.clusterQueue(), entry.getKey()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    return new Preemptor(
        claimant.clusterQueue(),
        claimant.priority(),
        claimant.queuedSince(),
        claimant.usage(),
        contested);
  }
}
