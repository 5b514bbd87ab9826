// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.bench.FinishedPatch;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Brings Workloads and Jobs to the queues of a soak at a steady rate, lets those run that are
 * admitted, finishes them and deletes them. Jobs are run by the simulated world. As many as come in
 * a second are deleted in a second, unless the core doesn't keep up.
 */
final class SoakLoad implements AutoCloseable {
  /** Twice as many as have room. */
  private static final int FILLERS = 8;

  /** What has finished stays for this long. */
  private static final Duration KEPT = Duration.ofSeconds(5);

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(100);

  /** More seconds' worth of Workloads than this are not waiting: the core doesn't keep up. */
  private static final int MOST_SECONDS = 120;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(1);

  private final ClusterConnection connection;
  private final KubernetesApi api;
  private final double perSecond;
  private final InstantSource clock;
  private final SoakCheck check;
  private final SimulatedWorld world;
  private final Informers informers;
  private final Map<String, Tracked> progress = new ConcurrentHashMap<>();
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger deleted = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger evictions = new AtomicInteger();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private final Actors users = Actors.named("soak-user");

  /** How far one has come; guarded by itself. */
  private static final class Tracked {
    final SoakArrival arrival;

    /** Its end, while it runs. */
    @Nullable Act<?> end;

    /** It has finished, or its end is being written. */
    boolean ended;

    Tracked(SoakArrival arrival) {
      this.arrival = arrival;
    }
  }

  private SoakLoad(Path kubeconfig, double perSecond, TimeSource time) throws InterruptedException {
    this.perSecond = perSecond;
    this.clock = time;
    this.connection = Target.of(kubeconfig).connect("soak");
    this.api = connection.api();
    this.informers = Informers.on(connection);
    this.check = SoakCheck.start(connection, time);
    this.world = SimulatedWorld.start(kubeconfig, time, Duration.ofSeconds(1));
  }

  /**
   * Creates the queues and begins; a core has to answer the webhooks of the queues.
   *
   * @param time what checks and Jobs go by; stays open
   */
  static SoakLoad start(Path kubeconfig, double perSecond, TimeSource time)
      throws InterruptedException {
    SoakLoad load = new SoakLoad(kubeconfig, perSecond, time);
    try {
      load.begin();
      return load;
    } catch (RuntimeException | InterruptedException e) {
      load.close();
      throw e;
    }
  }

  private void begin() throws InterruptedException {
    SoakObjects.createQueues(api);
    Informer<Workload> workloads =
        informers.of(KueueTypes.WORKLOAD).inNamespace(SoakObjects.NAMESPACE).register();
    workloads.onChange(this::changed);
    informers.start();
    informers.awaitSynced(SYNC_TIMEOUT);
    for (int i = 0; i < FILLERS; i++) {
      create(register(SoakArrival.filler(number.incrementAndGet())));
    }
    after(Duration.ZERO, this::arrive);
  }

  /** One after the other at its time, however long the server takes for each. */
  private void arrive() throws InterruptedException {
    long begin = System.nanoTime();
    for (long i = 1; ; i++) {
      pause(begin + Math.round(i * NANOS_PER_SECOND / perSecond) - System.nanoTime());
      if (stopped) {
        return;
      }
      SoakArrival next = register(SoakArrival.of(number.incrementAndGet()));
      after(Duration.ZERO, () -> create(next));
    }
  }

  /**
   * Lets nothing more come, and waits until all of it has run, has finished and is deleted; those
   * that keep the contended queue full are deleted as they are.
   *
   * @throws SoakException if that takes longer
   */
  void drain(Duration timeout) throws InterruptedException {
    stopped = true;
    long deadline = System.nanoTime() + timeout.toNanos();
    while (counts().existing() > 0) {
      for (Tracked each : progress.values()) {
        if (each.arrival.kind() == SoakArrival.Kind.FILLER && claim(each)) {
          delete(each.arrival);
        }
      }
      if (System.nanoTime() > deadline) {
        throw new SoakException(
            "%s have not finished within %d s, such as %s"
                .formatted(
                    counts().existing(),
                    timeout.toSeconds(),
                    progress.keySet().stream().limit(3).toList()));
      }
      pause(POLL.toNanos());
    }
  }

  /** Whether the caller is the one that ends it. */
  private static boolean claim(Tracked known) {
    synchronized (known) {
      boolean first = !known.ended;
      known.ended = true;
      return first;
    }
  }

  /**
   * What it has done so far.
   *
   * @throws RuntimeException what failed, if something did
   * @throws SoakException if far more come than finish
   */
  SoakCounts counts() {
    RuntimeException problem = failure.get();
    if (problem != null) {
      throw problem;
    }
    SoakCounts counts =
        new SoakCounts(
            created.get(), deleted.get(), evictions.get(), check.retries(), unanswered.get());
    if (counts.existing() > FILLERS + MOST_SECONDS * Math.max(1, perSecond)) {
      throw new SoakException(
          "%,d Workloads and Jobs have not finished: this machine does not keep up with %s a second"
              .formatted(counts.existing(), perSecond));
    }
    return counts;
  }

  /** Lets a user do this after a time; {@link #counts} throws what it failed with. */
  private Act<Boolean> after(Duration delay, Actors.Task action) {
    return users.after(
        delay,
        () -> {
          try {
            action.run();
          } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
          }
        });
  }

  /** Repeats a write that isn't answered, as where the machine is busy with other work. */
  private void insist(Runnable write) throws InterruptedException {
    for (boolean repeated = false; ; repeated = true) {
      try {
        write.run();
        return;
      } catch (KubernetesApiException.Unreachable
          | KubernetesApiException.ServerFailure
          | KubernetesApiException.TooManyRequests e) {
        unanswered.incrementAndGet();
        pause(AGAIN.toNanos());
      } catch (KubernetesApiException.AlreadyExists | KubernetesApiException.Invalid e) {
        if (!repeated) {
          throw e;
        }
        return; // The first one was carried out.
      }
    }
  }

  private static void pause(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos));
  }

  /** From here on it is waited for. */
  private SoakArrival register(SoakArrival arrival) {
    progress.put(arrival.name(), new Tracked(arrival));
    created.incrementAndGet();
    return arrival;
  }

  private void create(SoakArrival arrival) throws InterruptedException {
    if (arrival.kind() == SoakArrival.Kind.JOB) {
      insist(() -> api.create(CoreTypes.JOB, SoakObjects.job(arrival)));
    } else {
      insist(() -> api.create(KueueTypes.WORKLOAD, SoakObjects.workload(arrival)));
    }
  }

  private void changed(Change<Workload> change) {
    Workload workload = change.object();
    String name = ownerOrSelf(workload);
    Tracked known = progress.get(name);
    if (known == null || change instanceof Change.Deleted) {
      return;
    }
    WorkloadConditions conditions = workload.conditions();
    synchronized (known) {
      if (known.ended) {
        return;
      }
      if (conditions.finished()) {
        known.ended = true;
        after(KEPT, () -> delete(known.arrival));
      } else if (known.arrival.kind() != SoakArrival.Kind.JOB) {
        follow(known, conditions.admitted() && !conditions.evicted());
      }
    }
  }

  private void follow(Tracked known, boolean runs) {
    if (runs && known.end == null) {
      known.end = after(known.arrival.kind().runtime, () -> end(known));
    } else if (!runs && known.end != null) {
      known.end.cancel();
      known.end = null;
      evictions.incrementAndGet();
    }
  }

  private static String ownerOrSelf(Workload workload) {
    List<V1OwnerReference> owners = workload.metadata().getOwnerReferences();
    return owners == null || owners.isEmpty() ? workload.key().name() : owners.getFirst().getName();
  }

  private void end(Tracked known) throws InterruptedException {
    if (!claim(known)) {
      return;
    }
    insist(
        () ->
            api.patchStatus(
                KueueTypes.WORKLOAD,
                SoakObjects.key(known.arrival),
                FinishedPatch.at(clock.instant())));
    after(KEPT, () -> delete(known.arrival));
  }

  private void delete(SoakArrival arrival) throws InterruptedException {
    insist(
        () ->
            api.delete(
                arrival.kind() == SoakArrival.Kind.JOB ? CoreTypes.JOB : KueueTypes.WORKLOAD,
                SoakObjects.key(arrival),
                DeleteOptions.background()));
    progress.remove(arrival.name());
    deleted.incrementAndGet();
    if (arrival.kind() == SoakArrival.Kind.FILLER && !stopped) {
      create(register(SoakArrival.filler(number.incrementAndGet())));
    }
  }

  @Override
  public void close() {
    try {
      users.close();
    } finally {
      informers.close();
      world.close();
      check.close();
      connection.close();
    }
  }
}
