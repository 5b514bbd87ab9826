// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Workload that gets nothing because quota is kept for another one gets it as soon as it is no
 * longer kept. Queue A has quota for 4 CPUs, of which another queue borrows 3 and returns none; its
 * head wants all 4.
 */
class KeptQuotaTest {
  private static final String STRICT = "queueingStrategy: StrictFIFO, ";
  private final TeamState team = new TeamState(null, PreemptionSettings.classical());

  private void world(String strategy) {
    team.clusterQueue("a", "cohortName: tree, " + strategy + cpus(4));
    team.clusterQueue("b", "cohortName: tree, " + cpus(0));
    team.clusterQueue("c", "cohortName: tree, " + cpus(0));
    team.clusterQueue("elsewhere", cpus(0));
    team.localQueue("lq-a", "a", 0);
    team.localQueue("lq-b", "b", 0);
    team.localQueue("lq-c", "c", 0);
    team.localQueue("lq-elsewhere", "elsewhere", 0);
    team.holding("borrows", "lq-c", "c", 3, 0, 0, "]");
  }

  /** Two cycles, not one after the other for ever. */
  @Test
  void whatIsKeptForOneThatDoesNotStandIsKeptForOneCycle() {
    world("");
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("small", "lq-b", 1, 0);

    team.schedule();

    assertThat(team.decided())
        .containsExactly("Inadmissible big", "Skipped small", "ReserveQuota small");
  }

  /** One shape after the other is tried and parked, each once. */
  @Test
  void aWorkloadThatWaitsForManyShapesIsTriedWithEachOfThem() {
    world("");
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("smaller", "lq-a", 3, 0);
    team.waiting("small", "lq-b", 1, 0);

    team.schedule();

    assertThat(team.decided())
        .containsExactly(
            "Inadmissible big",
            "Skipped small",
            "Inadmissible smaller",
            "Skipped small",
            "ReserveQuota small");
  }

  /** It stands, and so does what is kept for it: it isn't tried over and over. */
  @Test
  void whatIsKeptForOneThatStandsStaysKept() {
    world(STRICT);
    team.clusterQueue("d", "cohortName: tree, " + cpus(0));
    team.localQueue("lq-d", "d", 0);
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("small", "lq-b", 1, 0);

    team.schedule();
    team.waiting("late", "lq-d", 1, 0);
    team.schedule();

    assertThat(team.decided())
        .containsExactly("Inadmissible big", "Skipped small", "Inadmissible big", "Skipped late");
  }

  static Stream<Named<Consumer<KeptQuotaTest>>> partings() {
    return Stream.of(
        when("is gone", test -> test.team.state().workloads().deleted(key("big"), NOW)),
        when("moves to another queue", test -> test.team.waiting("big", "lq-elsewhere", 4, 0)),
        when("wants so much that it never gets it", test -> test.team.waiting("big", "lq-a", 9, 0)),
        when("is deactivated", test -> test.big("{}", "active: false,")),
        when(
            "is gated",
            test -> test.big("{kueue.x-k8s.io/admission-gated-by: gate.example/g}", "")),
        when("is in a queue on hold", test -> test.hold()),
        when(
            "is in a queue whose flavor is gone",
            test -> test.team.state().configObjects().flavor("other", null, NOW)));
  }

  @ParameterizedTest
  @MethodSource("partings")
  void isTriedAgainWhenTheOneItWasKeptFor(Consumer<KeptQuotaTest> parting) {
    team.state()
        .configObjects()
        .flavor("other", read(ResourceFlavor.class, "{metadata: {name: other}}"), NOW);
    world(STRICT);
    team.clusterQueue(
        "a",
        "cohortName: tree, "
            + STRICT
            + cpus(4)
                .replace(
                    "]}]}]", "]}, {name: other, resources: [{name: cpu, nominalQuota: 0}]}]}]"));
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("small", "lq-b", 1, 0);
    team.schedule();
    assertThat(team.decided()).containsExactly("Inadmissible big", "Skipped small");

    parting.accept(this);
    team.schedule();

    assertThat(team.reserved()).containsExactly("small");
  }

  @Test
  void isTriedAgainWhenAnotherOneStandsForWhichNothingIsKept() {
    world(STRICT);
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("small", "lq-b", 1, 0);
    team.schedule();
    assertThat(team.decided()).containsExactly("Inadmissible big", "Skipped small");

    team.waiting("bigger", "lq-a", 9, 1);
    team.schedule();

    assertThat(team.reserved()).containsExactly("small");
  }

  /** The first of the queue would have to borrow from now on, and so it comes later. */
  @Test
  void isTriedAgainWhenAnotherOneTakesWhatWasKept() {
    team.clusterQueue("a", "cohortName: tree, " + STRICT + cpus(4));
    team.clusterQueue("b", "cohortName: tree, " + cpus(3));
    team.localQueue("lq-a", "a", 0);
    team.localQueue("lq-b", "b", 0);
    team.holding("borrows", "lq-b", "b", 4, 0, 0, "]");
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("small", "lq-b", 1, 2);
    team.schedule();
    assertThat(team.decided()).containsExactly("Inadmissible big", "Skipped small");

    team.waiting("first", "lq-a", 2, 1);
    team.schedule();

    assertThat(team.reserved()).containsExactly("first", "small");
  }

  /** The victims are no longer requested, so that they release no quota either. */
  @Test
  void isTriedAgainWhenAPreemptorIsGone() {
    world("preemption: {reclaimWithinCohort: Any}, ");
    team.waiting("big", "lq-a", 4, 0);
    team.waiting("small", "lq-b", 1, 0);
    team.schedule();
    assertThat(team.decided()).containsExactly("Preempt big", "Skipped small");

    team.state().workloads().deleted(key("big"), NOW);
    team.schedule();

    assertThat(team.reserved()).containsExactly("small");
  }

  private static Named<Consumer<KeptQuotaTest>> when(String name, Consumer<KeptQuotaTest> parting) {
    return Named.of(name, parting);
  }

  private void big(String annotations, String spec) {
    team.state()
        .workloads()
        .observed(
            read(
                Workload.class,
                """
                {metadata: {name: big, namespace: team, uid: uid-big, resourceVersion: '100',
                    creationTimestamp: '2026-01-05T07:00:00Z', annotations: %s},
                  spec: {queueName: lq-a, %s podSets: [{name: main, count: 1, template:
                    {spec: {containers: [{name: c, resources: {requests: {cpu: 4}}}]}}}]}}
                """
                    .formatted(annotations, spec)),
            NOW);
  }

  private void hold() {
    team.state()
        .configObjects()
        .localQueue(
            key("lq-a"),
            read(
                LocalQueue.class,
                "{metadata: {name: lq-a, namespace: team}, spec: {clusterQueue: a, stopPolicy: Hold}}"),
            NOW);
  }
}
