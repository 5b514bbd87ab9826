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
 * The quota while {@link Claim}s are open, counted in three ways. What all have <em>reserved</em>
 * exceeds it, for claimants and those they count on are both in it. What is <em>running</em> is
 * without the claimants: it is the quota that somebody can really use now. And what will be left
 * when all is <em>settled</em> is without those who give way. Whoever gets quota must fit into the
 * latter two: then nothing is given away twice, and nothing is counted twice. A value.
 */
@API(status = API.Status.INTERNAL)
public final class Accounts {
  private final QuotaTree reserved;
  private final QuotaTree running;
  private final QuotaTree settled;
  private final Set<ObjectKey> claimants;
  private final Set<ObjectKey> promised;

  private Accounts(
      QuotaTree reserved,
      QuotaTree running,
      QuotaTree settled,
      Set<ObjectKey> claimants,
      Set<ObjectKey> promised) {
    this.reserved = reserved;
    this.running = running;
    this.settled = settled;
    this.claimants = Set.copyOf(claimants);
    this.promised = Set.copyOf(promised);
  }

  /**
   * Where and among whom to look for room.
   *
   * @param quota what counts as used
   * @param rivals who may have to give way
   */
  public record Ground(QuotaTree quota, Rivals rivals) {}

  /** Without claims: all three are the same. */
  public static Accounts of(QuotaTree reserved) {
    return new Accounts(reserved, reserved, reserved, Set.of(), Set.of());
  }

  /**
   * With these claims.
   *
   * @param reserved what all have reserved, claimants included
   */
  public static Accounts of(QuotaTree reserved, Collection<Claim> claims) {
    QuotaTree without = reserved;
    for (Claim claim : claims) {
      without = without.release(claim.claimant().clusterQueue(), claim.claimant().usage());
    }
    Accounts accounts = of(without);
    for (Claim claim : claims) {
      accounts = accounts.with(claim);
    }
    return accounts;
  }

  /** With one more claim. */
  Accounts with(Claim claim) {
    Candidate claimant = claim.claimant();
    QuotaTree later = settled;
    Set<ObjectKey> victims = new HashSet<>(promised);
    for (Target target : claim.targets()) {
      Candidate victim = target.candidate();
      if (victims.add(victim.key())) {
        later = later.release(victim.clusterQueue(), victim.usage());
      }
    }
    Set<ObjectKey> claiming = new HashSet<>(claimants);
    claiming.add(claimant.key());
    return new Accounts(
        reserved.reserve(claimant.clusterQueue(), claimant.usage()),
        running,
        later.reserve(claimant.clusterQueue(), claimant.usage()),
        claiming,
        victims);
  }

  /** With somebody who has quota without a claim. */
  Accounts with(Candidate holder) {
    return new Accounts(
        reserved.reserve(holder.clusterQueue(), holder.usage()),
        running.reserve(holder.clusterQueue(), holder.usage()),
        settled.reserve(holder.clusterQueue(), holder.usage()),
        claimants,
        promised);
  }

  public QuotaTree running() {
    return running;
  }

  public QuotaTree settled() {
    return settled;
  }

  public boolean hasClaims() {
    return !claimants.isEmpty();
  }

  /** Whose quota is promised to others; {@link #settled} doesn't count it. */
  public Set<ObjectKey> promised() {
    return promised;
  }

  /** Whose quota is promised, and to whom. */
  public Set<ObjectKey> involved() {
    Set<ObjectKey> involved = new HashSet<>(claimants);
    involved.addAll(promised);
    return involved;
  }

  /** Whether a holder of quota counts as {@link #running}. */
  public boolean runs(Candidate holder) {
    return !claimants.contains(holder.key());
  }

  /** Whether somebody fits as things are and as they are going to be. */
  public boolean fits(String queue, Amounts<FlavorResource> usage) {
    return settled.fits(queue, usage) && (running == settled || running.fits(queue, usage));
  }

  /** Whether somebody fits once these have let go, whatever becomes of the claims. */
  public boolean fitsWithout(
      Collection<Target> targets, String queue, Amounts<FlavorResource> usage) {
    QuotaTree.Trial trial = running.trial();
    for (Target target : targets) {
      Candidate candidate = target.candidate();
      if (runs(candidate)) {
        trial.giveBack(candidate.clusterQueue(), candidate.usage());
      }
    }
    return trial.fits(queue, usage);
  }

  /**
   * Where to look for room, in this order: first among those that no claim is about, in what is
   * left when all is settled; then among all, with everything that is reserved counting, so that a
   * claim keeps nobody from what it could have had without it.
   */
  public List<Ground> grounds(Rivals rivals) {
    return hasClaims()
        ? List.of(new Ground(settled, rivals.without(involved())), new Ground(reserved, rivals))
        : List.of(new Ground(settled, rivals));
  }
}
