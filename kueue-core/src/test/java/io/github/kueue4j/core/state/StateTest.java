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

import static io.github.kueue4j.core.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.status.QueueCounts;
import io.github.kueue4j.core.testing.Unheard;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTest {
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final ObjectKey KEY = new ObjectKey("team", "w");

  @Test
  void aWorkloadThatNobodyCanReadIsToldSoAndDoesNotWait() {
    Outbox outbox = new Outbox();
    State state = new State(ResourceRules.plain(), outbox, new Unheard() {});
    state.clusterQueue(
        "cq",
        read(ClusterQueue.class, "{metadata: {name: cq}, spec: {namespaceSelector: {}}}"),
        NOW);
    state.localQueue(
        new ObjectKey("team", "lq"),
        read(LocalQueue.class, "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"),
        NOW);
    V1PodSpec poison = new V1PodSpec();
    poison.setTolerations(Collections.singletonList(null));
    Workload workload = Workload.named("team", "w");

    state.workload(
        workload.withSpec(
            workload
                .spec()
                .withQueueName("lq")
                .withPodSets(
                    List.of(new PodSet("main", new V1PodTemplateSpec().spec(poison), 1, null)))),
        NOW);

    assertThat(outbox.verdict(KEY))
        .hasValueSatisfying(
            verdict -> {
              assertThat(verdict.reason()).isEqualTo("Misconfigured");
              assertThat(verdict.message()).startsWith("resources validation failed: ");
            });
    assertThat(state.clusterQueue("cq").orElseThrow().counts().pending()).isZero();
    assertThat(state.schedule(NOW)).isTrue();
  }

  /** The answer to our write may come after the informer has told that the Workload is gone. */
  @Test
  void aWriteThatIsAnsweredAfterTheDeletionHoldsNoQuota() {
    State state = withQueues(new Outbox(), 4);
    Workload reserved = reserved("w", "1", 1);
    state.workload(reserved, NOW);
    state.workloadGone(KEY, NOW);

    state.written(reserved, NOW);

    assertThat(state.quotaHeldIn("cq")).isFalse();
    assertThat(counts(state)).isEqualTo(QueueCounts.none());
  }

  /** After a restart the reservations come one by one, in any order, to a queue that has shrunk. */
  @Test
  void reservationsThatAreFoundBeyondTheQuotaAreMarked() {
    Outbox outbox = new Outbox();
    State state = withQueues(outbox, 1);

    state.workload(reserved("young", "1", 2), NOW);
    state.workload(reserved("old", "1", 1), NOW);

    assertThat(outbox.overcommitted(new ObjectKey("team", "young"))).isTrue();
    assertThat(outbox.overcommitted(new ObjectKey("team", "old"))).isFalse();
  }

  @Test
  void whatWasReservedByHandBeyondAllNumbersLeavesNoTrace() {
    State state = withQueues(new Outbox(), 4);
    state.workload(reserved("normal", "1", 1), NOW);
    QueueCounts before = counts(state);

    state.workload(reserved("w", "9000000000000000000", 2), NOW);
    assertThat(counts(state)).isNotEqualTo(before);
    state.workloadGone(KEY, NOW);

    assertThat(counts(state)).isEqualTo(before);
    assertThat(state.localQueue(new ObjectKey("team", "lq")).orElseThrow().counts())
        .isEqualTo(before);
  }

  @Test
  void aNegativeReservationGivesOthersNothing() {
    State state = withQueues(new Outbox(), 4);

    state.workload(reserved("w", "-100", 1), NOW);

    assertThat(counts(state).reservation()).isEqualTo(Amounts.none());
  }

  private static State withQueues(Outbox outbox, int cpus) {
    State state = new State(ResourceRules.plain(), outbox, new Unheard() {});
    state.clusterQueue(
        "cq",
        read(
            ClusterQueue.class,
            """
            {metadata: {name: cq}, spec: {namespaceSelector: {}, resourceGroups: [
              {coveredResources: [cpu], flavors: [
                {name: default, resources: [{name: cpu, nominalQuota: %d}]}]}]}}
            """
                .formatted(cpus)),
        NOW);
    state.localQueue(
        new ObjectKey("team", "lq"),
        read(LocalQueue.class, "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"),
        NOW);
    return state;
  }

  private static QueueCounts counts(State state) {
    return state.clusterQueue("cq").orElseThrow().counts();
  }

  private static Workload reserved(String name, String cpus, int second) {
    return read(
        Workload.class,
        """
        {metadata: {name: %s, namespace: team, uid: %s, resourceVersion: '%d'},
          spec: {queueName: lq}, status: {
            conditions: [{type: QuotaReserved, status: 'True', reason: QuotaReserved, message: '',
              lastTransitionTime: '2026-01-05T07:00:0%dZ'}],
            admission: {clusterQueue: cq, podSetAssignments: [
              {name: main, flavors: {cpu: default}, resourceUsage: {cpu: '%s'}, count: 1}]}}}
        """
            .formatted(name, name, second, second, cpus));
  }
}
