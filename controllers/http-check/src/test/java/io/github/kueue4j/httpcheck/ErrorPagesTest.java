// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.httpcheck.FakeEndpoint.Reply;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.HeardLog;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a debug page repeats reaches neither the tenant nor the log. */
@KueueTest
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class ErrorPagesTest {
  private static final String TOKEN = "geheim-4711-geheim";
  private static final String PASSWORD = "datenbank-0815";
  private static final String EVENTS = "/apis/events.k8s.io/v1/events";

  private final FakeEndpoint endpoint = new FakeEndpoint();

  ErrorPagesTest() throws IOException {}

  @AfterEach
  void close() {
    endpoint.close();
  }

  private static String page(Map<String, List<String>> headers) {
    return """
        {"verdict": "Oops", "sent": "%s %s", "database": "postgres://app:%s@db/main",
         "DB_PASSWORD": "%s"}
        """
        .formatted(headers.get("Authorization"), headers.get("X-key"), PASSWORD, PASSWORD);
  }

  @ParameterizedTest
  @CsvSource({
    "500, text/html, 500 (Internal Server Error)",
    "403, text/plain, 403 (Forbidden)",
    "503, application/json, 503 (Service Unavailable)",
    "200, text/html, 200 (OK)",
    "200, application/json, 200 (OK)"
  })
  void theTenantReadsTheStatusAndNothingOfThePage(
      int status, String type, String told, KueueCluster cluster) throws Exception {
    endpoint.answersBy(headers -> new Reply(status, Map.of("Content-Type", type), page(headers)));
    cluster.apply(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: login, namespace: default}
        data: {token: %s}
        """
            .formatted(Base64.getEncoder().encodeToString(TOKEN.getBytes(StandardCharsets.UTF_8))));
    try (HeardLog log = HeardLog.listen()) {
      new Gate(cluster, endpoint)
          .startWith(
              "authorization: {bearerToken: {secretKeyRef: {name: login, key: token}}},"
                  + " headers: [{name: X-Key, value: {secretKeyRef: {name: login, key: token}}}]");
      PlayedWorkload job = cluster.workload("job").reserve();
      job.await("told", state -> job.entry("gate").message().contains("answered " + told));
      cluster.advanceUntil(
          Duration.ofSeconds(30), "sent back", () -> job.entry("gate").is(CheckState.RETRY));

      await().until(() -> get(cluster, EVENTS).contains("gate"));

      assertThat(page(endpoint.seen().getFirst().headers()))
          .as("what was to be repeated")
          .contains("Bearer " + TOKEN, "[" + TOKEN + "]");
      for (String objects :
          List.of(
              "/apis/kueue.x-k8s.io/v1beta2/workloads",
              "/apis/kueue.x-k8s.io/v1beta2/admissionchecks",
              "/apis/checks.kueue4j.io/v1alpha1/httpchecks",
              EVENTS)) {
        assertThat(get(cluster, objects))
            .contains("\"items\"", "gate")
            .doesNotContain(TOKEN, PASSWORD, "Oops");
      }
      assertThat(log.lines())
          .anyMatch(line -> line.contains(endpoint.url()) && line.contains("***"))
          .allSatisfy(line -> assertThat(line).doesNotContain(TOKEN, PASSWORD));
    }
  }

  private static String get(KueueCluster cluster, String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(cluster.uri().resolve(path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
