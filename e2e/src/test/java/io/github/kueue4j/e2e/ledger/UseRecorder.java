// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records what Workloads used, by a watch of its own and in the simplest way: whenever one is
 * admitted a run begins, whenever it no longer is, has finished or is gone, the run ends.
 */
public final class UseRecorder implements AutoCloseable {

  /**
   * A time during which a Workload held the same number of CPUs.
   *
   * @param admitted when its run began; before {@code from} where it has given some back since
   * @param to whole seconds, as the others
   */
  public record Span(
      String namespace, String queue, Instant admitted, Instant from, Instant to, BigDecimal cpus) {

    /** What it used from then on. */
    BigDecimal cpuSeconds(Instant since) {
      Instant begin = from.isBefore(since) ? since : from;
      long seconds = Math.max(0, Duration.between(begin, to).toSeconds());
      return cpus.multiply(BigDecimal.valueOf(seconds));
    }

    private Span until(Instant end) {
      return new Span(namespace, queue, admitted, from, end, cpus);
    }
  }

  private final TimeSource time;
  private final ControllerHost host;

  // Guarded by this object's monitor. Running ones by the uid of their Workload, each with no end.
  private final Map<String, Span> running = new HashMap<>();
  private final List<Span> over = new ArrayList<>();
  private long seen;

  /** Records from now on. */
  public UseRecorder(ClusterConnection connection, TimeSource time) throws InterruptedException {
    this.time = time;
    Informers informers = Informers.on(connection);
    Informer<Workload> workloads = informers.of(KueueTypes.WORKLOAD).register();
    workloads.onChange(this::note);
    host = ControllerHost.builder(connection, time).informers(informers).build();
    host.start();
  }

  private synchronized void note(Change<Workload> change) {
    seen++;
    Workload workload = change.object();
    WorkloadConditions conditions = workload.conditions();
    String uid = Objects.requireNonNull(workload.metadata().getUid());
    Optional<Instant> finished = conditions.trueSince(WorkloadConditions.FINISHED);
    Optional<Instant> admitted = conditions.trueSince(WorkloadConditions.ADMITTED);
    @Nullable Span run = running.get(uid);
    if (change instanceof Change.Deleted<Workload>) {
      end(uid, second());
    } else if (finished.isPresent()) {
      end(uid, finished.get());
    } else if (admitted.isEmpty()) {
      conditions.changedAt(WorkloadConditions.ADMITTED).ifPresent(end -> end(uid, end));
    } else if (run == null) {
      running.put(uid, span(workload, admitted.get(), admitted.get()));
    } else if (run.cpus().compareTo(cpus(workload)) != 0) {
      end(uid, second());
      running.put(uid, span(workload, admitted.get(), second()));
    }
  }

  private void end(String uid, Instant at) {
    @Nullable Span run = running.remove(uid);
    if (run != null) {
      over.add(run.until(at));
    }
  }

  private Instant second() {
    return Instant.ofEpochSecond(time.instant().getEpochSecond());
  }

  private static Span span(Workload workload, Instant admitted, Instant from) {
    return new Span(
        workload.key().namespace(),
        Objects.requireNonNull(workload.spec().queueName()),
        admitted,
        from,
        Instant.MAX,
        cpus(workload));
  }

  /** Those of pods that haven't given theirs back. */
  private static BigDecimal cpus(Workload workload) {
    int back =
        workload.status().reclaimablePods().stream().mapToInt(reclaimed -> reclaimed.count()).sum();
    return Objects.requireNonNull(workload.status().admission()).podSetAssignments().stream()
        .map(podSet -> cpus(podSet, back))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static BigDecimal cpus(PodSetAssignment podSet, int back) {
    BigDecimal all = podSet.resourceUsage().getOrDefault("cpu", Quantity.ZERO).amount();
    BigDecimal count = BigDecimal.valueOf(Objects.requireNonNullElse(podSet.count(), 1));
    return all.divide(count).multiply(count.subtract(BigDecimal.valueOf(back)));
  }

  /** What ran so far; what runs on ends now. */
  synchronized List<Span> spans(Instant now) {
    List<Span> all = new ArrayList<>(over);
    running.values().forEach(run -> all.add(run.until(now)));
    return all;
  }

  /** How many CPUs the Workload of this uid holds; 0 if it doesn't run. */
  synchronized BigDecimal holds(String uid) {
    @Nullable Span run = running.get(uid);
    return run == null ? BigDecimal.ZERO : run.cpus();
  }

  /** What ran so far; runs that go on don't count. */
  public synchronized BigDecimal cpuSeconds() {
    return over.stream()
        .map(span -> span.cpuSeconds(Instant.MIN))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** How many versions of Workloads it has seen. */
  public synchronized long seen() {
    return seen;
  }

  @Override
  public void close() {
    host.close();
  }
}
