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
import io.github.kueue4j.sdk.example.LicenseCheck;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The same check works with servers that are older than the SDK. */
class OlderServersTest {

  private final ManualTime time = ManualTime.create();
  private final AtomicInteger licenses = new AtomicInteger(0);

  private CheckController controller(ClusterConnection cluster) {
    return CheckController.builder(
            "example.com/license", CheckEnvironment.of(cluster, time).withRandom(new Random(1)))
        .check(new LicenseCheck(licenses::get))
        .build();
  }

  @Test
  void aServerThatSpeaksOnlyTheVersionBefore() throws Exception {
    try (KueueSide kueue = new KueueSide(time, "v1beta1", UnaryOperator.identity());
        ClusterConnection cluster = kueue.connect("license-check");
        CheckController controller = controller(cluster)) {
      kueue.admissionCheck("license", "example.com/license");
      controller.start();
      await().until(() -> kueue.active("license").isTrue());

      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "license");
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));
      assertThat(kueue.entry(job, "license").requeueAfterSeconds()).isBetween(30, 36);
      kueue.evict(job, "AdmissionCheck");
      kueue.release(job);
      kueue.requeue(job);

      licenses.set(1);
      kueue.reserve(job, "license");
      await().until(() -> kueue.entry(job, "license").is(CheckState.READY));
    }
  }

  @Test
  void aServerThatDropsDelays() throws Exception {
    try (KueueSide kueue =
            new KueueSide(
                time,
                "v1beta2",
                definition ->
                    definition.replaceAll("requeueAfterSeconds:", "fieldOfAnotherTime:"));
        ClusterConnection cluster = kueue.connect("license-check");
        CheckController controller = controller(cluster)) {
      kueue.admissionCheck("license", "example.com/license");
      controller.start();
      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "license");
      await().until(() -> kueue.entry(job, "license").is(CheckState.RETRY));
      assertThat(kueue.entry(job, "license").requeueAfterSeconds()).isNull();
      await()
          .until(() -> kueue.active("license").message().contains("not keep requeueAfterSeconds"));
      assertThat(kueue.active("license").isTrue()).isTrue();

      // Nothing delays the workload: it is queued again at once.
      again(kueue, job);
      await()
          .until(
              () ->
                  kueue
                      .entry(job, "license")
                      .message()
                      .startsWith(
                          "No license is free. (the delay began with the last Retry and ends at "));
      assertThat(kueue.entry(job, "license").state()).isEqualTo(CheckState.PENDING);
      time.advance(Duration.ofSeconds(29));
      assertThat(kueue.entry(job, "license").state()).isEqualTo(CheckState.PENDING);
      awaitState(kueue, job, CheckState.RETRY);

      again(kueue, job);
      licenses.set(1);
      controller.wakeAll();
      awaitState(kueue, job, CheckState.READY);
    }
  }

  private void awaitState(KueueSide kueue, ObjectKey job, CheckState state) {
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return kueue.entry(job, "license").is(state);
            });
  }

  private static void again(KueueSide kueue, ObjectKey job) {
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);
    kueue.requeue(job);
    kueue.reserve(job, "license");
  }
}
