// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterState;
import io.github.kueue4j.e2e.observer.Audit;
import io.github.kueue4j.e2e.observer.Authors;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.e2e.observer.Outage;
import io.github.kueue4j.e2e.observer.Recorder;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Job;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster under disturbances: one queue, naive checks and one of the SDK, a core that is killed.
 */
public final class Storm implements AutoCloseable {
  public static final List<String> NAIVE = List.of("naive-a", "naive-b");
  public static final String CAREFUL = CarefulCheck.NAME;
  private static final int DEACTIVATED_EVERY = 10;

  /** How often a round looks whether a player has failed; it sees its end at once. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  /** One replica that is always the same. */
  private static final String IDENTITY = "kueue-core-0";

  public static final Configuration CONFIGURATION =
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
  private final Cast cast;
  private final Authors authors = new Authors();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final List<Runnable> failures = new ArrayList<>();
  private final Map<String, Frame> unfinished = new ConcurrentHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final List<Outage> outages = new ArrayList<>();

  /** When those that were killed since had ended by themselves. */
  private final List<Outage> restarts = new ArrayList<>();

  private final KubernetesApi api;
  private final Recorder recorder;
  private final Crowd crowd;
  private final Random random;
  private volatile CountDownLatch round = new CountDownLatch(0);
  private int created;
  private @Nullable Part core;
  private @Nullable Part careful;

  /** A component that can be killed, and started again. */
  public interface Part extends AutoCloseable {
    /** Ends it in the middle of whatever it does. */
    void kill();

    /** When it didn't work because it had ended by itself, so far. */
    default List<Outage> outages() {
      return List.of();
    }

    /** Ends it in order. */
    @Override
    void close();
  }

  /** Starts a component; it works when this returns. */
  @FunctionalInterface
  public interface Entrance {
    Part start() throws InterruptedException;
  }

  /**
   * The clients of the server.
   *
   * @param world how users, naive checks and the observer reach it: nothing disturbs them
   * @param core starts the core, again after each kill
   * @param careful starts the check of the SDK, again after each kill
   */
  public record Cast(Target world, Entrance core, Entrance careful) {

    /** All in this process, by one clock. */
    public static Cast here(Target target, TimeSource time) {
      return new Cast(target, () -> coreHere(target, time), () -> CarefulCheck.start(target, time));
    }

    /** A core in this process, which goes by this clock. */
    public static Part coreHere(Target target, TimeSource time) throws InterruptedException {
      return SupervisedCore.start(IDENTITY, target, CONFIGURATION, time);
    }
  }

  /**
   * What there is.
   *
   * @param quota CPUs; each Workload takes one or two
   * @param style of the naive checks
   * @param withSdk whether a third check is one of the SDK
   */
  public record Setup(int quota, NaiveCheck.Style style, boolean withSdk, long seed) {
    List<String> checks() {
      return withSdk ? List.of(NAIVE.get(0), NAIVE.get(1), CAREFUL) : NAIVE;
    }
  }

  private Storm(Cast cast, TimeSource time, Setup setup) throws InterruptedException {
    this.setup = setup;
    this.time = time;
    this.cast = cast;
    this.random = new Random(setup.seed());
    try {
      this.api = connect("user").api();
      Definitions.installKueueUnconverted(api);
      TortureCluster.create(api, setup.quota(), NAIVE, time.instant());
      if (setup.withSdk()) {
        TortureCluster.check(api, CAREFUL, CarefulCheck.CONTROLLER);
      }
      TortureCluster.setChecks(api, setup.checks());
      this.recorder =
          Recorder.start(connect("observer"), time, TortureCluster.NAMESPACE, this::seen);
      open.push(recorder);
      Dice dice = new Dice(setup.seed());
      this.crowd = Crowd.start(connect("crowd"), time, authors, dice);
      player(crowd, crowd::throwIfFailed);
      PlayedJobController jobs = PlayedJobController.start(connect("job-controller"), time, dice);
      player(jobs, jobs::throwIfFailed);
      for (String name : NAIVE) {
        NaiveCheck check =
            NaiveCheck.start(name, connect(name), time, authors, setup.style(), setup.seed());
        player(check, check::throwIfFailed);
      }
      if (setup.withSdk()) {
        careful = cast.careful().start();
      }
      core = cast.core().start();
    } catch (RuntimeException | InterruptedException | AssertionError e) {
      close();
      throw e;
    }
  }

  /** Starts everything; all components run when this returns. */
  static Storm start(Cluster cluster, TimeSource time, Setup setup) throws InterruptedException {
    return start(Cast.here(Target.of(cluster.kubeconfig()), time), time, setup);
  }

  /** Starts everything with these clients. */
  public static Storm start(Cast cast, TimeSource time, Setup setup) throws InterruptedException {
    return new Storm(cast, time, setup);
  }

  /** Takes part until the end; what it fails with fails the round. */
  private void player(AutoCloseable player, Runnable throwIfFailed) {
    open.push(player);
    failures.add(throwIfFailed);
  }

  private ClusterConnection connect(String component) {
    ClusterConnection connection = cast.world().connect(component);
    open.push(connection);
    return connection;
  }

  /** The SDK's controller ends and another one begins. */
  void restartCareful() throws InterruptedException {
    endCareful(Part::close);
    careful = cast.careful().start();
  }

  /** Kills the SDK's controller in the middle of whatever it does, and starts it again. */
  public void killCareful() throws InterruptedException {
    endCareful(Part::kill);
    careful = cast.careful().start();
  }

  private void endCareful(Consumer<Part> how) {
    Part running = careful;
    careful = null;
    if (running != null) {
      how.accept(running);
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

  /** Kills the core in the middle of whatever it does, and starts it again. */
  public void kill() throws InterruptedException {
    Instant from = time.instant();
    endCore(Part::kill);
    core = cast.core().start();
    outages.add(new Outage(from, time.instant()));
  }

  private void endCore(Consumer<Part> how) {
    Part running = core;
    core = null;
    if (running != null) {
      how.accept(running);
      restarts.addAll(running.outages());
    }
  }

  /** No core worked from then till then. */
  public void outage(Instant from, Instant to) {
    outages.add(new Outage(from, to));
  }

  /**
   * Creates Workloads, half of them behind Jobs, and waits until all have been admitted and have
   * finished.
   *
   * @param number of the round
   * @param killEvery real time between two kills of the core
   * @param patience real time for it all
   * @throws AssertionError if they haven't finished within the patience, with what stands how; or
   *     if a player has failed
   */
  void round(int number, int workloads, Duration killEvery, Duration patience)
      throws InterruptedException {
    round = new CountDownLatch(workloads);
    long end = System.nanoTime() + patience.toNanos();
    create(number, workloads);
    long nextKill = System.nanoTime() + killEvery.toNanos();
    while (!round.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
      failures.forEach(Runnable::run);
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "round %d hasn't finished within %s: %s".formatted(number, patience, standing()));
      }
      if (System.nanoTime() > nextKill) {
        kill();
        nextKill = System.nanoTime() + killEvery.toNanos();
      }
    }
  }

  /**
   * Creates Workloads, half of them behind Jobs.
   *
   * @param number of the round
   */
  public void create(int number, int workloads) {
    created += workloads;
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
  }

  /** Whether all Workloads have finished, and all Jobs behind them are complete. */
  public boolean finished() {
    return done.size() == created && jobs().stream().allMatch(PlayedJobController::ended);
  }

  /** How much has finished, and how everything stands. */
  private String standing() {
    return "%d of %d Workloads have finished%n%s"
        .formatted(done.size(), created, ClusterState.of(api));
  }

  private List<V1Job> jobs() {
    return api.list(CoreTypes.JOB, ListOptions.inNamespace(TortureCluster.NAMESPACE)).items();
  }

  private void deactivateLater(ObjectKey workload) {
    Duration when = Duration.ofMillis(random.nextInt((int) setup.style().within().toMillis()));
    Duration pause = Duration.ofSeconds(1 + random.nextInt(10));
    time.after(when, () -> crowd.deactivate(workload, pause));
  }

  Crowd crowd() {
    return crowd;
  }

  public KubernetesApi api() {
    return api;
  }

  /** The newest version of every Workload that hasn't finished. */
  public List<Frame> unfinished() {
    return List.copyOf(unfinished.values());
  }

  public int kills() {
    return outages.size();
  }

  public List<Frame> frames() {
    return recorder.frames();
  }

  /** Audits all frames so far against the promises, with only users and checks as other writers. */
  public Audit audit() {
    return new Audit(
        authors, Set.of(CAREFUL), allOutages(), setup.quota(), Set.copyOf(setup.checks()), true);
  }

  private List<Outage> allOutages() {
    List<Outage> all = new ArrayList<>(outages);
    all.addAll(restarts);
    Part running = core;
    if (running != null) {
      all.addAll(running.outages());
    }
    return all;
  }

  /** The same where administrators changed things; these checks were asked for all the time. */
  Audit auditWith(List<String> alwaysRequired) {
    return new Audit(
        authors, Set.of(CAREFUL), allOutages(), setup.quota(), Set.copyOf(alwaysRequired), false);
  }

  /** Closes everything, whatever fails on the way. */
  @Override
  public void close() {
    open.push(() -> endCareful(Part::close));
    open.push(() -> endCore(Part::close));
    List<Throwable> failures = new ArrayList<>();
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception | AssertionError e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      AssertionError error =
          new AssertionError("cannot close a part of the storm", failures.getFirst());
      failures.stream().skip(1).forEach(error::addSuppressed);
      throw error;
    }
  }
}
