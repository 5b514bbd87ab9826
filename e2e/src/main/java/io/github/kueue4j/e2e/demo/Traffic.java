// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Requests on resources that the server has answered, by client, verb and resource. Watches count
 * once each.
 *
 * @param counts sorted by client, verb and resource
 */
record Traffic(Map<RequestKind, Long> counts) {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /**
   * Requests that are counted together.
   *
   * @param client the component that sent them
   * @param resource the plural, with the subresource after a slash
   */
  record RequestKind(String client, String verb, String resource)
      implements Comparable<RequestKind> {
    private static final Comparator<RequestKind> ORDER =
        Comparator.comparing(RequestKind::client)
            .thenComparing(RequestKind::verb)
            .thenComparing(RequestKind::resource);

    @Override
    public int compareTo(RequestKind other) {
      return ORDER.compare(this, other);
    }

    boolean reads() {
      return READS.contains(verb);
    }
  }

  static Traffic of(RequestCounters counters) {
    Map<RequestKind, Long> counts = new TreeMap<>();
    counters.forEach(
        (series, count) -> {
          if (!series.request().resource().isEmpty()) {
            String subresource =
                series.request().subresource().isEmpty()
                    ? ""
                    : "/" + series.request().subresource();
            counts.merge(
                new RequestKind(
                    client(series.request().userAgent()),
                    series.request().verb(),
                    series.request().resource() + subresource),
                count,
                Long::sum);
          }
        });
    return new Traffic(counts);
  }

  List<String> clients() {
    return counts.keySet().stream().map(RequestKind::client).distinct().toList();
  }

  /** How many requests of a client change nothing, or how many do. */
  long sum(String client, boolean reads) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().client().equals(client))
        .filter(entry -> entry.getKey().reads() == reads)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The component, of {@code kueue-core/kueue4j-0.1} and the like; else all of it. */
  private static String client(String userAgent) {
    int slash = userAgent.indexOf("/kueue4j-");
    return slash > 0 ? userAgent.substring(0, slash) : userAgent;
  }
}
