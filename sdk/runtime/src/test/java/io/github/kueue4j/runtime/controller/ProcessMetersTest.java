// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The JVM and its process, as every host reports them. */
@Isolated("runs the garbage collector and counts its pauses")
class ProcessMetersTest {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void namesAreThoseOfTheLibrary() {
    var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Runnable end = ProcessMeters.in(prometheus);

    assertThat(prometheus.scrape())
        .contains(
            "\njvm_memory_used_bytes{area=\"heap\",",
            "\njvm_memory_max_bytes{area=\"heap\",",
            "\njvm_threads_live_threads ",
            "\njvm_classes_loaded_classes ",
            "\nprocess_cpu_usage ",
            "\nprocess_files_open_files ",
            "\nprocess_files_max_files ",
            "\nprocess_start_time_seconds ",
            "\nprocess_uptime_seconds ");
    end.run();
  }

  @Test
  void twoHostsOnOneRegistryCountAPauseOnceAndTheLastEndsIt() {
    Runnable first = ProcessMeters.in(meters);
    Runnable second = ProcessMeters.in(meters);
    SimpleMeterRegistry control = new SimpleMeterRegistry();
    Runnable third = ProcessMeters.in(control);

    // The JVM collects garbage when it likes, also between two looks: then once more.
    await("one registry counts as many as the other").until(() -> countsLike(control));

    first.run();
    collect(meters);
    second.run();
    collect(control); // By now whatever was on its way to the others has come.
    long atEnd = pauses(meters);
    collect(control);
    assertThat(pauses(meters)).isEqualTo(atEnd);
    third.run();
  }

  private boolean countsLike(SimpleMeterRegistry control) {
    long before = pauses(meters);
    long beforeControl = pauses(control);
    collect(control);
    return pauses(meters) - before == pauses(control) - beforeControl;
  }

  private static void collect(SimpleMeterRegistry registry) {
    long before = pauses(registry);
    System.gc();
    await("it is counted").until(() -> pauses(registry) > before);
  }

  private static long pauses(SimpleMeterRegistry registry) {
    return registry.find("jvm.gc.pause").timers().stream().mapToLong(Timer::count).sum();
  }
}
