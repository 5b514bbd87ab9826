// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * PromQL with placeholders:
 *
 * <pre>{@code
 * private static final QueryTemplate FREE =
 *     QueryTemplate.parse(
 *         "sum(licenses_free{queue=\"{{queue}}\"}) - {{requests.example.com/license}}",
 *         EnumSet.allOf(Placeholder.class));
 *
 * PrometheusAnswer free(PrometheusClient client, Evaluation<?> evaluation)
 *     throws InterruptedException {
 *   return client.query(FREE.fill(QueryValues.of(evaluation)), evaluation.now());
 * }
 * }</pre>
 *
 * <p>A text stands in a label matcher only, as {@code namespace="{{namespace}}"}, and is escaped so
 * that it matches itself and nothing else whatever it is, behind {@code =~} and {@code !~} as a
 * regular expression, too. Numbers and durations stand outside of strings. So no name that a tenant
 * chooses changes what the query asks.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class QueryTemplate {
  /** The longest template, in characters. */
  public static final int MAX_LENGTH = 8192;

  private final String text;
  private final List<Part> parts;

  private QueryTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /** A piece of the query. */
  sealed interface Part {
    /** As it is. */
    record Literal(String text) implements Part {}

    /** A text in a label matcher, which may be a regular expression. */
    record MatcherText(Placeholder placeholder, boolean regex) implements Part {}

    /** A number or duration; {@code name} is as written between the braces. */
    record Plain(Placeholder placeholder, String name) implements Part {}
  }

  /**
   * Reads a template.
   *
   * @param text PromQL; the server finds what is wrong with it apart from the placeholders
   * @param allowed the placeholders that {@link #fill} will be given
   * @throws IllegalArgumentException if it is empty or longer than {@link #MAX_LENGTH}, or has a
   *     placeholder that isn't allowed, or one where it can't stand; the message says which, and
   *     what to write
   */
  public static QueryTemplate parse(String text, Collection<Placeholder> allowed) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("the query is empty: write PromQL");
    }
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the query has %s characters, more than %s: move it into a recording rule of Prometheus, and ask for that"
              .formatted(text.length(), MAX_LENGTH));
    }
    return new QueryTemplate(text, new TemplateReader(text, allowed).parts());
  }

  /** The placeholders that it has. */
  public Set<Placeholder> placeholders() {
    return parts.stream()
        .flatMap(
            part ->
                switch (part) {
                  case Part.Literal literal -> List.<Placeholder>of().stream();
                  case Part.MatcherText matcher -> List.of(matcher.placeholder()).stream();
                  case Part.Plain plain -> List.of(plain.placeholder()).stream();
                })
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Placeholder.class)));
  }

  /**
   * The query with these values in it.
   *
   * @throws IllegalStateException if a value is missing
   */
  public String fill(QueryValues values) {
    StringBuilder query = new StringBuilder(text.length() + 64);
    for (Part part : parts) {
      query.append(
          switch (part) {
            case Part.Literal literal -> literal.text();
            case Part.MatcherText matcher ->
                matcher(values.texts(matcher.placeholder()), matcher.regex());
            case Part.Plain plain -> plain(plain, values);
          });
    }
    return query.toString();
  }

  private static String plain(Part.Plain part, QueryValues values) {
    return switch (part.placeholder()) {
      case WINDOW -> values.window().toMillis() + "ms";
      case REQUESTS -> number(values.request(Placeholder.resource(part.name())));
      case NAMESPACE, WORKLOAD, QUEUE, CLUSTER_QUEUE, FLAVOR, PRIORITY, PODS ->
          number(values.number(part.placeholder()));
    };
  }

  private static String matcher(List<String> texts, boolean regex) {
    if (!regex) {
      return PromqlText.escaped(texts.getFirst());
    }
    List<String> alternatives = new ArrayList<>();
    texts.forEach(one -> alternatives.add(PromqlText.escaped(PromqlText.literalRegex(one))));
    return "(?:" + String.join("|", alternatives) + ")";
  }

  /** As a double, which is what PromQL computes with: short however large. */
  private static String number(BigDecimal number) {
    double value = number.doubleValue();
    String plain =
        value == Math.rint(value) && Math.abs(value) < 1e15
            ? Long.toString((long) value)
            : Double.toString(value);
    return value < 0 ? "(" + plain + ")" : plain;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QueryTemplate that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}
