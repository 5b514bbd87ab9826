// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.explain.MissingRights;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Says when a Workload that waits gets quota.
 *
 * <p>The end of a Job isn't known beforehand. So the scheduler is run ahead of time again and again
 * ({@link Replay}), each time with other durations, drawn from those of finished Workloads of the
 * same queues, and with others that come, as others have come; of the answers, a tenth is earlier
 * than the band, and a tenth later. Where most of them hang on a Workload of which nothing is
 * known, the answer is that nothing is known.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Forecast {
  private static final int FEWEST_DRAWS = 10;
  private static final int MOST_DRAWS = 40;

  /** About as many Workloads are scheduled in all. */
  private static final int EFFORT = 20_000;

  private static final Comparator<ObjectKey> BY_NAME =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  private Forecast() {}

  /** What a Workload is that doesn't wait for quota, as the end of a sentence; empty if it does. */
  public static Optional<String> notWaiting(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    if (conditions.finished()) {
      return Optional.of("has finished");
    }
    if (conditions.holdsQuota()) {
      return Optional.of(conditions.evicted() ? "is being evicted" : "has quota");
    }
    return Optional.empty();
  }

  /**
   * The forecast for a Workload of the cluster.
   *
   * @param now the current time by the cluster's clock
   * @throws IllegalArgumentException if it isn't there, or what decides about it may not be read;
   *     the message says which rights that needs
   */
  public static QuotaForecast of(DryRunInput input, ObjectKey workload, Instant now) {
    return of(input, workload, now, Integer.MAX_VALUE);
  }

  /**
   * The forecast for a Workload of the cluster, if that doesn't take too long: some seconds for
   * 500.
   *
   * @param now the current time by the cluster's clock
   * @param most if more Workloads wait or run in queues that share the quota, nothing is known;
   *     with nearly as many, it is founded on fewer runs, and the band is less certain
   * @throws IllegalArgumentException as {@link #of(DryRunInput, ObjectKey, Instant)}
   */
  public static QuotaForecast of(DryRunInput input, ObjectKey workload, Instant now, int most) {
    MissingRights.toSchedule(input.objects().unreadable())
        .ifPresent(
            missing -> {
              throw new IllegalArgumentException(missing);
            });
    Workload waiting =
        input
            .objects()
            .find(KueueTypes.WORKLOAD, workload)
            .orElseThrow(() -> new IllegalArgumentException("there is no Workload " + workload));
    if (waiting.conditions().holdsQuota()) {
      return QuotaForecast.atOnce();
    }
    ReadObjects near = near(input.objects(), workload);
    long unfinished =
        near.all(KueueTypes.WORKLOAD).stream()
            .filter(each -> !each.conditions().finished())
            .count();
    if (unfinished > most) {
      return QuotaForecast.unknown(
          "%d Workloads wait or run in queues that share its quota; more than %d aren't foreseen here."
              .formatted(unfinished, most));
    }
    DryRun present = DryRun.present(input.among(near), now);
    // A stopped queue, a hold or an inactive Workload is ended by a person, not by time.
    QuotaForecast forecast =
        present.trial().reserved(workload).isPresent()
            ? QuotaForecast.atOnce()
            : waiting.status().requeueAt() == null
                    && present.trial().reports().waits(workload, present.now()).isEmpty()
                ? QuotaForecast.unknown()
                : of(
                    present.configuration(),
                    near,
                    workload,
                    present.now(),
                    Math.min(EFFORT, (long) FEWEST_DRAWS * most));
    return forecast.remarking(present.remarks());
  }

  /** Forgets what has finished. */
  private static QuotaForecast of(
      Configuration configuration, ReadObjects near, ObjectKey workload, Instant now, long effort) {
    QuotaHistory history = QuotaHistory.of(near.all(KueueTypes.WORKLOAD), now);
    Arrivals arrivals = Arrivals.like(near.all(KueueTypes.WORKLOAD), now);
    near.keep(KueueTypes.WORKLOAD, each -> !each.conditions().finished());
    int draws =
        Math.clamp(
            effort / Math.max(1, near.all(KueueTypes.WORKLOAD).size()), FEWEST_DRAWS, MOST_DRAWS);
    // The same question has the same answer.
    Random random = new Random(workload.hashCode());
    List<Duration> answers = new ArrayList<>();
    Set<ObjectKey> endless = new TreeSet<>(BY_NAME);
    for (int draw = 0; draw < draws; draw++) {
      QuotaHistory assumed = history.resampled(random);
      Set<ObjectKey> unknown = new HashSet<>();
      new Replay(
              configuration,
              near,
              now,
              (each, queue, held) -> {
                Optional<Duration> drawn = assumed.drawn(each, queue, held, random);
                if (drawn.isEmpty()) {
                  unknown.add(each.key());
                }
                return drawn;
              },
              arrivals.varied(random),
              random)
          .until(workload)
          .ifPresentOrElse(answers::add, () -> endless.addAll(unknown));
    }
    endless.removeIf(
        each -> each.equals(workload) || near.find(KueueTypes.WORKLOAD, each).isEmpty());
    answers.sort(null);
    Optional<Duration> likely = answer(answers, (draws + 1) / 2);
    Optional<Duration> atMost =
        alone(
            configuration,
            near,
            now,
            (each, queue, held) -> QuotaHistory.longest(each, held),
            workload);
    return new QuotaForecast(
        answer(answers, Math.max(1, (draws + 1) / 10)),
        likely,
        answer(answers, draws + 1 - Math.max(1, (draws + 1) / 10)),
        atMost,
        likely.isPresent() || atMost.isPresent()
            ? Optional.empty()
            : obstacle(configuration, near, now, workload, endless),
        history.finished(),
        List.of());
  }

  /** When it gets quota if nothing else comes. */
  private static Optional<Duration> alone(
      Configuration configuration,
      ReadObjects near,
      Instant now,
      Replay.StayLength stays,
      ObjectKey workload) {
    return new Replay(configuration, near, now, stays, Arrivals.none(), new Random(0))
        .until(workload);
  }

  /** Why nothing is known; empty if it would get none even if all others ended soon. */
  private static Optional<String> obstacle(
      Configuration configuration,
      ReadObjects near,
      Instant now,
      ObjectKey workload,
      Set<ObjectKey> endless) {
    if (alone(configuration, near, now, (each, queue, held) -> Optional.of(held), workload)
        .isEmpty()) {
      return Optional.empty();
    }
    List<ObjectKey> blamed = blamed(configuration, near, now, workload, endless);
    return Optional.of(
        blamed.isEmpty()
            ? "In most runs of the scheduler it gets none in 30 days, or not before 500 others have come."
            : ("How long %s takes isn't known%s: there is no maximum execution time, and fewer than %d"
                    + " Workloads of the same queue are known to have finished. Give such Jobs the"
                    + " label kueue.x-k8s.io/max-exec-time-seconds, or ask again when some have.")
                .formatted(
                    blamed.getFirst(),
                    blamed.size() == 1
                        ? ""
                        : ", nor how long %d others do".formatted(blamed.size() - 1),
                    QuotaHistory.FEWEST));
  }

  /** Those of which each alone keeps it waiting; else those that hold quota; else all. */
  private static List<ObjectKey> blamed(
      Configuration configuration,
      ReadObjects near,
      Instant now,
      ObjectKey workload,
      Set<ObjectKey> endless) {
    List<ObjectKey> decisive =
        endless.stream()
            .limit(MOST_DRAWS)
            .filter(
                one ->
                    alone(
                            configuration,
                            near,
                            now,
                            (each, queue, held) ->
                                each.key().equals(one) ? Optional.empty() : Optional.of(held),
                            workload)
                        .isEmpty())
            .toList();
    if (!decisive.isEmpty()) {
      return decisive;
    }
    List<ObjectKey> running =
        endless.stream()
            .filter(
                each ->
                    near.find(KueueTypes.WORKLOAD, each)
                        .filter(found -> found.conditions().holdsQuota())
                        .isPresent())
            .toList();
    return running.isEmpty() ? List.copyOf(endless) : running;
  }

  /**
   * The answer of this rank; a draw without one is later than all others. The truth is one more
   * draw: it is before the k-th of n in k of n + 1 cases.
   */
  private static Optional<Duration> answer(List<Duration> sorted, int rank) {
    return rank <= sorted.size() ? Optional.of(sorted.get(rank - 1)) : Optional.empty();
  }

  /** The queues that share quota with the Workload's, and what is in them. */
  private static ReadObjects near(ReadObjects objects, ObjectKey workload) {
    ReadObjects near = new ReadObjects(objects);
    String root = root(objects, queueOf(objects, objects.find(KueueTypes.WORKLOAD, workload)));
    Set<String> queues = new HashSet<>();
    for (ClusterQueue queue : objects.all(KueueTypes.CLUSTER_QUEUE)) {
      if (root(objects, queue).equals(root)) {
        queues.add(ObjectKey.of(queue).name());
      }
    }
    near.keep(KueueTypes.CLUSTER_QUEUE, queue -> queues.contains(ObjectKey.of(queue).name()));
    near.keep(KueueTypes.LOCAL_QUEUE, queue -> queues.contains(queue.spec().clusterQueue()));
    near.keep(
        KueueTypes.WORKLOAD,
        each ->
            Optional.ofNullable(each.status().admission())
                .map(admission -> queues.contains(admission.clusterQueue()))
                .orElseGet(() -> near.find(KueueTypes.LOCAL_QUEUE, localQueue(each)).isPresent()));
    return near;
  }

  private static ObjectKey localQueue(Workload workload) {
    return new ObjectKey(workload.key().namespace(), String.valueOf(workload.spec().queueName()));
  }

  private static @Nullable ClusterQueue queueOf(ReadObjects objects, Optional<Workload> workload) {
    return workload
        .flatMap(known -> objects.find(KueueTypes.LOCAL_QUEUE, localQueue(known)))
        .map(LocalQueue::spec)
        .flatMap(
            spec ->
                objects.find(
                    KueueTypes.CLUSTER_QUEUE,
                    ObjectKey.cluster(String.valueOf(spec.clusterQueue()))))
        .orElse(null);
  }

  /** The Cohort at the top, or the ClusterQueue itself. */
  private static String root(ReadObjects objects, @Nullable ClusterQueue queue) {
    if (queue == null) {
      return "";
    }
    String cohort = queue.spec().cohortName();
    if (cohort == null || cohort.isEmpty()) {
      return "queue " + ObjectKey.of(queue).name();
    }
    Set<String> seen = new HashSet<>();
    String top = cohort;
    while (seen.add(top)) {
      String parent =
          objects
              .find(KueueTypes.COHORT, ObjectKey.cluster(top))
              .map(found -> found.spec().parentName())
              .orElse("");
      if (!parent.isEmpty()) {
        top = parent;
      }
    }
    return "cohort " + top;
  }
}
