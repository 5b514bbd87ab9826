// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.controller.TestControllers;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Retry-After of the server is honoured (API priority and fairness answers 429). */
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class PatienceTest {

  private static final ObjectKey A = new ObjectKey("default", "a");

  private final ManualTime time = ManualTime.create();

  @Test
  void theHeaderOfAThrottledRequestIsRead() {
    try (var server = EmbeddedApiServer.start();
        var fault = server.faults().failNext(1, RequestMatcher.everything(), 429);
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      assertThat(fault).isNotNull();
      assertThatThrownBy(() -> connection.api().get(CoreTypes.NODE, A))
          .isInstanceOfSatisfying(
              KubernetesApiException.TooManyRequests.class,
              refusal -> assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
    }
  }

  /** As a proxy's maintenance page does. */
  @ParameterizedTest
  @CsvSource({"59, 59", "60, 60", "3600, 60", "86400000, 60", "99999999999999999999, 60"})
  void whoAsksForMoreThanAMinuteGetsOne(String asked, long seconds) {
    try (var server =
            new ScriptedServer(
                (request, answer) -> answer.header("Retry-After", asked).status(503, "", "later"));
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      assertThatThrownBy(() -> connection.api().get(CoreTypes.NODE, A))
          .isInstanceOfSatisfying(
              KubernetesApiException.class,
              refusal -> assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(seconds)));
    }
  }

  @Test
  void aThrottledReconcileIsNotRetriedEarlier() {
    var calls = new AtomicInteger();
    Controller controller =
        Controller.builder(
                "test",
                key -> {
                  switch (calls.incrementAndGet()) {
                    case 1 -> throw tooMany(Duration.ofSeconds(30));
                    case 2 -> throw new IllegalStateException("just an error");
                    default -> {}
                  }
                  return Requeue.never();
                })
            .errorBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8))
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(A);
      await().until(() -> controller.queue().timers() == 1 && time.nextTimer().isPresent());
      time.advance(Duration.ofSeconds(29));
      assertThat(controller.queue().timers()).as("the server asked for 30 s").isEqualTo(1);
      time.advance(Duration.ofSeconds(1));
      await()
          .until(
              () ->
                  running.reconciles("error") == 2
                      && controller.queue().timers() == 1
                      && time.nextTimer().isPresent());
      time.advance(Duration.ofSeconds(2));
      await().until(() -> running.reconciles("success") == 1);
    }
  }

  @Test
  void aThrottledInformerPausesForRetryAfter() {
    var pulse = new WatchPulse(time, new Random(1));

    pulse.failed(new IllegalStateException("list failed", tooMany(Duration.ofSeconds(20))));
    assertThat(pulse.pause()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
    assertThat(pulse.pause()).as("once per failure").isZero();
    pulse.failed("connection reset");
    assertThat(pulse.pause()).isLessThan(Duration.ofSeconds(2));
  }

  private static KubernetesApiException tooMany(Duration retryAfter) {
    return new KubernetesApiException.TooManyRequests("too many requests", null, retryAfter);
  }
}
