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
package io.github.kueue4j.runtime;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A gauge that several hosts in one process may have in common.
 *
 * <p>A registry keeps the first gauge of a name with the same tags and ignores every other one, and
 * removing it removes it for all. Here each host adds its own value; what is shown is all of them
 * together, and the gauge goes with the last one.
 */
final class SharedGauge {

  /** By registry and gauge. The values must not refer to their registry, or it would stay. */
  private static final Map<MeterRegistry, Map<Meter.Id, SharedGauge>> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final DoubleBinaryOperator together;
  private final List<DoubleSupplier> values = new CopyOnWriteArrayList<>();

  private SharedGauge(DoubleBinaryOperator together) {
    this.together = together;
  }

  /**
   * Adds a value.
   *
   * @param tag the gauge's one tag: its key and its value
   * @param together how two values are shown as one
   * @return takes the value back
   */
  static Runnable add(
      MeterRegistry registry,
      String name,
      Map.Entry<String, String> tag,
      DoubleBinaryOperator together,
      DoubleSupplier value) {
    return add(registry, name, null, tag, together, value);
  }

  /** The same, of values in seconds. */
  static Runnable addSeconds(
      MeterRegistry registry,
      String name,
      Map.Entry<String, String> tag,
      DoubleBinaryOperator together,
      DoubleSupplier value) {
    return add(registry, name, "seconds", tag, together, value);
  }

  private static Runnable add(
      MeterRegistry registry,
      String name,
      @Nullable String unit,
      Map.Entry<String, String> tag,
      DoubleBinaryOperator together,
      DoubleSupplier value) {
    synchronized (ALL) {
      var candidate = new SharedGauge(together);
      Meter.Id id =
          Gauge.builder(name, candidate, SharedGauge::value)
              .strongReference(true)
              .baseUnit(unit)
              .tag(tag.getKey(), tag.getValue())
              .register(registry)
              .getId();
      SharedGauge shared =
          ALL.computeIfAbsent(registry, r -> new HashMap<>()).computeIfAbsent(id, i -> candidate);
      shared.values.add(value);
      return () -> remove(registry, id, value);
    }
  }

  private static void remove(MeterRegistry registry, Meter.Id id, DoubleSupplier value) {
    synchronized (ALL) {
      Map<Meter.Id, SharedGauge> gauges = ALL.getOrDefault(registry, Map.of());
      SharedGauge shared = gauges.get(id);
      if (shared != null && shared.values.remove(value) && shared.values.isEmpty()) {
        gauges.remove(id);
        registry.remove(id);
      }
    }
  }

  private double value() {
    return values.stream().mapToDouble(DoubleSupplier::getAsDouble).reduce(together).orElse(0);
  }
}
