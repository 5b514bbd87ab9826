// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.OneQueue;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.testing.Unheard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When Workloads that weren't tried are notified why they wait: after 15 s, five a second, oldest
 * first.
 */
class PendingReasonNotifierTest implements Unheard {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final int SAVED_UP = 100;

  private final Outbox outbox = new Outbox();
  private Instant steady = START;
  private final State state = new State(PlainSettings.create(), outbox, this, () -> steady);
  private final List<String> told = new ArrayList<>();
  private final Map<String, String> messages = new HashMap<>();
  private final TreeSet<Instant> turns = new TreeSet<>();

  /** How far the clock has been set. */
  private Duration step = Duration.ZERO;

  private int age;
  private int priority;

  @BeforeEach
  void aFullQueue() {
    OneQueue.addTo(state, strategy("BestEffortFIFO"), now());
    waiting("holder", 1);
    state.schedule(now());
  }

  @Test
  void aWorkloadThatWaitsShortlyIsNotNotified() {
    waiting("head", 1);
    waiting("second", 1);
    state.schedule(now());

    pass(Duration.ofSeconds(14));
    assertThat(told).isEmpty();
    assertThat(outbox.pendingReason(key("second"))).isEmpty();

    pass(Duration.ofSeconds(2));
    assertThat(told).containsExactly("second");
    assertThat(outbox.pendingReason(key("second")))
        .hasValueSatisfying(
            pendingReason ->
                assertThat(pendingReason.message())
                    .isEqualTo(
                        "Bypassed scheduling evaluation because an equivalent workload recently"
                            + " failed: insufficient unused quota"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "-PT1H"})
  void aClockThatIsSetMeanwhileNeitherDelaysNorHastensIt(Duration by) {
    waiting("head", 1);
    waiting("second", 1);
    state.schedule(now());
    step = by;
    waiting("third", 1);
    state.schedule(now());

    pass(Duration.ofSeconds(14));
    assertThat(told).isEmpty();

    pass(Duration.ofSeconds(2));
    assertThat(told).containsExactly("second", "third");
    assertThat(outbox.pendingReason(key("second")).orElseThrow().notBefore())
        .isBeforeOrEqualTo(now());
  }

  @Test
  void fiveASecondAreToldAfterTheFirstHundredLongestWaitingFirst() {
    waiting("head", 1);
    for (int i = 0; i < 2 * SAVED_UP; i++) {
      waiting("w" + i, 1);
    }
    state.schedule(now());

    pass(Duration.ofSeconds(16));
    assertThat(told).hasSizeBetween(SAVED_UP, SAVED_UP + 20).doesNotHaveDuplicates();
    int first = told.size();

    pass(Duration.ofSeconds(5));
    assertThat(told.size() - first).isBetween(20, 30);
    assertThat(told).doesNotHaveDuplicates();

    pass(Duration.ofSeconds(20));
    assertThat(told)
        .containsExactlyElementsOf(
            IntStream.range(0, 2 * SAVED_UP).mapToObj(i -> "w" + i).toList());
    assertThat(turns).as("no notification is open").isEmpty();
  }

  @Test
  void oneASecondIsToldWhileMoreThanFiveASecondGetQuota() {
    waiting("head", 1);
    for (int i = 0; i < 3 * SAVED_UP; i++) {
      waiting("w" + i, 1);
    }
    state.schedule(now());
    pass(Duration.ofSeconds(16));
    int first = told.size();

    String holder = "holder";
    for (int i = 0; i < 50; i++) {
      state.workloads().deleted(key(holder), now());
      state.schedule(now());
      holder = i == 0 ? "head" : "w" + (i - 1);
      pass(Duration.ofMillis(100));
    }
    assertThat(told.size() - first).isBetween(3, 8);
    int busy = told.size();

    pass(Duration.ofSeconds(6));
    assertThat(told.size() - busy).isBetween(20, 35);
  }

  @Test
  void aDeletedWorkloadCostsNothing() {
    waiting("head", 1);
    for (int i = 0; i < 3 * SAVED_UP; i++) {
      waiting("w" + i, 1);
    }
    state.schedule(now());
    for (int i = 0; i < 2 * SAVED_UP; i++) {
      state.workloads().deleted(key("w" + i), now());
    }

    pass(Duration.ofSeconds(16));

    assertThat(told).hasSize(SAVED_UP).startsWith("w200").endsWith("w299");
  }

  @Test
  void aWorkloadIsNotifiedAgainOnlyIfTheReasonChanges() {
    waiting("head", 1);
    waiting("second", 1);
    state.schedule(now());
    pass(Duration.ofSeconds(16));
    assertThat(told).containsExactly("second");

    // A change of the queue lets its head be tried again, without success.
    state
        .configObjects()
        .flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), now());
    OneQueue.changeClusterQueue(state, strategy("BestEffortFIFO, stopPolicy: None"), now());
    state.schedule(now());
    pass(Duration.ofSeconds(60));
    assertThat(told).containsExactly("second");

    OneQueue.changeClusterQueue(state, strategy("StrictFIFO"), now());
    state.schedule(now());
    pass(Duration.ofSeconds(16));
    assertThat(told).containsExactly("second", "second");
    assertThat(outbox.pendingReason(key("second")).orElseThrow().message())
        .startsWith("Waits behind the head of ClusterQueue cq");
  }

  @Test
  void aWorkloadBehindAPreemptorIsNotifiedOfTheFormerReasonAgain() {
    OneQueue.changeClusterQueue(
        state, strategy("BestEffortFIFO, preemption: {withinClusterQueue: LowerPriority}"), now());
    waiting("head", 1);
    waiting("second", 1);
    state.schedule(now());
    pass(Duration.ofSeconds(16));
    assertThat(outbox.pendingReason(key("second")).orElseThrow().message()).startsWith("Bypassed");

    Objects.requireNonNull(outbox.reservation(key("holder"))).begin();
    priority = 5;
    waiting("urgent", 1);
    priority = 0;
    state.schedule(now());
    pass(Duration.ofSeconds(16));
    assertThat(outbox.pendingReason(key("second")).orElseThrow().message())
        .startsWith("Waits behind a workload of ClusterQueue cq that preempts others");

    waiting("late", 1);
    state.workloads().deleted(key("holder"), now());
    state.schedule(now());
    pass(Duration.ofSeconds(16));
    assertThat(outbox.pendingReason(key("second")).orElseThrow().message()).startsWith("Bypassed");
    assertThat(outbox.pendingReason(key("late")).orElseThrow().message()).startsWith("Bypassed");
  }

  /** Lets time pass; the scheduler runs whenever it was asked to. */
  private void pass(Duration duration) {
    Instant end = steady.plus(duration);
    while (!turns.isEmpty() && !turns.first().isAfter(end)) {
      steady = turns.pollFirst();
      state.schedule(now());
    }
    steady = end;
  }

  private Instant now() {
    return steady.plus(step);
  }

  private void waiting(String name, int cpus) {
    state
        .workloads()
        .observed(
            read(
                Workload.class,
                """
            {metadata: {name: %1$s, namespace: team, uid: uid-%1$s, resourceVersion: '1',
                creationTimestamp: '%3$s'},
              spec: {queueName: lq, priority: %4$d, podSets: [{name: main, count: 1, template:
                {spec: {containers: [{name: c, resources: {requests: {cpu: %2$d}}}]}}}]}}
            """
                    .formatted(name, cpus, START.minusSeconds(1000 - ++age), priority)),
            now());
  }

  private static String strategy(String strategy) {
    return "queueingStrategy: %s, %s".formatted(strategy, TeamState.cpus(1));
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("team", name);
  }

  @Override
  public void wake(ObjectKey workload) {
    // The outcome of an attempt is reported elsewhere, and some are woken for other reasons, too.
    String name = workload.name();
    outbox
        .pendingReason(workload)
        .filter(pendingReason -> !name.equals("head"))
        .filter(
            pendingReason ->
                !pendingReason.message().equals(messages.put(name, pendingReason.message())))
        .ifPresent(pendingReason -> told.add(name));
  }

  @Override
  public void scheduleAfter(Duration pause) {
    turns.add(steady.plus(pause));
  }
}
