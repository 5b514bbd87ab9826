// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.e2e.observer.Audit;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Carries out a script in a {@link Storm}. */
final class Play {
  /** The most that the quota ever is: room for everything in turn. */
  static final int QUOTA = 4;

  /** Real time; a step lets some seconds pass, ten times as fast. */
  private static final Duration PATIENCE = Patience.LIMIT;

  private final Storm storm;
  private final TimeSource time;
  private final Faults faults;
  private final Random random;
  private final List<Thing> things = new ArrayList<>();

  /** What a user has created. */
  private record Thing(String name, boolean behindJob) {
    ObjectKey key() {
      return new ObjectKey(TortureCluster.NAMESPACE, name);
    }
  }

  Play(Storm storm, TimeSource time, Faults faults, long seed) {
    this.storm = storm;
    this.time = time;
    this.faults = faults;
    this.random = new Random(seed);
  }

  void play(Step step) throws InterruptedException {
    KubernetesApi api = storm.api();
    switch (step) {
      case Step.Create create -> create(create);
      case Step.Activate activate ->
          workload(activate.which())
              .ifPresent(key -> storm.crowd().activate(key, activate.active()));
      case Step.Delete delete -> delete(api, delete.which());
      case Step.Prioritize prioritize ->
          workload(prioritize.which())
              .ifPresent(key -> storm.crowd().prioritize(key, prioritize.priority()));
      case Step.Stop stop -> TortureCluster.setStopPolicy(api, stop.policy());
      case Step.Quota quota -> TortureCluster.setQuota(api, quota.cpus());
      case Step.Ask ask ->
          TortureCluster.setChecks(
              api,
              ask.both()
                  ? List.of(Storm.NAIVE.get(0), Storm.NAIVE.get(1), Storm.CAREFUL)
                  : List.of(Storm.NAIVE.get(0), Storm.CAREFUL));
      case Step.Kill kill -> storm.kill();
      case Step.Restart restart -> storm.restartCareful();
      case Step.Disturb disturb -> {
        Fault fault = disturb.trouble().begin(faults, random);
        time.after(disturb.duration(), fault::close);
      }
      case Step.Pass pass -> pass(pass.duration());
    }
  }

  private void create(Step.Create create) {
    Thing thing = new Thing("w" + things.size(), create.behindJob());
    things.add(thing);
    if (create.behindJob()) {
      storm.crowd().job(thing.name(), create.cpus());
    } else {
      storm.crowd().workload(thing.name(), create.cpus());
    }
  }

  private void delete(KubernetesApi api, int which) {
    if (things.isEmpty()) {
      return;
    }
    Thing thing = things.get(which % things.size());
    api.delete(
        thing.behindJob() ? CoreTypes.JOB : KueueTypes.WORKLOAD,
        thing.key(),
        DeleteOptions.background());
  }

  private Optional<ObjectKey> workload(int which) {
    if (things.isEmpty()) {
      return Optional.empty();
    }
    Thing thing = things.get(which % things.size());
    if (!thing.behindJob()) {
      return Optional.of(thing.key());
    }
    return storm.unfinished().stream()
        .map(Frame::key)
        .filter(key -> key.name().startsWith("job-" + thing.name() + "-"))
        .findFirst();
  }

  private void pass(Duration duration) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    time.after(duration, over::countDown);
    if (!over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError(
          "%s haven't passed within %s of real time".formatted(duration, PATIENCE));
    }
  }

  /** Ends all disturbances: queues run, everything is active, and the largest Workload fits. */
  void makePeace() {
    faults.clear();
    KubernetesApi api = storm.api();
    TortureCluster.setStopPolicy(api, StopPolicy.NONE);
    TortureCluster.setQuota(api, QUOTA);
    reactivate();
  }

  private void reactivate() {
    storm
        .api()
        .list(KueueTypes.WORKLOAD, ListOptions.inNamespace(TortureCluster.NAMESPACE))
        .items()
        .forEach(
            workload -> {
              if (!workload.spec().active()) {
                storm.crowd().activate(ObjectKey.of(workload), true);
              }
            });
  }

  /** The Workloads that haven't finished although they could; empty if all is well. */
  List<String> unfinished() {
    try {
      List<Workload> workloads =
          storm
              .api()
              .list(KueueTypes.WORKLOAD, ListOptions.inNamespace(TortureCluster.NAMESPACE))
              .items();
      List<String> left = new ArrayList<>();
      storm
          .api()
          .list(CoreTypes.JOB, ListOptions.inNamespace(TortureCluster.NAMESPACE))
          .items()
          .stream()
          .filter(job -> !PlayedJobController.ended(job))
          .forEach(job -> left.add("Job " + job.getMetadata().getName()));
      workloads.stream()
          .map(Frame::of)
          .filter(frame -> !frame.finished())
          .forEach(frame -> left.add(frame.brief()));
      return left;
    } catch (KubernetesApiException.Unreachable e) {
      return List.of(e.getMessage());
    }
  }

  Audit audit() {
    return storm.auditWith(List.of(Storm.NAIVE.getFirst(), Storm.CAREFUL));
  }
}
