// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.httpcheck.FakeEndpoint.Reply;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the fields of an HttpCheck do, and which values the server refuses. */
@KueueTest
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class FieldsTest {
  private final FakeEndpoint endpoint = new FakeEndpoint();

  FieldsTest() throws IOException {}

  @AfterEach
  void close() {
    endpoint.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'url: \"ftp://a.example/\"' | write a URL that begins with https:// or http://",
        "'url: \"https://a.example/?b\"' | leave out what follows ? and #",
        "'url: \"http://a.example/\", ca: {value: x}'"
            + " | begin url with https://, or leave out ca and clientCertificate",
        "'url: \"https://a.example/\", ca: {}' | write exactly one of value, secretKeyRef and file",
        "'url: \"https://a.example/\", authorization: {bearerToken: {value: x}}'"
            + " | keep it in a Secret, and name that in secretKeyRef",
        "'url: \"https://a.example/\", authorization: {}' | write one of bearerToken and basic",
        "'url: \"https://a.example/\", headers: [{name: \"a b\", value: {value: x}}]' | name"
      })
  void theServerRefusesWhatMakesNoSense(String fields, String complaint, KueueCluster cluster) {
    HttpCheck.crds().forEach(cluster::apply);

    assertThatThrownBy(() -> cluster.apply(Gate.yaml(fields))).hasMessageContaining(complaint);
  }

  @Test
  void whatTheServerCantTellTheAdmissionCheckAndTheObjectSay(KueueCluster cluster) {
    new Gate(cluster, endpoint).start();

    cluster.apply(Gate.yaml("url: \"http://a.example:99999/\""));

    await()
        .untilAsserted(
            () -> {
              assertThat(cluster.describe())
                  .contains(
                      "spec.endpoint.url is 'http://a.example:99999/': write a URL with a host");
              assertThat(accepted(cluster))
                  .contains(
                      "\"status\":\"False\"", "spec.endpoint.url is 'http://a.example:99999/'");
            });
  }

  @Test
  void theObjectSaysThatItIsUsed(KueueCluster cluster) {
    new Gate(cluster, endpoint).start();

    await()
        .untilAsserted(() -> assertThat(accepted(cluster)).contains("\"status\":\"True\"", "gate"));
  }

  /** The condition of the HttpCheck. */
  private static String accepted(KueueCluster cluster) throws Exception {
    URI object = cluster.uri().resolve("/apis/checks.kueue4j.io/v1alpha1/httpchecks/gate");
    try (HttpClient http = HttpClient.newHttpClient()) {
      String json =
          http.send(HttpRequest.newBuilder(object).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      JsonObject status = JsonParser.parseString(json).getAsJsonObject().getAsJsonObject("status");
      assertThat(status).as(json).isNotNull();
      JsonObject condition = status.getAsJsonArray("conditions").get(0).getAsJsonObject();
      assertThat(condition.get("type").getAsString()).isEqualTo("Accepted");
      return condition.toString();
    }
  }

  @Test
  void delaysAreNeitherLongerThanAllowedNorZero(KueueCluster cluster) {
    endpoint.answers(Reply.json("{\"verdict\": \"Retry\", \"retryAfterSeconds\": 999999999}"));
    new Gate(cluster, endpoint).start("longestDelay: 1h");
    PlayedWorkload job = cluster.workload("job").reserve().awaitState("gate", CheckState.RETRY);
    assertThat(job.entry("gate").requeueAfterSeconds()).isBetween(2880, 3600);

    endpoint.answers(Reply.json("{\"verdict\": \"Retry\", \"retryAfterSeconds\": 0}"));
    PlayedWorkload other = cluster.workload("other").reserve().awaitState("gate", CheckState.RETRY);
    assertThat(other.entry("gate").requeueAfterSeconds()).isBetween(1, 2);
  }

  @Test
  void aRetryWithoutATimeBacksOff(KueueCluster cluster) {
    endpoint.answers(Reply.json("{\"verdict\": \"Retry\"}"));
    new Gate(cluster, endpoint).start("backoff: {base: 100s, factor: 3, max: 1h}");
    PlayedWorkload job = cluster.workload("job").reserve().awaitState("gate", CheckState.RETRY);
    assertThat(job.entry("gate").requeueAfterSeconds()).isBetween(100, 120);
    assertThat(job.entry("gate").message())
        .startsWith("The endpoint said Retry; asking again in ")
        .endsWith(" (attempt 0).");

    job.backOff().requeue().reserve().awaitState("gate", CheckState.RETRY);
    assertThat(job.entry("gate").requeueAfterSeconds()).isBetween(300, 360);
  }

  /** KEP-3258, story 3: in ten minutes if the service is down. */
  @ParameterizedTest
  @CsvSource({"503, 60, 72", "429, 60, 72", "502, 600, 720", "500, 600, 720", "403, 600, 720"})
  void anEndpointThatIsBusyIsAskedSoonerThanOneThatIsDown(
      int status, int shortest, int longest, KueueCluster cluster) {
    endpoint.answers(Reply.status(status));
    new Gate(cluster, endpoint)
        .start("unavailable: {errorBudget: 30s, busyDelay: 1m, downDelay: 10m}");
    PlayedWorkload job = cluster.workload("job").reserve();
    job.await("told", state -> job.entry("gate").message().contains("answered " + status));
    assertThat(job.entry("gate").is(CheckState.PENDING)).as("it keeps its quota at first").isTrue();

    cluster.advanceUntil(
        Duration.ofSeconds(10),
        "the end of the error budget",
        () -> job.entry("gate").is(CheckState.RETRY));

    assertThat(job.entry("gate").requeueAfterSeconds()).isBetween(shortest, longest);
  }

  /** The turn comes by the controller's clock, before the error budget is over. */
  @Test
  void whoWaitsForItsTurnIsAskedAboutInTheNextMinute(KueueCluster cluster) {
    new Gate(cluster, endpoint).start("requestsPerMinute: 1");
    cluster.workload("first").reserve().awaitState("gate", CheckState.READY);

    PlayedWorkload second = cluster.workload("second").reserve();
    cluster.advanceUntil(
        Duration.ofSeconds(10), "its turn", () -> second.entry("gate").is(CheckState.READY));

    assertThat(second.entry("gate").message()).isEqualTo("The endpoint said Ready.");
  }

  @Test
  void aGetAsksByName(KueueCluster cluster) {
    new Gate(cluster, endpoint).start("method: GET");

    cluster.workload("job").reserve().awaitState("gate", CheckState.READY);

    assertThat(endpoint.seen().getFirst().method()).isEqualTo("GET");
    assertThat(endpoint.seen().getFirst().query()).contains("check=gate", "name=job");
    assertThat(endpoint.seen().getFirst().body()).isEmpty();
  }

  @Test
  void aBusyEndpointIsNotAskedTwice(KueueCluster cluster) {
    endpoint.answers(Reply.status(429));
    new Gate(cluster, endpoint).start("retries: 5");
    PlayedWorkload job = cluster.workload("job").reserve();

    await().untilAsserted(() -> assertThat(job.entry("gate").message()).contains("answered 429"));

    assertThat(endpoint.seen()).hasSize(1);
  }

  @Test
  void loopbackIsRefusedUnlessTheOperatorAllowsIt(KueueCluster cluster) {
    new Gate(cluster, endpoint).start(AddressRules.defaults());
    PlayedWorkload job = cluster.workload("job").reserve();

    await()
        .untilAsserted(
            () ->
                assertThat(job.entry("gate").message())
                    .contains("127.0.0.1 is a loopback address"));

    assertThat(endpoint.seen()).isEmpty();
  }
}
