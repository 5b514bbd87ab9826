// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The metrics of the real server that are about requests and objects, as Prometheus text. */
final class MetricsPage {
  private final RequestCounters counters;
  private final ObjectStore store;
  private final OpenWatches watches;

  MetricsPage(RequestCounters counters, ObjectStore store, OpenWatches watches) {
    this.counters = counters;
    this.store = store;
    this.watches = watches;
  }

  String text() {
    Map<String, Long> lines = new TreeMap<>();
    counters.forEach((series, count) -> lines.merge(labels(series), count, Long::sum));
    StringBuilder text = new StringBuilder();
    text.append(
        "# HELP apiserver_request_total Counter of apiserver requests broken out for each verb, dry"
            + " run value, group, version, resource, scope, component, and HTTP response code.\n");
    text.append("# TYPE apiserver_request_total counter\n");
    lines.forEach(
        (labels, count) ->
            text.append("apiserver_request_total{")
                .append(labels)
                .append("} ")
                .append(count)
                .append('\n'));
    text.append("# HELP apiserver_storage_objects Number of stored objects by kind.\n");
    text.append("# TYPE apiserver_storage_objects gauge\n");
    for (KindStore kind : store.kinds()) {
      text.append("apiserver_storage_objects{resource=\"")
          .append(kind.name())
          .append("\"} ")
          .append(kind.size())
          .append('\n');
    }
    text.append("# HELP apiserver_longrunning_requests Number of open watches.\n");
    text.append("# TYPE apiserver_longrunning_requests gauge\n");
    text.append("apiserver_longrunning_requests{verb=\"WATCH\"} ")
        .append(watches.count())
        .append('\n');
    return text.toString();
  }

  private static String labels(RequestCounters.Series series) {
    return "code=\""
        + series.code()
        + "\",component=\"apiserver\",dry_run=\"\",group=\""
        + series.request().group()
        + "\",resource=\""
        + series.request().resource()
        + "\",scope=\""
        + series.scope()
        + "\",subresource=\""
        + series.request().subresource()
        + "\",verb=\""
        + verb(series.request().verb())
        + "\",version=\""
        + series.request().version()
        + "\"";
  }

  private static String verb(String verb) {
    return switch (verb) {
      case "create" -> "POST";
      case "update" -> "PUT";
      default -> verb.toUpperCase(Locale.ROOT);
    };
  }
}
