// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a load to a cluster and lets its Workloads run: each that is admitted is finished after
 * its runtime, unless it is preempted before. Time is real: that is what is measured.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class LoadRun {
  private static final Logger log = LoggerFactory.getLogger(LoadRun.class);

  /** Ends under way at once. */
  private static final int ENDS = 32;

  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration CORE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration REPORT_EVERY = Duration.ofSeconds(1);

  private final ClusterConnection connection;
  private final KubernetesApi api;
  private final BenchObjects objects;
  private final List<Arrival> arrivals;
  private final InstantSource clock;
  private final Map<String, Progress> progress = new ConcurrentHashMap<>();
  private final CountDownLatch unfinished;
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger preempted = new AtomicInteger();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final Actors users = Actors.named("bench-user");
  private final Actors jobs = Actors.atMost(ENDS, "bench-job");

  /** How far one Workload has come; guarded by itself. */
  private static final class Progress {
    final Arrival arrival;
    final long createdAt;
    long admittedAt;
    @Nullable Act<?> end;

    /** Its end is being written: what is seen from now on may be older than that. */
    boolean ending;

    boolean finished;

    Progress(Arrival arrival, long createdAt) {
      this.arrival = arrival;
      this.createdAt = createdAt;
    }
  }

  /**
   * A run, not yet begun.
   *
   * @param connection of the generator; stays open
   */
  public LoadRun(ClusterConnection connection, Load load, InstantSource clock) {
    this.connection = connection;
    this.api = connection.api();
    this.objects = new BenchObjects(api, load);
    this.arrivals = Arrival.of(load);
    this.unfinished = new CountDownLatch(arrivals.size());
    this.clock = clock;
  }

  /**
   * Does it.
   *
   * @param timeout how long the whole load may take
   * @param reporter told how many were created and have finished, about every second
   * @throws InvalidLoadException if something of an earlier run is left in the cluster
   * @throws InterruptedException if the thread is interrupted
   */
  public Outcome run(Duration timeout, BiConsumer<Integer, Integer> reporter)
      throws InterruptedException {
    objects.createQueues();
    try (users;
        jobs;
        Informers informers = Informers.on(connection)) {
      Informer<Workload> workloads =
          informers.of(KueueTypes.WORKLOAD).inNamespace(BenchObjects.NAMESPACE).register();
      workloads.onChange(this::changed);
      informers.start();
      informers.awaitSynced(SYNC_TIMEOUT);
      awaitCore();
      long start = System.nanoTime();
      long deadline = start + timeout.toNanos();
      List<Act<?>> generators = new ArrayList<>();
      Arrival.rows(arrivals).forEach(row -> generators.add(users.start(() -> generate(row))));
      boolean complete = false;
      while (!complete && System.nanoTime() < deadline) {
        complete = unfinished.await(REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        reporter.accept(created.get(), arrivals.size() - (int) unfinished.getCount());
        RuntimeException problem = failure.get();
        if (problem != null) {
          throw problem;
        }
      }
      generators.forEach(Act::cancel);
      return outcome(Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /** Removes what the run left. */
  public void cleanUp() {
    objects.delete();
  }

  /** Waits for the core, whose start is no part of the load. */
  private void awaitCore() throws InterruptedException {
    long deadline = System.nanoTime() + CORE_TIMEOUT.toNanos();
    while (!objects.active()) {
      if (System.nanoTime() > deadline) {
        throw new InvalidLoadException(
            "the queues of the load aren't active after %d s; does a core run in this cluster?"
                .formatted(CORE_TIMEOUT.toSeconds()));
      }
      TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
    }
  }

  /**
   * Creates one Workload after the other, each its pause after the answer about the one before: a
   * client that creates Workloads waits for a slow server.
   */
  private void generate(List<Arrival> row) throws InterruptedException {
    try {
      for (Arrival arrival : row) {
        TimeUnit.NANOSECONDS.sleep(arrival.kind().every().toNanos());
        create(arrival);
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void create(Arrival arrival) {
    progress.put(arrival.name(), new Progress(arrival, System.nanoTime()));
    objects.create(arrival);
    created.incrementAndGet();
  }

  private void changed(Change<Workload> change) {
    Workload workload = change.object();
    Progress known = progress.get(ObjectKey.of(workload).name());
    if (known == null || change instanceof Change.Deleted) {
      return;
    }
    WorkloadConditions conditions = workload.conditions();
    boolean finished = conditions.finished();
    boolean runs = !finished && conditions.admitted() && !conditions.evicted();
    synchronized (known) {
      if (finished) {
        if (!known.finished) {
          known.finished = true;
          unfinished.countDown();
        }
      } else if (known.ending) {
        return;
      } else if (runs && known.end == null) {
        if (known.admittedAt == 0) {
          known.admittedAt = System.nanoTime();
        }
        known.end = jobs.after(known.arrival.kind().runtime(), () -> end(known));
      } else if (!runs && known.end != null) {
        known.end.cancel();
        known.end = null;
        preempted.incrementAndGet();
      }
    }
  }

  private void end(Progress known) {
    synchronized (known) {
      if (known.end == null || known.ending) {
        return;
      }
      known.ending = true;
    }
    try {
      finish(known.arrival);
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void finish(Arrival arrival) {
    try {
      api.patchStatus(
          KueueTypes.WORKLOAD,
          new ObjectKey(BenchObjects.NAMESPACE, arrival.name()),
          FinishedPatch.at(clock.instant()));
    } catch (KubernetesApiException.NotFound e) {
      log.atWarn().addKeyValue("workload", arrival.name()).log("workload deleted during the load");
    }
  }

  private Outcome outcome(Duration makespan) {
    Map<String, List<Duration>> waits = new TreeMap<>();
    for (Progress each : progress.values()) {
      synchronized (each) {
        if (each.admittedAt != 0) {
          waits
              .computeIfAbsent(each.arrival.kind().name(), name -> new ArrayList<>())
              .add(Duration.ofNanos(each.admittedAt - each.createdAt));
        }
      }
    }
    Map<String, Waits> byClass = new TreeMap<>();
    waits.forEach((name, all) -> byClass.put(name, new Waits(all)));
    return new Outcome(
        arrivals.size(),
        created.get(),
        arrivals.size() - (int) unfinished.getCount(),
        preempted.get(),
        makespan,
        byClass);
  }
}
