// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.prometheus.ConsumptionQueries;
import io.github.kueue4j.http.prometheus.Placeholder;
import io.github.kueue4j.http.prometheus.QueryTemplate;
import java.util.EnumSet;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A Prometheus server that measures what was spent, in place of the ledger.
 *
 * @param endpoint the server
 * @param query PromQL that gives one number, in the policy's unit, with {@code {{namespace}}},
 *     {@code {{window}}} and, where the policy's limit is per LocalQueue, {@code {{queue}}}
 * @param readyMade the name of a ready-made query
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConsumptionSpec(
    HttpEndpoint endpoint, Optional<String> query, Optional<String> readyMade) {

  /** Checks the query. */
  public ConsumptionSpec {
    if (query.isPresent() == readyMade.isPresent()) {
      throw new InvalidFieldException(
          "query",
          query.isPresent() ? "given together with readyMade" : null,
          "write one of query and readyMade");
    }
    template(query, readyMade);
  }

  /** Whether it asks about one LocalQueue. */
  boolean isPerQueue() {
    return template().placeholders().contains(Placeholder.QUEUE);
  }

  /** The query to fill. */
  public QueryTemplate template() {
    return template(query, readyMade);
  }

  private static QueryTemplate template(Optional<String> query, Optional<String> readyMade) {
    String field = query.isPresent() ? "query" : "readyMade";
    try {
      return readyMade.isPresent()
          ? ConsumptionQueries.named(readyMade.get()).template()
          : QueryTemplate.parse(
              query.orElseThrow(),
              EnumSet.of(Placeholder.NAMESPACE, Placeholder.QUEUE, Placeholder.WINDOW));
    } catch (IllegalArgumentException e) {
      InvalidFieldException invalid =
          new InvalidFieldException(
              field, query.or(() -> readyMade).orElseThrow(), String.valueOf(e.getMessage()));
      invalid.initCause(e);
      throw invalid;
    }
  }
}
