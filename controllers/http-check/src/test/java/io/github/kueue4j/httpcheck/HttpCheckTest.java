// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.httpcheck.FakeEndpoint.Reply;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The check on an API server, with an endpoint on loopback. */
@KueueTest
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class HttpCheckTest {
  private final FakeEndpoint endpoint = new FakeEndpoint();

  HttpCheckTest() throws IOException {}

  @AfterEach
  void close() {
    endpoint.close();
  }

  private static AdmissionCheckState entry(PlayedWorkload job) {
    return job.entry("gate");
  }

  @Test
  void theEndpointIsToldAboutTheWorkloadAndLetsItThrough(KueueCluster cluster) {
    new Gate(cluster, endpoint).start();

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("gate", CheckState.READY);

    assertThat(entry(job).message()).isEqualTo("The endpoint said Ready.");
    FakeEndpoint.Seen request = endpoint.seen().getFirst();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.json().get("version").getAsString()).isEqualTo("kueue4j.io/http-check/v1");
    assertThat(request.json().get("check").getAsString()).isEqualTo("gate");
    assertThat(request.json().getAsJsonObject("workload").get("name").getAsString())
        .isEqualTo("job");
    job.admit().finish();
  }

  @Test
  void aRetryTakesTheEndpointsDelayAndReason(KueueCluster cluster) {
    endpoint.answers(
        Reply.json(
            """
            {"verdict": "Retry", "reason": "NoLicense", "message": "All 5 licenses are taken.",
             "retryAfterSeconds": 600}
            """));
    new Gate(cluster, endpoint).start();

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("gate", CheckState.RETRY);

    assertThat(entry(job).message()).isEqualTo("All 5 licenses are taken.");
    assertThat(entry(job).requeueAfterSeconds()).isBetween(600, 720);
    endpoint.answers(Reply.json("{\"verdict\": \"Ready\", \"message\": \"Yours.\"}"));
    job.backOff().requeue().reserve().awaitState("gate", CheckState.READY);
    assertThat(entry(job).message()).isEqualTo("Yours.");
    assertThat(endpoint.seen().getLast().json().get("attempt").getAsInt()).isEqualTo(1);
  }

  @Test
  void anEndpointThatIsBusyIsAskedAgainWhenItSays(KueueCluster cluster) {
    endpoint.answers(Reply.status(503).with("Retry-After", "40"));
    new Gate(cluster, endpoint).start();
    PlayedWorkload job = cluster.workload("job").reserve();
    job.await("told", state -> entry(job).message().contains("answered 503 (Service Unavailable)"));
    int asked = endpoint.seen().size();

    cluster.advance(Duration.ofSeconds(35));
    // Another one is answered after the first would have been.
    endpoint.answers(Reply.status(200));
    cluster.workload("witness").reserve().awaitState("gate", CheckState.READY);
    assertThat(endpoint.seenAbout("job")).hasSize(asked);

    cluster.advanceUntil(
        Duration.ofSeconds(6), "the next question", () -> entry(job).is(CheckState.READY));
  }

  @Test
  void aProxyThatForbidsIsToldAndAskedAgain(KueueCluster cluster) {
    endpoint.answers(new Reply(403, Map.of("Content-Type", "text/plain"), "RBAC: access denied"));
    new Gate(cluster, endpoint).start();
    PlayedWorkload job = cluster.workload("job").reserve();

    job.await("told", state -> entry(job).message().contains("answered 403 (Forbidden)"));
    assertThat(entry(job).state()).isEqualTo(CheckState.PENDING);
    assertThat(entry(job).message()).doesNotContain("RBAC");

    endpoint.answers(Reply.json("{\"verdict\": \"Rejected\", \"message\": \"Not on a Sunday.\"}"));
    cluster.advanceUntil(
        Duration.ofSeconds(2), "the next question", () -> entry(job).is(CheckState.REJECTED));
    assertThat(entry(job).message()).isEqualTo("Not on a Sunday.");
  }

  @Test
  void acceptedIsPendingUntilTheEndpointKnows(KueueCluster cluster) {
    endpoint.answers(Reply.status(202));
    new Gate(cluster, endpoint).start("pendingEvery: 1m");
    PlayedWorkload job = cluster.workload("job").reserve();
    job.await("said Pending", state -> entry(job).message().equals("The endpoint said Pending."));

    endpoint.answers(Reply.status(200));
    // The first step may come before the timer of the next question.
    cluster.advanceUntil(
        Duration.ofSeconds(61), "another question", () -> entry(job).is(CheckState.READY));
  }

  @Test
  void whatCantBeReadIsAFailureThatTheEntryTells(KueueCluster cluster) {
    endpoint.answers(Reply.json("{\"verdict\": \"Yes\"}"));
    new Gate(cluster, endpoint).start();

    PlayedWorkload job = cluster.workload("job").reserve();
    await()
        .untilAsserted(
            () ->
                assertThat(entry(job).message())
                    .contains(
                        "answered 200 (OK) with what can't be used: verdict: write one of Ready,"
                            + " Pending, Retry, Rejected"));

    assertThat(entry(job).state()).isEqualTo(CheckState.PENDING);
  }

  @Test
  void ignoredFailuresLetWorkloadsThroughAndSaySo(KueueCluster cluster) {
    endpoint.answers(Reply.status(500));
    new Gate(cluster, endpoint).start("failurePolicy: Ignore", "retries: 2");

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("gate", CheckState.READY);

    assertThat(entry(job).message())
        .contains("answered 500", "The failurePolicy of the HttpCheck is Ignore.");
    assertThat(endpoint.seen()).hasSize(3);
  }

  @Test
  void podSetUpdatesNeedToBeAllowed(KueueCluster cluster) {
    endpoint.answers(
        Reply.json(
            """
            {"verdict": "Ready", "podSetUpdates":
              [{"name": "main", "nodeSelector": {"license": "a"}}]}
            """));
    Gate gate = new Gate(cluster, endpoint).start();
    PlayedWorkload job = cluster.workload("job").reserve();
    await()
        .untilAsserted(
            () -> assertThat(entry(job).message()).contains("set spec.allowPodSetUpdates"));

    gate.change("allowPodSetUpdates: true");

    job.awaitState("gate", CheckState.READY);
    assertThat(entry(job).podSetUpdates().getFirst().nodeSelector()).containsEntry("license", "a");
  }

  @Test
  void aSecretThatChangesWakesNoWorkload(KueueCluster cluster) {
    endpoint.answers(Reply.status(202));
    login(cluster, "YWx0");
    new Gate(cluster, endpoint).start("pendingEvery: 10h");
    cluster.apply(
        Gate.yaml(
            "url: \""
                + endpoint.url()
                + "\", authorization: {bearerToken: {secretKeyRef: {name: login, key: token}}}",
            "pendingEvery: 10h"));
    PlayedWorkload job = cluster.workload("job").reserve();
    job.await("said Pending", state -> entry(job).message().equals("The endpoint said Pending."));
    await().until(() -> authorizations("job").contains("Bearer alt"));

    login(cluster, "bmV1");
    AtomicInteger others = new AtomicInteger();
    await()
        .until(
            () -> {
              String other = "other-" + others.incrementAndGet();
              cluster.workload(other).reserve();
              await().until(() -> !authorizations(other).isEmpty());
              return authorizations(other).contains("Bearer neu");
            });
    // What a change wakes is gathered for a while.
    cluster.advance(Duration.ofSeconds(5));
    cluster.workload("last").reserve();
    await().until(() -> !authorizations("last").isEmpty());

    assertThat(authorizations("job")).doesNotContain("Bearer neu");
  }

  private List<String> authorizations(String workload) {
    return endpoint.seenAbout(workload).stream()
        .flatMap(seen -> seen.headers().getOrDefault("Authorization", List.of("none")).stream())
        .toList();
  }

  private static void login(KueueCluster cluster, String token) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: login, namespace: default}
        data: {token: %s}
        """
            .formatted(token));
  }

  @Test
  void aSecretThatComesLaterIsUsed(KueueCluster cluster) {
    // Until the controller has seen the other spec, which may be after the reservation.
    endpoint.answers(Reply.status(202));
    new Gate(cluster, endpoint).start("# after the URL");
    cluster.apply(
        Gate.yaml(
            "url: \""
                + endpoint.url()
                + "\", authorization: {bearerToken: {secretKeyRef: {name: login, key: token}}}"));
    PlayedWorkload job = cluster.workload("job").reserve();
    await()
        .untilAsserted(
            () ->
                assertThat(entry(job).message())
                    .contains("there is no Secret 'login' in the namespace 'default'"));

    endpoint.answers(Reply.status(200));
    login(cluster, "Z2VoZWlt");
    // A failed evaluation has a delay of its own.
    cluster.advanceUntil(
        Duration.ofSeconds(1), "a Secret that is used", () -> entry(job).is(CheckState.READY));
    assertThat(endpoint.seen().getLast().headers().get("Authorization"))
        .containsExactly("Bearer geheim");
  }
}
