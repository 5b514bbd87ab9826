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
package io.github.kueue4j.core.usage;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The one place that knows what every queue has used (KEP-4136). Not thread-safe: it belongs to the
 * State's thread. A queue is known by its key; ClusterQueues have no namespace.
 *
 * <p>A reservation costs its queues {@link UsagePolicy#entryShare} of its requests from the moment
 * it is decided. While it has not been Admitted that is a penalty, which every way out of the
 * reservation takes back. When it is Admitted the penalty becomes past usage, once, and from then
 * on what runs adds to that over time. Penalties are never stored as sums of fractions: each queue
 * keeps the exact sum of the requests that they stand for.
 */
@API(status = API.Status.INTERNAL)
public final class UsageLedger {
  private final UsagePolicy policy;
  private final Map<ObjectKey, UsageAccount> accounts = new HashMap<>();
  private final Map<ObjectKey, Entry> entries = new HashMap<>();

  /**
   * A reservation and whether its entry penalty has become past usage already.
   *
   * @param charged never undone while it is the same reservation
   */
  private record Entry(Reservation reservation, boolean charged) {
    boolean enters() {
      return !charged && !reservation.admitted();
    }
  }

  public UsageLedger(UsagePolicy policy) {
    this.policy = policy;
  }

  public UsagePolicy policy() {
    return policy;
  }

  // What happens.

  /**
   * Takes in what a Workload holds now.
   *
   * @param next null if it holds nothing (any more)
   */
  public void set(ObjectKey workload, @Nullable Reservation next, Instant now) {
    Entry previous = entries.get(workload);
    Reservation held = previous == null ? null : previous.reservation();
    if (Objects.equals(held, next)) {
      return;
    }
    boolean charged =
        previous != null
            && previous.charged()
            && next != null
            && next.continues(previous.reservation());
    if (previous != null) {
      entries.remove(workload);
      leave(previous, now);
    }
    if (next != null) {
      enter(workload, next, charged, now);
    }
  }

  private void leave(Entry left, Instant now) {
    Reservation reservation = left.reservation();
    for (ObjectKey queue : queues(reservation)) {
      UsageAccount account = account(queue, now);
      if (left.enters()) {
        account.setEntering(without(account.entering(), reservation, queue, Entry::enters));
      }
      if (reservation.admitted()) {
        account.setRunning(
            without(account.running(), reservation, queue, e -> e.reservation().admitted()), now);
      }
    }
  }

  private void enter(ObjectKey workload, Reservation reservation, boolean charged, Instant now) {
    boolean chargedNow = charged || reservation.admitted();
    for (ObjectKey queue : queues(reservation)) {
      UsageAccount account = account(queue, now);
      if (reservation.admitted()) {
        if (!charged) {
          account.charge(reservation.requests(), policy.entryShare(), now);
        }
        account.setRunning(account.running().plus(reservation.requests()), now);
      } else if (!charged) {
        account.setEntering(account.entering().plus(reservation.requests()));
      }
    }
    entries.put(workload, new Entry(reservation, chargedNow));
  }

  /** A sum without one of its parts, which is no longer among the entries. */
  private Amounts<String> without(
      Amounts<String> sum, Reservation left, ObjectKey queue, Predicate<Entry> counts) {
    if (!sum.saturated()) {
      return sum.minus(left.requests());
    }
    // A sum that was cut off at the largest number can't be taken apart.
    Amounts<String> counted = Amounts.none();
    for (Entry entry : entries.values()) {
      if (counts.test(entry) && queues(entry.reservation()).contains(queue)) {
        counted = counted.plus(entry.reservation().requests());
      }
    }
    return counted;
  }

  private static Collection<ObjectKey> queues(Reservation reservation) {
    return List.of(reservation.localQueue(), ObjectKey.cluster(reservation.clusterQueue()));
  }

  /** A queue is gone, and its past with it; what it still holds goes on counting. */
  public void forget(ObjectKey queue, Instant now) {
    UsageAccount previous = accounts.remove(queue);
    if (previous != null && !(previous.running().isEmpty() && previous.entering().isEmpty())) {
      UsageAccount account = account(queue, now);
      account.setRunning(previous.running(), now);
      account.setEntering(previous.entering());
    }
  }

  // Taking over from the statuses and the objects.

  /**
   * Begins a LocalQueue's account with what its status says and what has run since. Comes before
   * anything else about that queue.
   *
   * @param stored null if nobody has written it yet
   * @param runs what has been Admitted in that queue, as far as anybody can still tell
   */
  public void open(
      ObjectKey queue, @Nullable AdmissionFairSharingStatus stored, List<Run> runs, Instant now) {
    Instant opened = now.truncatedTo(ChronoUnit.SECONDS);
    Consumed base = stored == null ? Consumed.nothing(Instant.EPOCH) : Consumed.of(stored);
    Duration reset = policy.resetInactivityPeriod();
    if (reset != null && Duration.between(base.at(), opened).compareTo(reset) > 0) {
      base = Consumed.nothing(opened);
    }
    Consumed consumed = base.by(opened, Amounts.none(), policy);
    for (Run run : runs) {
      consumed = consumed.plus(run.requests(), run.share(base.at(), opened, policy));
    }
    accounts.put(queue, new UsageAccount(policy, consumed));
  }

  /**
   * Begins a ClusterQueue's account. Where its status can't hold past usage (a server with somebody
   * else's CRDs), it begins with the sum of its LocalQueues, opened before.
   */
  public void open(
      String clusterQueue,
      @Nullable AdmissionFairSharingStatus stored,
      List<Run> runs,
      Collection<ObjectKey> localQueues,
      Instant now) {
    ObjectKey queue = ObjectKey.cluster(clusterQueue);
    if (stored != null) {
      open(queue, stored, runs, now);
      return;
    }
    Instant opened = now.truncatedTo(ChronoUnit.SECONDS);
    Consumed sum = Consumed.nothing(opened);
    for (ObjectKey localQueue : localQueues) {
      sum = sum.plus(account(localQueue, opened).consumedBy(opened));
    }
    accounts.put(queue, new UsageAccount(policy, sum));
  }

  /** Takes in what a Workload holds, after its queues were opened with all that it has run. */
  public void resume(ObjectKey workload, Reservation reservation, Instant now) {
    enter(workload, reservation, reservation.admitted(), now.truncatedTo(ChronoUnit.SECONDS));
  }

  // What the others ask.

  /** The past usage of a queue. */
  public Consumed consumed(ObjectKey queue, Instant now) {
    UsageAccount account = accounts.get(queue);
    return account == null ? Consumed.nothing(now) : account.consumedBy(now);
  }

  /**
   * What a queue is compared by, before its own weight: past usage and entry penalties, weighted by
   * resource. Not negative, never NaN.
   */
  public double usage(ObjectKey queue, Instant now) {
    UsageAccount account = accounts.get(queue);
    return account == null ? 0 : account.chargedBy(now).weighted(policy);
  }

  /**
   * The requests of a queue's reservations that have not been Admitted yet. Its entry penalty is
   * {@link UsagePolicy#entryShare} of them.
   */
  public Amounts<String> entering(ObjectKey queue) {
    UsageAccount account = accounts.get(queue);
    return account == null ? Amounts.none() : account.entering();
  }

  /** What a queue's status shall say; empty if nothing was ever used in it. */
  public Optional<Consumed> sample(ObjectKey queue, Instant now) {
    return Optional.ofNullable(accounts.get(queue)).map(account -> account.sample(now));
  }

  /** Forgets the accounts of queues in which nothing happens and of whose past nothing is left. */
  public void tidy(Instant now) {
    accounts.values().removeIf(account -> account.forgettable(now));
  }

  private UsageAccount account(ObjectKey queue, Instant now) {
    return accounts.computeIfAbsent(queue, key -> new UsageAccount(policy, Consumed.nothing(now)));
  }
}
