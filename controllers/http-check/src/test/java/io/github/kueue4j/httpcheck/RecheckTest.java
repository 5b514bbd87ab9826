// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the endpoint says later, of Workloads that run and of itself. */
@KueueTest
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class RecheckTest {
  private final FakeEndpoint endpoint = new FakeEndpoint();

  RecheckTest() throws IOException {}

  @AfterEach
  void close() {
    endpoint.close();
  }

  private PlayedWorkload admitted(KueueCluster cluster) {
    PlayedWorkload job =
        cluster.workload("job").reserve().awaitState("gate", CheckState.READY).admit();
    // One whose Ready doesn't come into its sight the controller asks about again a minute later.
    // It sees Workloads in order: when it asks about this one, it has seen that Ready.
    cluster.workload("witness").reserve().awaitState("gate", CheckState.READY);
    return job;
  }

  /** What the endpoint was asked about the first. */
  private List<FakeEndpoint.Seen> asked() {
    return endpoint.seenAbout("job");
  }

  @Test
  void aReadyIsFinalUnlessTheHttpCheckSaysOtherwise(KueueCluster cluster) {
    new Gate(cluster, endpoint).start();
    PlayedWorkload first = admitted(cluster);
    endpoint.answers(Reply.json("{\"verdict\": \"Retry\"}"));

    cluster.advance(Duration.ofMinutes(11));
    cluster.workload("second").reserve().awaitState("gate", CheckState.RETRY);

    assertThat(first.entry("gate").state()).isEqualTo(CheckState.READY);
    assertThat(asked()).hasSize(1);
  }

  @Test
  void aRetryEvictsARunningWorkload(KueueCluster cluster) {
    new Gate(cluster, endpoint).start("recheckReady: true");
    PlayedWorkload job = admitted(cluster);
    endpoint.answers(Reply.json("{\"verdict\": \"Retry\", \"message\": \"Withdrawn.\"}"));

    cluster.advance(Duration.ofMinutes(6));

    job.awaitState("gate", CheckState.RETRY);
    assertThat(job.entry("gate").message()).isEqualTo("Withdrawn.");
    assertThat(asked().getLast().json().get("recheck").getAsBoolean()).isTrue();
  }

  @Test
  void anotherReadyChangesNothing(KueueCluster cluster) {
    endpoint.answers(Reply.json("{\"verdict\": \"Ready\", \"message\": \"1 of 5.\"}"));
    new Gate(cluster, endpoint).start("recheckReady: true", "allowPodSetUpdates: true");
    PlayedWorkload job = admitted(cluster);
    endpoint.answers(
        Reply.json(
            """
            {"verdict": "Ready", "message": "2 of 5.", "podSetUpdates":
              [{"name": "main", "nodeSelector": {"license": "a"}}]}
            """));
    cluster.advance(Duration.ofMinutes(6));
    await().until(() -> asked().size() == 2);

    cluster.workload("second").reserve().awaitState("gate", CheckState.READY);

    assertThat(job.entry("gate").message()).isEqualTo("1 of 5.");
    assertThat(job.entry("gate").podSetUpdates()).isEmpty();
  }

  @Test
  void neitherPendingNorAFailureNorABusyEndpointEndsAReady(KueueCluster cluster) {
    new Gate(cluster, endpoint).start("recheckReady: true");
    PlayedWorkload job = admitted(cluster);
    endpoint.answers(Reply.status(202));
    cluster.advance(Duration.ofMinutes(6));
    await().until(() -> asked().size() == 2);

    endpoint.answers(Reply.status(401));
    cluster.advanceUntil(Duration.ofMinutes(1), "a third question", () -> asked().size() > 2);

    int asked = asked().size();
    endpoint.answers(Reply.status(503).with("Retry-After", "60"));
    cluster.advanceUntil(
        Duration.ofMinutes(1), "two more questions", () -> asked().size() > asked + 1);

    assertThat(job.entry("gate").state()).isEqualTo(CheckState.READY);
  }

  @Test
  void anUnhealthyEndpointMakesTheAdmissionCheckInactive(KueueCluster cluster) {
    new Gate(cluster, endpoint).start("healthPath: /healthz");
    await().untilAsserted(() -> assertThat(active(cluster)).contains("\"status\":\"True\""));
    endpoint.healthIs(Reply.status(503).with("Retry-After", "1"));

    await()
        .untilAsserted(
            () -> {
              cluster.advance(Duration.ofSeconds(31));
              assertThat(active(cluster))
                  .contains(
                      "\"status\":\"False\"",
                      "EndpointUnavailable",
                      "/healthz answered that it can't answer now.");
            });

    endpoint.healthIs(new Reply(204, Map.of(), ""));
    await()
        .untilAsserted(
            () -> {
              cluster.advance(Duration.ofSeconds(31));
              assertThat(active(cluster)).contains("\"status\":\"True\"");
            });
  }

  private static String active(KueueCluster cluster) {
    return cluster
        .describe()
        .lines()
        .dropWhile(line -> !line.startsWith("AdmissionCheck gate"))
        .limit(4)
        .filter(line -> line.contains("status:"))
        .findFirst()
        .orElse("");
  }
}
