// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check on the SDK is asked before quota: it says no twice, then yes, and yes with quota. */
class AskedBeforeQuotaTest {
  private static final String OBJECTS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: license, annotations: {kueue4j.io/stage: BeforeQuota}}
      spec: {controllerName: example.com/license}
      ---
      """
          + QueueYaml.ML.cpus(1, "admissionChecksStrategy: {admissionChecks: [{name: license}]}");

  @TempDir private Path folder;

  /**
   * A question that the check was asked.
   *
   * @param reserved whether quota was reserved then
   */
  private record Asked(boolean beforeQuota, boolean reserved, int attempt) {}

  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  private final class License implements Check<NoParameters> {
    @Override
    public boolean answersBeforeQuota() {
      return true;
    }

    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      return answer(evaluation);
    }
  }

  private Verdict answer(Evaluation<?> evaluation) {
    Asked question =
        new Asked(
            evaluation.beforeQuota(),
            evaluation.workload().conditions().reserved(),
            evaluation.attempt());
    asked.add(question);
    return question.attempt() < 2
        ? Verdict.retry(Reason.of("NoLicense"), "None.", Delay.exactly(Duration.ofSeconds(1)))
        : Verdict.ready("One is free.");
  }

  @Test
  void itsNoTakesNoQuotaAndItsYesIsVerified() throws Exception {
    try (PlayedCheckCluster cluster = new PlayedCheckCluster(folder, OBJECTS);
        RunningCore core = cluster.startCore()) {
      assertThat(core).isNotNull();
      cluster.play("example.com/license", new License());
      cluster.create("train");
      cluster.wait.until("it is admitted", () -> cluster.workload("train").conditions().admitted());
    }
    assertThat(asked)
        .as("each no before quota, and the count goes on with it")
        .startsWith(new Asked(true, false, 0))
        .contains(new Asked(true, false, 1), new Asked(true, false, 2))
        .endsWith(new Asked(false, true, 2));
    assertThat(asked).allMatch(question -> question.reserved() != question.beforeQuota());
    assertThat(asked).as("no quota for a no").noneMatch(one -> one.reserved() && one.attempt() < 2);
  }
}
