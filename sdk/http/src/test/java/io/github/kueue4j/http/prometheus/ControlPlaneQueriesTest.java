// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.RealPrometheus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The ready-made queries, and that of the guide which joins several signals, on 20 minutes of
 * histograms as API servers and etcd expose them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlPlaneQueriesTest {
  private static final Path GUIDE = Checkout.root().resolve("docs/guides/prometheus-check.md");

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private final StringBuilder history = new StringBuilder();

  private RealPrometheus server;
  private HttpBackends backends;
  private PrometheusClient client;

  @BeforeAll
  void start() {
    for (int ago = 20; ago >= 0; ago--) {
      // Of 100 requests a minute 98 take up to 0.1 s, all up to 1 s: 99 take up to 0.55 s.
      requests(ago, "apiserver_request_duration_seconds", "verb=\"POST\",resource=\"pods\"", 49);
      requests(ago, "apiserver_request_duration_seconds", "verb=\"APPLY\",resource=\"jobs\"", 49);
      // As slow as it likes: it changes nothing.
      requests(ago, "apiserver_request_duration_seconds", "verb=\"LIST\",resource=\"pods\"", 0);
      requests(ago, "etcd_request_duration_seconds", "operation=\"get\",type=\"/pods/\"", 50);
      requests(ago, "etcd_request_duration_seconds", "operation=\"update\",type=\"/pods/\"", 45);
      requests(ago, "etcd_disk_wal_fsync_duration_seconds", "instance=\"m-1\"", 50);
      requests(ago, "etcd_disk_wal_fsync_duration_seconds", "instance=\"m-2\"", 40);
    }
    server = RealPrometheus.startWith(history.toString());
    backends =
        HttpBackends.of(
            SecretTexts.none(),
            AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")));
    client = PrometheusClient.at(backends, HttpEndpoint.of(server.uri()));
  }

  @AfterAll
  void stop() {
    if (server != null) {
      backends.close();
      server.close();
    }
  }

  /** 50 requests in each minute, so many of them within 0.1 s, and all within 1 s. */
  private void requests(int minutesAgo, String histogram, String labels, int fast) {
    long millis = now.minus(Duration.ofMinutes(minutesAgo)).toEpochMilli();
    int minutes = 20 - minutesAgo;
    Map.of("0.1", fast, "1", 50, "+Inf", 50)
        .forEach(
            (le, count) ->
                history.append(
                    "%s_bucket{%s,le=\"%s\"} %d %d\n"
                        .formatted(histogram, labels, le, count * minutes, millis)));
  }

  @ParameterizedTest
  @CsvSource({
    "api-server-mutating-p99, 0.55", // 98 of 100
    "etcd-request-p99, 0.82", // 95 of 100
    "etcd-fsync-p99, 0.955", // 80 of 100, by the slower member
  })
  void theSlowestOfAHundredButOneIsTold(String name, double seconds) throws Exception {
    String query = ControlPlaneQueries.named(name);

    assertThat(client.query(query, now).value()).hasValueCloseTo(seconds, within(0.001));
    assertThat(client.query(query, now.minus(Duration.ofHours(1))).value()).isEmpty();
  }

  @Test
  void eachIsTried() {
    assertThat(ControlPlaneQueries.names())
        .containsExactly("api-server-mutating-p99", "etcd-fsync-p99", "etcd-request-p99");
    assertThatThrownBy(() -> ControlPlaneQueries.named("etcd-fsync-99"))
        .hasMessageContaining("'etcd-fsync-p99' is meant?");
  }

  /** The guide says what each may be: 1 s, and 0.1 s. */
  @Test
  void theGuidesQueryJoinsTwoSignals() throws Exception {
    assertThat(client.query(queryOfGuide(), now).samples())
        .satisfiesExactlyInAnyOrder(
            sample -> {
              assertThat(sample.labels()).containsExactly(Map.entry("signal", "api-server"));
              assertThat(sample.value()).isCloseTo(0.55, within(0.001));
            },
            sample -> {
              assertThat(sample.labels()).containsExactly(Map.entry("signal", "etcd"));
              assertThat(sample.value()).isCloseTo(8.2, within(0.01));
            });
  }

  private static String queryOfGuide() throws IOException {
    Matcher block =
        Pattern.compile(
                "<!-- file: two-signals.yaml -->\n.*?  query: \\|\n(.*?)  readyWhen",
                Pattern.DOTALL)
            .matcher(Files.readString(GUIDE));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }
}
