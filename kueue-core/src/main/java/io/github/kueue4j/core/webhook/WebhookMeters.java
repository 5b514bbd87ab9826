// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import com.sun.net.httpserver.HttpHandler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Measures the webhooks, under the names that Go's controller-runtime has for its own. */
final class WebhookMeters {

  /** The buckets of Prometheus's Go client, and what an API server waits for at the most. */
  private static final Duration[] BUCKETS =
      LongStream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  WebhookMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Measures a handler.
   *
   * @param webhook its path; the label, so that it is one of a few
   */
  HttpHandler measured(String webhook, HttpHandler handler) {
    Timer latency =
        Timer.builder("controller.runtime.webhook.latency")
            .tag("webhook", webhook)
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    AtomicInteger running = new AtomicInteger();
    Gauge.builder("controller.runtime.webhook.requests.in.flight", running, AtomicInteger::get)
        .strongReference(true)
        .tag("webhook", webhook)
        .register(registry);
    return exchange -> {
      Timer.Sample sample = Timer.start(registry);
      running.incrementAndGet();
      try {
        handler.handle(exchange);
      } finally {
        running.decrementAndGet();
        sample.stop(latency);
        int code = exchange.getResponseCode();
        registry
            .counter(
                "controller.runtime.webhook.requests",
                "webhook",
                webhook,
                "code",
                code < 0 ? "none" : Integer.toString(code))
            .increment();
      }
    };
  }
}
