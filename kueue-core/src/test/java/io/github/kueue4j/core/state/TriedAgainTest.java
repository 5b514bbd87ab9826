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
import io.kubernetes.client.openapi.models.V1LimitRange;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Exactly when a Workload that found no quota is tried again. It asks for 12 of the 7 CPUs that its
 * Cohort has, so that the answer stays no, whatever happens to the Workload that holds 4.
 */
class TriedAgainTest {
  private static final String BORROWING = "preemption: {reclaimWithinCohort: Any}";
  private int version = 100;

  private final TeamState team = new TeamState(null, PreemptionSettings.classical());

  private void world() {
    team.cohort("tree", "");
    team.clusterQueue("cq", "cohortName: tree, " + BORROWING + ", " + cpus(2));
    team.clusterQueue("other", "cohortName: tree, " + cpus(5));
    team.localQueue("lq", "cq", 0);
    team.localQueue("lq-other", "other", 0);
    holder(1, "");
    asking(0, 6, "");
    team.schedule();
    assertThat(team.decided()).containsExactly("Inadmissible asking");
  }

  static Stream<Named<Consumer<TriedAgainTest>>> occasions() {
    return Stream.of(
        when("a holder finished", test -> test.holder(1, finished())),
        when(
            "a holder was deleted",
            test -> test.team.state().workloads().deleted(key("holder"), NOW)),
        when("a holder's quota was released", test -> test.waitingHolder()),
        when("a holder needs fewer pods", test -> test.holder(1, reclaimable(1))),
        when("a holder's priority changed", test -> test.holder(7, "")),
        when(
            "the ClusterQueue's rules changed",
            test -> test.team.clusterQueue("cq", "cohortName: tree, " + cpus(2))),
        when(
            "another ClusterQueue came into the Cohort",
            test -> test.team.clusterQueue("third", "cohortName: tree, " + cpus(0))),
        when(
            "another ClusterQueue of the Cohort went",
            test -> test.team.state().configObjects().clusterQueue("other", null, NOW)),
        when("the Cohort has quota", test -> test.team.cohort("tree", cpus(1))),
        when("the Cohort got above another", test -> test.team.cohort("tree", "parentName: top")),
        when("a flavor has other labels", test -> test.flavor("{nodeLabels: {a: b}}")),
        when(
            "a flavor has a taint",
            test -> test.flavor("{nodeTaints: [{key: t, effect: NoSchedule}]}")),
        when(
            "the namespace has other labels",
            test -> test.team.state().configObjects().namespace("team", Map.of("a", "b"))),
        when("its priority changed", test -> test.asking(9, 6, "")),
        when("it needs fewer pods", test -> test.asking(0, 6, reclaimable(1))),
        when("its requests have a default by now", test -> test.limitRange()));
  }

  @ParameterizedTest
  @MethodSource("occasions")
  void isTriedAgainOnce(Consumer<TriedAgainTest> occasion) {
    world();

    occasion.accept(this);
    team.schedule();
    team.schedule();

    assertThat(team.decided().stream().filter("Inadmissible asking"::equals).toList()).hasSize(2);
  }

  static Stream<Named<Consumer<TriedAgainTest>>> noOccasions() {
    return Stream.of(
        when("nothing happened", test -> {}),
        when("it was seen again", test -> test.asking(0, 6, "")),
        when("a holder was seen again", test -> test.holder(1, "")),
        when(
            "one that asks for the same came",
            test -> test.workload("equal", "lq", 0, "count: 2", 6, "{conditions: []}")),
        when(
            "the queue's status changed",
            test ->
                test.team.clusterQueue("cq", 3, "cohortName: tree, " + BORROWING + ", " + cpus(2))),
        when(
            "a ClusterQueue elsewhere came",
            test -> test.team.clusterQueue("elsewhere", "cohortName: forest, " + cpus(9))),
        when("a Cohort elsewhere has quota", test -> test.team.cohort("forest", cpus(9))),
        when("a flavor that no queue offers came", test -> test.flavorNamed("unused", "{}")),
        when(
            "a namespace is as it was",
            test -> test.team.state().configObjects().namespace("team", Map.of())),
        when("its LocalQueue was seen again", test -> test.localQueueAgain()));
  }

  @ParameterizedTest
  @MethodSource("noOccasions")
  void isNotTriedInVain(Consumer<TriedAgainTest> event) {
    world();

    event.accept(this);
    team.schedule();

    assertThat(team.decided()).containsExactly("Inadmissible asking");
  }

  private static Named<Consumer<TriedAgainTest>> when(
      String name, Consumer<TriedAgainTest> occasion) {
    return Named.of(name, occasion);
  }

  private static String finished() {
    return condition("Finished", "True");
  }

  private static String condition(String type, String status) {
    return "{type: %s, status: '%s', reason: R, message: '', lastTransitionTime: '2026-01-05T07:30:00Z'}"
        .formatted(type, status);
  }

  private static String reclaimable(int pods) {
    return "reclaimable: " + pods;
  }

  /** Holds a CPU for each of its pods, borrowed from the other queue. */
  private void holder(int priority, String more) {
    String conditions =
        String.join(
            ", ",
            Stream.concat(
                    Stream.of(condition("QuotaReserved", "True"), condition("Admitted", "True")),
                    more.startsWith("{") ? Stream.of(more) : Stream.empty())
                .toList());
    workload(
        "holder",
        "lq-other",
        priority,
        "count: 4",
        1,
        """
        {admission: {clusterQueue: other, podSetAssignments: [{name: main, flavors: {cpu: default},
            resourceUsage: {cpu: 4}, count: 4}]}, conditions: [%s]%s}
        """
            .formatted(conditions, gone(more)));
  }

  /** It gave its quota back and waits in a queue of its own, which doesn't matter here. */
  private void waitingHolder() {
    workload(
        "holder",
        "nowhere",
        1,
        "count: 4",
        1,
        "{conditions: [%s]}".formatted(condition("QuotaReserved", "False")));
  }

  /** Two pods. */
  private void asking(int priority, int cpusPerPod, String more) {
    workload(
        "asking", "lq", priority, "count: 2", cpusPerPod, "{conditions: []" + gone(more) + "}");
  }

  private static String gone(String more) {
    return more.startsWith("reclaimable")
        ? ", reclaimablePods: [{name: main, count: "
            + more.substring("reclaimable: ".length())
            + "}]"
        : "";
  }

  private void workload(
      String name, String queue, int priority, String count, int cpus, String status) {
    version++;
    team.state()
        .workloads()
        .observed(
            read(
                Workload.class,
                """
                {metadata: {name: %1$s, namespace: team, uid: uid-%1$s, resourceVersion: '%2$d',
                    creationTimestamp: '2026-01-05T07:00:00Z'},
                  spec: {queueName: %3$s, priority: %4$d, podSets: [{name: main, %5$s, template:
                    {spec: {containers: [{name: c, resources: {requests: {cpu: %6$d}}}]}}}]},
                  status: %7$s}
                """
                    .formatted(name, version, queue, priority, count, cpus, status)),
            NOW);
  }

  private void flavor(String spec) {
    flavorNamed("default", spec);
  }

  private void flavorNamed(String name, String spec) {
    team.state()
        .configObjects()
        .flavor(
            name,
            read(ResourceFlavor.class, "{metadata: {name: %s}, spec: %s}".formatted(name, spec)),
            NOW);
  }

  private void limitRange() {
    team.state()
        .configObjects()
        .limitRange(
            key("defaults"),
            read(
                V1LimitRange.class,
                """
                {metadata: {name: defaults, namespace: team}, spec: {limits: [
                  {type: Container, defaultRequest: {memory: 1Gi}}]}}
                """),
            NOW);
  }

  private void localQueueAgain() {
    team.state()
        .configObjects()
        .localQueue(
            key("lq"),
            read(
                LocalQueue.class,
                "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}, status: {"
                    + "pendingWorkloads: 1}}"),
            NOW);
  }
}
