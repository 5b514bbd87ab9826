// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.Change;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Informers;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what Workloads used, by a watch of its own and in the simplest way: whenever one is
 * admitted a run begins, whenever it no longer is, or has finished, the run ends.
 */
final class UseRecorder implements AutoCloseable {
  private record Run(Instant since, BigDecimal cpus) {}

  private final ControllerHost host;

  // Guarded by this object's monitor.
  private final Map<String, Run> running = new HashMap<>();
  private BigDecimal cpuSeconds = BigDecimal.ZERO;
  private long seen;

  UseRecorder(ClusterConnection connection, TimeSource time) throws InterruptedException {
    Informers informers = Informers.on(connection);
    Informer<Workload> workloads = informers.of(KueueTypes.WORKLOAD).register();
    workloads.onChange(this::note);
    host = ControllerHost.builder(connection, time).informers(informers).build();
    host.start();
  }

  private synchronized void note(Change<Workload> change) {
    Workload workload = change.object();
    String uid = Objects.requireNonNull(workload.metadata().getUid());
    Condition admitted =
        Conditions.find(workload.status().conditions(), WorkloadConditions.ADMITTED).orElse(null);
    Condition finished =
        Conditions.find(workload.status().conditions(), WorkloadConditions.FINISHED).orElse(null);
    boolean over = finished != null && finished.isTrue();
    seen++;
    if (admitted != null && admitted.isTrue() && !over) {
      running.putIfAbsent(uid, new Run(admitted.lastTransitionTime(), cpus(workload)));
      return;
    }
    @Nullable Run run = running.remove(uid);
    if (run != null) {
      Condition end = Objects.requireNonNull(over ? finished : admitted);
      cpuSeconds =
          cpuSeconds.add(
              run.cpus()
                  .multiply(
                      BigDecimal.valueOf(
                          Duration.between(run.since(), end.lastTransitionTime()).toSeconds())));
    }
  }

  private static BigDecimal cpus(Workload workload) {
    return Objects.requireNonNull(workload.status().admission()).podSetAssignments().stream()
        .map(one -> one.resourceUsage().getOrDefault("cpu", Quantity.ZERO).amount())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** What ran so far; runs that go on don't count. */
  synchronized BigDecimal cpuSeconds() {
    return cpuSeconds;
  }

  /** How many versions of Workloads it has seen. */
  synchronized long seen() {
    return seen;
  }

  @Override
  public void close() {
    host.close();
  }
}
