// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.testdefaults.RealPrometheus;
import java.time.Instant;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The client and its templates against the real Prometheus. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealPrometheusTest {
  private static final String MALICIOUS = "a\"} or vector(7) or up{b='\\";

  private RealPrometheus server;
  private HttpBackends backends;
  private PrometheusClient client;

  @BeforeAll
  void start() {
    server = RealPrometheus.start();
    backends =
        HttpBackends.of(
            SecretTexts.none(),
            AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")));
    client = PrometheusClient.at(backends, HttpEndpoint.of(server.uri()));
    server.expose(
        """
        free{queue="lq"} 3
        free{queue="l.q"} 5
        free{queue="other"} 11
        free{queue="a\\"} or vector(7) or up{b='\\\\"} 13
        """);
  }

  @AfterAll
  void stop() {
    if (server != null) {
      backends.close();
      server.close();
    }
  }

  @Test
  void vectorsAndScalarsAreRead() throws Exception {
    assertThat(client.query("sum(free)", Instant.now()).value()).hasValue(32);
    assertThat(client.query("free", Instant.now()).samples()).hasSize(4);
    assertThat(client.query("scalar(sum(free)) / 0", Instant.now()).value())
        .hasValue(Double.POSITIVE_INFINITY);
    assertThat(client.query("vector(0) / 0", Instant.now()).value()).isEmpty();
    assertThat(client.query("absent_series", Instant.now()).value()).isEmpty();
  }

  @Test
  void whatPrometheusRefusesIsTold() {
    assertThatThrownBy(() -> client.query("sum(free", Instant.now()))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("the query 'sum(free' failed: ")
        .hasMessageContaining("(bad_data)");
    assertThatThrownBy(() -> client.query("free + on () free", Instant.now()))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("(execution)");
    assertThatThrownBy(() -> client.query("free[5m]", Instant.now()))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("ranges of values");
    assertThatThrownBy(() -> client.query("'text'", Instant.now()))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("gives a string");
  }

  @Test
  void aNameMatchesItselfWhateverItIs() throws Exception {
    assertThat(freeOf("free{queue=\"{{queue}}\"}", MALICIOUS)).isEqualTo(13);
    assertThat(freeOf("free{queue='{{queue}}'}", MALICIOUS)).isEqualTo(13);
    assertThat(freeOf("free{queue=~\"{{queue}}\"}", MALICIOUS)).isEqualTo(13);
    assertThat(freeOf("free{queue=~'{{queue}}'}", "l.q")).isEqualTo(5);
    assertThat(freeOf("free{queue!~'{{queue}}', queue=~'l.*'}", "l.q")).isEqualTo(3);
    assertThat(freeOf("sum(free{queue=~'{{queue}}.*'}) or vector(0)", "l|o")).isZero();
  }

  private double freeOf(String template, String queue) throws InterruptedException {
    String query =
        QueryTemplate.parse(template, EnumSet.of(Placeholder.QUEUE))
            .fill(QueryValues.none().with(Placeholder.QUEUE, queue));
    return client.query(query, Instant.now()).value().orElseThrow();
  }
}
