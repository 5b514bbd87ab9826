// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import io.github.kueue4j.api.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Ready-made queries for what the pods of a namespace have consumed in a time, from the series that
 * common exporters give.
 *
 * <pre>{@code
 * OptionalDouble spent(PrometheusClient client, String namespace, Duration since, Instant now)
 *     throws InterruptedException {
 *   QueryTemplate query = ConsumptionQueries.named("opencost-cost").template();
 *   QueryValues values =
 *       QueryValues.none().with(Placeholder.NAMESPACE, namespace).withWindow(since);
 *   return client.query(query.fill(values), now).amount();
 * }
 * }</pre>
 *
 * <p>Each has the placeholders {@code {{namespace}}} and {@code {{window}}} and gives one number: 0
 * where the exporter reports nothing of the namespace but something of others, no data where it
 * reports nothing at all. They expect the exporter's own labels: scrape it with {@code
 * honor_labels: true}, or else Prometheus renames {@code namespace} to {@code exported_namespace}.
 * The files are {@code consumption/NAME.promql} beside this class, with comments on what is
 * counted.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ConsumptionQueries {
  private static final Map<String, String> UNITS =
      Map.of(
          "kube-state-metrics-cpu-hours", "CPU-hours",
          "kube-state-metrics-gpu-hours", "GPU-hours",
          "kubelet-cpu-hours", "CPU-hours",
          "opencost-cost", "currency",
          "dcgm-gpu-hours", "GPU-hours",
          "dcgm-busy-gpu-hours", "GPU-hours");

  /**
   * A query with what it measures.
   *
   * @param name as in {@link ConsumptionQueries#named}
   * @param unit of the number that it gives: {@code CPU-hours}, {@code GPU-hours}, or {@code
   *     currency} for that which the exporter's prices are in
   * @param template with {@link Placeholder#NAMESPACE} and {@link Placeholder#WINDOW}
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record ConsumptionQuery(String name, String unit, QueryTemplate template) {}

  private ConsumptionQueries() {}

  /** The names, in alphabetical order. */
  public static List<String> names() {
    return UNITS.keySet().stream().sorted().toList();
  }

  /**
   * The query of this name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static ConsumptionQuery named(String name) {
    String unit = new TreeMap<>(UNITS).get(name);
    if (unit == null) {
      Optional<String> nearest = NearestName.of(name, names());
      throw new IllegalArgumentException(
          "there is no ready-made query '"
              + name
              + "'"
              + nearest.map(meant -> "; '" + meant + "' is meant?").orElse("")
              + ": write one of "
              + String.join(", ", names()));
    }
    return new ConsumptionQuery(
        name,
        unit,
        QueryTemplate.parse(text(name), EnumSet.of(Placeholder.NAMESPACE, Placeholder.WINDOW)));
  }

  private static String text(String name) {
    String file = "consumption/" + name + ".promql";
    try (InputStream stream =
        Objects.requireNonNull(ConsumptionQueries.class.getResourceAsStream(file), file)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the resource " + file, e);
    }
  }
}
