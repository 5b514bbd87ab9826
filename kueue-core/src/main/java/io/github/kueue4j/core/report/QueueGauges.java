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
import java.util.List;
import java.util.Map;

/** Gauges that come and go with queues; written by the State's thread. */
final class QueueGauges {
  private final MeterRegistry registry;
  private final Tags common;
  private final Map<Series, Value> values = new HashMap<>();

  private record Series(String name, Tags tags) {}

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

  /** Removes every series that has all of these tags. */
  void remove(Tags tags) {
    List<Tag> wanted = tags.stream().toList();
    for (Series series : new ArrayList<>(values.keySet())) {
      if (series.tags().stream().toList().containsAll(wanted)) {
        values.remove(series);
        Meter meter = registry.find(series.name()).tags(common.and(series.tags())).meter();
        if (meter != null) {
          registry.remove(meter);
        }
      }
    }
  }
}
