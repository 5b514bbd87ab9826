// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
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
 * A gauge that several hosts in one process can share.
 *
 * <p>A registry keeps the first gauge of a name with the same tags and ignores all others, and
 * removing it removes it for all. Here each host adds its own value; the gauge combines all values
 * and is removed with the last one.
 */
final class SharedGauge {

  /**
   * By registry and gauge. The values must not refer to their registry, or it could not be garbage
   * collected.
   */
  private static final Map<MeterRegistry, Map<Meter.Id, SharedGauge>> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final DoubleBinaryOperator together;
  private final List<DoubleSupplier> values = new CopyOnWriteArrayList<>();
  private Meter.@Nullable Id registered; // Guarded by ALL.

  private SharedGauge(DoubleBinaryOperator together) {
    this.together = together;
  }

  /**
   * Adds a value.
   *
   * @param tag the gauge's one tag: its key and its value
   * @param together combines two values
   * @return removes the value
   */
  static Runnable add(
      MeterRegistry registry,
      String name,
      Map.Entry<String, String> tag,
      DoubleBinaryOperator together,
      DoubleSupplier value) {
    return add(registry, name, null, tag, together, value);
  }

  /** Adds a value in seconds. */
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
    // Without what filters of the registry make of it. Only the first is registered, since a
    // registry warns of another.
    var asked =
        new Meter.Id(name, Tags.of(tag.getKey(), tag.getValue()), unit, null, Meter.Type.GAUGE);
    synchronized (ALL) {
      SharedGauge shared =
          ALL.computeIfAbsent(registry, r -> new HashMap<>())
              .computeIfAbsent(asked, id -> new SharedGauge(together));
      shared.values.add(value);
      Meter.Id id =
          shared.registered == null ? shared.register(registry, asked) : shared.registered;
      return () -> remove(registry, asked, id, value);
    }
  }

  private Meter.Id register(MeterRegistry registry, Meter.Id asked) {
    Meter.Id id =
        Gauge.builder(asked.getName(), this, SharedGauge::value)
            .strongReference(true)
            .baseUnit(asked.getBaseUnit())
            .tags(asked.getTags())
            .register(registry)
            .getId();
    registered = id;
    return id;
  }

  private static void remove(
      MeterRegistry registry, Meter.Id asked, Meter.Id id, DoubleSupplier value) {
    synchronized (ALL) {
      Map<Meter.Id, SharedGauge> gauges = ALL.getOrDefault(registry, Map.of());
      SharedGauge shared = gauges.get(asked);
      if (shared != null && shared.values.remove(value) && shared.values.isEmpty()) {
        gauges.remove(asked);
        registry.remove(id);
      }
    }
  }

  private double value() {
    return values.stream().mapToDouble(DoubleSupplier::getAsDouble).reduce(together).orElse(0);
  }
}
