// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Ready-made queries for what the pods of a namespace have consumed in a time, from the series that
 * common exporters give.
 *
 * <pre>{@code
 * OptionalDouble spent(PrometheusClient client, String namespace, Duration since, Instant now)
 *     throws InterruptedException {
 *   ConsumptionQueries.ConsumptionQuery query = ConsumptionQueries.named("opencost-cost");
 *   QueryValues values =
 *       QueryValues.none().with(Placeholder.NAMESPACE, namespace).withWindow(since);
 *   return client.query(query.fresh().fill(values), now).samples().isEmpty()
 *       ? OptionalDouble.empty()
 *       : client.query(query.template().fill(values), now).amount();
 * }
 * }</pre>
 *
 * <p>Each has the placeholders {@code {{namespace}}} and {@code {{window}}} and gives one number: 0
 * where the exporter reports nothing of the namespace but something of others, no data where it
 * reports nothing at all, or where one of its targets is down that measured the namespace's pods
 * within the last hour. They expect the exporter's own labels: scrape it with {@code honor_labels:
 * true}, or else Prometheus renames {@code namespace} to {@code exported_namespace}. The files are
 * {@code consumption/NAME.promql} beside this class, with comments on what is counted.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ConsumptionQueries {
  /** Longer than the usual interval between two scrapes, a minute, with one that fails. */
  private static final String FRESH_FOR = "3m";

  private static final Measured PODS =
      new Measured("CPU-hours", "kube_pod_status_phase{phase=\"Running\"}");
  private static final Measured GPUS = new Measured("GPU-hours", "DCGM_FI_DEV_GPU_UTIL");

  private static final Map<String, Measured> MEASURED =
      Map.of(
          "kube-state-metrics-cpu-hours",
          PODS,
          "kube-state-metrics-gpu-hours",
          new Measured("GPU-hours", PODS.exported()),
          "kubelet-cpu-hours",
          new Measured("CPU-hours", "container_cpu_usage_seconds_total{container!=\"\"}"),
          "opencost-cost",
          new Measured("currency", "node_cpu_hourly_cost"),
          "dcgm-gpu-hours",
          GPUS,
          "dcgm-busy-gpu-hours",
          GPUS);

  private static final ReadyMade FILES =
      new ReadyMade("consumption", MEASURED.keySet().stream().sorted().toList());

  /**
   * The measured series beside the text of a query.
   *
   * @param exported series that its exporter has as long as it works, whatever runs
   */
  private record Measured(String unit, String exported) {
    QueryTemplate fresh() {
      return QueryTemplate.parse(
          "count(count_over_time(" + exported + "[" + FRESH_FOR + "]))",
          EnumSet.noneOf(Placeholder.class));
    }
  }

  /**
   * A query with what it measures.
   *
   * @param name as in {@link ConsumptionQueries#named}
   * @param unit of the number that it gives: {@code CPU-hours}, {@code GPU-hours}, or {@code
   *     currency} for that which the exporter's prices are in
   * @param template with {@link Placeholder#NAMESPACE} and {@link Placeholder#WINDOW}
   * @param fresh a query without placeholders that gives data as long as Prometheus has had samples
   *     of the exporter within the last three minutes. Without them, {@code template} goes on
   *     giving what was measured before the exporter died: ask both, and take no answer of this one
   *     for no answer of the other.
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record ConsumptionQuery(
      String name, String unit, QueryTemplate template, QueryTemplate fresh) {}

  private ConsumptionQueries() {}

  /** The names, in alphabetical order. */
  public static List<String> names() {
    return FILES.names();
  }

  /**
   * The query of this name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static ConsumptionQuery named(String name) {
    String text = FILES.text(name);
    Measured measured = Objects.requireNonNull(MEASURED.get(name));
    return new ConsumptionQuery(
        name,
        measured.unit(),
        QueryTemplate.parse(text, EnumSet.of(Placeholder.NAMESPACE, Placeholder.WINDOW)),
        measured.fresh());
  }
}
