// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The usage of quota while {@link DeferredPreemption}s are open, projected in three ways. An
 * immutable value.
 *
 * <ul>
 *   <li><em>Reserved</em>: all reservations. It may exceed the quota, because it counts both the
 *       claimants and their victims.
 *   <li><em>Running</em>: without the claimants, that is, the usage while the victims still run.
 *   <li><em>Settled</em>: without the victims, that is, the usage once all claims are carried out.
 * </ul>
 *
 * <p>A Workload may reserve quota only if it fits in both of the latter: then no quota is assigned
 * twice.
 */
@API(status = API.Status.INTERNAL)
public final class QuotaProjections {
  private final QuotaTree reserved;
  private final QuotaTree running;
  private final QuotaTree settled;
  private final Set<ObjectKey> claimants;
  private final Set<ObjectKey> promisedVictims;

  private QuotaProjections(
      QuotaTree reserved,
      QuotaTree running,
      QuotaTree settled,
      Set<ObjectKey> claimants,
      Set<ObjectKey> promised) {
    this.reserved = reserved;
    this.running = running;
    this.settled = settled;
    this.claimants = Set.copyOf(claimants);
    this.promisedVictims = Set.copyOf(promised);
  }

  /**
   * The quota and the candidates of one search for preemption targets.
   *
   * @param quota the usage to search in
   * @param candidates the candidates for preemption
   */
  public record SearchScope(QuotaTree quota, PreemptionCandidates candidates) {}

  /** Projections without claims: all three are equal. */
  public static QuotaProjections of(QuotaTree reserved) {
    return new QuotaProjections(reserved, reserved, reserved, Set.of(), Set.of());
  }

  /**
   * Projections with these claims.
   *
   * @param reserved the quota with all reservations, those of claimants included
   */
  public static QuotaProjections of(QuotaTree reserved, Collection<DeferredPreemption> claims) {
    QuotaTree without = reserved;
    for (DeferredPreemption deferredPreemption : claims) {
      without =
          without.release(
              deferredPreemption.preemptor().clusterQueue(),
              deferredPreemption.preemptor().usage());
    }
    QuotaProjections quotaProjections = of(without);
    for (DeferredPreemption deferredPreemption : claims) {
      quotaProjections = quotaProjections.with(deferredPreemption);
    }
    return quotaProjections;
  }

  /** These projections with one more claim. */
  QuotaProjections with(DeferredPreemption deferredPreemption) {
    Candidate claimant = deferredPreemption.preemptor();
    QuotaTree later = settled;
    Set<ObjectKey> victims = new HashSet<>(promisedVictims);
    for (Target target : deferredPreemption.targets()) {
      Candidate victim = target.candidate();
      if (victims.add(victim.key())) {
        later = later.release(victim.clusterQueue(), victim.usage());
      }
    }
    Set<ObjectKey> claiming = new HashSet<>(claimants);
    claiming.add(claimant.key());
    return new QuotaProjections(
        reserved.reserve(claimant.clusterQueue(), claimant.usage()),
        running,
        later.reserve(claimant.clusterQueue(), claimant.usage()),
        claiming,
        victims);
  }

  /** These projections with one more holder of quota that has no claim. */
  QuotaProjections with(Candidate holder) {
    return new QuotaProjections(
        reserved.reserve(holder.clusterQueue(), holder.usage()),
        running.reserve(holder.clusterQueue(), holder.usage()),
        settled.reserve(holder.clusterQueue(), holder.usage()),
        claimants,
        promisedVictims);
  }

  public QuotaTree running() {
    return running;
  }

  public QuotaTree settled() {
    return settled;
  }

  public boolean hasDeferredPreemptions() {
    return !claimants.isEmpty();
  }

  /** The victims of the claims; {@link #settled} doesn't count their quota. */
  public Set<ObjectKey> promisedVictims() {
    return promisedVictims;
  }

  /** The claimants and the victims. */
  public Set<ObjectKey> preemptorsAndVictims() {
    Set<ObjectKey> involved = new HashSet<>(claimants);
    involved.addAll(promisedVictims);
    return involved;
  }

  /** Whether {@link #running} counts a holder of quota: it does unless that is a claimant. */
  public boolean countsAsRunning(Candidate holder) {
    return !claimants.contains(holder.key());
  }

  /** Whether usage fits both {@link #running} and {@link #settled}. */
  public boolean fits(String queue, Amounts<FlavorResource> usage) {
    return settled.fits(queue, usage) && (running == settled || running.fits(queue, usage));
  }

  /** Whether usage fits {@link #running} once these targets have released their quota. */
  public boolean fitsWithout(
      Collection<Target> targets, String queue, Amounts<FlavorResource> usage) {
    QuotaTree.Trial trial = running.trial();
    for (Target target : targets) {
      Candidate candidate = target.candidate();
      if (countsAsRunning(candidate)) {
        trial.release(candidate.clusterQueue(), candidate.usage());
      }
    }
    return trial.fits(queue, usage);
  }

  /**
   * The scopes to search for targets, in this order: first the candidates that no claim involves,
   * in {@link #settled}; then all candidates, in the usage with all reservations, so that a claim
   * never prevents a preemption that would be possible without it.
   */
  public List<SearchScope> searchScopes(PreemptionCandidates preemptionCandidates) {
    return hasDeferredPreemptions()
        ? List.of(
            new SearchScope(settled, preemptionCandidates.without(preemptorsAndVictims())),
            new SearchScope(reserved, preemptionCandidates))
        : List.of(new SearchScope(settled, preemptionCandidates));
  }
}
