// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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

/** Gauges that exist as long as their queues do. */
final class QueueGauges {
  private final MeterRegistry registry;
  private final Tags common;
  private final Map<Series, Value> values = new HashMap<>();

  /** The series that {@link #show} has set last, by their owner. */
  private final Map<Tags, Set<Series>> shown = new HashMap<>();

  private record Series(String name, Tags tags) {}

  /** A value of one series. */
  record GaugeValue(String name, Tags tags, double value) {}

  QueueGauges(MeterRegistry registry, Tags common) {
    this.registry = registry;
    this.common = common;
  }

  /** The value of a gauge; read by the threads that scrape. */
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

  /** Sets all series of an owner, and removes those that were set before and aren't among them. */
  void show(Tags owner, List<GaugeValue> readings) {
    Set<Series> now = new HashSet<>();
    for (GaugeValue gaugeValue : readings) {
      set(gaugeValue.name(), gaugeValue.tags(), gaugeValue.value());
      now.add(new Series(gaugeValue.name(), gaugeValue.tags()));
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
