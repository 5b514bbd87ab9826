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
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Situation;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Where Workloads stand and what their checks do: how many are in each phase, how many entries are
 * in each state, how long an entry stayed in one, and which writes of checks came late. Told about
 * every version that the core works on. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class WorkloadMeters {
  private static final String KNOWN = "kueue.";
  private static final String UNADMITTED = "kueue.unadmitted.workloads";
  private static final String UNADMITTED_LOCAL = "kueue.local.queue.unadmitted.workloads";

  private final MeterRegistry registry;
  private final Tags role;
  private final QueueLabels labels;
  private final QueueGauges gauges;
  private final Map<ObjectKey, Sight> sights = new HashMap<>();
  private final Map<Series, Integer> counts = new HashMap<>();

  private record Series(String name, Tags tags) {
    /** With other labels in place of these; the same if it doesn't have all of them. */
    Series renamed(List<Tag> former, Tags now) {
      List<Tag> all = tags.stream().toList();
      return name.startsWith(KNOWN) && all.containsAll(former)
          ? new Series(
              name,
              Tags.of(all.stream().filter(label -> !former.contains(label)).toList()).and(now))
          : this;
    }
  }

  /** What one Workload adds to the gauges, and the entries as they were last seen. */
  private record Sight(List<Series> series, Map<String, AdmissionCheckState> entries) {}

  WorkloadMeters(MeterRegistry registry, Tags role, QueueLabels labels) {
    this.labels = labels;
    this.registry = registry;
    this.role = role;
    this.gauges = new QueueGauges(registry, role);
  }

  /** A version was read; whatever differs from the last one was written by somebody else. */
  public void read(Situation situation) {
    observe(situation, true);
  }

  /** A version was written by the core itself. */
  public void wrote(Situation situation) {
    observe(situation, false);
  }

  /** The Workload is gone. */
  public synchronized void gone(ObjectKey key) {
    Sight last = sights.remove(key);
    if (last != null) {
      last.series().forEach(series -> add(series, -1));
    }
  }

  /**
   * The custom labels of a queue have changed: its Workloads are counted under the new ones.
   *
   * @param owner what names the queue
   */
  synchronized void relabelled(Tags owner, Tags before, Tags after) {
    List<Tag> former = owner.and(before).stream().toList();
    sights.replaceAll(
        (key, sight) -> {
          List<Series> renamed =
              sight.series().stream()
                  .map(series -> series.renamed(former, owner.and(after)))
                  .toList();
          if (renamed.equals(sight.series())) {
            return sight;
          }
          renamed.forEach(series -> add(series, 1));
          sight.series().forEach(series -> add(series, -1));
          return new Sight(renamed, sight.entries());
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
    Sight last = sights.get(key);
    if (last != null) {
      Phase phase = situation.phase();
      entries.forEach(
          (check, entry) -> {
            AdmissionCheckState before = last.entries().get(check);
            if (before != null && !before.equals(entry)) {
              changed(before, entry);
              if (foreign) {
                late(phase, situation.required().keySet(), before, entry);
              }
            }
          });
    }
    List<Series> now = series(situation, entries.values());
    now.forEach(series -> add(series, 1));
    if (last != null) {
      last.series().forEach(series -> add(series, -1));
    }
    sights.put(key, new Sight(now, entries));
  }

  private List<Series> series(Situation situation, Iterable<AdmissionCheckState> entries) {
    List<Series> series = new ArrayList<>();
    Phase phase = situation.phase();
    series.add(
        new Series(
            "kueue4j.workloads",
            Tags.of("cluster_queue", situation.clusterQueue().name(), "phase", phase.name())
                .and(labels.ofWorkload(situation.workload()))));
    if (phase != Phase.FINISHED) {
      series.addAll(unadmitted(situation));
      for (AdmissionCheckState entry : entries) {
        series.add(
            new Series(
                "kueue4j.check.entries",
                Tags.of("check", entry.name(), "state", entry.state().value())));
      }
    }
    return series;
  }

  /** Why it isn't admitted, as its conditions say; nothing of one that is. */
  private List<Series> unadmitted(Situation situation) {
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
    List<Series> series = new ArrayList<>();
    series.add(new Series(UNADMITTED, why.and(labels.ofClusterQueue(queue))));
    ObjectKey local =
        new ObjectKey(ObjectKey.of(workload).namespace(), situation.localQueue().name());
    if (labels.measured(local)) {
      series.add(
          new Series(
              UNADMITTED_LOCAL,
              why.and("name", local.name(), "namespace", local.namespace())
                  .and(labels.ofLocalQueue(local))));
    }
    return series;
  }

  private static Optional<Condition> condition(Workload workload, String type) {
    return Conditions.find(workload.status().conditions(), type);
  }

  private void add(Series series, int difference) {
    int count = counts.merge(series, difference, Integer::sum);
    if (count == 0 && series.name().startsWith(KNOWN)) {
      // Reasons are many, and queues come and go.
      counts.remove(series);
      gauges.unset(series.name(), series.tags());
    } else {
      gauges.set(series.name(), series.tags(), count);
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

  /** A check wrote although nobody was waiting for its verdict. */
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

  /** What a late write changes; null if it wasn't late. */
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
