// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.http.Unavailability;
import io.github.kueue4j.http.prometheus.ConsumptionQueries;
import io.github.kueue4j.http.prometheus.ConsumptionQueries.ConsumptionQuery;
import io.github.kueue4j.http.prometheus.Placeholder;
import io.github.kueue4j.http.prometheus.QueryTemplate;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A server that measures what was spent: Prometheus, or a service of the administrator's. Of that
 * and what the ledger knows to be spent on Workloads, the larger counts.
 *
 * @param endpoint the Prometheus server
 * @param query PromQL that gives one number, in the policy's unit, with {@code {{namespace}}},
 *     {@code {{window}}} and, where the policy's limit is per LocalQueue, {@code {{queue}}}
 * @param readyMade the name of a ready-made query
 * @param fresh PromQL that gives data, and no 0, only while the samples that {@code query} reads
 *     are fresh, with the same placeholders; absent with {@code query}: their age isn't checked. A
 *     ready-made query has its own
 * @param http in place of the four, a service that answers what {@code
 *     docs/budget-consumption-openapi.yaml} says
 * @param maxAge with {@code http}, how old its answer may be; positive, at most a day; absent: 10
 *     min
 * @param unavailable for how long a Workload keeps its quota while it can't be measured, and gives
 *     it back; absent: as the guards say
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConsumptionSpec(
    Optional<HttpEndpoint> endpoint,
    Optional<String> query,
    Optional<String> readyMade,
    Optional<String> fresh,
    Optional<HttpEndpoint> http,
    Optional<Duration> maxAge,
    Optional<Unavailability> unavailable) {

  private static final Duration DEFAULT_MAX_AGE = Duration.ofMinutes(10);
  private static final Duration LONGEST_MAX_AGE = Duration.ofDays(1);

  /** Checks the source that there is. */
  public ConsumptionSpec {
    if (endpoint.isPresent() == http.isPresent()) {
      throw new InvalidFieldException(
          "http",
          http.isPresent() ? "given together with endpoint" : null,
          "write one of endpoint, of Prometheus, and http");
    }
    if (http.isPresent()) {
      refuseBesides("query", query);
      refuseBesides("readyMade", readyMade);
      refuseBesides("fresh", fresh);
      maxAge.ifPresent(ConsumptionSpec::requireAge);
    } else {
      maxAge.ifPresent(
          age -> {
            throw new InvalidFieldException(
                "maxAge", age.toString(), "leave it out with endpoint, and write fresh");
          });
      requireQueries(query, readyMade, fresh);
    }
  }

  private static void refuseBesides(String field, Optional<String> written) {
    if (written.isPresent()) {
      throw new InvalidFieldException(
          field, written.get(), "leave it out with http, which is asked without a query");
    }
  }

  private static void requireAge(Duration age) {
    if (!age.isPositive() || age.compareTo(LONGEST_MAX_AGE) > 0) {
      throw new InvalidFieldException(
          "maxAge", age.toString(), "write a duration of at most 24h, such as 10m");
    }
  }

  private static void requireQueries(
      Optional<String> query, Optional<String> readyMade, Optional<String> fresh) {
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

  /**
   * Whether it can ask about what has the limit: a query is about one LocalQueue, or about none.
   */
  boolean fits(boolean perQueue) {
    return http.isPresent() || asksPerQueue(template()) == perQueue;
  }

  /** Whether it is known when what was measured is too old. */
  public boolean agesAreChecked() {
    return http.isPresent() || freshness().isPresent();
  }

  /** How far from now the time may be that an answer of {@link #http} is of. */
  public Duration ageLimit() {
    return maxAge.orElse(DEFAULT_MAX_AGE);
  }

  private static boolean asksPerQueue(QueryTemplate template) {
    return template.placeholders().contains(Placeholder.QUEUE);
  }

  /** The query to fill; only with {@link #endpoint}. */
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
