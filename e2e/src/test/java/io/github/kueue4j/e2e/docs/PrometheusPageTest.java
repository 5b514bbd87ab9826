// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testdefaults.RealPrometheus;
import io.github.kueue4j.testkit.client.JsonApi;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The example of the guide to the Prometheus check, with the real core and the real Prometheus. */
class PrometheusPageTest {
  private static final String PAGE = "docs/guides/prometheus-check.md";
  private static final String SERVER = "http://prometheus.monitoring:9090";
  private static final String SLOW = "apiserver_request_duration_seconds_bucket";
  private static final String FAST = "another_request_duration_seconds_bucket";
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";

  @Test
  void theJobWaitsWhileTheApiServerIsSlowAndStartsWhenItIsFast() throws Exception {
    Map<String, String> files = files();
    try (RealPrometheus prometheus = RealPrometheus.start();
        TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0,
                    Playground.quietConfiguration(),
                    Set.of(CheckName.PROMETHEUS),
                    Duration.ofSeconds(2)),
                time);
        JsonApi api = JsonApi.at(URI.create(playground.address()))) {
      LiveObjects objects = new LiveObjects(URI.create(playground.address()));
      serve(prometheus);
      String latency = files.get("latency.yaml").replace(SERVER, prometheus.uri().toString());
      apply(objects, latency);
      apply(objects, files.get("queue.yaml"));
      apply(objects, files.get("job.yaml"));

      awaitMessage(
          api,
          "Retry",
          "The query gives 0.982; < 0.5 for 2m is wanted\\. Asking again in"
              + " ([5-9]|1[0-2]) min( \\d+ s)? \\(attempt 0\\)\\.");

      apply(objects, latency.replace(SLOW, FAST));
      awaitMessage(api, "Ready", "The query gives 0.099, as wanted \\(< 0.5 for 2m\\)\\.");
      objects.close();
    }
  }

  /**
   * Two histograms that grow: 50 of 100 requests took up to 0.1 s, and up to 1 s the others; and
   * all of them up to 0.1 s.
   */
  private static void serve(RealPrometheus prometheus) {
    for (int round = 0; round < 2; round++) {
      prometheus.expose(
          histogram(SLOW, 50 * round, 100 * round) + histogram(FAST, 100 * round, 100 * round));
    }
    // Values of the past are looked at every four seconds.
    URI seen =
        prometheus
            .uri()
            .resolve(
                "/api/v1/query?query="
                    + URLEncoder.encode(
                        "max_over_time(sum(rate(" + SLOW + "[5m]))[2m:4s]) > 0",
                        StandardCharsets.UTF_8));
    try (HttpClient client = HttpClient.newHttpClient()) {
      Awaitility.await()
          .atMost(Patience.LIMIT)
          .until(
              () ->
                  client
                      .send(
                          HttpRequest.newBuilder(seen).build(),
                          HttpResponse.BodyHandlers.ofString())
                      .body()
                      .contains("\"value\""));
    }
  }

  private static String histogram(String name, int quick, int all) {
    return """
    %1$s{verb="LIST",le="0.1"} %2$d
    %1$s{verb="LIST",le="1"} %3$d
    %1$s{verb="LIST",le="+Inf"} %3$d
    %1$s{verb="WATCH",le="0.1"} 0
    %1$s{verb="WATCH",le="+Inf"} %3$d
    """
        .formatted(name, quick, all);
  }

  private static void awaitMessage(JsonApi api, String state, String message) {
    Awaitility.await()
        .atMost(Patience.LIMIT)
        .untilAsserted(
            () -> {
              JsonNode entry =
                  api.get(WORKLOADS)
                      .orElseThrow()
                      .path("items")
                      .path(0)
                      .path("status")
                      .path("admissionChecks")
                      .path(0);
              assertThat(entry.path("state").asText()).as(entry.toString()).isEqualTo(state);
              assertThat(entry.path("message").asText()).matches(message);
            });
  }

  private static void apply(LiveObjects objects, String yaml) {
    LiveObjects.documents(yaml).forEach(objects::apply);
  }

  private static Map<String, String> files() throws IOException {
    return Page.parse(PAGE, Files.readString(Checkout.root().resolve(PAGE))).snippets().stream()
        .filter(snippet -> snippet.markers().containsKey("file"))
        .collect(Collectors.toMap(snippet -> snippet.markers().get("file"), Page.Snippet::code));
  }
}
