// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.example.LicenseCheck;
import io.kubernetes.client.openapi.models.EventsV1Event;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guide's first check, run as the guide runs it. */
class FirstCheckTest {

  private final ManualTime time = ManualTime.create();

  @Test
  void theGuidesCheckSaysReadyOrRetryAndIsActive() throws Exception {
    AtomicInteger licenses = new AtomicInteger(0);
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect("license-check");
        CheckController controller =
            CheckController.builder(
                    "example.com/license",
                    CheckEnvironment.of(cluster, time).withRandom(new Random(1)))
                .check(new LicenseCheck(licenses::get))
                .build()) {
      kueue.admissionCheck("license", "example.com/license");
      controller.start();
      await().until(() -> kueue.active("license").isTrue());
      assertThat(kueue.active("license").reason()).isEqualTo("Active");
      assertThat(kueue.active("license").message()).isEqualTo("The admission check is active");

      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "license");
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));
      assertThat(kueue.entry(job, "license").message()).isEqualTo("No license is free.");
      assertThat(kueue.entry(job, "license").requeueAfterSeconds()).isBetween(30, 36);
      assertThat(kueue.managers(job)).contains("license-check").doesNotContain("kueue4j");
      await().until(() -> reporters(kueue).equals(Set.of("license-check")));
      kueue.evict(job, "AdmissionCheck");
      kueue.release(job);
      kueue.requeue(job);

      licenses.set(3);
      kueue.reserve(job, "license");
      await().until(() -> kueue.entry(job, "license").is(CheckState.READY));
      assertThat(kueue.entry(job, "license").retryCount()).isEqualTo(1);
    }
  }

  @Test
  void whatACheckHasOpenedIsClosedWithTheController() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect("license-check");
        CheckController controller =
            CheckController.builder("example.com/license", CheckEnvironment.of(cluster, time))
                .check(new LicenseCheck(() -> 0))
                .whenClosed(() -> closed.set(true))
                .build()) {
      controller.start();
      assertThat(closed).isFalse();
    }
    assertThat(closed).isTrue();
  }

  /** Which controllers wrote the events that there are. */
  private static Set<String> reporters(KueueSide kueue) {
    return kueue.api().list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .map(EventsV1Event::getReportingController)
        .collect(Collectors.toSet());
  }
}
