// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Ready-made queries for how busy a cluster's control plane is (KEP-3258, story 2), from the series
 * that API servers and etcd expose. Each gives one number, in seconds, and no data where these
 * series aren't scraped or nothing was asked within five minutes. The files are {@code
 * controlplane/NAME.promql} beside this class.
 *
 * <pre>{@code
 * OptionalDouble latency(PrometheusClient client, Instant now) throws InterruptedException {
 *   return client.query(ControlPlaneQueries.named("api-server-mutating-p99"), now).value();
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControlPlaneQueries {
  private static final ReadyMade FILES =
      new ReadyMade(
          "controlplane", List.of("api-server-mutating-p99", "etcd-fsync-p99", "etcd-request-p99"));

  private ControlPlaneQueries() {}

  /** The names, in alphabetical order. */
  public static List<String> names() {
    return FILES.names();
  }

  /**
   * The PromQL of this name, without placeholders.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static String named(String name) {
    return FILES.text(name);
  }
}
