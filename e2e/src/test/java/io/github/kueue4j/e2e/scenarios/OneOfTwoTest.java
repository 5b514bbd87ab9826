// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two checks on the SDK, of which one is enough. Both refuse, and while the Workload waits the core
 * is replaced; then one agrees, and takes it back while the Workload runs.
 */
class OneOfTwoTest {
  private static final String OBJECTS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: spot-a, annotations: {kueue4j.io/any-of: capacity}}
      spec: {controllerName: example.com/spot-a}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: spot-b, annotations: {kueue4j.io/any-of: capacity}}
      spec: {controllerName: example.com/spot-b}
      ---
      """
          + QueueYaml.ML.cpus(
              1, "admissionChecksStrategy: {admissionChecks: [{name: spot-a}, {name: spot-b}]}");

  private static final Duration LATER = Duration.ofHours(4);
  private static final Duration SOONER = Duration.ofHours(2);

  @TempDir private Path folder;

  private final AtomicBoolean agrees = new AtomicBoolean();

  private static Verdict retry(Duration delay) {
    return Verdict.retry(Reason.of("Full"), "Nothing is free.", Delay.exactly(delay));
  }

  private Verdict second(int attempt) {
    if (attempt == 0) {
      return retry(SOONER);
    }
    return agrees.get()
        ? Verdict.ready("Booked.")
        : Verdict.pending("Not decided yet.", Duration.ofMillis(100));
  }

  private static boolean says(Workload workload, String check, CheckState state) {
    return workload.status().admissionCheck(check).filter(entry -> entry.is(state)).isPresent();
  }

  private static Workload until(
      PlayedCheckCluster cluster, String what, Predicate<Workload> condition) {
    return cluster.wait.untilPresent(
        what, () -> Optional.of(cluster.workload("train")).filter(condition));
  }

  /** Writes the second check's entry, as its controller may. */
  private static void write(PlayedCheckCluster cluster, UnaryOperator<AdmissionCheckState> change) {
    cluster.wait.untilWritten(
        "the second changes its answer",
        () -> {
          Workload before = cluster.workload("train");
          AdmissionCheckState entry = before.status().admissionCheck("spot-b").orElseThrow();
          cluster.api.patchStatus(
              KueueTypes.WORKLOAD,
              GuardedPatch.ofStatus(
                  before,
                  before.withStatus(before.status().withAdmissionCheck(change.apply(entry)))));
        });
  }

  private static Instant end(Workload workload, String check, Duration delay) {
    return workload.status().admissionCheck(check).orElseThrow().lastTransitionTime().plus(delay);
  }

  @Test
  void bothRefuseThenOneAgreesAndTakesItBack() throws Exception {
    try (PlayedCheckCluster cluster = new PlayedCheckCluster(folder, OBJECTS)) {
      cluster.play("example.com/spot-a", evaluation -> retry(LATER));
      cluster.play("example.com/spot-b", evaluation -> second(evaluation.attempt()));
      try (RunningCore core = cluster.startCore()) {
        assertThat(core).isNotNull();
        cluster.create("train");
        Workload waits =
            until(
                cluster,
                "both have refused, and the quota is free",
                workload ->
                    says(workload, "spot-a", CheckState.RETRY)
                        && says(workload, "spot-b", CheckState.RETRY)
                        && !workload.conditions().holdsQuota());
        assertThat(waits.status().requeueAt()).isEqualTo(end(waits, "spot-b", SOONER));
      }
      try (RunningCore core = cluster.startCore()) {
        assertThat(core).isNotNull();
        write(cluster, entry -> entry.withRequeueAfterSeconds(0));
        Workload asked =
            until(
                cluster,
                "the first has refused again",
                workload ->
                    says(workload, "spot-a", CheckState.RETRY)
                        && says(workload, "spot-b", CheckState.PENDING));
        assertThat(asked.conditions().holdsQuota()).isTrue();
        assertThat(asked.status().admissionCheck("spot-a").orElseThrow().retryCount()).isEqualTo(1);
        agrees.set(true);
        Workload admitted =
            until(cluster, "it is admitted", workload -> workload.conditions().admitted());
        assertThat(admitted.status().admissionChecks())
            .extracting(AdmissionCheckState::name)
            .containsExactly("spot-b");
        write(
            cluster,
            entry ->
                entry
                    .withState(CheckState.RETRY)
                    .withLastTransitionTime(entry.lastTransitionTime().plusSeconds(1))
                    .withRequeueAfterSeconds((int) LATER.toSeconds()));
        Workload evicted =
            until(
                cluster,
                "it is evicted, and the quota is free",
                workload -> !workload.conditions().holdsQuota());
        assertThat(evicted.status().requeueAt()).isEqualTo(end(evicted, "spot-b", LATER));
        assertThat(evicted.conditions().heldForChecks()).isTrue();
      }
    }
  }
}
