// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.DuplicateLabelsException;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /**
   * Collectors are read in no order, so that one reading in a few meets the gauge before and after.
   */
  @Test
  void aGaugeThatGoesAndComesBackWhileItIsReadIsNoError() {
    for (int i = 0; i < 30; i++) {
      Gauge.builder("gauge" + i, () -> 1).register(meters);
    }
    Gauge[] gauge = {waiting()};
    AtomicInteger readings = new AtomicInteger();
    meters
        .getPrometheusRegistry()
        .register(
            (MultiCollector)
                () -> {
                  // Every second reading is left in peace.
                  if (readings.incrementAndGet() % 2 == 1) {
                    meters.remove(gauge[0]);
                    gauge[0] = waiting();
                  }
                  return other();
                });

    for (int i = 0; i < 100; i++) {
      // Or not at all, if it went before it was read and came back behind the reader.
      assertThat(MetricsText.of(meters).lines().filter(line -> line.startsWith("waiting{")))
          .hasSizeLessThan(2);
    }
  }

  @Test
  void whatStaysTwiceIsAnError() {
    meters.getPrometheusRegistry().register((MultiCollector) MetricsTextTest::other);
    meters.getPrometheusRegistry().register((MultiCollector) MetricsTextTest::other);

    assertThatThrownBy(() -> MetricsText.of(meters)).isInstanceOf(DuplicateLabelsException.class);
  }

  private Gauge waiting() {
    return Gauge.builder("waiting", () -> 1).tag("queue", "a").register(meters);
  }

  private static MetricSnapshots other() {
    return MetricSnapshots.of(
        GaugeSnapshot.builder()
            .name("other")
            .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder().value(1).build())
            .build());
  }
}
