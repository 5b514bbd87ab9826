// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.RetryDelay;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.ServingKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Meters of Workloads and their checks: how many Workloads are in each phase, by queue and by kind,
 * how many entries of checks are in each state while quota is reserved, how long an entry stayed in
 * a state, which writes of checks came late, and which checks delay Workloads. Observes every
 * version that the core works on. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class WorkloadMeters {
  private static final String KNOWN = "kueue.";
  private static final String UNADMITTED = "kueue.unadmitted.workloads";
  private static final String UNADMITTED_LOCAL = "kueue.local.queue.unadmitted.workloads";

  private final MeterRegistry registry;
  private final Tags role;
  private final QueueLabels labels;
  private final JobKinds kinds;
  private final QueueGauges gauges;
  private final RetryDelayMeters delays;
  private final Map<ObjectKey, ObservedWorkload> observations = new HashMap<>();
  private final Map<MeterSeries, Integer> counts = new HashMap<>();

  private record MeterSeries(String name, Tags tags) {
    /** The series with other labels in place of the former ones; unchanged if it lacks any. */
    MeterSeries renamed(List<Tag> former, Tags now) {
      List<Tag> all = tags.stream().toList();
      return name.startsWith(KNOWN) && all.containsAll(former)
          ? new MeterSeries(
              name,
              Tags.of(all.stream().filter(label -> !former.contains(label)).toList()).and(now))
          : this;
    }
  }

  /** The series that a Workload is counted in, its entries and delays as they were last seen. */
  private record ObservedWorkload(
      List<MeterSeries> series,
      Map<String, AdmissionCheckState> entries,
      Map<String, RetryDelay> delays) {}

  WorkloadMeters(MeterRegistry registry, Tags role, QueueLabels labels, JobKinds kinds) {
    this.kinds = kinds;
    this.labels = labels;
    this.registry = registry;
    this.role = role;
    this.gauges = new QueueGauges(registry, role);
    this.delays = new RetryDelayMeters(registry, role);
  }

  /** The core begins to count: each phase is shown with 0 until a Workload is in it. */
  public synchronized void begin() {
    for (Phase phase : Phase.values()) {
      add(inPhase("", phase, labels.ofNoWorkload()), 0);
    }
  }

  /** A version was read; other clients wrote what differs from the last version. */
  public void read(Situation situation) {
    observe(situation, true);
  }

  /** A version was written by the core itself. */
  public void wrote(Situation situation) {
    observe(situation, false);
  }

  /** The Workload was deleted. */
  public synchronized void gone(ObjectKey key) {
    ObservedWorkload last = observations.remove(key);
    if (last != null) {
      last.series().forEach(meterSeries -> add(meterSeries, -1));
      delays.changed(last.delays(), Map.of());
    }
  }

  /**
   * The custom labels of a queue have changed: its Workloads are counted under the new ones.
   *
   * @param owner what names the queue
   */
  synchronized void relabelled(Tags owner, Tags before, Tags after) {
    List<Tag> former = owner.and(before).stream().toList();
    observations.replaceAll(
        (key, observedWorkload) -> {
          List<MeterSeries> renamed =
              observedWorkload.series().stream()
                  .map(meterSeries -> meterSeries.renamed(former, owner.and(after)))
                  .toList();
          if (renamed.equals(observedWorkload.series())) {
            return observedWorkload;
          }
          renamed.forEach(meterSeries -> add(meterSeries, 1));
          observedWorkload.series().forEach(meterSeries -> add(meterSeries, -1));
          return new ObservedWorkload(
              renamed, observedWorkload.entries(), observedWorkload.delays());
        });
  }

  private synchronized void observe(Situation situation, boolean foreign) {
    Workload workload = situation.workload();
    ObjectKey key = ObjectKey.of(workload);
    Map<String, AdmissionCheckState> entries =
        workload.status().admissionChecks().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    AdmissionCheckState::name, Function.identity(), (first, second) -> second));
    ObservedWorkload last = observations.get(key);
    if (last != null) {
      Phase phase = situation.phase();
      entries.forEach(
          (check, entry) -> {
            AdmissionCheckState before = last.entries().get(check);
            if (before != null && !before.equals(entry)) {
              changed(before, entry);
              if (foreign) {
                late(phase, enforced(situation), before, entry);
              }
            }
          });
    }
    List<MeterSeries> now = series(situation, entries.values());
    if (last == null || !now.equals(last.series())) {
      now.forEach(meterSeries -> add(meterSeries, 1));
      if (last != null) {
        last.series().forEach(meterSeries -> add(meterSeries, -1));
      }
    }
    Map<String, RetryDelay> delayed = situation.delays();
    delays.changed(last == null ? Map.of() : last.delays(), delayed);
    observations.put(key, new ObservedWorkload(now, entries, delayed));
  }

  private List<MeterSeries> series(Situation situation, Iterable<AdmissionCheckState> entries) {
    List<MeterSeries> series = new ArrayList<>();
    Phase phase = situation.phase();
    series.add(
        inPhase(situation.clusterQueue().name(), phase, labels.ofWorkload(situation.workload())));
    series.add(
        new MeterSeries(
            "kueue4j.framework.workloads",
            Tags.of("framework", framework(situation.workload()), "phase", phase.name())));
    if (phase != Phase.FINISHED) {
      series.addAll(unadmitted(situation));
    }
    // Without a reservation, and once it is evicted, no check is asked about a Workload.
    if (phase == Phase.RESERVED || phase == Phase.ADMITTED) {
      for (AdmissionCheckState entry : entries) {
        if (situation.checks().observed().contains(entry.name())
            || (phase == Phase.ADMITTED && entry.is(CheckState.PENDING))) {
          continue; // Nothing waits for it.
        }
        series.add(
            new MeterSeries(
                "kueue4j.check.entries",
                Tags.of("check", entry.name(), "state", entry.state().value())));
      }
    }
    return series;
  }

  /** The framework of the Job or serving object that owns it; empty for another owner, or none. */
  private String framework(Workload workload) {
    List<V1OwnerReference> owners =
        Objects.requireNonNullElse(workload.metadata().getOwnerReferences(), List.of());
    return owners.stream()
        .flatMap(owner -> ServingKind.grouping(owner).stream())
        .map(ServingKind::framework)
        // The pods of a group own its Workload, too.
        .findFirst()
        .or(() -> owners.stream().flatMap(each -> kinds.frameworkOf(each).stream()).findFirst())
        .orElse("");
  }

  private static MeterSeries inPhase(String clusterQueue, Phase phase, Tags custom) {
    return new MeterSeries(
        "kueue4j.workloads",
        Tags.of("cluster_queue", clusterQueue, "phase", phase.name()).and(custom));
  }

  /** The reasons in the conditions of a Workload that isn't admitted; empty if it is admitted. */
  private List<MeterSeries> unadmitted(Situation situation) {
    Workload workload = situation.workload();
    Optional<Condition> admitted = condition(workload, WorkloadConditions.ADMITTED);
    if (admitted.filter(Condition::isTrue).isPresent()) {
      return List.of();
    }
    Optional<Condition> reserved = condition(workload, WorkloadConditions.QUOTA_RESERVED);
    String queue = situation.clusterQueue().name();
    Tags why =
        Tags.of(
            "cluster_queue",
            queue,
            "reason",
            admitted.map(Condition::reason).orElse("NoReservation"),
            "underlying_cause",
            reserved
                .map(condition -> condition.isTrue() ? "" : condition.reason())
                .orElse("PendingEvaluation"));
    List<MeterSeries> series = new ArrayList<>();
    series.add(new MeterSeries(UNADMITTED, why.and(labels.ofClusterQueue(queue))));
    ObjectKey local =
        new ObjectKey(ObjectKey.of(workload).namespace(), situation.localQueue().name());
    if (labels.measured(local)) {
      series.add(
          new MeterSeries(
              UNADMITTED_LOCAL,
              why.and("name", local.name(), "namespace", local.namespace())
                  .and(labels.ofLocalQueue(local))));
    }
    return series;
  }

  private static Optional<Condition> condition(Workload workload, String type) {
    return workload.conditions().find(type);
  }

  private void add(MeterSeries meterSeries, int difference) {
    int count = counts.merge(meterSeries, difference, Integer::sum);
    if (count == 0 && meterSeries.name().startsWith(KNOWN)) {
      // There are many reasons, and queues come and go: a series that counts none is removed.
      counts.remove(meterSeries);
      gauges.unset(meterSeries.name(), meterSeries.tags());
    } else {
      gauges.set(meterSeries.name(), meterSeries.tags(), count);
    }
  }

  private void changed(AdmissionCheckState before, AdmissionCheckState after) {
    if (before.is(after.state())) {
      return;
    }
    Duration stayed = Duration.between(before.lastTransitionTime(), after.lastTransitionTime());
    Timer.builder("kueue4j.check.state.duration")
        .description("How long entries of checks stayed in a state, when they left it")
        .tags(role.and("check", before.name(), "state", before.state().value()))
        .serviceLevelObjectives(CoreMetrics.LONG_WAITS)
        .register(registry)
        .record(CoreMetrics.measurable(stayed));
  }

  private static Set<String> enforced(Situation situation) {
    Set<String> enforced = new HashSet<>(situation.required().keySet());
    enforced.removeAll(situation.checks().observed());
    return enforced;
  }

  /** Counts a write of a check that came when its result was no longer awaited. */
  private void late(
      Phase phase, Set<String> required, AdmissionCheckState before, AdmissionCheckState after) {
    String effect = effect(phase, required, before, after);
    if (effect != null) {
      registry
          .counter(
              "kueue4j.check.late.writes",
              role.and("check", after.name(), "state", after.state().value(), "effect", effect))
          .increment();
    }
  }

  /** The effect of a late write; null if the write wasn't late. */
  private static @Nullable String effect(
      Phase phase, Set<String> required, AdmissionCheckState before, AdmissionCheckState after) {
    boolean rejects = after.is(CheckState.REJECTED);
    boolean delays = after.is(CheckState.RETRY) || before.is(CheckState.RETRY);
    return switch (phase) {
      case RESERVED, ADMITTED -> null;
      case FINISHED -> "ignored";
      case DEACTIVATED -> rejects ? "counted" : "ignored";
      case EVICTING, BACKOFF, HELD, QUEUED ->
          rejects || (delays && required.contains(after.name())) ? "counted" : "ignored";
    };
  }
}
