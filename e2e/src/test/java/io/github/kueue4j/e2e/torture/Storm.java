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
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStatus;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.assembly.RunningCore;
import io.github.kueue4j.e2e.assembly.Target;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.objects.Definitions;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.observer.Audit;
import io.github.kueue4j.e2e.observer.Authors;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.e2e.observer.Outage;
import io.github.kueue4j.e2e.observer.Recorder;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster in bad weather: one queue, two naive checks and one of the SDK, a core that dies. */
final class Storm implements AutoCloseable {
  private static final List<String> NAIVE = List.of("naive-a", "naive-b");
  private static final String SDK = "careful";
  private static final int DEACTIVATED_EVERY = 10;

  private final Size size;
  private final TimeSource time;
  private final Target target;
  private final Authors authors = new Authors();
  private final Deque<Runnable> open = new ArrayDeque<>();
  private final Map<String, Frame> unfinished = new ConcurrentHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final List<Outage> outages = new ArrayList<>();
  private final Recorder recorder;
  private final Crowd crowd;
  private final Random random;
  private volatile CountDownLatch round = new CountDownLatch(0);
  private @Nullable RunningCore core;

  /**
   * How bad.
   *
   * @param workloads per round
   * @param quota CPUs; each Workload takes one or two
   * @param killEvery real time between two kills of the core
   * @param patience real time for a round
   */
  record Size(
      int workloads,
      int quota,
      NaiveCheck.Style style,
      Duration killEvery,
      Duration patience,
      long seed) {}

  private Storm(Cluster cluster, TimeSource time, Size size) throws InterruptedException {
    this.size = size;
    this.time = time;
    this.target = Target.of(cluster.kubeconfig());
    this.random = new Random(size.seed());
    ClusterConnection user = connect("user");
    prepare(user.api());
    this.recorder = Recorder.start(connect("observer"), time, this::seen);
    open.push(recorder::close);
    this.crowd = Crowd.start(connect("user"), time, authors, size.seed());
    open.push(crowd::close);
    for (String name : NAIVE) {
      NaiveCheck check =
          NaiveCheck.start(name, connect(name), time, authors, size.style(), size.seed());
      open.push(check::close);
    }
    CheckController careful = careful(connect("careful-check"));
    careful.start();
    open.push(careful::close);
    startCore();
  }

  static Storm start(Cluster cluster, TimeSource time, Size size) throws InterruptedException {
    return new Storm(cluster, time, size);
  }

  private ClusterConnection connect(String component) {
    ClusterConnection connection = target.connect(component);
    open.push(connection::close);
    return connection;
  }

  private void prepare(KubernetesApi api) {
    Definitions.installKueue(api);
    String checks =
        Stream.concat(NAIVE.stream(), Stream.of(SDK))
            .map(name -> "{name: " + name + "}")
            .collect(Collectors.joining(", "));
    NAIVE.forEach(name -> check(api, name));
    Manifests.parse(
            """
            {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}
            ---
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: %4$s}
            spec: {controllerName: example.com/careful}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: main}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: default, resources: [{name: cpu, nominalQuota: %2$d}]}]
              admissionChecksStrategy: {admissionChecks: [%3$s]}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: main, namespace: %1$s}
            spec: {clusterQueue: main}
            """
                .formatted(Crowd.NAMESPACE, size.quota(), checks, SDK))
        .createIn(api);
  }

  private void check(KubernetesApi api, String name) {
    Manifests.parse(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: %s}
            spec: {controllerName: example.com/naive}
            """
                .formatted(name))
        .createIn(api);
    AdmissionCheck check =
        api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)).orElseThrow();
    api.patchStatus(
        KueueTypes.ADMISSION_CHECK,
        GuardedPatch.ofStatus(
            check,
            check.withStatus(
                new AdmissionCheckStatus(
                    List.of(Condition.isTrue("Active", "Active", "It runs", time.instant()))))));
  }

  /** Retries a third of the Workloads once or twice, and lets them through then. */
  private CheckController careful(ClusterConnection connection) {
    return CheckController.builder("example.com/careful", CheckEnvironment.of(connection, time))
        .check(
            evaluation -> {
              int hash = Math.floorMod(evaluation.key().hashCode(), 6);
              return evaluation.attempt() < hash - 3
                  ? Verdict.retry(
                      Reason.of("NotYet"),
                      "Not yet.",
                      hash == 5 ? Delay.none() : Delay.exactly(Duration.ofSeconds(hash)))
                  : Verdict.ready("Now.");
            })
        .build();
  }

  private void seen(Frame frame) {
    if (frame.deleted()) {
      return;
    }
    if (!frame.finished()) {
      unfinished.put(frame.uid(), frame);
    } else if (done.add(frame.uid())) {
      unfinished.remove(frame.uid());
      round.countDown();
    }
  }

  private void startCore() throws InterruptedException {
    core = RunningCore.start(target, Playground.quietConfiguration(), time);
  }

  private void kill() throws InterruptedException {
    Instant from = time.instant();
    RunningCore killed = core;
    core = null;
    if (killed != null) {
      killed.crash();
    }
    startCore();
    outages.add(new Outage(from, time.instant()));
  }

  /**
   * Creates this round's Workloads and waits until all have been admitted and have finished.
   *
   * @return whether they have, within the patience
   */
  boolean round(int number) throws InterruptedException {
    round = new CountDownLatch(size.workloads());
    long end = System.nanoTime() + size.patience().toNanos();
    for (int i = 0; i < size.workloads(); i++) {
      String name = "r" + number + "-" + i;
      int cpus = 1 + random.nextInt(2);
      if (i % 2 == 0) {
        crowd.workload(name, cpus);
        if (i % DEACTIVATED_EVERY == 0) {
          deactivateLater(new ObjectKey(Crowd.NAMESPACE, name));
        }
      } else {
        crowd.job(name, cpus);
      }
    }
    while (!round.await(size.killEvery().toMillis(), TimeUnit.MILLISECONDS)) {
      if (System.nanoTime() > end) {
        return false;
      }
      kill();
    }
    return true;
  }

  private void deactivateLater(ObjectKey workload) {
    Duration when = Duration.ofMillis(random.nextInt((int) size.style().within().toMillis()));
    Duration pause = Duration.ofSeconds(1 + random.nextInt(10));
    time.after(when, () -> crowd.deactivate(workload, pause));
  }

  /** The newest version of every Workload that hasn't finished. */
  List<String> unfinished() {
    return unfinished.values().stream().map(Frame::brief).toList();
  }

  int kills() {
    return outages.size();
  }

  Report audit() {
    return new Audit(authors, Set.of(SDK), outages, size.quota()).of(recorder.frames());
  }

  @Override
  public void close() {
    RunningCore running = core;
    core = null;
    if (running != null) {
      running.close();
    }
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }
}
