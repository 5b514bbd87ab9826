// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Applies manifests and follows them through the API until every Job with a queue has finished.
 * Everything that it shows comes from the API alone.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Demo {
  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";
  private static final Duration REFRESH = Duration.ofMillis(200);

  /** For one decision of the core, in real time; it takes that long only on a busy machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Playground playground;
  private final TimeSource time;
  private final Screen screen;
  private final Chaos chaos;
  private final Story story;
  private final History history = new History();

  /**
   * When the core is killed and when it comes back, by the simulated clock from the start on; both
   * zero for never.
   */
  record Chaos(Duration kill, Duration restart) {
    static final Chaos NONE = new Chaos(Duration.ZERO, Duration.ZERO);

    boolean happens() {
      return !restart.isZero();
    }
  }

  Demo(Playground playground, TimeSource time, Screen screen, Chaos chaos, Story story) {
    this.playground = playground;
    this.time = time;
    this.screen = screen;
    this.chaos = chaos;
    this.story = story;
  }

  /**
   * Runs.
   *
   * @param submitted called once everything has been created, and each group of pods decided about
   * @param limit the longest that it may take, in real time
   * @param cancelled whether to give up
   * @return what happened
   * @throws InterruptedException if the thread is interrupted
   */
  Summary run(Manifests manifests, Runnable submitted, Duration limit, BooleanSupplier cancelled)
      throws InterruptedException {
    Instant begin = time.instant();
    long realBegin = System.nanoTime();
    try (ClusterConnection connection = playground.target().connect("demo");
        Informers informers = Informers.on(connection)) {
      Informer<Workload> workloads = informers.of(KueueTypes.WORKLOAD).register();
      Informer<V1Job> jobs = informers.of(CoreTypes.JOB).register();
      workloads.onChange(
          change -> {
            history.saw(change.object());
            story.saw(change.object());
          });
      informers.start();
      informers.awaitSynced(PATIENCE);
      manifests.createIn(
          connection.api(),
          manifest -> {
            if (manifest.type().equals(CoreTypes.POD)) {
              return; // A group is decided about when its last pod has come: see below.
            }
            if (hasQueue(manifest)) {
              awaitFirstDecision(Queued.of(manifest), workloads);
            } else if (manifest.type().equals(CoreTypes.JOB)) {
              awaitStarted(ObjectKey.of(manifest.object()), jobs);
            }
          });
      Set<Queued> expected = withQueue(manifests);
      // Before time is wound: the RayJob, which has the quota, ends 1.7 s later.
      expected.stream()
          .filter(job -> job.kind().equals(CoreTypes.POD.kind()))
          .forEach(group -> awaitFirstDecision(group, workloads));
      submitted.run();
      follow(begin, realBegin, limit, cancelled, workloads, () -> done(expected, workloads));
      return new Summary(
          expected.stream()
              .filter(job -> !job.succeeded(workloads))
              .map(Queued::key)
              .sorted()
              .toList(),
          expected.size(),
          story,
          history,
          Traffic.of(playground.requests()),
          Duration.between(begin, time.instant()),
          Duration.ofNanos(System.nanoTime() - realBegin));
    }
  }

  private void follow(
      Instant begin,
      long realBegin,
      Duration limit,
      BooleanSupplier cancelled,
      Informer<Workload> workloads,
      BooleanSupplier done)
      throws InterruptedException {
    BlockingQueue<Boolean> changes = new LinkedBlockingQueue<>();
    Informer.Registration registration = workloads.onChange(change -> changes.add(true));
    try {
      Duration killed = null;
      boolean restarted = false;
      while (!done.getAsBoolean()
          && !cancelled.getAsBoolean()
          && System.nanoTime() - realBegin < limit.toNanos()) {
        show(workloads);
        Duration elapsed = Duration.between(begin, time.instant());
        if (chaos.happens() && killed == null && elapsed.compareTo(chaos.kill()) >= 0) {
          playground.crashCore();
          killed = elapsed;
          screen.note(time.instant(), "chaos: the core was killed");
        } else if (killed != null && !restarted && elapsed.compareTo(chaos.restart()) >= 0) {
          playground.startCore();
          restarted = true;
          screen.note(time.instant(), "chaos: the core is back, with nothing but the API");
        }
        changes.poll(REFRESH.toMillis(), TimeUnit.MILLISECONDS);
        changes.clear();
      }
      show(workloads);
    } finally {
      registration.close();
    }
  }

  private void show(Informer<Workload> workloads) {
    Instant now = time.instant();
    story.news().forEach(step -> screen.note(now, step));
    screen.show(now, lines(workloads));
  }

  private static List<WorkloadLine> lines(Informer<Workload> workloads) {
    return workloads.list().stream()
        .map(WorkloadLine::of)
        .sorted(Comparator.comparing(WorkloadLine::name))
        .toList();
  }

  /**
   * Waits for the objects that were there before the queues: a Job without a queue starts first.
   */
  private static void awaitStarted(ObjectKey key, Informer<V1Job> jobs) {
    await(
        jobs,
        () -> jobs.get(key).filter(Demo::isActive).isPresent(),
        "Job " + key + " did not start: is there a node for it?");
  }

  /**
   * Waits for the first decision, since the first to come is served first: Jobs that are created at
   * once come in any order, and so do the answers of a check for those that have quota.
   */
  private static void awaitFirstDecision(Queued job, Informer<Workload> workloads) {
    await(
        workloads,
        () -> job.workloads(workloads).anyMatch(Demo::isDecided),
        job.kind()
            + ' '
            + job.key()
            + " has got neither quota nor a reason to wait: does the core run?");
  }

  private static boolean isDecided(Workload workload) {
    return !workload.status().conditions().isEmpty()
        && workload.status().admissionChecks().stream().allMatch(Demo::isAnswered);
  }

  /** A check that says why it is Pending has been asked, too. */
  private static boolean isAnswered(AdmissionCheckState check) {
    return !check.is(CheckState.PENDING) || !check.message().isEmpty();
  }

  private static <T extends KubernetesObject> void await(
      Informer<T> informer, BooleanSupplier condition, String otherwise) {
    CountDownLatch holds = new CountDownLatch(1);
    Informer.Registration registration =
        informer.onChange(
            change -> {
              if (condition.getAsBoolean()) {
                holds.countDown();
              }
            });
    try {
      if (condition.getAsBoolean()) {
        return;
      }
      if (!holds.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(otherwise);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting: " + otherwise, e);
    } finally {
      registration.close();
    }
  }

  private static boolean isActive(V1Job job) {
    V1JobStatus status = job.getStatus();
    return status != null && status.getActive() != null && status.getActive() > 0;
  }

  private static boolean hasQueue(Manifests.Manifest<?> manifest) {
    return Metadata.labels(manifest.object()).containsKey(QUEUE_NAME);
  }

  private static Set<Queued> withQueue(Manifests manifests) {
    return manifests.objects().stream()
        .filter(Demo::hasQueue)
        .map(Queued::of)
        .collect(Collectors.toSet());
  }

  /** All have ended, and the core has said so on their Workloads. */
  private static boolean done(Set<Queued> expected, Informer<Workload> workloads) {
    return expected.stream().allMatch(job -> job.succeeded(workloads))
        && workloads.list().stream().allMatch(workload -> workload.conditions().finished());
  }
}
