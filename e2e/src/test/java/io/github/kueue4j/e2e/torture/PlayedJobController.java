// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.world.JobProgress;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plays the Job controller and the kubelets: the pods of a Job come at once, go late when told to,
 * and succeed. Jobs say that they are {@linkplain #NAME managed by it}, so a cluster's own Job
 * controller leaves them alone (KEP-4368). Servers before 1.32 drop that: of those, only such may
 * be used that run no Jobs.
 */
public final class PlayedJobController implements AutoCloseable {
  /** What Jobs have as {@code spec.managedBy}. */
  public static final String NAME = "example.com/played";

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);
  private static final Duration LONGEST_RUN = Duration.ofSeconds(4);
  private static final Duration LATEST_STOP = Duration.ofSeconds(2);
  private static final int THREADS = 4;

  private final KubernetesApi api;
  private final TimeSource time;
  private final Pace pace;
  private final Actors actors = Actors.atMost(THREADS, "job-controller");
  private final Informers informers;
  private final Informer<V1Job> jobs;

  /** What is about to be done, so that a second look doesn't do it twice. */
  private final Set<Planned> planned = ConcurrentHashMap.newKeySet();

  /** How long it takes until all pods of a Job have ended; the Job is as it was then. */
  public interface Pace {
    /** From the start, if nothing stops them. */
    Duration run(V1Job job);

    /** From when they are told to. */
    Duration stop(V1Job job);
  }

  /** What becomes of a Job. */
  private enum Turn {
    START {
      @Override
      JobProgress of(JobProgress progress, int pods, Instant now) {
        return progress.resume(now).pods(pods, pods);
      }
    },
    STOP {
      @Override
      JobProgress of(JobProgress progress, int pods, Instant now) {
        return progress.suspend(now).pods(0, 0);
      }
    },
    COMPLETE {
      @Override
      JobProgress of(JobProgress progress, int pods, Instant now) {
        return progress.resume(now).ended(pods, 0).complete(now);
      }
    };

    abstract JobProgress of(JobProgress progress, int pods, Instant now);

    boolean isDue(V1Job job) {
      return !ended(job)
          && switch (this) {
            case START -> !suspended(job) && !runs(job);
            case STOP -> suspended(job) && runs(job);
            case COMPLETE -> !suspended(job) && runs(job);
          };
    }
  }

  private record Planned(ObjectKey job, Turn turn) {}

  private PlayedJobController(
      ClusterConnection connection, TimeSource time, String namespace, Pace pace) {
    this.api = connection.api();
    this.time = time;
    this.pace = pace;
    this.informers = Informers.on(connection);
    this.jobs = informers.of(CoreTypes.JOB).inNamespace(namespace).register();
  }

  static PlayedJobController start(ClusterConnection connection, TimeSource time, Dice dice)
      throws InterruptedException {
    return start(
        connection,
        time,
        TortureCluster.NAMESPACE,
        new Pace() {
          @Override
          public Duration run(V1Job job) {
            return dice.upTo(ObjectKey.of(job), LONGEST_RUN);
          }

          @Override
          public Duration stop(V1Job job) {
            return dice.upTo(ObjectKey.of(job), LATEST_STOP);
          }
        });
  }

  /** Starts it for the Jobs of a namespace. */
  public static PlayedJobController start(
      ClusterConnection connection, TimeSource time, String namespace, Pace pace)
      throws InterruptedException {
    PlayedJobController controller = new PlayedJobController(connection, time, namespace, pace);
    controller.jobs.onChange(change -> controller.look(change.key()));
    controller.informers.start();
    controller.informers.awaitSynced(Patience.LIMIT);
    return controller;
  }

  private void look(ObjectKey key) {
    jobs.get(key)
        .ifPresent(
            job -> {
              for (Turn turn : Turn.values()) {
                if (turn.isDue(job)) {
                  plan(new Planned(key, turn), job);
                }
              }
            });
  }

  private void plan(Planned plan, V1Job job) {
    if (planned.add(plan)) {
      switch (plan.turn()) {
        case START -> begin(plan);
        case STOP -> time.after(pace.stop(job), () -> begin(plan));
        case COMPLETE -> time.after(pace.run(job), () -> begin(plan));
      }
    }
  }

  private void begin(Planned plan) {
    actors.start(
        () -> {
          planned.remove(plan);
          carryOut(plan);
        });
  }

  private void carryOut(Planned plan) {
    try {
      V1Job job = api.get(CoreTypes.JOB, plan.job()).filter(plan.turn()::isDue).orElse(null);
      if (job != null) {
        V1Job after = plan.turn().of(JobProgress.of(job), pods(job), time.instant()).in(job);
        api.patchStatus(CoreTypes.JOB, GuardedPatch.ofStatus(job, after));
      }
    } catch (KubernetesApiException.Conflict changed) {
      time.after(TRY_AGAIN, () -> actors.start(() -> look(plan.job())));
    } catch (KubernetesApiException.NotFound gone) {
      return;
    }
  }

  private static boolean suspended(V1Job job) {
    V1JobSpec spec = job.getSpec();
    return spec != null && Boolean.TRUE.equals(spec.getSuspend());
  }

  private static boolean runs(V1Job job) {
    V1JobStatus status = job.getStatus();
    return status != null && Objects.requireNonNullElse(status.getActive(), 0) > 0;
  }

  private static int pods(V1Job job) {
    V1JobSpec spec = job.getSpec();
    return spec == null ? 1 : Objects.requireNonNullElse(spec.getParallelism(), 1);
  }

  /** Whether the Job has ended. */
  public static boolean ended(V1Job job) {
    return JobProgress.of(job).hasEnded();
  }

  /** Throws what it has failed with so far. */
  public void throwIfFailed() {
    actors.throwIfFailed();
  }

  @Override
  public void close() {
    try (informers) {
      actors.close();
    }
  }
}
