// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import org.apiguardian.api.API;

/**
 * Thrown if Prometheus refuses a query, or gives an answer that it can't be used for; asking again
 * doesn't help until the query is corrected. The message names the query and the error. A server
 * that can't answer at present is a {@link io.github.kueue4j.sdk.BackendUnavailableException}
 * instead.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PrometheusException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_QUERY = 300;

  private final String query;

  /**
   * A query is of no use.
   *
   * @param query the PromQL, cut in the message when it is long
   * @param error what is wrong with it, for people
   */
  public PrometheusException(String query, String error) {
    super("the query " + shortened(query) + " failed: " + error);
    this.query = query;
  }

  /** The PromQL that was asked. */
  public String query() {
    return query;
  }

  static String shortened(String query) {
    String line = query.strip().replaceAll("\\s+", " ");
    return "'"
        + (line.length() <= LONGEST_QUERY ? line : line.substring(0, LONGEST_QUERY) + " ...")
        + "'";
  }
}
