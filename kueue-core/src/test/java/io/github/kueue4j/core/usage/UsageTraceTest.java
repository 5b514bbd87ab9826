// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** Random life cycles of Workloads, compared with a model that keeps each charge separately. */
class UsageTraceTest {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00.700Z");
  private static final int WORKLOADS = 5;
  private static final int OPERATIONS = 8;
  private static final List<ObjectKey> QUEUES =
      List.of(new ObjectKey("team", "a"), new ObjectKey("team", "b"));
  private static final UsagePolicy POLICY =
      new UsagePolicy(Duration.ofMinutes(20), Duration.ofMinutes(5), Map.of(), null);

  /**
   * The penalties are exactly those of the reservations that have not been Admitted, and every
   * Admitted reservation was charged exactly once.
   */
  @Property
  void afterAnyTraceThePenaltiesAreThoseOfTheReservationsNotYetAdmitted(
      @ForAll @Size(max = 120) List<@IntRange(max = WORKLOADS * OPERATIONS - 1) Integer> trace) {
    Lives lives = new Lives();
    for (int operation : trace) {
      lives.step(operation, START);
      for (ObjectKey queue : QUEUES) {
        assertThat(lives.ledger.entering(queue)).isEqualTo(lives.notYetAdmitted(queue));
      }
    }
    for (ObjectKey queue : QUEUES) {
      assertThat(lives.ledger.consumed(queue, START).amounts().getOrDefault("cpu", 0.0))
          .isCloseTo(POLICY.entryShare() * lives.charged.getOrDefault(queue, 0L), within(1e-6));
    }
    lives.endAll(START);
    for (ObjectKey queue : QUEUES) {
      assertThat(lives.ledger.entering(queue).isEmpty()).isTrue();
    }
  }

  /** The process is killed at any point and restarted from the last status and the objects. */
  @Property
  void aRestartKnowsWhatTheOneBeforeKnew(
      @ForAll @Size(min = 5, max = 60)
          List<@IntRange(max = WORKLOADS * OPERATIONS - 1) Integer> trace,
      @ForAll @Size(min = 60, max = 60) List<@IntRange(max = 40_000) Integer> pauses,
      @ForAll @IntRange(max = 59) int sampled,
      @ForAll @IntRange(max = 3_600_000) int downtime) {
    Lives lives = new Lives();
    Instant now = START;
    Map<ObjectKey, AdmissionFairSharingStatus> written = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      now = now.plusMillis(pauses.get(i));
      if (i == sampled) {
        for (ObjectKey queue : QUEUES) {
          Instant at = now;
          lives
              .ledger
              .sample(queue, now)
              .ifPresent(s -> written.put(queue, s.statusWith(Set.of())));
          assertThat(
                  written
                      .getOrDefault(
                          queue,
                          Consumed.nothing(at.truncatedTo(ChronoUnit.SECONDS)).statusWith(Set.of()))
                      .lastUpdate())
              .isEqualTo(at.truncatedTo(ChronoUnit.SECONDS));
        }
      }
      lives.step(trace.get(i), now);
    }
    now = now.plusMillis(downtime);

    UsageLedger restarted = new UsageLedger(POLICY);
    for (ObjectKey queue : QUEUES) {
      restarted.open(queue, written.get(queue), lives.runs(queue), now);
    }
    for (Map.Entry<ObjectKey, Reservation> held : lives.held.entrySet()) {
      restarted.resume(held.getKey(), held.getValue(), now);
    }

    for (ObjectKey queue : QUEUES) {
      double before = lives.ledger.usage(queue, now);
      // Conditions have whole seconds, and at most 4 cores run: the absolute error that this
      // allows.
      assertThat(restarted.usage(queue, now)).isCloseTo(before, within(before * 0.01 + 0.02));
      assertThat(restarted.entering(queue)).isEqualTo(lives.ledger.entering(queue));
    }
  }

  /** The Workloads as the API server would know them. */
  private static final class Lives {
    final UsageLedger ledger = new UsageLedger(POLICY);
    final Map<ObjectKey, Reservation> held = new HashMap<>();
    final Map<ObjectKey, Instant> admittedAt = new HashMap<>();
    final Map<ObjectKey, Long> charged = new HashMap<>();
    final Map<ObjectKey, List<ExecutionInterval>> finished = new HashMap<>();
    private int reservations;

    void step(int operation, Instant now) {
      int number = operation / OPERATIONS;
      ObjectKey workload = new ObjectKey("team", "w" + number);
      Reservation current = held.get(workload);
      switch (operation % OPERATIONS) {
        case 0 -> {
          if (current == null) {
            set(
                workload,
                new Reservation("u", null, queue(number), "cq", cpus(number), false),
                now);
          }
        }
        case 1 -> {
          if (current != null && current.since() == null) {
            set(workload, with(current, nextReservation(), current.admitted()), now);
          }
        }
        case 2, 3 -> {
          if (current != null && current.since() != null) {
            set(workload, with(current, current.since(), true), now);
          }
        }
        case 4 -> finish(workload, now);
        case 5 -> {
          // Evicted and Admitted again between two observations.
          if (current != null && current.since() != null) {
            finish(workload, now);
            set(workload, with(current, nextReservation(), true), now);
          }
        }
        case 6 -> {
          if (current != null && !current.admitted()) {
            set(workload, null, now);
          }
        }
        default -> {
          if (current != null && !current.admitted()) {
            ObjectKey other = QUEUES.get(1 - QUEUES.indexOf(current.localQueue()));
            set(
                workload,
                new Reservation("u", current.since(), other, "cq", current.requests(), false),
                now);
          }
        }
      }
    }

    void endAll(Instant now) {
      for (ObjectKey workload : List.copyOf(held.keySet())) {
        set(workload, null, now);
      }
    }

    private void finish(ObjectKey workload, Instant now) {
      Reservation current = held.get(workload);
      Instant since = admittedAt.get(workload);
      if (current != null && since != null) {
        finished
            .computeIfAbsent(current.localQueue(), queue -> new ArrayList<>())
            .add(
                new ExecutionInterval(
                    current.requests(), since, now.truncatedTo(ChronoUnit.SECONDS)));
      }
      set(workload, null, now);
    }

    private void set(ObjectKey workload, @Nullable Reservation next, Instant now) {
      if (next == null) {
        held.remove(workload);
        admittedAt.remove(workload);
      } else {
        held.put(workload, next);
        if (next.admitted() && !admittedAt.containsKey(workload)) {
          admittedAt.put(workload, now.truncatedTo(ChronoUnit.SECONDS));
          charged.merge(next.localQueue(), next.requests().get("cpu") / 1000, Long::sum);
        }
      }
      ledger.set(workload, next, now);
    }

    Amounts<String> notYetAdmitted(ObjectKey queue) {
      Amounts<String> sum = Amounts.none();
      for (Reservation reservation : held.values()) {
        if (reservation.localQueue().equals(queue) && !reservation.admitted()) {
          sum = sum.plus(reservation.requests());
        }
      }
      return sum;
    }

    List<ExecutionInterval> runs(ObjectKey queue) {
      List<ExecutionInterval> runs = new ArrayList<>(finished.getOrDefault(queue, List.of()));
      held.forEach(
          (workload, reservation) -> {
            Instant since = admittedAt.get(workload);
            if (since != null && reservation.localQueue().equals(queue)) {
              runs.add(new ExecutionInterval(reservation.requests(), since, null));
            }
          });
      return runs;
    }

    private Instant nextReservation() {
      return START.plusSeconds(++reservations);
    }

    private static Reservation with(Reservation from, @Nullable Instant since, boolean admitted) {
      return new Reservation(
          from.uid(), since, from.localQueue(), from.clusterQueue(), from.requests(), admitted);
    }

    private static ObjectKey queue(int number) {
      return QUEUES.get(number % QUEUES.size());
    }

    private static Amounts<String> cpus(int number) {
      return Amounts.of("cpu", (number % 4 + 1) * 1000L);
    }
  }
}
