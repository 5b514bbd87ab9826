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
package io.github.kueue4j.core.report;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gauges that come and go with queues; written by the State's thread. */
final class QueueGauges {
  private final MeterRegistry registry;
  private final Tags common;
  private final Map<Series, Value> values = new HashMap<>();

  /** What was last shown by {@link #show}, by whom it belongs to. */
  private final Map<Tags, Set<Series>> shown = new HashMap<>();

  private record Series(String name, Tags tags) {}

  /** A value of one series. */
  record Reading(String name, Tags tags, double value) {}

  QueueGauges(MeterRegistry registry, Tags common) {
    this.registry = registry;
    this.common = common;
  }

  /** What a gauge shows; read by whoever scrapes. */
  private static final class Value {
    volatile double current;
  }

  void set(String name, Tags tags, double value) {
    values.computeIfAbsent(
                new Series(name, tags),
                series -> {
                  Value holder = new Value();
                  Gauge.builder(name, holder, held -> held.current)
                      .tags(common.and(tags))
                      .register(registry);
                  return holder;
                })
            .current =
        value;
  }

  /**
   * Sets all series that are shown for somebody in this way; those that were shown before, and are
   * not among them, go.
   */
  void show(Tags owner, List<Reading> readings) {
    Set<Series> now = new HashSet<>();
    for (Reading reading : readings) {
      set(reading.name(), reading.tags(), reading.value());
      now.add(new Series(reading.name(), reading.tags()));
    }
    Set<Series> before = now.isEmpty() ? shown.remove(owner) : shown.put(owner, now);
    if (before != null) {
      before.stream().filter(series -> !now.contains(series)).forEach(this::drop);
    }
  }

  /** Removes one series. */
  void unset(String name, Tags tags) {
    drop(new Series(name, tags));
  }

  /** Removes every series that has all of these tags. */
  void remove(Tags tags) {
    shown.remove(tags);
    List<Tag> wanted = tags.stream().toList();
    for (Series series : new ArrayList<>(values.keySet())) {
      if (series.tags().stream().toList().containsAll(wanted)) {
        drop(series);
      }
    }
  }

  private void drop(Series series) {
    values.remove(series);
    Meter meter = registry.find(series.name()).tags(common.and(series.tags())).meter();
    if (meter != null) {
      registry.remove(meter);
    }
  }
}
