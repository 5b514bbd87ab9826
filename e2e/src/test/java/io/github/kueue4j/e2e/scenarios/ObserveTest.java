// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new check is introduced: it observes, its record is read, it is enforced. */
class ObserveTest {
  private static final Verdict NO =
      Verdict.retry(
          Reason.of("NoLicense"), "No license is free.", Delay.exactly(Duration.ofHours(1)));

  private static final String OBJECTS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: license, annotations: {kueue4j.io/mode: Observe}}
      spec: {controllerName: example.com/license}
      ---
      """
          + QueueYaml.ML.cpus(
              1000, "admissionChecksStrategy: {admissionChecks: [{name: license}]}");

  @TempDir private Path folder;

  @Test
  void whatItWouldHaveHeldBackRunsUntilItIsEnforced() throws Exception {
    try (PlayedCheckCluster cluster = new PlayedCheckCluster(folder, OBJECTS);
        RunningCore core = cluster.startCore()) {
      assertThat(core).isNotNull();
      cluster.play("example.com/license", evaluation -> NO);
      introduce(cluster);
    }
  }

  private static void introduce(PlayedCheckCluster cluster) {
    cluster.create("observed");
    cluster.wait.until("it is admitted and the answer recorded", () -> admittedWithRecord(cluster));

    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("license"),
        new MergePatch(
            JsonParser.parseString("{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": null}}}")
                .getAsJsonObject()));
    // The core and the check see the change at moments of their own.
    AtomicInteger made = new AtomicInteger();
    cluster.wait.until("a later one is held back", () -> laterIsHeldBack(cluster, made));

    assertThat(admittedWithRecord(cluster)).as("nothing is taken back").isTrue();
    assertThat(ObservedAnswer.of(entry(cluster, "observed")))
        .contains(new ObservedAnswer(CheckState.RETRY, "NoLicense", "No license is free."));
  }

  private static boolean laterIsHeldBack(PlayedCheckCluster cluster, AtomicInteger made) {
    String last = "later-" + made.get();
    if (made.get() == 0 || cluster.workload(last).conditions().admitted()) {
      last = "later-" + made.incrementAndGet();
      cluster.create(last);
    }
    return entry(cluster, last).is(CheckState.RETRY)
        && !cluster.workload(last).conditions().admitted();
  }

  private static boolean admittedWithRecord(PlayedCheckCluster cluster) {
    return cluster.workload("observed").conditions().admitted()
        && ObservedAnswer.of(entry(cluster, "observed")).isPresent();
  }

  private static AdmissionCheckState entry(PlayedCheckCluster cluster, String name) {
    return cluster
        .workload(name)
        .status()
        .admissionCheck("license")
        .orElseGet(() -> AdmissionCheckState.pending("license", Instant.EPOCH));
  }
}
