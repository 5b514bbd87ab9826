// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.prometheus.ConsumptionQueries;
import io.github.kueue4j.http.prometheus.ConsumptionQueries.ConsumptionQuery;
import io.github.kueue4j.http.prometheus.Placeholder;
import io.github.kueue4j.http.prometheus.QueryTemplate;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A Prometheus server that measures what was spent. Of that and what the ledger knows to be spent
 * on Workloads, the larger counts.
 *
 * @param endpoint the server
 * @param query PromQL that gives one number, in the policy's unit, with {@code {{namespace}}},
 *     {@code {{window}}} and, where the policy's limit is per LocalQueue, {@code {{queue}}}
 * @param readyMade the name of a ready-made query
 * @param fresh PromQL that gives data, and no 0, only while the samples that {@code query} reads
 *     are fresh, with the same placeholders; absent with {@code query}: their age isn't checked. A
 *     ready-made query has its own
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConsumptionSpec(
    HttpEndpoint endpoint,
    Optional<String> query,
    Optional<String> readyMade,
    Optional<String> fresh) {

  /** Checks the queries. */
  public ConsumptionSpec {
    if (query.isPresent() == readyMade.isPresent()) {
      throw new InvalidFieldException(
          "query",
          query.isPresent() ? "given together with readyMade" : null,
          "write one of query and readyMade");
    }
    if (readyMade.isPresent() && fresh.isPresent()) {
      throw new InvalidFieldException(
          "fresh", fresh.get(), "leave it out with readyMade, which has its own");
    }
    template(query, readyMade);
    Optional<QueryTemplate> freshness = freshness(readyMade, fresh);
    if (freshness.filter(ConsumptionSpec::asksPerQueue).isPresent()
        && !asksPerQueue(template(query, readyMade))) {
      throw new InvalidFieldException(
          "fresh", fresh.orElseThrow(), "use {{queue}} only if the query has it, too");
    }
  }

  /** Whether it asks about one LocalQueue. */
  boolean isPerQueue() {
    return asksPerQueue(template());
  }

  private static boolean asksPerQueue(QueryTemplate template) {
    return template.placeholders().contains(Placeholder.QUEUE);
  }

  /** The query to fill. */
  public QueryTemplate template() {
    return template(query, readyMade);
  }

  /** The query that tells whether what is read is fresh; empty: none does. */
  public Optional<QueryTemplate> freshness() {
    return freshness(readyMade, fresh);
  }

  private static QueryTemplate template(Optional<String> query, Optional<String> readyMade) {
    return readyMade.isPresent()
        ? readyMade(readyMade.get()).template()
        : parsed("query", query.orElseThrow());
  }

  private static Optional<QueryTemplate> freshness(
      Optional<String> readyMade, Optional<String> fresh) {
    return readyMade.isPresent()
        ? Optional.of(readyMade(readyMade.get()).fresh())
        : fresh.map(text -> parsed("fresh", text));
  }

  private static ConsumptionQuery readyMade(String name) {
    return valid("readyMade", name, () -> ConsumptionQueries.named(name));
  }

  private static QueryTemplate parsed(String field, String text) {
    return valid(
        field,
        text,
        () ->
            QueryTemplate.parse(
                text, EnumSet.of(Placeholder.NAMESPACE, Placeholder.QUEUE, Placeholder.WINDOW)));
  }

  private static <T> T valid(String field, String value, Supplier<T> read) {
    try {
      return read.get();
    } catch (IllegalArgumentException e) {
      InvalidFieldException invalid =
          new InvalidFieldException(field, value, String.valueOf(e.getMessage()));
      invalid.initCause(e);
      throw invalid;
    }
  }
}
