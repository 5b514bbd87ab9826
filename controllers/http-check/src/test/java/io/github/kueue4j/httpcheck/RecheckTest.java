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
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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

    cluster.advanceUntil(
        Duration.ofMinutes(1), "two answers", () -> job.entry("gate").is(CheckState.RETRY));

    assertThat(job.entry("gate").message()).isEqualTo("Withdrawn.");
    assertThat(asked()).hasSizeGreaterThan(2);
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

  /**
   * The cost that docs/guides/admission-check-flow.md names; a slow machine lets more time pass.
   */
  @Test
  void aRunningWorkloadIsAskedAboutTwelveTimesAnHourAtMost(KueueCluster cluster) {
    new Gate(cluster, endpoint).start("recheckReady: true");
    admitted(cluster);
    Instant admitted = cluster.time().instant();

    for (int questions = 2; questions <= 13; questions++) {
      int next = questions;
      cluster.advanceUntil(
          Duration.ofMinutes(1), "one more question", () -> asked().size() >= next);
    }

    assertThat(Duration.between(admitted, cluster.time().instant()))
        .isGreaterThanOrEqualTo(Duration.ofHours(1));
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

  /** A mesh that refuses the controller for a while, as after a change of its rules. */
  @Test
  void whatAProxyForbidsEndsNothingThatRuns(KueueCluster cluster) {
    new Gate(cluster, endpoint).startAskingEvery(Duration.ofSeconds(2), "recheckReady: true");
    List<PlayedWorkload> jobs = running(cluster, 12);
    endpoint.answers(new Reply(403, Map.of("Content-Type", "text/plain"), "RBAC: access denied"));
    int before = endpoint.seen().size();
    for (int second = 0; second < 8; second++) {
      cluster.advance(Duration.ofSeconds(1));
    }
    cluster.advanceUntil(
        Duration.ofSeconds(1),
        "each was asked about",
        () -> jobs.stream().allMatch(job -> seenSince(before, job) > 0));

    endpoint.answers(Reply.status(200));
    int after = endpoint.seen().size();
    cluster.advanceUntil(
        Duration.ofSeconds(10),
        "each is asked about again",
        () -> jobs.stream().allMatch(job -> seenSince(after, job) > 0));
    assertThat(jobs).hasSize(12).allMatch(job -> job.entry("gate").is(CheckState.READY));
  }

  @Test
  void oneRejectionEndsNothingThatRuns(KueueCluster cluster) {
    new Gate(cluster, endpoint).startAskingEvery(Duration.ofMinutes(1), "recheckReady: true");
    PlayedWorkload job = running(cluster, 1).getFirst();
    endpoint.answers(Reply.json("{\"verdict\": \"Rejected\"}"));
    int before = endpoint.seen().size();
    cluster.advanceUntil(
        Duration.ofSeconds(10), "the first answer", () -> seenSince(before, job) > 0);
    await().until(() -> events(cluster).contains("AdmissionCheckRevocationUnconfirmed"));

    endpoint.answers(Reply.status(200));
    int after = endpoint.seen().size();
    cluster.advanceUntil(Duration.ofSeconds(10), "another answer", () -> seenSince(after, job) > 1);
    assertThat(job.entry("gate").state()).isEqualTo(CheckState.READY);

    endpoint.answers(Reply.json("{\"verdict\": \"Rejected\", \"message\": \"Withdrawn.\"}"));
    cluster.advanceUntil(
        Duration.ofSeconds(10), "two in a row", () -> job.entry("gate").is(CheckState.REJECTED));
    assertThat(job.entry("gate").message()).isEqualTo("Withdrawn.");
  }

  @Test
  @ExpectedLog(logger = "RevocationNews", message = "held back")
  void notAllThatRunsEndsAtOnce(KueueCluster cluster) {
    new Gate(cluster, endpoint).startAskingEvery(Duration.ofMinutes(1), "recheckReady: true");
    List<PlayedWorkload> jobs = running(cluster, 20);
    endpoint.answers(Reply.json("{\"verdict\": \"Rejected\"}"));

    cluster.advanceUntil(Duration.ofSeconds(10), "the first five", () -> rejected(jobs) == 5);
    Instant began = cluster.time().instant();
    cluster.advanceUntil(
        Duration.ofSeconds(1),
        "the others are told",
        () -> events(cluster).split("AdmissionCheckRevocationHeldBack", -1).length > 15);
    cluster.advance(Duration.ofMinutes(5));
    cluster.workload("other").reserve().awaitState("gate", CheckState.REJECTED);
    assertThat(rejected(jobs)).isEqualTo(5);

    cluster.advanceUntil(Duration.ofMinutes(1), "the others", () -> rejected(jobs) == 20);
    assertThat(Duration.between(began, cluster.time().instant()))
        .isGreaterThan(Duration.ofMinutes(29));
  }

  private static List<PlayedWorkload> running(KueueCluster cluster, int number) {
    List<PlayedWorkload> jobs =
        IntStream.range(0, number).mapToObj(i -> cluster.workload("job-" + i).reserve()).toList();
    jobs.forEach(job -> job.awaitState("gate", CheckState.READY).admit());
    return jobs;
  }

  private static long rejected(List<PlayedWorkload> jobs) {
    return jobs.stream().filter(job -> job.entry("gate").is(CheckState.REJECTED)).count();
  }

  /** How often the endpoint was asked about this one, among the questions from a number on. */
  private long seenSince(int number, PlayedWorkload job) {
    return endpoint.seen().stream()
        .skip(number)
        .filter(seen -> seen.body().contains('"' + job.key().name() + '"'))
        .count();
  }

  private static String events(KueueCluster cluster) {
    URI events = cluster.uri().resolve("/apis/events.k8s.io/v1/events");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(events).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
