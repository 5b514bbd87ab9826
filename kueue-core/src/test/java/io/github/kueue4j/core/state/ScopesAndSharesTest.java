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
import io.github.kueue4j.core.preemption.FairSharingStrategy;
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
 * Both kinds of fair sharing together (KEP-4136): past usage chooses one head for each scope, and
 * the shares order these heads and decide who gives way. Usage doesn't decay here:
 *
 * <pre>
 * all, with all the quota
 * ├─ east, a scope     e1 has used 5, e2 has used 1
 * └─ west, a scope     w1 has used 2, w2 has used 9
 * </pre>
 */
class ScopesAndSharesTest implements State.Effects {
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final UsagePolicy LASTING =
      UsagePolicy.of(Duration.ofDays(36_500), Duration.ofMinutes(5));
  private static final PreemptionSettings BY_SHARES =
      PreemptionSettings.fairSharing(
          FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
          FairSharingStrategy.LESS_THAN_INITIAL_SHARE);

  private final List<String> decided = new ArrayList<>();
  private final Outbox outbox = new Outbox();
  private int age;

  @Test
  void sharesOrderTheHeadsThatUsageHasChosen() {
    State state = world(BY_SHARES, 6);
    waiting(state, "east-has", "e1", 2, 0);
    state.schedule(NOW);
    // By priority and age alone it would be the other way round.
    waiting(state, "of-e1", "e1", 1, 9);
    waiting(state, "of-e2", "e2", 1, 8);
    waiting(state, "of-w2", "w2", 1, 7);
    waiting(state, "of-w1", "w1", 1, 6);

    state.schedule(NOW);

    // First cycle: w1 for west (share 1/6), e2 for east (3/6). Second: w2 (2/6), e1 (4/6).
    assertThat(decided)
        .containsExactly(
            "Reserve east-has", "Reserve of-w1", "Reserve of-e2", "Reserve of-w2", "Reserve of-e1");
  }

  @Test
  void withoutSharesPriorityOrdersThem() {
    State state = world(PreemptionSettings.classical(), 6);
    waiting(state, "east-has", "e1", 2, 0);
    state.schedule(NOW);
    waiting(state, "of-e1", "e1", 1, 9);
    waiting(state, "of-e2", "e2", 1, 8);
    waiting(state, "of-w2", "w2", 1, 7);
    waiting(state, "of-w1", "w1", 1, 6);

    state.schedule(NOW);

    assertThat(decided)
        .containsExactly(
            "Reserve east-has", "Reserve of-e2", "Reserve of-w1", "Reserve of-e1", "Reserve of-w2");
  }

  @Test
  void theHeadThatUsageHasChosenTakesFromTheLargerShare() {
    State state = world(BY_SHARES, 3);
    for (String name : List.of("east-1", "east-2", "east-3")) {
      waiting(state, name, "e1", 1, 9);
      state.schedule(NOW);
    }
    waiting(state, "of-w2", "w2", 1, 9);
    waiting(state, "of-w1", "w1", 1, 0);

    state.schedule(NOW);

    // West has nothing of 3 and east all of it; the one of w1 it is, though w2's is more important.
    assertThat(decided.subList(3, decided.size())).contains("Preempt of-w1");
    assertThat(decided).doesNotContain("Preempt of-w2", "Reserve of-w2");
    assertThat(
            List.of("east-1", "east-2", "east-3").stream()
                .filter(name -> outbox.preemption(key(name)) != null))
        .hasSize(1);
  }

  @Test
  void aChosenHeadWhoseShareWouldBeTheLargerOnePreemptsNobody() {
    State state = world(BY_SHARES, 3);
    waiting(state, "east-1", "e1", 1, 0);
    state.schedule(NOW);
    waiting(state, "west-1", "w1", 2, 0);
    state.schedule(NOW);
    waiting(state, "of-w2", "w2", 1, 9);
    waiting(state, "of-w1", "w1", 1, 8);

    state.schedule(NOW);

    assertThat(decided).noneMatch(decision -> decision.startsWith("Preempt"));
    assertThat(decided).contains("Inadmissible of-w1").doesNotContain("Inadmissible of-w2");
  }

  private State world(PreemptionSettings settings, int cpus) {
    State state = new State(ResourceRules.plain(), LASTING, settings, outbox, this);
    state.namespace("team", Map.of());
    state.flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), NOW);
    cohort(
        state,
        "all",
        "resourceGroups: [{coveredResources: [cpu], flavors: [{name: default, resources: [{name:"
            + " cpu, nominalQuota: "
            + cpus
            + "}]}]}]");
    for (String scope : List.of("east", "west")) {
      cohort(
          state,
          scope,
          "parentName: all, admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}");
    }
    queue(state, "e1", "east", 5);
    queue(state, "e2", "east", 1);
    queue(state, "w1", "west", 2);
    queue(state, "w2", "west", 9);
    return state;
  }

  private static void cohort(State state, String name, String spec) {
    state.cohort(
        name, read(Cohort.class, "{metadata: {name: %s}, spec: {%s}}".formatted(name, spec)), NOW);
  }

  /** A ClusterQueue with a LocalQueue of the same name; both have used as much. */
  private static void queue(State state, String name, String cohort, int used) {
    String status =
        "status: {fairSharing: {weightedShare: 0, admissionFairSharingStatus: {consumedResources:"
            + " {cpu: '"
            + used
            + "'}, lastUpdate: '2026-01-05T08:00:00Z'}}}";
    state.clusterQueue(
        name,
        read(
            ClusterQueue.class,
            """
            {metadata: {name: %s}, spec: {cohortName: %s, namespaceSelector: {},
              preemption: {reclaimWithinCohort: Any}, resourceGroups: [{coveredResources: [cpu],
                flavors: [{name: default, resources: [{name: cpu, nominalQuota: 0}]}]}]}, %s}
            """
                .formatted(name, cohort, status)),
        NOW);
    state.localQueue(
        key(name),
        read(
            LocalQueue.class,
            "{metadata: {name: %1$s, namespace: team}, spec: {clusterQueue: %1$s}, %2$s}"
                .formatted(name, status)),
        NOW);
  }

  private void waiting(State state, String name, String queue, int cpus, int priority) {
    state.workload(
        read(
            Workload.class,
            """
            {metadata: {name: %1$s, namespace: team, uid: uid-%1$s, resourceVersion: '1',
                creationTimestamp: '%5$s'},
              spec: {queueName: %2$s, priority: %4$d, podSets: [{name: main, count: 1, template:
                {spec: {containers: [{name: c, resources: {requests: {cpu: %3$d}}}]}}}]}}
            """
                .formatted(name, queue, cpus, priority, NOW.minusSeconds(1000 - ++age))),
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
    decided.add(decision.getClass().getSimpleName() + " " + decision.workload().key().name());
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
