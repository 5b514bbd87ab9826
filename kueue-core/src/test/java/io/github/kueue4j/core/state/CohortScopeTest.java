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
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.usage.UsagePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Who gets quota in which order where a Cohort is the admission scope (KEP-4136, third scenario).
 * Usage practically doesn't decay here, and entry penalties are next to nothing, so that orders can
 * be computed by hand:
 *
 * <pre>
 * org                          usage   vector of its workloads, from below org
 * ├─ dept-a                        8
 * │  ├─ a1 (LocalQueues x, y)      5   x [8, 5, 4]   y [8, 5, 1]
 * │  └─ a2 (x)                     3   x [8, 3, 3]
 * ├─ dept-b                        6
 * │  └─ b1 (x)                     6   x [6, 6, 6]
 * └─ c1 (x)                        7   x [7, 7]
 * </pre>
 */
class CohortScopeTest implements State.Effects {
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final String SCOPE =
      ", admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}";
  private static final UsagePolicy LASTING =
      UsagePolicy.of(Duration.ofDays(36_500), Duration.ofMinutes(5));

  private final List<String> reserved = new ArrayList<>();
  private final Outbox outbox = new Outbox();
  private final State state =
      new State(ResourceRules.plain(), LASTING, PreemptionSettings.classical(), outbox, this);
  private int age;

  @Test
  void ordersOfAThreeLevelTree() {
    tree("quota 10", "", 0);
    // By priority and age alone it would be the other way round.
    waiting("a1-of-x", "a1-x", 1, 9);
    waiting("a1-of-y", "a1-y", 1, 8);
    waiting("a2-of-x", "a2-x", 1, 7);
    waiting("c1-of-x", "c1-x", 1, 6);
    waiting("b1-of-x", "b1-x", 1, 5);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("b1-of-x", "c1-of-x", "a2-of-x", "a1-of-y", "a1-of-x");
  }

  @Test
  void weightsDivideAtEveryLevel() {
    tree("quota 10", ", fairSharing: {weight: 4}", 0);
    waiting("c1-of-x", "c1-x", 1, 0);
    waiting("b1-of-x", "b1-x", 1, 0);
    waiting("a1-of-y", "a1-y", 1, 0);
    waiting("a2-of-x", "a2-x", 1, 0);

    state.schedule(NOW);

    // dept-a has used 8 with weight 4, that is 2.
    assertThat(reserved).containsExactly("a2-of-x", "a1-of-y", "b1-of-x", "c1-of-x");
  }

  @Test
  void withEqualUsagePriorityAndAgeDecideAcrossTheTree() {
    usage = Map.of();
    tree("quota 10", "", 0);
    waiting("old", "c1-x", 1, 0);
    waiting("young", "a1-x", 1, 0);
    waiting("important", "b1-x", 1, 5);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("important", "old", "young");
  }

  @Test
  void withinItsOwnQuotaAWorkloadIsServedAtOnceWhoeverWaitsForTheRest() {
    tree("quota 1", "", 2);
    waiting("b1-sticks-out", "b1-x", 4, 0);
    waiting("c1-sticks-out", "c1-x", 3, 0);
    waiting("c1-within", "c1-x", 2, 0);
    waiting("a1-within", "a1-x", 2, 0);

    state.schedule(NOW);

    // b1 may use 2 of its own, 1 of org and what the others lend: 4 would fit if it came first,
    // and it does come first among those that stick out; it takes what a2 lends.
    assertThat(reserved).containsExactlyInAnyOrder("c1-within", "a1-within", "b1-sticks-out");
    assertThat(reserved.indexOf("c1-within")).isLessThan(reserved.indexOf("b1-sticks-out"));
  }

  @Test
  void whatSticksOutWaitsInOneStrictQueue() {
    tree("quota 4", "", 0);
    waiting("b1-small", "b1-x", 1, 0);
    state.schedule(NOW);
    assertThat(reserved).containsExactly("b1-small");
    waiting("b1-big", "b1-x", 4, 0);
    state.schedule(NOW);
    waiting("c1-small", "c1-x", 1, 9);
    waiting("a2-small", "a2-x", 1, 9);

    state.schedule(NOW);
    assertThat(reserved).containsExactly("b1-small");
    state.schedule(NOW.plusSeconds(15));
    assertThat(outbox.verdict(key("c1-small")))
        .hasValueSatisfying(
            verdict ->
                assertThat(verdict.message())
                    .startsWith(
                        "Needs more than its ClusterQueue's own quota and waits behind a workload"
                            + " of ClusterQueue b1, which comes first in Cohort org"));

    state.workloadGone(key("b1-big"), NOW);
    state.schedule(NOW);
    assertThat(reserved).containsExactly("b1-small", "c1-small", "a2-small");
  }

  @Test
  void theStrictQueueGoesOnWhenQuotaIsGivenBack() {
    tree("quota 4", "", 0);
    waiting("b1-small", "b1-x", 1, 0);
    state.schedule(NOW);
    waiting("b1-big", "b1-x", 4, 0);
    waiting("c1-small", "c1-x", 1, 9);
    state.schedule(NOW);
    assertThat(reserved).containsExactly("b1-small");

    state.workloadGone(key("b1-small"), NOW);
    state.schedule(NOW);

    assertThat(reserved).containsExactly("b1-small", "b1-big");
  }

  @Test
  void whatCanNeverFitHoldsUpNobodyElse() {
    tree("quota 4", "", 0);
    waiting("b1-huge", "b1-x", 99, 0);
    waiting("c1-small", "c1-x", 1, 0);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("c1-small");
  }

  @Test
  void aCohortInsideTheScopeServesItsFirstAtOnceIfThatFitsIntoItsQuota() {
    tree("quota 4", "resourceGroups: quota 2", 0);
    waiting("blocker", "b1-x", 1, 0);
    state.schedule(NOW);
    waiting("b1-big", "b1-x", 6, 0);
    state.schedule(NOW);
    waiting("a1-first-no-more", "a1-y", 1, 9);
    waiting("a2-first", "a2-x", 2, 0);

    state.schedule(NOW);

    // dept-a has used most and org's queue is held up, yet 2 CPUs are dept-a's own.
    assertThat(reserved).containsExactly("blocker", "a2-first");
  }

  @Test
  void nothingPassesTheFirstOfACohortInsideTheScope() {
    tree("quota 4", "resourceGroups: quota 2", 0);
    waiting("blocker", "b1-x", 1, 0);
    state.schedule(NOW);
    waiting("b1-big", "b1-x", 6, 0);
    state.schedule(NOW);
    waiting("a2-sticks-out", "a2-x", 3, 0);
    waiting("a1-would-fit", "a1-y", 1, 9);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("blocker");
  }

  @Test
  void nothingPassesTheHeadOfAStrictClusterQueueNotEvenWithinItsQuota() {
    queueingStrategy = "StrictFIFO";
    tree("quota 4", "", 2);
    waiting("blocker", "b1-x", 6, 0);
    state.schedule(NOW);
    waiting("c1-sticks-out", "c1-x", 8, 5);
    waiting("c1-within", "c1-x", 1, 0);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("blocker");
  }

  @Test
  void theTopmostScopeWins() {
    clusterQueueScope = SCOPE;
    tree("quota 10", SCOPE, 0);
    waiting("a1-of-y", "a1-y", 1, 9);
    waiting("c1-of-x", "c1-x", 1, 9);
    waiting("b1-of-x", "b1-x", 1, 0);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("b1-of-x", "c1-of-x", "a1-of-y");
  }

  @Test
  void aTopmostScopeThatSaysNoTurnsTheLowerOnesOff() {
    scope = ", admissionScope: {admissionMode: NoAdmissionFairSharing}";
    clusterQueueScope = SCOPE;
    tree("quota 10", "", 0);
    waiting("a1-of-x", "a1-x", 1, 2);
    waiting("a1-of-y", "a1-y", 1, 1);

    state.schedule(NOW);

    assertThat(reserved).containsExactly("a1-of-x", "a1-of-y");
  }

  @Test
  void aScopeThatGoesAwayLeavesNothingBehind() {
    tree("quota 4", "", 0);
    waiting("blocker", "b1-x", 1, 0);
    state.schedule(NOW);
    waiting("b1-big", "b1-x", 4, 0);
    state.schedule(NOW);
    waiting("c1-small", "c1-x", 1, 0);
    state.schedule(NOW);
    assertThat(reserved).containsExactly("blocker");

    scope = "";
    cohort("org", "quota 4" + scope);
    state.schedule(NOW);

    assertThat(reserved).containsExactly("blocker", "c1-small");
  }

  private Map<String, String> usage =
      Map.of("a1-x", "4", "a1-y", "1", "a2-x", "3", "b1-x", "6", "c1-x", "7");
  private String scope = SCOPE;
  private String clusterQueueScope = "";
  private String queueingStrategy = "BestEffortFIFO";

  /**
   * The tree of the picture above.
   *
   * @param org more of org's spec; {@code quota n} for so many CPUs of its own
   * @param deptA more of dept-a's spec
   * @param nominal CPUs of each ClusterQueue
   */
  private void tree(String org, String deptA, int nominal) {
    state.namespace("team", Map.of());
    state.flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), NOW);
    cohort("org", org + scope);
    cohort(
        "dept-a",
        "parentName: org" + (deptA.isEmpty() || deptA.startsWith(",") ? deptA : ", " + deptA));
    cohort("dept-b", "parentName: org");
    clusterQueue("a1", "dept-a", nominal);
    clusterQueue("a2", "dept-a", nominal);
    clusterQueue("b1", "dept-b", nominal);
    clusterQueue("c1", "org", nominal);
    for (String queue : List.of("a1-x", "a1-y", "a2-x", "b1-x", "c1-x")) {
      localQueue(queue, queue.substring(0, 2));
    }
  }

  private void cohort(String name, String spec) {
    state.cohort(
        name,
        read(
            Cohort.class,
            "{metadata: {name: %s}, spec: {%s}}"
                .formatted(
                    name,
                    spec.replaceFirst("resourceGroups: quota", "quota")
                        .replaceFirst(
                            "quota (\\d+)",
                            "resourceGroups: [{coveredResources: [cpu], flavors: [{name: default,"
                                + " resources: [{name: cpu, nominalQuota: $1}]}]}]"))),
        NOW);
  }

  private void clusterQueue(String name, String cohort, int nominal) {
    state.clusterQueue(
        name,
        read(
            ClusterQueue.class,
            """
            {metadata: {name: %s}, spec: {cohortName: %s, namespaceSelector: {},
              queueingStrategy: %s%s, resourceGroups: [{coveredResources: [cpu], flavors: [
                {name: default, resources: [{name: cpu, nominalQuota: %d}]}]}]}}
            """
                .formatted(name, cohort, queueingStrategy, clusterQueueScope, nominal)),
        NOW);
  }

  private void localQueue(String name, String clusterQueue) {
    state.localQueue(
        new ObjectKey("team", name),
        read(
            LocalQueue.class,
            """
            {metadata: {name: %s, namespace: team}, spec: {clusterQueue: %s},
              status: {fairSharing: {weightedShare: 0, admissionFairSharingStatus:
                {consumedResources: {cpu: '%s'}, lastUpdate: '2026-01-05T08:00:00Z'}}}}
            """
                .formatted(name, clusterQueue, usage.getOrDefault(name, "0"))),
        NOW);
  }

  private void waiting(String name, String localQueue, int cpus, int priority) {
    state.workload(
        read(
            Workload.class,
            """
            {metadata: {name: %1$s, namespace: team, uid: uid-%1$s, resourceVersion: '1',
                creationTimestamp: '%5$s'},
              spec: {queueName: %2$s, priority: %4$d, podSets: [{name: main, count: 1, template:
                {spec: {containers: [{name: c, resources: {requests: {cpu: %3$d}}}]}}}]}}
            """
                .formatted(name, localQueue, cpus, priority, NOW.minusSeconds(1000 - ++age))),
        NOW);
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("team", name);
  }

  private static <T> T read(Class<T> type, String yaml) {
    Object tree = new Yaml().load(yaml);
    return KueueJson.fromTree(KueueJson.toTree(tree), type);
  }

  @Override
  public void attempted(Decision decision) {
    if (decision instanceof Decision.Reserve) {
      reserved.add(decision.workload().key().name());
    }
  }

  @Override
  public void wake(ObjectKey workload) {}

  @Override
  public void wakeAt(ObjectKey workload, Instant when) {}

  @Override
  public void retryAt(ObjectKey workload, Instant when) {}

  @Override
  public void scheduleAt(Instant when) {}

  @Override
  public void queueChanged(ObjectKey queue) {}

  @Override
  public void cohortChanged(String cohort) {}
}
