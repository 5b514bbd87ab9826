// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import io.github.kueue4j.http.HttpAnswer;
import io.github.kueue4j.http.HttpBackend;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.http.HttpEndpoint;
import java.math.BigDecimal;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Asks a Prometheus server, or another that speaks its HTTP API, for the value of a query at one
 * moment.
 *
 * <pre>{@code
 * OptionalDouble freeLicenses(HttpBackends backends, HttpEndpoint endpoint, Instant now)
 *     throws InterruptedException {
 *   PrometheusClient prometheus = PrometheusClient.at(backends, endpoint);
 *   return prometheus.query("sum(licenses_free)", now).value();
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PrometheusClient {
  /** The most series that an answer may have. */
  public static final int MAX_SAMPLES = 10_000;

  private static final String PATH = "api/v1/query";
  private static final int LONGEST_ANSWER = 1 << 20;
  private static final int MILLIS = 3;

  private final HttpBackend backend;
  private final HttpEndpoint endpoint;

  private PrometheusClient(HttpBackend backend, HttpEndpoint endpoint) {
    this.backend = backend;
    this.endpoint = endpoint;
  }

  /**
   * A client of this server. Cheap: build it whenever a query is to be sent.
   *
   * @param endpoint the URL above {@code /api/v1}, such as {@code http://prometheus:9090}
   */
  public static PrometheusClient at(HttpBackends backends, HttpEndpoint endpoint) {
    return new PrometheusClient(backends.at(endpoint), endpoint);
  }

  /**
   * Evaluates an instant query: POST of {@code query} and {@code time} to {@code /api/v1/query}
   * ({@code prometheus.io/docs/prometheus/latest/querying/api}).
   *
   * <p>An answer with {@code warnings} is none: one of the stores behind the server didn't answer,
   * as Thanos says it, or the query met data that it isn't made for, and a sum over a part of the
   * data looks like any other. So is one that VictoriaMetrics calls {@code isPartial}. What the
   * server said stands in the log of the controller, and not in the messages of exceptions.
   *
   * @param promql gives a vector or a scalar
   * @param at the moment for which it is evaluated, to the millisecond
   * @throws PrometheusException if the server refuses the query, or the answer isn't a vector or a
   *     scalar, or has more series than {@link #MAX_SAMPLES}
   * @throws io.github.kueue4j.sdk.BackendUnavailableException if the server can't answer at
   *     present, answers with warnings, or something else answers; an answer of more than 1 MiB is
   *     not read either
   * @throws InterruptedException if the thread is interrupted
   */
  public PrometheusAnswer query(String promql, Instant at) throws InterruptedException {
    HttpAnswer answer =
        backend.send(
            HttpCall.post(PATH)
                .withForm("query", promql)
                .withForm("time", BigDecimal.valueOf(at.toEpochMilli(), MILLIS).toPlainString())
                .withLongestAnswer(LONGEST_ANSWER));
    return new AnswerReader(promql, endpoint.url().toString()).read(answer);
  }
}
