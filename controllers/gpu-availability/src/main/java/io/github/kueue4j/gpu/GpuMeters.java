// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many GPUs of each kind are free, used and reserved, and how many workloads wait for some. The
 * series follow the nodes: {@link #update} is called when these have changed.
 */
final class GpuMeters {

  private final Capacity capacity;
  private final GpuPolicy policy;
  private volatile @Nullable Registered registered;

  // Guarded by this object's monitor.
  private Map<GpuUsage.Series, GpuUsage> usage = Map.of();
  private long counted = -1;
  private long shown = -1;

  private record Registered(
      MultiGauge allocatable, MultiGauge used, MultiGauge reserved, MultiGauge free) {}

  /**
   * Metrics of what is counted in the capacity.
   *
   * @param policy says which resources count and which labels name their kinds
   */
  GpuMeters(Capacity capacity, GpuPolicy policy) {
    this.capacity = capacity;
    this.policy = policy;
  }

  /** Registers them; once. */
  void bindTo(MeterRegistry registry) {
    Gauge.builder("kueue4j.gpu.waiting.workloads", capacity, Capacity::waiting)
        .description("Workloads that are woken when there is room")
        .register(registry);
    registered =
        new Registered(
            gauge(registry, "kueue4j.gpu.allocatable", "GPUs on usable nodes"),
            gauge(registry, "kueue4j.gpu.used", "GPUs that pods take"),
            gauge(registry, "kueue4j.gpu.reserved", "GPUs kept for pods that are not bound yet"),
            gauge(registry, "kueue4j.gpu.free", "GPUs that are neither used nor reserved"));
  }

  /** Makes a series of each kind of GPU that there is now. */
  synchronized void update() {
    @Nullable Registered gauges = registered;
    long version = capacity.nodesVersion();
    if (gauges == null || version == shown) {
      return;
    }
    shown = version;
    Set<GpuUsage.Series> kinds = usage().keySet();
    gauges.allocatable.register(rows(kinds, GpuUsage::allocatable), true);
    gauges.used.register(rows(kinds, GpuUsage::used), true);
    gauges.reserved.register(rows(kinds, GpuUsage::reserved), true);
    gauges.free.register(rows(kinds, GpuUsage::free), true);
  }

  /** Counted once for all series as long as nothing changes. */
  private synchronized Map<GpuUsage.Series, GpuUsage> usage() {
    long version = capacity.version();
    if (version != counted) {
      counted = version;
      usage = capacity.usage(policy);
    }
    return usage;
  }

  private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  private List<MultiGauge.Row<?>> rows(Set<GpuUsage.Series> kinds, ToLongFunction<GpuUsage> value) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (GpuUsage.Series series : kinds) {
      rows.add(
          MultiGauge.Row.of(
              Tags.of("resource", series.resource(), "kind", series.kind()),
              () -> value.applyAsLong(usage().getOrDefault(series, GpuUsage.NONE))));
    }
    return rows;
  }
}
