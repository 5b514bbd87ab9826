// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointUnavailableException;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.SecretTexts;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.testdefaults.FakePrometheus;
import io.github.kueue4j.testdefaults.HeardLog;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against a server that errs. */
class PrometheusClientTest {
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00.25Z");
  private static final String MATRIX =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";
  private static final String HISTOGRAM =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},"
          + "\"histogram\":[1,{}]}]}}";

  private final FakePrometheus server = FakePrometheus.start();
  private final HttpBackends backends =
      HttpBackends.of(
          SecretTexts.none(), AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1/32")));
  private final HttpEndpoint endpoint = HttpEndpoint.of(server.uri()).withTimeout(Patience.LIMIT);
  private final PrometheusClient client = PrometheusClient.at(backends, endpoint);

  @AfterEach
  void stop() {
    backends.close();
    server.close();
  }

  @Test
  void theQueryAndItsTimeAreSentAsAForm() throws Exception {
    assertThat(client.query("up + 1 & {a=\"ü\"}", NOW).samples()).isEmpty();

    assertThat(server.forms())
        .containsExactly(Map.of("query", "up + 1 & {a=\"ü\"}", "time", "1780300800.250"));
  }

  @Test
  void seriesAndScalarsAreRead() throws Exception {
    server.body(
        200,
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":"
            + "{\"__name__\":\"up\",\"job\":\"a\\\"b\"},\"value\":[1.5,\"-1.5e3\"]}]},"
            + "\"warnings\":[],\"infos\":[\"a hint\"]}");

    PrometheusAnswer answer = client.query("up", NOW);

    assertThat(answer.samples())
        .containsExactly(new Sample(Map.of("__name__", "up", "job", "a\"b"), -1500));
    assertThat(answer.samples().getFirst().labelText())
        .isEqualTo("{__name__=\"up\", job=\"a\\x22b\"}");

    server.body(
        200, "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"7\"]}}");
    assertThat(client.query("scalar(x)", NOW).value()).hasValue(7);
  }

  /** Thanos answers so when one of its stores doesn't: with the sum of the others. */
  @ParameterizedTest
  @ValueSource(strings = {"[\"no store: password=hunter2\"]", "[\"a\", {}]", "{}", "\"a\""})
  void anAnswerWithWarningsIsNone(String warnings) {
    server.body(
        200,
        "{\"status\":\"success\",\"warnings\":"
            + warnings
            + ",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"7\"]}}");

    try (HeardLog log = HeardLog.listen()) {
      assertThatThrownBy(() -> client.query("sum(up)", NOW))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("warnings")
          .hasMessageNotContaining("store")
          .hasNoCause();
      assertThat(log.lines())
          .anyMatch(
              line -> line.contains("can't be used") && line.contains(server.uri().toString()))
          .noneMatch(line -> line.contains("hunter2"));
    }
  }

  /** VictoriaMetrics says so when one of its storage nodes doesn't answer. */
  @ParameterizedTest
  @CsvSource({"true, false", "'\"true\"', false", "'{}', false", "false, true", "null, true"})
  void anAnswerThatIsPartialIsNone(String partial, boolean whole) {
    server.body(
        200,
        "{\"status\":\"success\",\"isPartial\":"
            + partial
            + ",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"7\"]}}");

    Throwable failure = catchThrowable(() -> client.query("sum(up)", NOW));

    assertThat(failure == null).isEqualTo(whole);
    assertThat(failure == null || failure instanceof BackendUnavailableException).isTrue();
  }

  @Test
  void aWarningIsToldWithTheQuery() {
    server.body(
        200,
        "{\"status\":\"success\",\"warnings\":[\"a\"],"
            + "\"data\":{\"resultType\":\"vector\",\"result\":[]}}");

    assertThatThrownBy(() -> client.query("sum(up)", NOW))
        .hasMessage(
            server.uri()
                + " gave warnings with the answer to the query 'sum(up)': it may not be whole, and"
                + " counts as none; the log of the controller has them");
  }

  @Test
  void whatIsNoNumberIsNoDataAndInfiniteIsAValue() throws Exception {
    server.values("NaN");
    assertThat(client.query("0/0", NOW).value()).isEmpty();
    assertThat(client.query("0/0", NOW).numbers()).isEmpty();
    server.values("+Inf");
    assertThat(client.query("1/0", NOW).value()).hasValue(Double.POSITIVE_INFINITY);
    assertThatThrownBy(() -> client.query("1/0", NOW).amount())
        .isInstanceOf(PrometheusException.class)
        .hasMessage(
            "the query '1/0' failed: it gives Infinity, and an amount is finite and not negative");
    server.values("-Inf");
    assertThat(client.query("-1/0", NOW).value()).hasValue(Double.NEGATIVE_INFINITY);
    server.values("1", "2");
    assertThatThrownBy(() -> client.query("up", NOW).value())
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("it gives 2 series, such as {}, and one is needed");
  }

  @ParameterizedTest
  @CsvSource({"400,bad_data,parse error", "422,execution,many-to-many matching"})
  void aRefusedQueryIsNamedWithTheErrorOfPrometheus(int status, String type, String error) {
    server.body(status, error(type, error));

    assertThatThrownBy(() -> client.query("sum(\n  up", NOW))
        .isInstanceOf(PrometheusException.class)
        .hasMessage(
            "the query 'sum( up' failed: Prometheus refused it ("
                + type
                + "); the log of the controller has its words")
        .hasMessageNotContaining(error);
  }

  @Test
  void anErrorOfTheServerIsNoFaultOfTheQuery() {
    server.body(503, error("unavailable", "it starts"));
    assertThatThrownBy(() -> client.query("up", NOW))
        .isInstanceOf(EndpointUnavailableException.class)
        .hasMessageContaining("503")
        .hasMessageNotContaining("it starts");

    server.body(422, error("timeout", "query timed out"));
    assertThatThrownBy(() -> client.query("up", NOW))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("could not answer the query 'up' (HTTP 422, timeout)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"a\\n%s\"}",
        "{\"status\":\"error\",\"errorType\":\"a\\n%s\",\"error\":\"no\"}",
        "{\"status\":\"error\",\"errorType\":\"internal\",\"error\":\"a\\n%s\"}",
        "{\"status\":\"a\\n%s\"}",
        "a\n%s",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"a\\n%s\",\"result\":[]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"a\\n%s\"]}}",
      })
  void whatTheServerSaysIsInNoMessage(String body) {
    server.body(200, body.formatted("b".repeat(20_000)));

    assertThatThrownBy(() -> client.query("up", NOW))
        .satisfies(
            failure ->
                assertThat(failure.getMessage()).doesNotContain("\n", "bbb").hasSizeLessThan(600))
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "it works!",
        "<html>Sign in</html>",
        "[]",
        "null",
        "{\"status\":\"success\"}",
        "{\"status\":\"maybe\"}",
        "{\"status\":[]}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"a\":{}},\"value\":[1,\"1\"]}]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"many\"]}}",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"a\":"
      })
  void whatIsNoAnswerOfPrometheusIsSaid(String body) {
    server.body(200, body);

    assertThatThrownBy(() -> client.query("up", NOW))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining(server.uri() + " gave HTTP 200 (OK) and no answer of Prometheus")
        .hasMessageContaining("check the URL");
  }

  @ParameterizedTest
  @ValueSource(strings = {MATRIX, HISTOGRAM})
  void anAnswerThatIsNoNumberSaysHowToGetOne(String body) {
    server.body(200, body);

    assertThatThrownBy(() -> client.query("up[5m]", NOW))
        .isInstanceOf(PrometheusException.class)
        .hasMessageMatching(".*(aggregate them over time|histogram_quantile).*");
  }

  @Test
  void anAnswerWithTooManySeriesIsRefused() {
    server.values(
        IntStream.rangeClosed(0, PrometheusClient.MAX_SAMPLES)
            .mapToObj(Integer::toString)
            .toArray(String[]::new));

    assertThatThrownBy(() -> client.query("up", NOW))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("10001 series, more than 10000: aggregate");
  }

  @Test
  void aHugeAnswerIsNotReadToItsEnd() {
    server.body(200, " ".repeat((1 << 20) + 1));

    assertThatThrownBy(() -> client.query("up", NOW))
        .isInstanceOf(EndpointUnavailableException.class)
        .hasMessageContaining("more than 1048576 bytes");
  }

  @Test
  void aConnectionThatBreaksInTheMiddleIsNoAnswer() {
    server.behaves(
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          throw new java.io.IOException("broken on purpose");
        });

    assertThatThrownBy(() -> client.query("up", NOW))
        .isInstanceOf(EndpointUnavailableException.class);
  }

  @Test
  void aSlowServerIsGivenUp() {
    CountDownLatch never = new CountDownLatch(1);
    server.behaves(
        exchange -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });

    PrometheusClient brief =
        PrometheusClient.at(backends, endpoint.withTimeout(Duration.ofSeconds(2)));
    assertThatThrownBy(() -> brief.query("up", NOW))
        .isInstanceOf(EndpointUnavailableException.class)
        .hasMessageContaining("did not answer within 2s");
    never.countDown();
  }

  private static String error(String type, String error) {
    return "{\"status\":\"error\",\"errorType\":\"" + type + "\",\"error\":\"" + error + "\"}";
  }

  @Test
  void aLongQueryIsCutInMessages() {
    assertThat(new PrometheusException("x".repeat(1000), "no").getMessage()).hasSizeLessThan(400);
    assertThat(List.of(new PrometheusException("x".repeat(1000), "no").query().length()))
        .containsExactly(1000);
  }
}
