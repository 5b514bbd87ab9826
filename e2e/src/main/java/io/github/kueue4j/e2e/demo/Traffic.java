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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Requests on resources that the server has answered, by client. Watches count once each.
 *
 * @param byClient sorted by the client's name
 */
record Traffic(Map<String, Requests> byClient) {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /** How many requests of one client changed something, and how many didn't. */
  record Requests(long writes, long reads) {
    private Requests plus(Requests other) {
      return new Requests(writes + other.writes, reads + other.reads);
    }
  }

  static Traffic of(RequestCounters counters) {
    Map<String, Requests> sums = new TreeMap<>();
    counters.forEach(
        (series, count) -> {
          if (!series.resource().isEmpty()) {
            boolean read = READS.contains(series.verb());
            sums.merge(
                client(series.userAgent()),
                new Requests(read ? 0 : count, read ? count : 0),
                Requests::plus);
          }
        });
    return new Traffic(sums);
  }

  /** The component in parentheses, such as {@code kueue4j/0.1 (kueue-core)}; else all of it. */
  private static String client(String userAgent) {
    int open = userAgent.lastIndexOf('(');
    int close = userAgent.lastIndexOf(')');
    return open >= 0 && close > open ? userAgent.substring(open + 1, close) : userAgent;
  }
}
