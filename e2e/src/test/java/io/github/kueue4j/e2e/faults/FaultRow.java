// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static io.github.kueue4j.e2e.faults.Scene.REQUESTS;
import static io.github.kueue4j.e2e.faults.Scene.VICTIMS;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.testdefaults.Nightly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/** A row of the fault matrix in {@code docs/RELIABILITY.md}. The longest rows come first. */
enum FaultRow {
  KILLED_PROCESSES(
      "`kill -9`",
      "the process of the core or of the check is killed in turn, and starts anew",
      Nightly.bound(1, 20),
      Duration.ofSeconds(1),
      KilledProcesses::open),
  TWO_LEADERS(
      "Two leaders",
      "the leader is stopped until another replica leads, and goes on then",
      Nightly.bound(1, 5),
      Duration.ofSeconds(1),
      TwoLeaders::open),
  FULL_DISK(
      "Full disk",
      "the core's process can't write a byte to any file, its temporary folder included",
      1,
      Duration.ofSeconds(1),
      FullDisk::open),
  SLOW_API(
      "API latency of 1 s",
      "every request waits for a second",
      Duration.ofSeconds(30),
      scene -> scene.faults().delay(REQUESTS, Duration.ofSeconds(1))),
  LATE_EVENTS(
      "Events delayed by 30 s",
      "every event of a watch comes 30 s late, by the core's clock",
      Duration.ofSeconds(40),
      scene -> scene.faults().delayEvents(VICTIMS, scene.waiting(Duration.ofSeconds(30)))),
  CONFLICTS(
      "Bursts of 409",
      "every second write is refused",
      scene ->
          scene.faults().failRate(0.5, VICTIMS.and(RequestMatcher.writes()), 409, scene.random())),
  THROTTLING(
      "Bursts of 429",
      "every second request is refused, with `Retry-After: 1`",
      scene -> scene.faults().failRate(0.5, REQUESTS, 429, scene.random())),
  ERRORS(
      "Bursts of 500",
      "every second request is refused",
      scene -> scene.faults().failRate(0.5, REQUESTS, 500, scene.random())),
  UNAVAILABLE(
      "Bursts of 503",
      "every request is refused",
      scene -> scene.faults().failRate(1, REQUESTS, 503, scene.random())),
  CUT_ANSWERS(
      "Connections reset within a body",
      "every third request is carried out, and its connection ends in the middle of the answer",
      scene -> scene.faults().cutAnswers(0.33, REQUESTS, scene.random())),
  CUT_WATCHES("Watches cut", "all watches break at once", scene -> new Done(scene.cutWatches())),
  SILENT_WATCHES(
      "Watches silent",
      "all watches stay open and bring nothing",
      scene -> scene.faults().silenceWatches(VICTIMS)),
  EXPIRED_WATCHES(
      "Watches expired",
      "all watches break, and the next six that are opened are answered 410",
      scene -> {
        Fault expired = scene.faults().failNext(6, VICTIMS.and(RequestMatcher.verbs("watch")), 410);
        scene.cutWatches();
        return expired;
      }),
  REPEATED_EVENTS(
      "Events duplicated",
      "what a watch sends at a time comes twice: older versions after newer ones",
      scene -> scene.faults().repeatEvents(VICTIMS)),
  SERVER_RESTART(
      "API server restarted",
      "its port and all connections are closed, and the port opens again",
      Nightly.bound(1, 20),
      Duration.ofSeconds(7),
      folder ->
          Scene.overPorts(folder, scene -> new Counted(1, scene.faults().refuseConnections()))),
  CLOCK_STEPS(
      "Clock steps",
      "the clock of the core and the check is set forward by 20 s, and back again",
      Nightly.bound(2, 20),
      Duration.ofSeconds(7),
      folder -> ClockSteps.open()),
  HOSTILE_TENANT(
      "A hostile tenant",
      "objects that are deep, huge, many, or named like paths, in a namespace of the tenant",
      Nightly.bound(1, 20),
      Duration.ofSeconds(7),
      folder -> Scene.overPorts(folder, scene -> new Done(HostileTenant.strike(scene))));

  private static final Set<FaultRow> OF_PROGRAMS = Set.of(KILLED_PROCESSES, TWO_LEADERS, FULL_DISK);
  private static final Set<FaultRow> OVER_PORTS = Set.of(SERVER_RESTART, HOSTILE_TENANT);

  private final String title;
  private final String injected;
  private final int strikes;
  private final Duration lasts;

  @SuppressWarnings("ImmutableEnumChecker") // A function without state.
  private final Opening opening;

  /** Sets a cluster up for a row, with a folder for the files of processes. */
  @FunctionalInterface
  interface Opening {
    Scene open(Path folder) throws InterruptedException;
  }

  FaultRow(String title, String injected, Scene.Striker striker) {
    this(title, injected, Duration.ofSeconds(7), striker);
  }

  FaultRow(String title, String injected, Duration lasts, Scene.Striker striker) {
    this(title, injected, Nightly.bound(1, 20), lasts, folder -> Scene.accelerated(striker));
  }

  FaultRow(String title, String injected, int strikes, Duration lasts, Opening opening) {
    this.title = title;
    this.injected = injected;
    this.strikes = strikes;
    this.lasts = lasts;
    this.opening = opening;
  }

  /** Those that need no process, port or file of their own, and so can run in simulations. */
  static Stream<FaultRow> simulated() {
    return Stream.of(values())
        .filter(row -> !OVER_PORTS.contains(row) && !OF_PROGRAMS.contains(row));
  }

  /** Those that start programs of ours. */
  static Stream<FaultRow> ofPrograms() {
    return Stream.of(values()).filter(OF_PROGRAMS::contains);
  }

  /** Those that need ports of their own. */
  static Stream<FaultRow> overPorts() {
    return Stream.of(values()).filter(OVER_PORTS::contains);
  }

  /** The fault, as the page names it. */
  String title() {
    return title;
  }

  /** What was injected, in words. */
  String injected() {
    return injected;
  }

  /** How often the fault strikes. */
  int strikes() {
    return strikes;
  }

  /** How long a strike lasts at least, by the cluster's time. */
  Duration lasts() {
    return lasts;
  }

  /** Whether this promise of {@code docs/lifecycle.md} is judged by the observer's clock. */
  boolean judges(Report.Violation violation) {
    // A delay is counted by the clock that was set, which the observer doesn't see.
    return this != CLOCK_STEPS || violation.invariant() != 2;
  }

  /**
   * A cluster for this row.
   *
   * @param folder for the files of processes, if there are any
   */
  Scene open(Path folder) throws InterruptedException {
    return opening.open(folder);
  }

  /** A fault that is over as soon as it has been injected. */
  record Done(long hits) implements Fault {
    @Override
    public void close() {}
  }

  /** A fault of which it is known how often it struck. */
  record Counted(long hits, Fault fault) implements Fault {
    @Override
    public void close() {
      fault.close();
    }
  }
}
