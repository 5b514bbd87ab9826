// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.informer.InformerHealth;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.lease.LeaseElector;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The single run of a host: starts its parts in order and stops them in reverse order. */
final class HostRun {

  private enum Phase {
    NEW,
    STARTING,
    STANDBY,
    LEADING,
    STOPPING,
    STOPPED
  }

  private static final Logger log = LoggerFactory.getLogger(HostRun.class);

  private final ControllerHost.Builder spec;
  private final CountDownLatch terminated = new CountDownLatch(1);

  /** Held while controllers are started, so that they are never started after a stop. */
  private final Object controllersLock = new Object();

  // All guarded by this object's monitor.
  private Phase phase = Phase.NEW;
  private final List<Runnable> ends = new ArrayList<>(); // Of gauges and HTTP servers.
  private @Nullable ProbeServer probes;
  private @Nullable ProbeServer meters; // May be the same server.
  private @Nullable LeaseElector elector;
  private boolean lostLease;

  HostRun(ControllerHost.Builder spec) {
    this.spec = spec;
    if (spec.election != null) {
      spec.leaseGuard.require(() -> false); // Until it has been acquired.
    }
    spec.controllers.forEach(
        controller ->
            controller.prepare(
                spec.time, spec.meters, spec.connection.fatalErrors(), spec.connection.threads()));
  }

  void start() throws InterruptedException {
    enter(Phase.NEW, Phase.STARTING);
    try {
      serve();
      registerGauges();
      spec.informers.forEach(Informers::start);
      for (Informers group : spec.informers) {
        group.awaitSynced(spec.syncTimeout);
      }
      lead();
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private ProbeServer probesOn(HttpAddress health) {
    @Nullable ProbePort taken = spec.probePort;
    return ProbeServer.on(
        taken != null && taken.address().equals(health) ? taken : ProbePort.take(health),
        spec.connection.wireTime(),
        spec.connection.fatalErrors());
  }

  /** Opens the HTTP servers: one if health and metrics have the same address. */
  private void serve() {
    @Nullable HttpAddress health = spec.health;
    @Nullable HttpAddress metrics = spec.metrics;
    if (health != null) {
      boolean both = health.equals(metrics);
      var server = probesOn(health);
      server.liveness(spec.livenessPath, this::livenessProblems, this::readinessProblems);
      server.probe(spec.readinessPath, this::readinessProblems);
      if (both) {
        server.metrics(spec.meters);
        metrics = null;
      }
      serve(server);
      synchronized (this) {
        probes = server;
        meters = both ? server : null;
      }
    }
    if (metrics != null) {
      var server =
          ProbeServer.on(metrics, spec.connection.wireTime(), spec.connection.fatalErrors());
      server.metrics(spec.meters);
      serve(server);
      synchronized (this) {
        meters = server;
      }
    }
    ControllerHost.Builder.@Nullable SecureMetrics secure = spec.secureMetrics;
    if (secure != null) {
      var server =
          ProbeServer.secure(
              secure.address(),
              secure.tls(),
              spec.connection.wireTime(),
              spec.connection.fatalErrors());
      server.metrics(spec.meters, secure.authorizer());
      serve(server);
      synchronized (this) {
        meters = server;
      }
    }
  }

  private void serve(ProbeServer server) {
    server.start();
    endWithHost(server::close);
  }

  /** Has a stop end what was begun; ends it now if the host is stopped while it starts. */
  private void endWithHost(Runnable end) {
    synchronized (this) {
      if (phase == Phase.STARTING) {
        ends.add(end);
        return;
      }
    }
    end.run();
    throw new IllegalStateException("the host was closed while it started");
  }

  private synchronized void enter(Phase from, Phase to) {
    if (phase != from) {
      throw new IllegalStateException(
          "the host is " + phase + " and can't go to " + to + ": build a new one");
    }
    phase = to;
  }

  private void registerGauges() {
    endWithHost(ProcessMeters.in(spec.meters));
    endWithHost(spec.connection.measureRequests(spec.meters));
    for (Informers group : spec.informers) {
      for (InformerHealth informer : group.health()) {
        String resource = informer.resource();
        endWithHost(
            SharedGauge.add(
                spec.meters,
                "kueue4j.informer.watching",
                Map.entry("resource", resource),
                Math::min,
                () -> watching(group, resource)));
        endWithHost(
            SharedGauge.add(
                spec.meters,
                "kueue4j.informer.served",
                Map.entry("resource", resource),
                Math::min,
                () -> allMatch(group, resource, InformerHealth::served) ? 1 : 0));
        endWithHost(
            SharedGauge.addSeconds(
                spec.meters,
                "kueue4j.informer.age",
                Map.entry("resource", resource),
                Math::max,
                () -> age(group, resource)));
        endWithHost(
            SharedGauge.add(
                spec.meters,
                "kueue4j.informer.unreadable.objects",
                Map.entry("resource", resource),
                Math::max,
                () -> unreadable(group, resource)));
      }
    }
    if (spec.election != null) {
      endWithHost(
          SharedGauge.add(
              spec.meters,
              "leader.election.master.status",
              Map.entry("name", spec.election.lease().name()),
              Math::max,
              () -> leading() ? 1 : 0));
    }
  }

  /**
   * The age of the resource's last event in seconds, of the oldest of its informers; NaN before the
   * first event.
   */
  private static double age(Informers group, String resource) {
    return group.health().stream()
        .filter(health -> health.resource().equals(resource))
        .map(InformerHealth::lastEventAge)
        .mapToDouble(age -> age == null ? Double.NaN : age.toMillis() / 1000.0)
        .max()
        .orElse(Double.NaN);
  }

  private static double unreadable(Informers group, String resource) {
    return group.health().stream()
        .filter(health -> health.resource().equals(resource))
        .mapToInt(InformerHealth::unreadable)
        .max()
        .orElse(0);
  }

  /** 1 while the watches of the resource are alive; NaN while the server doesn't serve it. */
  private static double watching(Informers group, String resource) {
    if (!allMatch(group, resource, InformerHealth::served)) {
      return Double.NaN;
    }
    return allMatch(group, resource, InformerHealth::watching) ? 1 : 0;
  }

  private static boolean allMatch(
      Informers group, String resource, Predicate<InformerHealth> expected) {
    return group.health().stream()
        .filter(health -> health.resource().equals(resource))
        .allMatch(expected);
  }

  /** Starts the controllers, at once or when this replica leads. */
  private void lead() {
    if (spec.election == null) {
      startControllers();
      return;
    }
    var competing =
        new LeaseElector(
            spec.connection,
            spec.election,
            new LeaseElector.Listener() {
              @Override
              public void acquired() {
                onOwnThread("leading", HostRun.this::startControllers);
              }

              @Override
              public void lost(String why, Duration left) {
                onOwnThread("lost-lease", () -> leadershipLost(why, left));
              }
            });
    spec.leaseGuard.require(competing::holdsLease);
    synchronized (this) {
      if (phase != Phase.STARTING) {
        return;
      }
      phase = Phase.STANDBY;
      elector = competing;
    }
    competing.start();
  }

  private void onOwnThread(String name, Runnable task) {
    spec.connection
        .threads()
        .lasting()
        .name("kueue4j-host-" + name)
        .uncaughtExceptionHandler(spec.connection.fatalErrors())
        .start(task);
  }

  private void startControllers() {
    synchronized (controllersLock) {
      synchronized (this) {
        if (phase != Phase.STARTING && phase != Phase.STANDBY) {
          return;
        }
        phase = Phase.LEADING;
      }
      spec.controllers.forEach(Controller::start);
    }
    log.atInfo().addKeyValue("controllers", spec.controllers.size()).log("Started the controllers");
    spec.onLeading.run();
  }

  /** Stops the host. Running reconciles get only the time until another replica may lead. */
  private void leadershipLost(String why, Duration left) {
    log.atError().addKeyValue("cause", why).log("Lost the lease; stopping the host");
    synchronized (this) {
      lostLease = true;
    }
    stop(left.compareTo(spec.grace) < 0 ? left : spec.grace, LeaseElector::close);
    spec.onLeadershipLost.run();
  }

  void close() {
    stop(spec.grace, LeaseElector::close);
  }

  void abandon() {
    stop(spec.grace, LeaseElector::abandon);
  }

  private void stop(Duration grace, Consumer<LeaseElector> end) {
    @Nullable LeaseElector competing;
    synchronized (this) {
      if (phase == Phase.STOPPING || phase == Phase.STOPPED) {
        return;
      }
      phase = Phase.STOPPING;
      competing = elector;
    }
    synchronized (controllersLock) {
      Controller.stop(spec.controllers, grace);
    }
    spec.recorders.forEach(EventRecorder::close);
    if (competing != null) {
      end.accept(competing);
    }
    spec.informers.forEach(Informers::close);
    ends.reversed().forEach(Runnable::run); // None is added after STARTING.
    synchronized (this) {
      phase = Phase.STOPPED;
    }
    terminated.countDown();
  }

  List<Informers> informers() {
    return spec.informers;
  }

  /** Whether no controller has a key to reconcile now. */
  boolean rests() {
    return spec.controllers.stream().allMatch(Controller::rests);
  }

  synchronized boolean leading() {
    return phase == Phase.LEADING;
  }

  synchronized boolean lostLease() {
    return lostLease;
  }

  void awaitTermination() throws InterruptedException {
    terminated.await();
  }

  synchronized int healthPort() {
    return probes == null ? -1 : probes.port();
  }

  synchronized int metricsPort() {
    return meters == null ? -1 : meters.port();
  }

  MeterRegistry meters() {
    return spec.meters;
  }

  List<String> livenessProblems() {
    List<String> problems = new ArrayList<>();
    for (Informers group : spec.informers) {
      // A failing informer is active, too; one without any activity for this long is stuck.
      Duration limit = group.silenceLimit().multipliedBy(3).plusMinutes(2);
      for (InformerHealth informer : group.health()) {
        if (current() != Phase.NEW && informer.lastActivityAge().compareTo(limit) > 0) {
          problems.add(
              "informer "
                  + informer.resource()
                  + " has had no activity for "
                  + informer.lastActivityAge().toSeconds()
                  + " s");
        }
      }
    }
    spec.liveness.forEach(each -> problems.addAll(each.get()));
    return problems;
  }

  List<String> readinessProblems() {
    List<String> problems = new ArrayList<>();
    Phase now = current();
    if (now != Phase.STANDBY && now != Phase.LEADING) {
      problems.add("the host is " + now);
    }
    for (Informers group : spec.informers) {
      group.health().forEach(informer -> readiness(group, informer, problems));
    }
    @Nullable LeaseElector competing;
    synchronized (this) {
      competing = elector;
    }
    if (competing != null) {
      competing.problem().ifPresent(problems::add);
    }
    spec.readiness.forEach(each -> problems.addAll(each.get()));
    return problems;
  }

  private static void readiness(Informers group, InformerHealth informer, List<String> problems) {
    String cause = informer.lastError() == null ? "" : ": " + informer.lastError();
    if (!informer.synced()) {
      problems.add("informer " + informer.resource() + " is not synced yet" + cause);
      return;
    }
    Duration age = informer.lastEventAge();
    if (!informer.watching() && age != null && age.compareTo(group.silenceLimit()) > 0) {
      problems.add(
          "informer " + informer.resource() + " is stale for " + age.toSeconds() + " s" + cause);
    }
  }

  private synchronized Phase current() {
    return phase;
  }
}
