// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Run;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watched;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Settles what is over: for each ledger, after each change of its Workloads and when a window
 * begins, it enters what has become of the Workloads with open reservations. So it doesn't matter
 * whether a controller ran when they ended. What is gathered of a ledger it has written when that
 * is due.
 */
final class LedgerUpkeep implements Maintenance {

  /** A call has a time limit: what it has found by then would be lost. */
  static final int MOST_LIVE_READS = 200;

  private static final Duration NEXT_LIVE_READS = Duration.ofSeconds(1);

  /** Accounts of a namespace that is gone are kept so long. */
  private static final Duration REPORTED = Duration.ofDays(31);

  private final Agreements agreements;
  private final Summaries summaries;
  private final Books books;
  private final Watched<Workload> workloads;
  private final ResourceClient resources;
  private final InstantSource time;

  /** The Workloads whose reservations this process has compared with them once. */
  private final Set<ObjectKey> known = ConcurrentHashMap.newKeySet();

  private final Map<ObjectKey, Instant> behindSince = new ConcurrentHashMap<>();

  LedgerUpkeep(
      Agreements agreements,
      Summaries summaries,
      Books books,
      Watched<Workload> workloads,
      ResourceClient resources,
      InstantSource time) {
    this.agreements = agreements;
    this.summaries = summaries;
    this.books = books;
    this.workloads = workloads;
    this.resources = resources;
    this.time = time;
  }

  @Override
  public Optional<Duration> maintain(ObjectKey key) throws InterruptedException {
    behindSince.putIfAbsent(key, time.instant());
    Optional<Duration> next = keep(key);
    if (next.filter(NEXT_LIVE_READS::equals).isEmpty()) {
      behindSince.remove(key);
    }
    return next;
  }

  /**
   * How long the ledger that is furthest behind hasn't been brought up to its Workloads: the API
   * server can't be reached or refuses, or there are many to read.
   */
  Duration behind() {
    Instant now = time.instant();
    return behindSince.values().stream()
        .min(Comparator.naturalOrder())
        .filter(since -> since.isBefore(now))
        .map(since -> Duration.between(since, now))
        .orElse(Duration.ZERO);
  }

  private Optional<Duration> keep(ObjectKey key) throws InterruptedException {
    Optional<BudgetLedger> object = agreements.ledgers().get(key);
    Optional<LedgerName> name = LedgerName.of(key);
    if (object.isEmpty() || name.isEmpty()) {
      known.remove(key);
      return Optional.empty();
    }
    Ledger ledger =
        books.latest(name.get()).orElseGet(() -> agreements.ledger(name.get())).ledger();
    Optional<Policy> policy = summaries.policy(name.get());
    if (isGone(name.get().namespace()) && nothingCounts(ledger, policy)) {
      // A reservation of a new namespace of this name may have been entered in between.
      resources.deleteUnchanged(BudgetLedger.TYPE, object.get());
      return Optional.empty();
    }
    return policy.isEmpty()
        ? Optional.empty()
        : Optional.of(catchUp(name.get(), policy.get(), ledger));
  }

  /**
   * What was spent in the present window counts for a new namespace of the same name, too; what was
   * in the last one, or within a month, may still be reported.
   */
  private boolean nothingCounts(Ledger ledger, Optional<Policy> policy) {
    if (policy.isEmpty()) {
      return ledger.open().isEmpty();
    }
    Window window = policy.get().window();
    Instant now = time.instant();
    Ledger rolled = ledger.roll(Terms.unlimited(window), now);
    Instant last = window.period(window.start(now).minusSeconds(1)).from();
    Instant month = now.minus(REPORTED);
    return rolled.open().isEmpty()
        && rolled.spent().isEmpty()
        && rolled.past().tailMap(last.isBefore(month) ? last : month).isEmpty();
  }

  private Duration catchUp(LedgerName name, Policy policy, Ledger ledger)
      throws InterruptedException {
    Instant now = time.instant();
    Terms terms =
        agreements.of(policy, name.namespace()) instanceof Agreements.Agreement.Agreed agreed
            ? agreed.terms()
            : Terms.unlimited(policy.window());
    Map<String, Keeping.Seen> seen = seen(name, ledger, now);
    Optional<Duration> due = books.dueIn(name, now);
    if (!Objects.equals(caughtUp(ledger, seen, terms, now), ledger)
        || due.filter(Duration::isZero).isPresent()) {
      books.change(
          name,
          now,
          stored -> {
            Ledger after = caughtUp(stored, seen, terms, now);
            return Books.Outcome.atOnce(after, after);
          });
    }
    if (seen.size() < ledger.open().size()) {
      return NEXT_LIVE_READS;
    }
    known.add(name.key());
    Duration next = Duration.between(now, policy.window().end(now));
    return books.dueIn(name, now).filter(write -> write.compareTo(next) < 0).orElse(next);
  }

  /**
   * The same ledger if there is nothing to write. That a part of a rolling window is over is
   * written with the next change: it follows from the time.
   */
  private static Ledger caughtUp(
      Ledger ledger, Map<String, Keeping.Seen> seen, Terms terms, Instant now) {
    Ledger rolled = ledger.roll(terms, now);
    Ledger after = Keeping.caughtUp(rolled, seen, terms);
    return Objects.equals(after, rolled) && terms.window() instanceof Window.Rolling
        ? ledger
        : after;
  }

  /** By the uid of the Workload; without those that remain to be read live by further calls. */
  private Map<String, Keeping.Seen> seen(LedgerName name, Ledger ledger, Instant now) {
    boolean unseen = !known.contains(name.key());
    Map<String, Keeping.Seen> seen = new HashMap<>();
    int liveReads = 0;
    for (Reservation one : ledger.open().values()) {
      ObjectKey key = new ObjectKey(name.namespace(), one.workload());
      Optional<Workload> cached = workloads.get(key).filter(workload -> isOf(one, workload));
      if (cached.isPresent()) {
        seen.put(one.uid(), new Keeping.Seen(one.attempt(), Run.of(one, cached.get())));
      } else if (liveReads < MOST_LIVE_READS) {
        liveReads++;
        seen.put(one.uid(), new Keeping.Seen(one.attempt(), live(key, one, unseen, now)));
      }
    }
    return seen;
  }

  /** The cache may be behind: only a live look tells that it is gone. */
  private Run live(ObjectKey key, Reservation one, boolean mayHaveRunUnseen, Instant now) {
    Optional<Workload> found = resources.get(KueueTypes.WORKLOAD, key);
    return found
        .filter(workload -> isOf(one, workload))
        .map(workload -> Run.of(one, workload))
        .orElseGet(() -> gone(mayHaveRunUnseen ? fromItsReservation(one) : one, found, now));
  }

  /**
   * The reservation with its start, which can't be seen any more: it is taken to have been at once.
   */
  private static Reservation fromItsReservation(Reservation one) {
    return one.startedAt() == null ? one.started(one.at()) : one;
  }

  /**
   * It may have gone long ago, while no controller ran. It ran no longer than it was allowed to,
   * and had gone when another one of its name was created.
   */
  private static Run gone(Reservation one, Optional<Workload> successor, Instant now) {
    Instant second = Instant.ofEpochSecond(now.getEpochSecond());
    return new Run.Over(
        Optional.ofNullable(one.startedAt()),
        Stream.concat(
                one.latestEnd().stream(),
                successor
                    .map(other -> other.metadata().getCreationTimestamp())
                    .map(OffsetDateTime::toInstant)
                    .stream())
            .filter(end -> end.isBefore(second))
            .min(Comparator.naturalOrder())
            .orElse(second));
  }

  private static boolean isOf(Reservation one, Workload workload) {
    return one.uid().equals(workload.metadata().getUid());
  }

  private boolean isGone(String namespace) {
    return agreements.namespaces().get(ObjectKey.cluster(namespace)).isEmpty();
  }
}
