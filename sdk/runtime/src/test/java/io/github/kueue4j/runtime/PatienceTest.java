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

import static io.github.kueue4j.runtime.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a server asks for in Retry-After is granted (API priority and fairness answers 429). */
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

  @Test
  void aReconcileThatIsThrottledComesBackNoSooner() {
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
      await().until(() -> controller.queue().timers() == 1);
      time.advance(Duration.ofSeconds(29));
      assertThat(controller.queue().timers()).as("the server asked for 30 s").isEqualTo(1);
      time.advance(Duration.ofSeconds(1));
      await().until(() -> running.reconciles("error") == 2 && controller.queue().timers() == 1);
      time.advance(Duration.ofSeconds(2));
      await().until(() -> running.reconciles("success") == 1);
    }
  }

  @Test
  void anInformerThatIsThrottledPausesAsLong() {
    var pulse = new WatchPulse("nodes", time, new Random(1));

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
