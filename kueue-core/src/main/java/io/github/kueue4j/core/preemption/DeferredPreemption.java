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
 * Who counts on whose quota (KEP-993, {@code AfterCheckPassedOrOnDemand}). It is worked out from
 * who holds what, and what was found before is only preferred: whoever starts anew, or whose
 * targets are gone, comes to an answer too.
 */
@API(status = API.Status.INTERNAL)
public final class DeferredPreemption {
  private final Rivals rivals;
  private final Map<ObjectKey, List<Target>> before;
  private final Function<String, ClusterQueuePreemption> policies;

  /**
   * Claims by these rules.
   *
   * @param rivals all who hold quota, those who may have claims included
   * @param before whom each claimant counted on until now
   * @param policies of the ClusterQueues
   */
  public DeferredPreemption(
      Rivals rivals,
      Map<ObjectKey, List<Target>> before,
      Function<String, ClusterQueuePreemption> policies) {
    this.rivals = rivals;
    this.before = before;
    this.policies = policies;
  }

  /**
   * What was found.
   *
   * @param claims whose quota is still with others, the oldest reservation first
   * @param hopeless who doesn't fit, and nobody must give way to it
   */
  @API(status = API.Status.INTERNAL)
  public record Outcome(List<Claim> claims, List<Candidate> hopeless) {
    public Outcome {
      claims = List.copyOf(claims);
      hopeless = List.copyOf(hopeless);
    }
  }

  /**
   * Works out the claims, for the older reservation first.
   *
   * @param tree the quota, and all that is reserved of it
   * @param deferring the holders whose preemption may be deferred
   * @param settling whether a claim ends where there is room without it by now; not before those
   *     had their turn for whom that room was made
   */
  public Outcome among(QuotaTree tree, Collection<Candidate> deferring, boolean settling) {
    QuotaTree others = tree;
    Set<ObjectKey> notYet = new HashSet<>();
    for (Candidate candidate : deferring) {
      others = others.release(candidate.clusterQueue(), candidate.usage());
      notYet.add(candidate.key());
    }
    Accounts accounts = Accounts.of(others);
    List<Claim> claims = new ArrayList<>();
    List<Candidate> hopeless = new ArrayList<>();
    for (Candidate candidate :
        deferring.stream()
            .sorted(Comparator.comparing(Candidate::reservedSince).thenComparing(Candidate::key))
            .toList()) {
      boolean fits = accounts.fits(candidate.clusterQueue(), candidate.usage());
      if (fits && (settling || !before.containsKey(candidate.key()))) {
        accounts = accounts.with(candidate);
      } else {
        List<Target> targets = fits ? stillThere(candidate) : targets(accounts, candidate, notYet);
        if (!fits && targets.isEmpty()) {
          hopeless.add(candidate);
          continue;
        }
        Claim claim = new Claim(candidate, targets);
        claims.add(claim);
        accounts = accounts.with(claim);
      }
      notYet.remove(candidate.key());
    }
    return new Outcome(claims, hopeless);
  }

  private List<Target> stillThere(Candidate claimant) {
    List<Target> targets = new ArrayList<>();
    for (Target target : before.getOrDefault(claimant.key(), List.of())) {
      rivals.holders().of(target.candidate().clusterQueue()).stream()
          .filter(holder -> holder.key().equals(target.candidate().key()))
          .map(holder -> new Target(holder, target.reason()))
          .forEach(targets::add);
    }
    return targets;
  }

  private List<Target> targets(Accounts accounts, Candidate claimant, Set<ObjectKey> notYet) {
    Rivals present = rivals.without(Set.copyOf(notYet));
    Set<ObjectKey> known =
        before.getOrDefault(claimant.key(), List.of()).stream()
            .map(target -> target.candidate().key())
            .collect(Collectors.toUnmodifiableSet());
    if (!known.isEmpty()) {
      List<Target> kept = search(accounts, claimant, present.only(known));
      if (!kept.isEmpty()) {
        return kept;
      }
    }
    return search(accounts, claimant, present);
  }

  private List<Target> search(Accounts accounts, Candidate claimant, Rivals among) {
    for (Accounts.Ground ground : accounts.grounds(among)) {
      List<Target> targets =
          ground
              .rivals()
              .searchIn(ground.quota())
              .targets(
                  preemptor(claimant, ground.quota()), policies.apply(claimant.clusterQueue()));
      if (!targets.isEmpty()
          && accounts.fitsWithout(targets, claimant.clusterQueue(), claimant.usage())) {
        return targets;
      }
    }
    return List.of();
  }

  /** What it would be if it still waited. */
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
        claimant.localQueue(),
        claimant.priority(),
        claimant.queuedSince(),
        claimant.usage(),
        contested);
  }
}
