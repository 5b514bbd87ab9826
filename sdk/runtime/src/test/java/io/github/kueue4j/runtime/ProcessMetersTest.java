// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

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

    System.gc();
    await("both count it").until(() -> pauses(control) > 0 && pauses(meters) > 0);
    assertThat(pauses(meters)).isEqualTo(pauses(control));

    first.run();
    long before = pauses(meters);
    System.gc();
    await("one host is left").until(() -> pauses(meters) > before);
    second.run();
    long atEnd = pauses(meters);
    long known = pauses(control);
    System.gc();
    await("the other registry goes on").until(() -> pauses(control) > known);
    assertThat(pauses(meters)).isEqualTo(atEnd);
    third.run();
  }

  private static long pauses(SimpleMeterRegistry registry) {
    return registry.find("jvm.gc.pause").timers().stream().mapToLong(Timer::count).sum();
  }
}
