// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.lifecycle.BeforeQuota;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.explain.DurationText;
import io.github.kueue4j.observe.explain.MissingRights;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  private static final int FEWEST_RUNS = 10;
  private static final int MOST_RUNS = 40;

  /** About as many Workloads are scheduled in all. */
  private static final int EFFORT = 20_000;

  /** Older ones tell little of today. */
  private static final int MOST_FINISHED = 2_000;

  /** Each takes a run of the scheduler. */
  private static final int MOST_SUSPECTS = 5;

  private static final Comparator<ObjectKey> BY_NAME =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  private Forecast() {}

  /**
   * The state of a Workload that doesn't wait for quota, as the end of a sentence; empty if it
   * does.
   */
  public static Optional<String> notWaiting(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    if (conditions.finished()) {
      return Optional.of("has finished");
    }
    if (conditions.holdsQuota()) {
      return Optional.of(
          conditions.evicted()
              ? "is being evicted"
              : conditions.admitted() ? "has quota" : "has quota, and waits for its checks");
    }
    if (workload.spec().active()) {
      return Optional.empty();
    }
    return Optional.of(
        conditions
                .heldFor()
                .filter(EvictionReasons.DEACTIVATED_DUE_TO_ADMISSION_CHECK::equals)
                .isPresent()
            ? "was rejected by a check, and gets no quota unless a user activates it again"
            : "is deactivated, and gets no quota unless a user activates it again");
  }

  /**
   * How long the checks take with which a Workload waits once it has quota; empty if it has none,
   * has them behind it, or too little is known.
   *
   * @param objects the Workloads, their queues and AdmissionChecks; read only if they are needed
   */
  public static Optional<CheckDurations> checks(Supplier<ReadObjects> objects, Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    return conditions.holdsQuota() && !conditions.evicted() && !conditions.admitted()
        ? checks(objects.get(), workload)
        : Optional.empty();
  }

  private static Optional<CheckDurations> checks(ReadObjects objects, Workload workload) {
    return Optional.ofNullable(queueOf(objects, workload))
        .filter(queue -> !CheckDelay.enforced(queue, objects).isEmpty())
        .flatMap(queue -> CheckDurations.of(queue, objects.all(KueueTypes.WORKLOAD).stream()));
  }

  /**
   * The forecast for a Workload of the cluster.
   *
   * @param now the current time by the cluster's clock
   * @throws IllegalArgumentException if it isn't there, or what decides about it may not be read;
   *     the message says which rights that needs
   * @throws CancellationException if the thread is interrupted
   */
  public static QuotaForecast of(DryRunInput input, ObjectKey workload, Instant now) {
    return of(input, workload, now, Integer.MAX_VALUE, () -> false);
  }

  /**
   * The forecast for a Workload of the cluster, if that doesn't take too long: some seconds for
   * 500.
   *
   * @param now the current time by the cluster's clock
   * @param most if more Workloads wait or run in queues that share the quota, nothing is known;
   *     with nearly as many, it is founded on fewer runs, and the band is less certain
   * @param tooLong whether to give up; asked whenever time passes in a run of the scheduler
   * @throws IllegalArgumentException as {@link #of(DryRunInput, ObjectKey, Instant)}
   * @throws CancellationException if the thread is interrupted
   */
  public static QuotaForecast of(
      DryRunInput input, ObjectKey workload, Instant now, int most, BooleanSupplier tooLong) {
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
    return quota(input, waiting, now, most, tooLong).then(checks(input.objects(), waiting));
  }

  private static QuotaForecast quota(
      DryRunInput input, Workload waiting, Instant now, int most, BooleanSupplier tooLong) {
    if (waiting.conditions().holdsQuota()) {
      return QuotaForecast.atOnce();
    }
    ObjectKey workload = waiting.key();
    ClusterQueue queue = queueOf(input.objects(), waiting);
    Optional<CheckDelay> delay =
        queue == null ? Optional.empty() : CheckDelay.of(waiting, queue, input.objects());
    if (delay.isPresent()) {
      // No end of a delay helps there.
      Optional<String> stopped = stopped(input.objects(), waiting);
      return stopped.isPresent()
          ? QuotaForecast.unknown(stopped.get() + " " + delay.get().words())
          : QuotaForecast.delayed(
              delay.get().words(), delay.get().until().map(until -> Duration.between(now, until)));
    }
    Optional<String> asksFirst = asksFirst(input.objects(), waiting);
    if (asksFirst.isPresent()) {
      return QuotaForecast.unknown(asksFirst.get());
    }
    Set<String> queues = queuesNear(input.objects(), waiting);
    List<Workload> inQueues =
        input.objects().all(KueueTypes.WORKLOAD).stream()
            .filter(each -> isIn(queues, each, input.objects()))
            .toList();
    long unfinished = inQueues.stream().filter(each -> !each.conditions().finished()).count();
    if (unfinished > most) {
      return QuotaForecast.unknown(
          "More than %d Workloads wait or run in queues that share its quota; so many aren't foreseen here."
              .formatted(most));
    }
    ReadObjects near = near(input.objects(), queues, inQueues);
    DryRun present = DryRun.present(input.among(near), now);
    // A stopped queue, a hold or an inactive Workload is ended by a person, not by time.
    QuotaForecast forecast;
    if (present.trial().reserved(workload).isPresent()) {
      forecast = QuotaForecast.atOnce();
    } else if (waiting.status().requeueAt() == null
        && present.trial().reports().waits(workload, present.now()).isEmpty()) {
      forecast = QuotaForecast.unknown();
    } else {
      Question question =
          new Question(present.configuration(), near, workload, present.now(), tooLong);
      forecast = of(question, Math.min(EFFORT, (long) FEWEST_RUNS * most));
    }
    return forecast.remarking(present.remarks());
  }

  /** The message that its queue is stopped, as a sentence; empty if it isn't. */
  private static Optional<String> stopped(ReadObjects objects, Workload waiting) {
    return Optional.ofNullable(queueOf(objects, waiting))
        .filter(queue -> Health.stopped(queue.spec().stopPolicy()))
        .map(queue -> "ClusterQueue " + ObjectKey.of(queue).name())
        .or(
            () ->
                objects
                    .find(KueueTypes.LOCAL_QUEUE, localQueue(waiting))
                    .filter(queue -> Health.stopped(queue.spec().stopPolicy()))
                    .map(queue -> "LocalQueue " + ObjectKey.of(queue).name()))
        .map(
            queue -> "Its %s is stopped: it gets no quota until that is started.".formatted(queue));
  }

  /** The message that checks are asked before quota, as a sentence; empty if none is. */
  private static Optional<String> asksFirst(ReadObjects objects, Workload waiting) {
    Set<String> checks =
        Optional.ofNullable(queueOf(objects, waiting)).stream()
            .flatMap(
                queue ->
                    CheckStrategy.beforeQuota(
                        queue.spec(),
                        name -> objects.find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)))
                        .stream())
            .collect(Collectors.toCollection(TreeSet::new));
    return BeforeQuota.open(waiting, checks)
        ? Optional.empty()
        : Optional.of(
            (checks.size() == 1 ? "Its check %s is" : "Its checks %s are")
                    .formatted(String.join(", ", checks))
                + " asked first: it waits for quota when the answer is Ready.");
  }

  /**
   * The question that is asked.
   *
   * @param near the queues that share quota with the Workload's, and what is in them
   * @param now the time of the forecast
   * @param tooLong whether to give up
   */
  private record Question(
      Configuration configuration,
      ReadObjects near,
      ObjectKey workload,
      Instant now,
      BooleanSupplier tooLong) {
    /**
     * Whether another has a higher priority. After a Retry it would get quota before the Workload
     * again, and a run knows no coming back: it is taken to be let through.
     */
    boolean precedes(Workload other) {
      return priority(other)
          > near.find(KueueTypes.WORKLOAD, workload).map(this::priority).orElseThrow();
    }

    private int priority(Workload of) {
      return WorkloadPriority.of(
              of, configuration.featureGates().enabled(FeatureGate.PRIORITY_BOOST))
          .effective();
    }

    /** One run until it gets quota. */
    Replay.Outcome run(Replay.StayLength stays, Arrivals arrivals, Random random) {
      return new Replay(configuration, near, now, stays, arrivals, random)
          .until(workload, this::givesUp);
    }

    /** The outcome if nothing else comes. */
    Replay.Outcome alone(Replay.StayLength stays) {
      return run(stays, Arrivals.none(), new Random(0));
    }

    /** Whether a check delays another Workload, so that it isn't known when that competes. */
    boolean hasDelayedRival() {
      return near.all(KueueTypes.WORKLOAD).stream()
          .anyMatch(
              each ->
                  !each.key().equals(workload)
                      && (each.conditions().heldForChecks()
                          || (each.status().requeueAt() != null
                              && !each.conditions().heldForPodsReady())));
    }

    boolean givesUp() {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("the thread was interrupted");
      }
      return tooLong.getAsBoolean();
    }
  }

  /** Forgets what has finished. */
  private static QuotaForecast of(Question question, long effort) {
    ReadObjects near = question.near();
    QuotaHistory history = QuotaHistory.of(near.all(KueueTypes.WORKLOAD), question.now());
    Arrivals arrivals = Arrivals.like(near.all(KueueTypes.WORKLOAD), question.now());
    near.keep(KueueTypes.WORKLOAD, each -> !each.conditions().finished());
    int runs =
        Math.clamp(
            effort / Math.max(1, near.all(KueueTypes.WORKLOAD).size()), FEWEST_RUNS, MOST_RUNS);
    // The same question has the same answer.
    Random random = new Random(question.workload().hashCode());
    RunOutcomes outcomes = new RunOutcomes(question.hasDelayedRival());
    while (outcomes.goOn(runs)) {
      QuotaHistory assumed = history.resampled(random);
      Set<ObjectKey> unknown = new HashSet<>();
      Replay.Outcome outcome =
          question.run(
              (each, queue, reserved, held) -> {
                Optional<Duration> length =
                    (question.precedes(each)
                            ? Optional.<Duration>empty()
                            : assumed.retry(each, queue, reserved, random))
                        .or(() -> assumed.drawn(each, queue, held, random));
                if (length.isEmpty()) {
                  unknown.add(each.key());
                }
                return length;
              },
              arrivals.varied(random),
              random);
      outcomes.add(outcome, unknown);
    }
    Replay.Outcome atMost =
        question.alone((each, queue, reserved, held) -> QuotaHistory.longest(each, held));
    outcomes.gaveUp |= atMost.gaveUp();
    QuotaForecast known = outcomes.forecast(atMost.reserved(), history.finished());
    if (known.likely().isPresent() || atMost.reserved().isPresent()) {
      return known;
    }
    Set<ObjectKey> endless = new TreeSet<>(BY_NAME);
    endless.addAll(outcomes.endless);
    endless.removeIf(
        each -> each.equals(question.workload()) || near.find(KueueTypes.WORKLOAD, each).isEmpty());
    return (outcomes.gaveUp
            ? Optional.<QuotaForecast>empty()
            : obstructed(known, question, endless))
        .orElseGet(() -> known.hindered(outcomes.givenUp(), Optional.empty()));
  }

  /** The outcomes of the runs of the scheduler. */
  private static final class RunOutcomes {
    private final List<Duration> answers = new ArrayList<>();

    /** For how long it got no quota, as far as is known, in each run; with the answers. */
    private final List<Duration> waits = new ArrayList<>();

    private final Set<ObjectKey> endless = new HashSet<>();
    private final boolean delayedRival;
    private int runs;
    private boolean gaveUp;

    /** For how long it got no quota in the run that was given up; only told, not counted. */
    private Optional<Duration> cut = Optional.empty();

    RunOutcomes(boolean delayedRival) {
      this.delayedRival = delayedRival;
    }

    /** If the first runs bring no answer, neither will more: those are the dearest. */
    boolean goOn(int most) {
      return !gaveUp && runs < (runs >= FEWEST_RUNS && answers.isEmpty() ? runs : most);
    }

    /**
     * Takes what came of a run.
     *
     * @param unknown the Workloads of which it assumed that they never end
     */
    void add(Replay.Outcome outcome, Set<ObjectKey> unknown) {
      if (outcome.gaveUp()) {
        gaveUp = true;
        cut = Optional.of(unknown.isEmpty() ? outcome.waited() : Duration.ZERO);
        return;
      }
      runs++;
      outcome.reserved().ifPresent(answers::add);
      if (outcome.reserved().isPresent() || unknown.isEmpty()) {
        waits.add(outcome.waited());
      } else {
        endless.addAll(unknown);
      }
    }

    QuotaForecast forecast(Optional<Duration> atMost, int finished) {
      answers.sort(null);
      waits.sort(null);
      boolean few = runs < FEWEST_RUNS;
      int tenth = Math.max(1, (runs + 1) / 10);
      Optional<Duration> likely = few ? Optional.empty() : rank(answers, (runs + 1) / 2);
      boolean bounded = !few && !(delayedRival && likely.isEmpty());
      return new QuotaForecast(
          bounded ? rank(waits, tenth) : Optional.empty(),
          likely,
          few ? Optional.empty() : rank(answers, runs + 1 - tenth),
          atMost,
          Optional.empty(),
          Optional.empty(),
          OptionalInt.of(finished),
          delayedRival
              ? List.of(
                  "a check delays others: they are taken to compete when their delay ends, and a check may end it early or extend it")
              : List.of(),
          Optional.empty(),
          Optional.empty());
    }

    /** Sentences that say that it took too long, and what is known nevertheless. */
    String givenUp() {
      int made = runs + (cut.isPresent() ? 1 : 0);
      Optional<Duration> least =
          delayedRival || runs != waits.size()
              ? Optional.empty()
              : Stream.concat(waits.stream(), cut.stream())
                  .min(Comparator.naturalOrder())
                  .filter(Duration::isPositive);
      return "To foresee it took too long and was given up%s; the command 'kueue4j when' has no such limit."
          .formatted(
              least
                  .map(
                      wait ->
                          " after %d %s of the scheduler, in which it got no quota in the first %s"
                              .formatted(
                                  made, made == 1 ? "run" : "runs", DurationText.words(wait)))
                  .orElse(""));
    }

    /**
     * The answer of this rank; a run without one is later than all others. The truth is one more
     * draw: it is before the k-th of n in k of n + 1 cases.
     */
    private static Optional<Duration> rank(List<Duration> sorted, int rank) {
      return rank <= sorted.size() ? Optional.of(sorted.get(rank - 1)) : Optional.empty();
    }
  }

  /**
   * The same with why nothing is known; without a bound if it would get none even if all others
   * ended soon. Empty if that was given up: the clock blames none.
   */
  private static Optional<QuotaForecast> obstructed(
      QuotaForecast forecast, Question question, Set<ObjectKey> endless) {
    Replay.Outcome allEnd = question.alone((each, queue, reserved, held) -> Optional.of(held));
    if (allEnd.gaveUp()) {
      return Optional.empty();
    }
    return allEnd.reserved().isEmpty()
        ? Optional.of(QuotaForecast.unknown())
        : blamed(question, endless).map(blamed -> blaming(forecast, question, blamed));
  }

  private static QuotaForecast blaming(
      QuotaForecast forecast, Question question, List<ObjectKey> blamed) {
    return blamed.isEmpty()
        ? forecast.hindered(
            "In most runs of the scheduler it gets none in 30 days, or not before %d others have come."
                .formatted(Arrivals.MOST),
            Optional.empty())
        : forecast.hindered(
            ("How long %s takes isn't known%s: there is no maximum execution time, and fewer than"
                    + " %d Workloads of the same queue are known to have finished. Give such Jobs the"
                    + " label kueue.x-k8s.io/max-exec-time-seconds, or ask again when some have.")
                .formatted(
                    blamed.getFirst(),
                    blamed.size() == 1
                        ? ""
                        : blamed.size() == 2
                            ? ", and neither is it of 1 other that runs or gets quota before it"
                            : ", and neither is it of %d others that run or get quota before it"
                                .formatted(blamed.size() - 1),
                    QuotaHistory.FEWEST),
            blamed.stream()
                .filter(each -> !each.namespace().equals(question.workload().namespace()))
                .findFirst()
                .or(() -> Optional.of(blamed.getFirst())));
  }

  /**
   * The Workloads of which each alone keeps it waiting; else the ones that hold quota; else all.
   * Empty if that was given up.
   */
  private static Optional<List<ObjectKey>> blamed(Question question, Set<ObjectKey> endless) {
    List<ObjectKey> running =
        endless.stream()
            .filter(
                each ->
                    question
                        .near()
                        .find(KueueTypes.WORKLOAD, each)
                        .filter(found -> found.conditions().holdsQuota())
                        .isPresent())
            .toList();
    List<ObjectKey> suspects =
        Stream.concat(running.stream(), endless.stream()).distinct().limit(MOST_SUSPECTS).toList();
    List<ObjectKey> decisive = new ArrayList<>();
    for (ObjectKey one : suspects) {
      Replay.Outcome outcome =
          question.alone(
              (each, queue, reserved, held) ->
                  each.key().equals(one) ? Optional.empty() : Optional.of(held));
      if (outcome.gaveUp()) {
        return Optional.empty();
      }
      if (outcome.reserved().isEmpty()) {
        decisive.add(one);
      }
    }
    return Optional.of(
        !decisive.isEmpty() ? decisive : running.isEmpty() ? List.copyOf(endless) : running);
  }

  /** The ClusterQueues that share quota with the Workload's. */
  private static Set<String> queuesNear(ReadObjects objects, Workload workload) {
    String root = root(objects, queueOf(objects, workload));
    Set<String> queues = new HashSet<>();
    for (ClusterQueue queue : objects.all(KueueTypes.CLUSTER_QUEUE)) {
      if (root(objects, queue).equals(root)) {
        queues.add(ObjectKey.of(queue).name());
      }
    }
    return queues;
  }

  /** Whether a Workload holds quota of these queues, or waits for it. */
  private static boolean isIn(Set<String> queues, Workload workload, ReadObjects objects) {
    return Optional.ofNullable(workload.status().admission())
        .map(admission -> queues.contains(admission.clusterQueue()))
        .orElseGet(
            () ->
                objects
                    .find(KueueTypes.LOCAL_QUEUE, localQueue(workload))
                    .filter(queue -> queues.contains(queue.spec().clusterQueue()))
                    .isPresent());
  }

  /** These queues, and what is in them; of what has finished, what did so last. */
  private static ReadObjects near(
      ReadObjects objects, Set<String> queues, List<Workload> inQueues) {
    ReadObjects near = new ReadObjects(objects);
    near.keep(KueueTypes.CLUSTER_QUEUE, queue -> queues.contains(ObjectKey.of(queue).name()));
    near.keep(KueueTypes.LOCAL_QUEUE, queue -> queues.contains(queue.spec().clusterQueue()));
    Set<ObjectKey> kept = new HashSet<>();
    inQueues.stream()
        .filter(each -> !each.conditions().finished())
        .map(Workload::key)
        .forEach(kept::add);
    inQueues.stream()
        .filter(each -> each.conditions().finished())
        .sorted(Comparator.comparing(Forecast::finishedAt).reversed())
        .limit(MOST_FINISHED)
        .map(Workload::key)
        .forEach(kept::add);
    near.keep(KueueTypes.WORKLOAD, each -> kept.contains(each.key()));
    return near;
  }

  private static Instant finishedAt(Workload workload) {
    return workload.conditions().trueSince(WorkloadConditions.FINISHED).orElse(Instant.EPOCH);
  }

  private static ObjectKey localQueue(Workload workload) {
    return new ObjectKey(workload.key().namespace(), String.valueOf(workload.spec().queueName()));
  }

  private static @Nullable ClusterQueue queueOf(ReadObjects objects, Workload workload) {
    return objects
        .find(KueueTypes.LOCAL_QUEUE, localQueue(workload))
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
