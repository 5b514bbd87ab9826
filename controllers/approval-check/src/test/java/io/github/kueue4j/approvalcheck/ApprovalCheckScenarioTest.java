// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check on an API server, in virtual time. */
@KueueTest(start = "2026-03-02T10:00:00Z")
class ApprovalCheckScenarioTest {
  private static final String PLAIN = "generation: 1}, decision: Approve, by: alice";

  private static final RequestMatcher ANSWERS =
      RequestMatcher.verbs("patch")
          .and(RequestMatcher.resource(KueueTypes.WORKLOAD.plural()))
          .and(RequestMatcher.userAgent("check-controller"));

  private RunningController controller;

  @BeforeEach
  void start(KueueCluster cluster) {
    ApprovalCheck.crds().forEach(cluster::apply);
    parameters(cluster, "approvers: the operators, holdsFor: 2h, remindEvery: 4h");
    cluster.admissionCheck(
        "large", ApprovalCheck.CONTROLLER_NAME, "checks.kueue4j.io", "ApprovalCheck", "large");
    controller =
        cluster.run(
            CheckStarter.of(
                environment ->
                    ApprovalCheck.controller(environment, ApprovalCheck.CONTROLLER_NAME)));
  }

  private static void parameters(KueueCluster cluster, String fields) {
    cluster.apply(
        """
        {apiVersion: checks.kueue4j.io/v1alpha1, kind: ApprovalCheck, metadata: {name: large}, spec: {%s}}
        """
            .formatted(fields));
  }

  private static void decide(
      KueueCluster cluster, PlayedWorkload workload, String name, String fields) {
    decide(cluster, workload, workload.read().metadata().getUid(), name, fields);
  }

  private static void decide(
      KueueCluster cluster, PlayedWorkload workload, String uid, String name, String fields) {
    cluster.apply(
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: Approval
        metadata: {name: %s, namespace: %s}
        spec: {check: large, workload: {name: %s, uid: %s, %s}
        """
            .formatted(name, workload.key().namespace(), workload.key().name(), uid, fields));
  }

  private static void edit(KueueCluster cluster, PlayedWorkload workload) {
    JsonObject patch =
        JsonParser.parseString("{'spec': {'maximumExecutionTimeSeconds': 90000}}")
            .getAsJsonObject();
    people(cluster, api -> api.patch(KueueTypes.WORKLOAD, workload.key(), new MergePatch(patch)));
  }

  private static void people(KueueCluster cluster, Consumer<KubernetesApi> deed) {
    try (ClusterConnection connection =
        ClusterConnection.builder("people").url(cluster.uri()).connect()) {
      deed.accept(connection.api());
    }
  }

  /** A Workload with quota and an approval of {@link #PLAIN}, by which it is Ready. */
  private static PlayedWorkload approved(KueueCluster cluster, String name, String approval) {
    PlayedWorkload workload = cluster.workload(name);
    decide(cluster, workload, approval, PLAIN);
    awaitApprovalsSeen(cluster, "witness-of-" + name);
    return workload.reserve().awaitState("large", CheckState.READY);
  }

  /** The controller sees Approvals in order: by the last one it ends a delay. */
  private static void awaitApprovalsSeen(KueueCluster cluster, String witness) {
    PlayedWorkload waiting = cluster.workload(witness).reserve();
    waiting.awaitState("large", CheckState.RETRY).backOff();
    decide(cluster, waiting, witness, PLAIN);
    waiting.awaitDelayEnded("large");
  }

  @Test
  void itWaitsWithoutQuotaUntilAPersonApproves(KueueCluster cluster) {
    PlayedWorkload workload = cluster.workload("a").reserve();

    AdmissionCheckState entry = workload.awaitState("large", CheckState.RETRY).entry("large");
    assertThat(entry.requeueAfterSeconds()).isBetween(4 * 3600 * 4 / 5 - 1, 4 * 3600);
    assertThat(entry.message())
        .matches(
            "It waits for an approval by the operators: 'kueue4j approve workload/a -n "
                + workload.key().namespace()
                + " --check large'\\. The next reminder is in [34] h[0-9 min]*\\.");
    workload.backOff();
    decide(cluster, workload, "agreed", PLAIN + ", comment: Go on.");

    workload.awaitDelayEnded("large");
    workload.requeueAtOnce().reserve().awaitState("large", CheckState.READY);
    assertThat(workload.entry("large").message())
        .isEqualTo("Approved by alice at 2026-03-02T10:00:00Z until 2026-03-02T12:00:00Z: Go on.");
  }

  @Test
  void aDenialEndsTheWaitAndRejects(KueueCluster cluster) {
    PlayedWorkload workload = cluster.workload("a").reserve();
    workload.awaitState("large", CheckState.RETRY).backOff();

    decide(
        cluster,
        workload,
        "refused",
        "generation: 1}, decision: Deny, by: bob, comment: Too large.");

    workload.awaitDelayEnded("large");
    workload.requeueAtOnce().reserve().awaitState("large", CheckState.REJECTED);
    assertThat(workload.entry("large").message())
        .isEqualTo("Denied by bob at 2026-03-02T10:00:00Z: Too large.");
    workload.reject();
    cluster.advance(Duration.ofMinutes(1));
    workload.reactivate().reserve().awaitState("large", CheckState.RETRY);
    workload.backOff();
    decide(cluster, workload, "after-all", "generation: 3}, decision: Approve, by: alice");
    workload.awaitDelayEnded("large");
  }

  @Test
  void anApprovalBeforeTheFirstReservationCounts(KueueCluster cluster) {
    PlayedWorkload workload = approved(cluster, "a", "early");

    assertThat(workload.entry("large").message()).startsWith("Approved by alice at ");
  }

  @Test
  void anApprovalThatEndsBeforeTheAdmissionIsAskedForAgain(KueueCluster cluster) {
    PlayedWorkload workload = approved(cluster, "a", "short");

    cluster.advanceUntil(
        Duration.ofMinutes(10),
        "the end of the approval",
        () -> workload.entry("large").is(CheckState.RETRY));

    assertThat(workload.entry("large").message())
        .startsWith(
            "The approval by alice held until 2026-03-02T12:00:00Z. It waits for an approval by");
  }

  @Test
  void anApprovalThatIsWithdrawnBeforeTheAdmissionIsAskedForAgain(KueueCluster cluster) {
    PlayedWorkload workload = approved(cluster, "a", "hasty");

    withdraw(cluster, workload, "hasty");

    workload.awaitState("large", CheckState.RETRY);
  }

  private static void withdraw(KueueCluster cluster, PlayedWorkload workload, String approval) {
    ObjectKey key = new ObjectKey(workload.key().namespace(), approval);
    people(cluster, api -> api.delete(ApprovalSpec.TYPE, key, DeleteOptions.background()));
  }

  /** The controller answers about what isn't admitted as far as it sees, and writes too late. */
  @Test
  void anAdmissionThatComesWithTheWithdrawalRunsOn(KueueCluster cluster) throws Exception {
    PlayedWorkload workload = approved(cluster, "a", "hasty");
    // It sees Workloads in order: when it answers about this one, it has seen that Ready.
    cluster.workload("b").reserve().awaitState("large", CheckState.RETRY);

    AutoCloseable stale = cluster.staleWatches();
    try (Fault answers = cluster.faults().delay(ANSWERS, Duration.ZERO)) {
      workload.admit();
      withdraw(cluster, workload, "hasty");
      cluster.advanceUntil(
          Duration.ofSeconds(1), "an answer that is written", () -> answers.hits() > 0);
    }
    stale.close();

    passRechecks(cluster);
    assertThat(workload.entry("large").is(CheckState.READY)).isTrue();
  }

  /**
   * Lets the time of some rechecks pass, and each be done with: of those that are asked about
   * later, the answer is there.
   */
  private static void passRechecks(KueueCluster cluster) {
    for (int recheck = 0; recheck < 4; recheck++) {
      cluster.advance(Duration.ofMinutes(1));
      cluster.workload("later-" + recheck).reserve().awaitState("large", CheckState.RETRY);
    }
  }

  @Test
  void whatIsAdmittedRunsOn(KueueCluster cluster) {
    PlayedWorkload workload = approved(cluster, "a", "short").admit();

    cluster.advance(Duration.ofHours(3));

    passRechecks(cluster);
    assertThat(workload.entry("large").is(CheckState.READY)).isTrue();
  }

  @Test
  void anEditIsNotApproved(KueueCluster cluster) {
    PlayedWorkload workload = approved(cluster, "a", "agreed");

    edit(cluster, workload);

    workload.awaitState("large", CheckState.RETRY);
    assertThat(workload.entry("large").message())
        .startsWith("What alice approved at 2026-03-02T10:00:00Z has been changed since. ");
    workload.backOff();
    cluster.advance(Duration.ofSeconds(1));
    decide(cluster, workload, "larger", "generation: 2}, decision: Approve, by: alice");
    workload.awaitDelayEnded("large");
  }

  /** Changes of Workloads and Approvals come by different watches. */
  @Test
  void anApprovalThatIsSeenBeforeTheEditEndsTheWait(KueueCluster cluster) {
    PlayedWorkload workload = cluster.workload("a").reserve();
    workload.awaitState("large", CheckState.RETRY).backOff();
    decide(cluster, workload, "early", "generation: 2}, decision: Approve, by: alice");

    edit(cluster, workload);

    workload.awaitDelayEnded("large");
  }

  @Test
  void anApprovalOfAnotherWorkloadOfTheNameIsNone(KueueCluster cluster) {
    PlayedWorkload workload = cluster.workload("a").reserve();
    decide(cluster, workload, "earlier-uid", "late", PLAIN);

    workload.awaitState("large", CheckState.RETRY).backOff();
    workload.requeue().reserve().awaitState("large", CheckState.RETRY);
    assertThat(workload.entry("large").message()).startsWith("It waits for an approval");
  }

  @Test
  void aRestartAtEachStepForgetsNothing(KueueCluster cluster) {
    PlayedWorkload workload = cluster.workload("a");
    controller.stop();
    workload.reserve();
    controller.start();
    workload.awaitState("large", CheckState.RETRY);
    controller.stop();
    workload.backOff();
    decide(cluster, workload, "agreed", PLAIN);
    controller.start();
    workload.awaitDelayEnded("large");
    controller.stop();
    workload.requeueAtOnce().reserve();
    controller.start();
    workload.awaitState("large", CheckState.READY);
    controller.stop();
    edit(cluster, workload);
    controller.start();
    workload.awaitState("large", CheckState.RETRY);
  }

  @Test
  void parametersThatGiveAnApprovalMoreTimeEndTheWait(KueueCluster cluster) {
    PlayedWorkload workload = cluster.workload("a");
    decide(cluster, workload, "agreed", PLAIN);
    awaitApprovalsSeen(cluster, "witness");
    cluster.advance(Duration.ofHours(2));
    workload.reserve().awaitState("large", CheckState.RETRY).backOff();

    parameters(cluster, "holdsFor: 4h");

    workload.awaitDelayEnded("large");
    workload.requeueAtOnce().reserve().awaitState("large", CheckState.READY);
  }
}
