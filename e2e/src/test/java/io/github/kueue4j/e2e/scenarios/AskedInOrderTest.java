// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two checks on the SDK, the second after the first. While the first has no answer the core is
 * replaced; the second says Retry once, and both are asked in order anew.
 */
class AskedInOrderTest {
  private static final String OBJECTS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: policy}
      spec: {controllerName: example.com/policy}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: booking, annotations: {kueue4j.io/after: policy}}
      spec: {controllerName: example.com/booking}
      ---
      """
          + QueueYaml.ML.cpus(
              1, "admissionChecksStrategy: {admissionChecks: [{name: policy}, {name: booking}]}");

  @TempDir private Path folder;

  /** What was answered, in this order. */
  private final List<String> said = new CopyOnWriteArrayList<>();

  private final AtomicBoolean decided = new AtomicBoolean();

  private Verdict policy() {
    if (!decided.get()) {
      return Verdict.pending("Not decided yet.", Duration.ofMillis(100));
    }
    said.add("policy Ready");
    return Verdict.ready("Agreed.");
  }

  private Verdict booking(int attempt) {
    said.add("booking " + attempt);
    return attempt == 0
        ? Verdict.retry(Reason.of("Full"), "Nothing is free.", Delay.exactly(Duration.ofSeconds(1)))
        : Verdict.ready("Booked.");
  }

  @Test
  void theSecondIsAskedOnceTheFirstIsReady() throws Exception {
    try (PlayedCheckCluster cluster = new PlayedCheckCluster(folder, OBJECTS)) {
      cluster.play("example.com/policy", evaluation -> policy());
      cluster.play("example.com/booking", evaluation -> booking(evaluation.attempt()));
      try (RunningCore core = cluster.startCore()) {
        assertThat(core).isNotNull();
        cluster.create("train");
        cluster.wait.until(
            "the first is asked",
            () ->
                cluster
                    .workload("train")
                    .status()
                    .admissionCheck("policy")
                    .filter(entry -> entry.message().equals("Not decided yet."))
                    .isPresent());
        assertThat(cluster.workload("train").status().admissionCheck("booking")).isEmpty();
        assertThat(said).isEmpty();
      }
      decided.set(true);
      cluster.wait.until(
          "the first has answered while there is no core",
          () ->
              cluster
                  .workload("train")
                  .status()
                  .admissionCheck("policy")
                  .filter(entry -> entry.is(CheckState.READY))
                  .isPresent());
      assertThat(said).containsExactly("policy Ready");
      try (RunningCore core = cluster.startCore()) {
        assertThat(core).isNotNull();
        cluster.wait.until(
            "it is admitted", () -> cluster.workload("train").conditions().admitted());
      }
    }
    assertThat(said).containsExactly("policy Ready", "booking 0", "policy Ready", "booking 1");
  }
}
