// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The meters of the JVM and its process in a registry, once, however many hosts share it.
 *
 * <p>Pauses of the collector are measured by a listener of the JVM, which would count each pause
 * once per host and keep the registry alive: it is removed with the last host.
 */
final class ProcessMeters {

  private static final Map<MeterRegistry, ProcessMeters> ALL = new HashMap<>();

  private final JvmGcMetrics collector = new JvmGcMetrics();
  private int hosts;

  private ProcessMeters() {}

  /**
   * Adds the meters for one host.
   *
   * @return ends it for that host; to be called once
   */
  static Runnable in(MeterRegistry registry) {
    synchronized (ALL) {
      ProcessMeters meters = ALL.computeIfAbsent(registry, unknown -> new ProcessMeters());
      if (meters.hosts++ == 0) {
        meters.bind(registry);
      }
    }
    return () -> end(registry);
  }

  private static void end(MeterRegistry registry) {
    synchronized (ALL) {
      ProcessMeters meters = Objects.requireNonNull(ALL.get(registry));
      if (--meters.hosts == 0) {
        meters.collector.close();
        ALL.remove(registry);
      }
    }
  }

  private void bind(MeterRegistry registry) {
    new JvmMemoryMetrics().bindTo(registry);
    collector.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }
}
