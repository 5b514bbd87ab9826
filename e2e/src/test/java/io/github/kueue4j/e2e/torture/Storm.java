// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.observer.Audit;
import io.github.kueue4j.e2e.observer.Authors;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.e2e.observer.Outage;
import io.github.kueue4j.e2e.observer.Recorder;
import io.github.kueue4j.runtime.ClusterConnection;
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
import org.jspecify.annotations.Nullable;

/**
 * A cluster under disturbances: one queue, naive checks and one of the SDK, a core that is killed.
 */
final class Storm implements AutoCloseable {
  static final List<String> NAIVE = List.of("naive-a", "naive-b");
  static final String CAREFUL = "careful";
  private static final String CAREFUL_CONTROLLER = "example.com/careful";
  private static final int DEACTIVATED_EVERY = 10;

  /** One replica that is always the same. */
  private static final String IDENTITY = "kueue-core-0";

  private static final Configuration CONFIGURATION =
      Configuration.parse(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          leaderElection: {leaderElect: true}
          health: {healthProbeBindAddress: "0"}
          metrics: {bindAddress: "0"}
          """);

  private final Setup setup;
  private final TimeSource time;
  private final Target target;
  private final Authors authors = new Authors();
  private final Deque<Runnable> open = new ArrayDeque<>();
  private final Map<String, Frame> unfinished = new ConcurrentHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final List<Outage> outages = new ArrayList<>();
  private final KubernetesApi api;
  private final Recorder recorder;
  private final Crowd crowd;
  private final Random random;
  private volatile CountDownLatch round = new CountDownLatch(0);
  private @Nullable RunningCore core;
  private @Nullable Runnable careful;

  /**
   * What there is.
   *
   * @param quota CPUs; each Workload takes one or two
   * @param style of the naive checks
   * @param withSdk whether a third check is one of the SDK
   */
  record Setup(int quota, NaiveCheck.Style style, boolean withSdk, long seed) {
    List<String> checks() {
      return withSdk ? List.of(NAIVE.get(0), NAIVE.get(1), CAREFUL) : NAIVE;
    }
  }

  private Storm(Cluster cluster, TimeSource time, Setup setup) throws InterruptedException {
    this.setup = setup;
    this.time = time;
    this.target = Target.of(cluster.kubeconfig());
    this.random = new Random(setup.seed());
    this.api = connect("user").api();
    Definitions.installKueueUnconverted(api);
    TortureCluster.create(api, setup.quota(), NAIVE, time.instant());
    if (setup.withSdk()) {
      TortureCluster.check(api, CAREFUL, CAREFUL_CONTROLLER);
    }
    TortureCluster.setChecks(api, setup.checks());
    this.recorder = Recorder.start(connect("observer"), time, this::seen);
    open.push(recorder::close);
    this.crowd = Crowd.start(connect("crowd"), time, authors, setup.seed());
    open.push(crowd::close);
    for (String name : NAIVE) {
      NaiveCheck check =
          NaiveCheck.start(name, connect(name), time, authors, setup.style(), setup.seed());
      open.push(check::close);
    }
    if (setup.withSdk()) {
      startCareful();
    }
    startCore();
  }

  /** Starts everything; all components run when this returns. */
  static Storm start(Cluster cluster, TimeSource time, Setup setup) throws InterruptedException {
    return new Storm(cluster, time, setup);
  }

  private ClusterConnection connect(String component) {
    ClusterConnection connection = target.connect(component);
    open.push(connection::close);
    return connection;
  }

  /** Retries a third of the Workloads once or twice, and lets them through then. */
  private void startCareful() throws InterruptedException {
    ClusterConnection connection = target.connect(CAREFUL);
    CheckController controller =
        CheckController.builder(
                CAREFUL_CONTROLLER,
                CheckEnvironment.of(connection, time)
                    .withHosting(host -> host.gracePeriod(Duration.ofSeconds(2))))
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
    controller.start();
    careful =
        () -> {
          controller.close();
          connection.close();
        };
  }

  /** The SDK's controller ends and another one begins. */
  void restartCareful() throws InterruptedException {
    stopCareful();
    startCareful();
  }

  private void stopCareful() {
    Runnable stop = careful;
    careful = null;
    if (stop != null) {
      stop.run();
    }
  }

  private void seen(Frame frame) {
    if (frame.deleted()) {
      unfinished.remove(frame.uid());
    } else if (!frame.finished()) {
      unfinished.put(frame.uid(), frame);
    } else if (done.add(frame.uid())) {
      unfinished.remove(frame.uid());
      round.countDown();
    }
  }

  private void startCore() throws InterruptedException {
    RunningCore started = RunningCore.startAs(IDENTITY, target, CONFIGURATION, time);
    core = started;
    await().atMost(Duration.ofSeconds(60)).until(started::leading);
  }

  /** Kills the core in the middle of whatever it does, and starts it again. */
  void kill() throws InterruptedException {
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
   * Creates Workloads, half of them behind Jobs, and waits until all have been admitted and have
   * finished.
   *
   * @param number of the round
   * @param killEvery real time between two kills of the core
   * @param patience real time for it all
   * @return whether they have finished within the patience
   */
  boolean round(int number, int workloads, Duration killEvery, Duration patience)
      throws InterruptedException {
    round = new CountDownLatch(workloads);
    long end = System.nanoTime() + patience.toNanos();
    for (int i = 0; i < workloads; i++) {
      String name = "r" + number + "-" + i;
      int cpus = 1 + random.nextInt(2);
      if (i % 2 == 1) {
        crowd.job(name, cpus);
        continue;
      }
      crowd.workload(name, cpus);
      if (i % DEACTIVATED_EVERY == 0) {
        deactivateLater(new ObjectKey(TortureCluster.NAMESPACE, name));
      }
    }
    while (!round.await(killEvery.toMillis(), TimeUnit.MILLISECONDS)) {
      if (System.nanoTime() > end) {
        return false;
      }
      kill();
    }
    return true;
  }

  private void deactivateLater(ObjectKey workload) {
    Duration when = Duration.ofMillis(random.nextInt((int) setup.style().within().toMillis()));
    Duration pause = Duration.ofSeconds(1 + random.nextInt(10));
    time.after(when, () -> crowd.deactivate(workload, pause));
  }

  Crowd crowd() {
    return crowd;
  }

  KubernetesApi api() {
    return api;
  }

  /** The newest version of every Workload that hasn't finished. */
  List<Frame> unfinished() {
    return List.copyOf(unfinished.values());
  }

  int kills() {
    return outages.size();
  }

  List<Frame> frames() {
    return recorder.frames();
  }

  /** Audits all frames so far against the promises, with only users and checks as other writers. */
  Audit audit() {
    return new Audit(
        authors, Set.of(CAREFUL), outages, setup.quota(), Set.copyOf(setup.checks()), true);
  }

  /** The same where administrators changed things; these checks were asked for all the time. */
  Audit auditWith(List<String> alwaysRequired) {
    return new Audit(
        authors, Set.of(CAREFUL), outages, setup.quota(), Set.copyOf(alwaysRequired), false);
  }

  @Override
  public void close() {
    RunningCore running = core;
    core = null;
    if (running != null) {
      running.close();
    }
    stopCareful();
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }
}
