// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * The usage of all queues for admission fair sharing (KEP-4136). Not thread-safe: it belongs to the
 * State's thread. Queues are identified by their key; that of a ClusterQueue has no namespace.
 *
 * <p>A reservation charges its queues {@link UsagePolicy#entryShare} of its requests from the
 * moment it is decided. Until it is Admitted that is an entry penalty, which the end of the
 * reservation removes. When it is Admitted, the penalty becomes past usage, once, and from then on
 * the running requests add to the usage over time. Penalties are never stored as sums of fractions:
 * each queue keeps the exact sum of the requests behind them.
 */
@API(status = API.Status.INTERNAL)
public final class UsageLedger {
  private final UsagePolicy policy;
  private final Map<ObjectKey, UsageAccount> accounts = new HashMap<>();
  private final Map<ObjectKey, LedgerEntry> entries = new HashMap<>();

  /**
   * A reservation and whether its entry penalty has become past usage already.
   *
   * @param charged stays true while it is the same reservation
   */
  private record LedgerEntry(Reservation reservation, boolean charged) {
    boolean hasEntryPenalty() {
      return !charged && !reservation.admitted();
    }
  }

  public UsageLedger(UsagePolicy policy) {
    this.policy = policy;
  }

  public UsagePolicy policy() {
    return policy;
  }

  // Changes of reservations.

  /**
   * Sets the current reservation of a Workload.
   *
   * @param next null if it holds no quota
   */
  public void set(ObjectKey workload, @Nullable Reservation next, Instant now) {
    LedgerEntry previous = entries.get(workload);
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

  private void leave(LedgerEntry left, Instant now) {
    Reservation reservation = left.reservation();
    for (ObjectKey queue : queues(reservation)) {
      UsageAccount account = account(queue, now);
      if (left.hasEntryPenalty()) {
        account.setEntering(
            without(account.entering(), reservation, queue, LedgerEntry::hasEntryPenalty));
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
    entries.put(workload, new LedgerEntry(reservation, chargedNow));
  }

  /** A sum minus one of its parts, which is no longer among the entries. */
  private Amounts<String> without(
      Amounts<String> sum, Reservation left, ObjectKey queue, Predicate<LedgerEntry> counts) {
    if (!sum.saturated()) {
      return sum.minus(left.requests());
    }
    // A saturated sum is no longer exact, so subtracting would be wrong: sum up again.
    Amounts<String> counted = Amounts.none();
    for (LedgerEntry ledgerEntry : entries.values()) {
      if (counts.test(ledgerEntry) && queues(ledgerEntry.reservation()).contains(queue)) {
        counted = counted.plus(ledgerEntry.reservation().requests());
      }
    }
    return counted;
  }

  private static Collection<ObjectKey> queues(Reservation reservation) {
    return List.of(reservation.localQueue(), ObjectKey.cluster(reservation.clusterQueue()));
  }

  /** Forgets the past usage of a deleted queue; its open reservations still count. */
  public void forget(ObjectKey queue, Instant now) {
    UsageAccount previous = accounts.remove(queue);
    if (previous != null && !(previous.running().isEmpty() && previous.entering().isEmpty())) {
      UsageAccount account = account(queue, now);
      account.setRunning(previous.running(), now);
      account.setEntering(previous.entering());
    }
  }

  // Start: from the statuses and the objects.

  /**
   * Opens a LocalQueue's account from its status and the runs since. To be called before any other
   * method for that queue.
   *
   * @param stored null if it was never written
   * @param runs of the Workloads that were Admitted in that queue and still exist
   */
  public void open(
      ObjectKey queue,
      @Nullable AdmissionFairSharingStatus stored,
      List<ExecutionInterval> runs,
      Instant now) {
    Instant opened = now.truncatedTo(ChronoUnit.SECONDS);
    Consumed base = stored == null ? Consumed.nothing(Instant.EPOCH) : Consumed.of(stored);
    Duration reset = policy.resetInactivityPeriod();
    if (reset != null && Duration.between(base.at(), opened).compareTo(reset) > 0) {
      base = Consumed.nothing(opened);
    }
    Consumed consumed = base.by(opened, Amounts.none(), policy);
    for (ExecutionInterval executionInterval : runs) {
      consumed =
          consumed.plus(
              executionInterval.requests(), executionInterval.share(base.at(), opened, policy));
    }
    accounts.put(queue, new UsageAccount(policy, consumed));
  }

  /**
   * Opens a ClusterQueue's account. If its status has no past usage (such as on a server with the
   * CRDs of another implementation), it starts with the sum of its LocalQueues, which must be open
   * already.
   */
  public void open(
      String clusterQueue,
      @Nullable AdmissionFairSharingStatus stored,
      List<ExecutionInterval> runs,
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

  /** Sets the reservation of a Workload whose runs its queues were opened with. */
  public void resume(ObjectKey workload, Reservation reservation, Instant now) {
    enter(workload, reservation, reservation.admitted(), now.truncatedTo(ChronoUnit.SECONDS));
  }

  // Queries.

  /** The past usage of a queue. */
  public Consumed consumed(ObjectKey queue, Instant now) {
    UsageAccount account = accounts.get(queue);
    return account == null ? Consumed.nothing(now) : account.consumedBy(now);
  }

  /**
   * The usage by which queues are compared, before the queue's own weight: past usage and entry
   * penalties, weighted by resource. Not negative, never NaN.
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

  /** The usage to write to a queue's status; empty if the queue has no account. */
  public Optional<Consumed> sample(ObjectKey queue, Instant now) {
    return Optional.ofNullable(accounts.get(queue)).map(account -> account.sample(now));
  }

  /** Removes the accounts of queues without reservations whose past usage has become negligible. */
  public void tidy(Instant now) {
    accounts.values().removeIf(account -> account.forgettable(now));
  }

  private UsageAccount account(ObjectKey queue, Instant now) {
    return accounts.computeIfAbsent(queue, key -> new UsageAccount(policy, Consumed.nothing(now)));
  }
}
