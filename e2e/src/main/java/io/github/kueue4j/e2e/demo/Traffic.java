/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.testkit.traffic.RequestCounters;
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
record Traffic(Map<Kind, Long> counts) {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /**
   * Requests that are counted together.
   *
   * @param client the component that sent them
   * @param resource the plural, with the subresource after a slash
   */
  record Kind(String client, String verb, String resource) implements Comparable<Kind> {
    private static final Comparator<Kind> ORDER =
        Comparator.comparing(Kind::client).thenComparing(Kind::verb).thenComparing(Kind::resource);

    @Override
    public int compareTo(Kind other) {
      return ORDER.compare(this, other);
    }

    boolean reads() {
      return READS.contains(verb);
    }
  }

  static Traffic of(RequestCounters counters) {
    Map<Kind, Long> counts = new TreeMap<>();
    counters.forEach(
        (series, count) -> {
          if (!series.resource().isEmpty()) {
            String subresource = series.subresource().isEmpty() ? "" : "/" + series.subresource();
            counts.merge(
                new Kind(
                    client(series.userAgent()), series.verb(), series.resource() + subresource),
                count,
                Long::sum);
          }
        });
    return new Traffic(counts);
  }

  List<String> clients() {
    return counts.keySet().stream().map(Kind::client).distinct().toList();
  }

  /** How many requests of a client change nothing, or how many do. */
  long sum(String client, boolean reads) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().client().equals(client))
        .filter(entry -> entry.getKey().reads() == reads)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The component in parentheses, such as {@code kueue4j/0.1 (kueue-core)}; else all of it. */
  private static String client(String userAgent) {
    int open = userAgent.lastIndexOf('(');
    int close = userAgent.lastIndexOf(')');
    return open >= 0 && close > open ? userAgent.substring(open + 1, close) : userAgent;
  }
}
