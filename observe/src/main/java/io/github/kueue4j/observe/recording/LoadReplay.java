// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A recorded load, run anew: Workloads come when they came, checks answer as long after they are
 * asked as they did, and what is admitted runs for as long as it ran. When each gets quota is
 * decided anew, by the scheduler and the lifecycle.
 *
 * <p>A function of its arguments: no clock, no randomness.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LoadReplay {
  private final RecordedLoad load;
  private final Administration administration;
  private final VirtualCore core;
  private final DecisionLog log = new DecisionLog();
  private final Map<ObjectKey, ReplayedLife> lives = new HashMap<>();
  private final Map<String, Duration> typicalAnswers;
  private final Optional<Duration> typicalRun;
  private final Assumptions assumptions = new Assumptions();

  /** The assumptions that were needed, since the recording doesn't tell these facts. */
  static final class Assumptions {
    int typicalRuns;
    int endlessRuns;
    int typicalAnswers;
    int replaced;
  }

  /** A Workload in the replay. */
  private static final class ReplayedLife {
    final WorkloadScript script;
    final Map<String, Integer> asks = new HashMap<>();

    /** Runs so far; a run that has begun later than an end that was due makes it void. */
    int runs;

    ReplayedLife(WorkloadScript script) {
      this.script = script;
    }
  }

  private LoadReplay(RecordedLoad load, Configuration configuration, ReplayChanges changes) {
    this.load = load;
    this.administration = new Administration(changes);
    this.core =
        new VirtualCore(
            configuration, administration.objects(), load.extent().from(), this::written);
    this.typicalAnswers = load.typicalAnswers();
    this.typicalRun = load.typicalRun();
  }

  /**
   * Runs a recorded load.
   *
   * @param configuration of the core
   * @throws IllegalArgumentException if a change concerns nothing in the recording
   */
  public static ReplayReport of(
      RecordedLoad load, Configuration configuration, ReplayChanges changes) {
    Administration.check(changes, load.administration());
    LoadReplay replay = new LoadReplay(load, configuration, changes);
    replay.run();
    return ReplayReport.of(load, replay.log, replay.administration, replay.assumptions);
  }

  private void run() {
    Instant from = load.extent().from();
    List<RecordedChange> present =
        load.administration().stream()
            .filter(RecordedChange::present)
            .sorted(
                Comparator.comparing(
                    change ->
                        RecordedChange.TYPES.indexOf(RecordedChange.KINDS.get(change.kind()))))
            .toList();
    present.forEach(change -> administration.take(change, core.state().configObjects(), from));
    for (RecordedChange change : load.administration()) {
      if (!change.present()) {
        core.at(
            change.at(),
            () -> administration.take(change, core.state().configObjects(), core.now()));
      }
    }
    load.scripts().stream()
        .filter(script -> script.present)
        .sorted(Comparator.comparing(LoadReplay::created))
        .forEach(this::goOn);
    load.scripts().stream()
        .filter(script -> !script.present)
        .forEach(script -> core.at(script.arrival, () -> arrive(script)));
    core.run(load.extent().to());
  }

  private static Instant created(WorkloadScript script) {
    var created = script.arrived.metadata().getCreationTimestamp();
    return created == null ? script.arrival : created.toInstant();
  }

  /** One that was there when the recording began goes on from where it was. */
  private void goOn(WorkloadScript script) {
    Workload workload = script.arrived;
    ObjectKey key = workload.key();
    ReplayedLife life = new ReplayedLife(script);
    lives.put(key, life);
    log.present(workload, script.arrival);
    core.put(workload);
    workload
        .status()
        .admissionChecks()
        .forEach(entry -> asked(workload, life, entry, entry.lastTransitionTime()));
    if (!script.runs.isEmpty()
        && workload.conditions().holdsQuota()
        && workload.conditions().admitted()) {
      admitted(key, life, script.runs.getFirst().admitted);
      if (workload.conditions().evicted()) {
        evicted(key, life);
      }
    }
    schedule(key, life);
  }

  private void arrive(WorkloadScript script) {
    ObjectKey key = script.arrived.key();
    if (core.workload(key).isPresent()) {
      // It takes longer here than it took; in the recording its successor found it finished.
      assumptions.replaced++;
      core.delete(key);
      log.deleted(key, core.now());
    }
    ReplayedLife life = new ReplayedLife(script);
    lives.put(key, life);
    log.arrived(script.arrived, core.now());
    core.put(script.arrived);
    schedule(key, life);
  }

  /** Schedules the acts of the Workload's user, whatever the core decided. */
  private void schedule(ObjectKey key, ReplayedLife life) {
    WorkloadScript script = life.script;
    for (WorkloadScript.Edit edit : script.edits) {
      core.at(edit.at(), () -> edit(key, life, edit.workload()));
    }
    Instant ended = script.ended;
    if (ended != null && !script.ranToItsEnd()) {
      core.at(ended, () -> end(key, life));
    }
  }

  private Optional<Workload> current(ObjectKey key, ReplayedLife life) {
    return core.workload(key).filter(any -> lives.get(key) == life);
  }

  private void edit(ObjectKey key, ReplayedLife life, Workload edited) {
    current(key, life)
        .ifPresent(
            workload -> {
              Workload now = edited.withStatus(workload.status());
              log.take(now, core.now());
              core.put(now);
            });
  }

  private void end(ObjectKey key, ReplayedLife life) {
    if (current(key, life).isPresent()) {
      if (life.script.ending == WorkloadScript.Ending.DELETED) {
        core.delete(key);
        log.deleted(key, core.now());
      } else {
        core.finish(key);
      }
    }
  }

  /** The core has written a Workload: its Job and its checks react. */
  private void written(Workload before, Workload after) {
    ObjectKey key = after.key();
    ReplayedLife life = Objects.requireNonNull(lives.get(key));
    log.take(after, core.now());
    for (AdmissionCheckState entry : after.status().admissionChecks()) {
      if (WorkloadScript.asksAnew(before, entry)) {
        asked(after, life, entry, core.now());
      }
    }
    if (WorkloadScript.admittedAnew(before, after)) {
      admitted(key, life, core.now());
    }
    if (after.conditions().evicted()
        && after.conditions().holdsQuota()
        && !before.conditions().evicted()) {
      evicted(key, life);
    }
  }

  // Checks.

  private void asked(Workload workload, ReplayedLife life, AdmissionCheckState entry, Instant at) {
    ObjectKey key = workload.key();
    String check = entry.name();
    int number = life.asks.merge(check, 1, Integer::sum) - 1;
    List<WorkloadScript.Ask> asks = life.script.asks.getOrDefault(check, List.of());
    if (number < asks.size() && !asks.get(number).answers().isEmpty()) {
      answers(key, life, check, number, asks.get(number), at);
      return;
    }
    if (!entry.is(CheckState.PENDING) || !(holdsQuota(workload) || beforeQuota(check))) {
      return; // Nothing to answer, or not yet.
    }
    boolean unanswered = number < asks.size();
    if (unanswered && awaitsAtEnd(life.script, check, number, asks.size())) {
      return;
    }
    Optional<WorkloadScript.Ask> known =
        asks.reversed().stream()
            .filter(
                ask ->
                    !ask.answers().isEmpty()
                        && ask.answers().getLast().entry().is(CheckState.READY))
            .findFirst();
    if (known.isPresent() && !unanswered) {
      answers(key, life, check, number, known.get(), at);
      return;
    }
    assumptions.typicalAnswers++;
    Instant when = at.plus(typicalAnswers.getOrDefault(check, Duration.ZERO));
    if (unanswered) {
      // It was not answered while it was asked, and is not here either.
      Instant over =
          WorkloadScript.again(asks.get(number).at(), stopsAsking(life.script, asks, number), at);
      when = when.isAfter(over) ? when : over.plus(WorkloadScript.SAME);
    }
    Instant due = when;
    core.at(
        due,
        () ->
            answer(
                key,
                life,
                check,
                number,
                AdmissionCheckState.pending(check, due).withState(CheckState.READY)));
  }

  private static boolean holdsQuota(Workload workload) {
    return workload.conditions().holdsQuota();
  }

  private boolean beforeQuota(String check) {
    return administration
        .objects()
        .find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(check))
        .filter(CheckStage::beforeQuota)
        .isPresent();
  }

  /** Whether the recording ended before the answer. */
  private static boolean awaitsAtEnd(WorkloadScript script, String check, int number, int asks) {
    return number == asks - 1
        && script.ended == null
        && script
            .latest()
            .status()
            .admissionCheck(check)
            .filter(entry -> entry.is(CheckState.PENDING))
            .isPresent();
  }

  /** Until when a check without an answer was asked at most. */
  private Instant stopsAsking(WorkloadScript script, List<WorkloadScript.Ask> asks, int number) {
    Instant ended = script.ended == null ? load.extent().to() : script.ended;
    return number + 1 < asks.size() ? asks.get(number + 1).at() : ended;
  }

  private void answers(
      ObjectKey key,
      ReplayedLife life,
      String check,
      int number,
      WorkloadScript.Ask ask,
      Instant at) {
    for (WorkloadScript.CheckAnswer answer : ask.answers()) {
      Instant when = WorkloadScript.again(ask.at(), answer.at(), at);
      Duration shift = Duration.between(answer.at(), when);
      AdmissionCheckState entry = answer.entry();
      core.at(
          when,
          () ->
              answer(
                  key,
                  life,
                  check,
                  number,
                  entry.withLastTransitionTime(entry.lastTransitionTime().plus(shift))));
    }
  }

  private void answer(
      ObjectKey key, ReplayedLife life, String check, int number, AdmissionCheckState given) {
    if (!Objects.equals(life.asks.get(check), number + 1)) {
      return; // It was asked anew since.
    }
    current(key, life)
        .ifPresent(
            workload ->
                workload
                    .status()
                    .admissionCheck(check)
                    .ifPresent(
                        entry ->
                            core.put(
                                workload.withStatus(
                                    workload
                                        .status()
                                        .withAdmissionCheck(
                                            given
                                                .withMessage("as recorded")
                                                .withRetryCount(entry.retryCount()))))));
  }

  // Jobs.

  private void admitted(ObjectKey key, ReplayedLife life, Instant at) {
    WorkloadScript script = life.script;
    int number = life.runs++;
    List<WorkloadScript.Run> runs = script.runs;
    endOf(script, number, at).ifPresent(end -> inRun(key, life, number, end, () -> end(key, life)));
    if (runs.isEmpty()) {
      inRun(key, life, number, at, () -> core.ready(key));
      return;
    }
    WorkloadScript.Run run = runs.get(Math.min(number, runs.size() - 1));
    Instant ready = run.ready;
    if (ready != null) {
      inRun(
          key, life, number, WorkloadScript.again(run.admitted, ready, at), () -> core.ready(key));
    } else if (run.evicted == null || number >= runs.size()) {
      inRun(key, life, number, at, () -> core.ready(key));
    }
    for (WorkloadScript.Reclaim reclaim : run.reclaims) {
      inRun(
          key,
          life,
          number,
          WorkloadScript.again(run.admitted, reclaim.at(), at),
          () ->
              core.workload(key)
                  .ifPresent(
                      workload ->
                          core.put(
                              workload.withStatus(
                                  workload.status().withReclaimablePods(reclaim.pods())))));
    }
  }

  /** When a run ends that nothing interrupts; empty if not within the recording. */
  private Optional<Instant> endOf(WorkloadScript script, int number, Instant at) {
    if (script.ranToItsEnd()) {
      return script.end(number, at);
    }
    if (!script.runs.isEmpty() && script.ended == null && script.runs.getLast().evicted == null) {
      assumptions.endlessRuns++;
      return Optional.empty();
    }
    assumptions.typicalRuns++;
    Duration known =
        script.runs.stream()
            .map(run -> run.atLeast(load.extent().to()).plus(WorkloadScript.SAME))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return typicalRun.map(typical -> at.plus(typical.compareTo(known) > 0 ? typical : known));
  }

  private void inRun(ObjectKey key, ReplayedLife life, int number, Instant when, Runnable action) {
    core.at(
        when,
        () -> {
          if (life.runs == number + 1
              && current(key, life)
                  .filter(
                      workload ->
                          workload.conditions().admitted()
                              && workload.conditions().holdsQuota()
                              && !workload.conditions().evicted())
                  .isPresent()) {
            action.run();
          }
        });
  }

  private void evicted(ObjectKey key, ReplayedLife life) {
    List<WorkloadScript.Run> stops =
        life.script.runs.stream()
            .filter(run -> run.evicted != null && run.released != null)
            .toList();
    int number = life.runs;
    Duration stop = Duration.ZERO;
    if (!stops.isEmpty()) {
      WorkloadScript.Run run = stops.get(Math.min(Math.max(0, number - 1), stops.size() - 1));
      stop =
          Duration.between(
              Objects.requireNonNull(run.evicted), Objects.requireNonNull(run.released));
    }
    core.at(
        core.now().plus(stop),
        () -> {
          if (life.runs == number && current(key, life).isPresent()) {
            core.stopped(key);
          }
        });
  }
}
