// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Retries by check and reason, and evaluations by what came of them. */
class CheckMetersTest {
  private final ManualTime time = ManualTime.create();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void aRetryIsCountedByCheckAndReason() throws Exception {
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect("meters");
        CheckController controller =
            CheckController.builder("example.com/meters", CheckEnvironment.of(cluster, time))
                .check(
                    evaluation ->
                        Verdict.retry(
                            Reason.of("NoLicense"), "none", Delay.exactly(Duration.ofMinutes(5))))
                .meters(meters)
                .build()) {
      kueue.admissionCheck("license", "example.com/meters");
      controller.start();
      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "license");
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));

      // The entry is seen before it is counted, and a meter comes with its first count.
      await()
          .ignoreException(MeterNotFoundException.class)
          .untilAsserted(
              () -> {
                assertThat(
                        meters
                            .get("kueue4j.check.verdicts")
                            .tag("check", "license")
                            .tag("state", "Retry")
                            .tag("reason", "NoLicense")
                            .counter()
                            .count())
                    .isEqualTo(1);
                assertThat(
                        meters
                            .get("kueue4j.check.evaluation")
                            .tag("check", "license")
                            .tag("result", "answered")
                            .timer()
                            .count())
                    .isEqualTo(1);
              });
    }
  }
}
