// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.status.QueueCounts;
import io.github.kueue4j.core.testing.OneQueue;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.testing.Unheard;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTest {
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final ObjectKey KEY = new ObjectKey("team", "w");

  @Test
  void anUnreadableWorkloadIsNotifiedAndDoesNotWait() {
    Outbox outbox = new Outbox();
    State state = new State(PlainSettings.create(), outbox, new Unheard() {}, () -> NOW);
    OneQueue.addTo(state, "resourceGroups: []", NOW);
    V1PodSpec poison = new V1PodSpec();
    poison.setTolerations(Collections.singletonList(null));
    Workload workload = Workload.named("team", "w");

    state
        .workloads()
        .observed(
            workload.withSpec(
                workload
                    .spec()
                    .withQueueName("lq")
                    .withPodSets(
                        List.of(
                            new PodSet("main", new V1PodTemplateSpec().spec(poison), 1, null)))),
            NOW);

    assertThat(outbox.pendingReason(KEY))
        .hasValueSatisfying(
            pendingReason -> {
              assertThat(pendingReason.reason()).isEqualTo("Misconfigured");
              assertThat(pendingReason.message()).startsWith("resources validation failed: ");
            });
    assertThat(state.reports().clusterQueue("cq").orElseThrow().counts().pending()).isZero();
    assertThat(state.schedule(NOW)).isTrue();
  }

  @Test
  void aWorkloadThatBecomesInvalidWhileItWaitsSaysWhy() {
    TeamState team = new TeamState(null, PreemptionSettings.classical());
    team.clusterQueue("cq", TeamState.cpus(1));
    team.localQueue("lq", "cq", 0);
    team.arriving("w", "lq", 2, 0);
    assertThat(counts(team.state()).pending()).isEqualTo(1);

    team.state()
        .configObjects()
        .limitRange(
            new ObjectKey("team", "limits"),
            read(
                V1LimitRange.class,
                """
                {metadata: {name: limits, namespace: team},
                  spec: {limits: [{type: Container, max: {cpu: '1'}}]}}
                """),
            NOW);

    assertThat(team.outbox().pendingReason(KEY))
        .hasValueSatisfying(why -> assertThat(why.reason()).isEqualTo("Misconfigured"));
    assertThat(counts(team.state()).pending()).isZero();
  }

  /** The worker is about to finish it; no Workload may be preempted for it meanwhile. */
  @Test
  void aWorkloadWhoseJobIsGoneDoesNotWait() {
    State state = withQueues(new Outbox(), 4);

    state.workloads().observed(waiting("owned", "ownerReferences: [{name: j, uid: u}]"), NOW);
    state.workloads().observed(waiting("w", ""), NOW);

    assertThat(counts(state).pending()).isEqualTo(1);
  }

  private static Workload waiting(String name, String owners) {
    return read(
        Workload.class,
        """
        {metadata: {name: %s, namespace: team, uid: %s, resourceVersion: '1',
            labels: {kueue.x-k8s.io/job-uid: u}, %s},
          spec: {queueName: lq}}
        """
            .formatted(name, name, owners));
  }

  /** The answer to our write may come after the informer has told that the Workload is gone. */
  @Test
  void aWriteThatIsAnsweredAfterTheDeletionHoldsNoQuota() {
    State state = withQueues(new Outbox(), 4);
    Workload reserved = reserved("w", "1", 1);
    state.workloads().observed(reserved, NOW);
    state.workloads().deleted(KEY, NOW);

    state.workloads().written(reserved, NOW);

    assertThat(state.reports().quotaHeldIn("cq")).isFalse();
    assertThat(counts(state)).isEqualTo(QueueCounts.none());
  }

  @Test
  void theEchoOfAKnownVersionDoesNotPauseWhatWasDecidedSince() {
    Outbox outbox = new Outbox();
    List<Duration> pauses = new ArrayList<>();
    Unheard effects =
        new Unheard() {
          @Override
          public void retryAfter(ObjectKey workload, Duration pause) {
            pauses.add(pause);
          }
        };
    State state = new State(PlainSettings.create(), outbox, effects, () -> NOW);
    OneQueue.addTo(state, TeamState.cpus(4), NOW);
    state.workloads().observed(preempted(), NOW);
    state.schedule(NOW);
    assertThat(outbox.reservation(KEY)).isNotNull();

    state.workloads().observed(preempted(), NOW);

    assertThat(pauses).isEmpty();
  }

  /** A Workload that was preempted before and waits again. */
  private static Workload preempted() {
    return read(
        Workload.class,
        """
        {metadata: {name: w, namespace: team, uid: w, resourceVersion: '1'},
          spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {containers: [
            {name: c, resources: {requests: {cpu: 1}}}]}}}]},
          status: {conditions: [
            {type: Preempted, status: 'True', reason: InClusterQueue, message: '',
              lastTransitionTime: '2026-01-05T07:00:00Z'}]}}
        """);
  }

  /** After a restart the reservations come one by one, in any order, to a queue that has shrunk. */
  @Test
  void reservationsThatAreFoundBeyondTheQuotaAreMarked() {
    Outbox outbox = new Outbox();
    State state = withQueues(outbox, 1);

    state.workloads().observed(reserved("young", "1", 2), NOW);
    state.workloads().observed(reserved("old", "1", 1), NOW);
    state.settle(NOW);

    assertThat(outbox.overcommitted(new ObjectKey("team", "young"))).isTrue();
    assertThat(outbox.overcommitted(new ObjectKey("team", "old"))).isFalse();
  }

  @Test
  void whatWasReservedByHandBeyondAllNumbersLeavesNoTrace() {
    State state = withQueues(new Outbox(), 4);
    state.workloads().observed(reserved("normal", "1", 1), NOW);
    QueueCounts before = counts(state);

    state.workloads().observed(reserved("w", "9000000000000000000", 2), NOW);
    assertThat(counts(state)).isNotEqualTo(before);
    state.workloads().deleted(KEY, NOW);

    assertThat(counts(state)).isEqualTo(before);
    assertThat(state.reports().localQueue(OneQueue.LOCAL_QUEUE).orElseThrow().counts())
        .isEqualTo(before);
  }

  @Test
  void aNegativeReservationGivesOthersNothing() {
    State state = withQueues(new Outbox(), 4);

    state.workloads().observed(reserved("w", "-100", 1), NOW);

    assertThat(counts(state).reservation()).isEqualTo(Amounts.none());
  }

  private static State withQueues(Outbox outbox, int cpus) {
    State state = new State(PlainSettings.create(), outbox, new Unheard() {}, () -> NOW);
    OneQueue.addTo(state, TeamState.cpus(cpus), NOW);
    return state;
  }

  private static QueueCounts counts(State state) {
    return state.reports().clusterQueue("cq").orElseThrow().counts();
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
