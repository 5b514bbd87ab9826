// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One Workload, with the conditions that a queue controller would set, and each of its runs. */
final class PlayedLife {

  /** Where it stands. */
  enum Stage {
    QUEUED,
    RESERVED,
    READY,
    ADMITTED,
    FINISHED
  }

  /** What a watch shows of it. */
  record Version(Workload workload, Stage stage) {}

  /**
   * A run.
   *
   * @param latest when it would have ended if nothing had ended it before
   */
  private record Span(Instant from, Instant to, Instant latest) {}

  static final String USER_LABEL = "example.com/user";

  final ObjectKey key;
  final String queue;
  final String user;
  final int cpus;
  private final long limitSeconds;
  private final List<Span> runs = new ArrayList<>();
  private final List<Version> versions = new ArrayList<>();
  private Stage stage = Stage.QUEUED;
  private @Nullable Instant quotaChanged;
  private @Nullable Instant admittedAt;
  private @Nullable Instant admissionEnded;
  private @Nullable Instant finishedAt;
  private int past;

  /**
   * One of these CPUs.
   *
   * @param user in its label; empty: it has none
   */
  PlayedLife(String name, String queue, String user, int cpus, long limitSeconds) {
    this.key = new ObjectKey(Replica.NAMESPACE, name);
    this.queue = queue;
    this.user = user;
    this.cpus = cpus;
    this.limitSeconds = limitSeconds;
    version();
  }

  Stage stage() {
    return stage;
  }

  List<AssignedPodSet> podSets() {
    return List.of(
        new AssignedPodSet(
            "main",
            1,
            new V1PodTemplateSpec(),
            Map.of("cpu", Quantity.parse(Integer.toString(cpus))),
            Map.of()));
  }

  /** As it is, or as a watch shows it that is one change behind. */
  Version seen(boolean behind) {
    return behind && versions.size() > 1 ? versions.get(versions.size() - 2) : versions.getLast();
  }

  boolean canRun() {
    return past < limitSeconds;
  }

  void reserve(Instant now) {
    quotaChanged = now;
    enter(Stage.RESERVED);
  }

  void ready() {
    enter(Stage.READY);
  }

  void admit(Instant now) {
    admittedAt = now;
    admissionEnded = null;
    enter(Stage.ADMITTED);
  }

  void finish(Instant now) {
    runs.add(new Span(Objects.requireNonNull(admittedAt), now, latestEnd()));
    finishedAt = now;
    enter(Stage.FINISHED);
  }

  /** Evicted, and its quota is free. */
  void release(Instant now) {
    if (stage == Stage.ADMITTED) {
      Instant from = Objects.requireNonNull(admittedAt);
      runs.add(new Span(from, now, latestEnd()));
      past += Math.toIntExact(Duration.between(from, now).toSeconds());
      admissionEnded = now;
    }
    admittedAt = null;
    quotaChanged = now;
    enter(Stage.QUEUED);
  }

  /** A person deletes it. */
  void delete(Instant now) {
    if (stage == Stage.ADMITTED) {
      runs.add(new Span(Objects.requireNonNull(admittedAt), now, latestEnd()));
    }
    enter(Stage.FINISHED);
  }

  /** When Kueue ends its run. */
  Instant latestEnd() {
    return Objects.requireNonNull(admittedAt).plusSeconds(limitSeconds - past);
  }

  /** Whether a run that ended since then would be over by now in any case. */
  boolean hasOutlived(Instant since, Instant now) {
    return runs.stream().anyMatch(run -> !run.to().isBefore(since) && run.latest().isBefore(now));
  }

  /** CPU-seconds that ran in this time. */
  long ran(Instant from, Instant to) {
    List<Span> all = new ArrayList<>(runs);
    if (stage == Stage.ADMITTED) {
      all.add(new Span(Objects.requireNonNull(admittedAt), to, to));
    }
    long seconds = 0;
    for (Span run : all) {
      Instant begin = run.from().isBefore(from) ? from : run.from();
      Instant end = run.to().isAfter(to) ? to : run.to();
      seconds += Math.max(0, Duration.between(begin, end).toSeconds());
    }
    return seconds * cpus;
  }

  /** CPU-seconds that may still run. */
  long mayRun(Instant now) {
    return switch (stage) {
      case READY -> (limitSeconds - past) * cpus;
      case ADMITTED -> Math.max(0, Duration.between(now, latestEnd()).toSeconds()) * cpus;
      case QUEUED, RESERVED, FINISHED -> 0;
    };
  }

  private void enter(Stage next) {
    stage = next;
    version();
  }

  private void version() {
    Workload plain = Workload.named(key.namespace(), key.name());
    plain.metadata().setUid("uid-" + key.name());
    if (!user.isEmpty()) {
      plain.metadata().putLabelsItem(USER_LABEL, user);
    }
    Workload limited =
        plain.withSpec(
            plain
                .spec()
                .withQueueName(queue)
                .withMaximumExecutionTimeSeconds(Math.toIntExact(limitSeconds)));
    versions.add(
        new Version(
            limited.withStatus(
                limited
                    .status()
                    .withConditions(conditions())
                    .withAccumulatedPastExecutionTimeSeconds(past)),
            stage));
  }

  private List<Condition> conditions() {
    List<Condition> conditions = new ArrayList<>();
    if (quotaChanged != null) {
      conditions.add(
          stage == Stage.QUEUED
              ? Condition.isFalse("QuotaReserved", "Pending", "", quotaChanged)
              : Condition.isTrue("QuotaReserved", "QuotaReserved", "", quotaChanged));
    }
    if (admittedAt != null) {
      conditions.add(Condition.isTrue("Admitted", "Admitted", "", admittedAt));
    } else if (admissionEnded != null) {
      conditions.add(Condition.isFalse("Admitted", "NoReservation", "", admissionEnded));
    }
    if (finishedAt != null) {
      conditions.add(Condition.isTrue("Finished", "Finished", "", finishedAt));
    }
    return conditions;
  }
}
