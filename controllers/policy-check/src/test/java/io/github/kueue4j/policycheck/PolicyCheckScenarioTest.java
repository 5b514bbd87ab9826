// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check on an API server, in virtual time. */
@KueueTest
class PolicyCheckScenarioTest {

  /** A freeze of two days, which begins now. */
  private static void startInAFreeze(KueueCluster cluster) {
    Instant now = cluster.time().instant().truncatedTo(ChronoUnit.SECONDS);
    start(
        cluster,
        """
          windows:
            - {name: freeze, from: "%s", to: "%s"}
          rules:
            - {name: change-freeze, answer: Retry, when: windows.freeze, message: Wait for the new year.}
        """
            .formatted(now, now.plus(Duration.ofDays(2))));
  }

  private static void start(KueueCluster cluster, String spec) {
    PolicyCheck.crds().forEach(cluster::apply);
    write(cluster, spec);
    cluster.admissionCheck(
        "check", PolicyCheck.CONTROLLER_NAME, "checks.kueue4j.io", "PolicyCheck", "rules");
    cluster.run(
        CheckStarter.of(
            environment -> PolicyCheck.controller(environment, PolicyCheck.CONTROLLER_NAME)));
  }

  private static void write(KueueCluster cluster, String spec) {
    cluster.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: PolicyCheck
        metadata: {name: rules}
        spec:
        """
            + spec);
  }

  /** Longer than the longest delay: it is sent back again until the window closes. */
  @Test
  void aRetryEndsWhenTheWindowCloses(KueueCluster cluster) {
    startInAFreeze(cluster);
    PlayedWorkload workload = cluster.workload("a").reserve("check");

    AdmissionCheckState first = workload.awaitState("check", CheckState.RETRY).entry("check");
    assertThat(first.requeueAfterSeconds()).isBetween(24 * 3600 - 61, 24 * 3600);
    assertThat(first.message())
        .startsWith("Rule change-freeze: Wait for the new year. It can be let through from ")
        .contains(" UTC on. Asking again in ");
    workload.backOff();
    cluster.advance(Duration.ofHours(24));
    workload.requeue().reserve("check").awaitState("check", CheckState.RETRY);
    workload.backOff();
    cluster.advance(Duration.ofHours(24).plusMinutes(1));
    workload.requeue().reserve("check").awaitState("check", CheckState.READY);
  }

  @Test
  void aChangeOfTheRulesEndsTheWait(KueueCluster cluster) {
    startInAFreeze(cluster);
    PlayedWorkload workload = cluster.workload("a").reserve("check");
    workload.awaitState("check", CheckState.RETRY).backOff();

    write(cluster, "  rules: [{name: all, answer: Ready, when: 'true', message: Go on.}]");

    workload.awaitDelayEnded("check");
    workload.requeueAtOnce().reserve("check").awaitState("check", CheckState.READY);
    assertThat(workload.entry("check").message()).isEqualTo("Rule all: Go on.");
  }

  @Test
  void theLabelsOfWorkloadAndNamespaceDecide(KueueCluster cluster) {
    start(
        cluster,
        """
          rules:
            - name: owner-label
              answer: Rejected
              when: "!('team' in workload.labels) && !('team' in namespaceLabels)"
              message: The label team is missing; write it on the Job and submit it again.
        """);
    cluster
        .workload("labelled", Map.of("team", "physics"))
        .reserve("check")
        .awaitState("check", CheckState.READY);
    PlayedWorkload bare = cluster.workload("bare").reserve("check");
    bare.awaitState("check", CheckState.REJECTED);
    assertThat(bare.entry("check").message())
        .isEqualTo(
            "Rule owner-label: The label team is missing; write it on the Job and submit it again.");
  }

  @Test
  void rulesThatMakeNoSenseAreToldOnTheAdmissionCheckUntilTheyDo(KueueCluster cluster) {
    start(cluster, "  rules: [{name: night, answer: Ready, when: windows.night}]");
    await()
        .untilAsserted(
            () ->
                assertThat(cluster.describe())
                    .contains("BadParametersRef")
                    .contains(
                        "spec.rules[0] (night).when is 'windows.night': undefined field 'night'"));
    PlayedWorkload workload = cluster.workload("a").reserve("check");

    write(cluster, "  rules: [{name: night, answer: Ready, when: 'true'}]");

    // The script takes an AdmissionCheck that stays inactive for some seconds for a mistake.
    await().untilAsserted(() -> assertThat(cluster.describe()).doesNotContain("BadParametersRef"));
    cluster.script().awaitActive("check");
    workload.awaitState("check", CheckState.READY);
  }
}
