// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Patience;
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

  private static final String WORKLOAD =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: train, namespace: ml}
      spec:
        queueName: main
        podSets:
        - name: main
          count: 1
          template:
            spec:
              restartPolicy: Never
              containers:
              - {name: c, image: example.com/c, resources: {requests: {cpu: "1"}}}
      """;

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
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TimeSource time = TimeSource.system()) {
      Target target = Target.of(server.kubeconfig(folder.resolve("kubeconfig")));
      try (ClusterConnection connection = target.connect("administrator")) {
        KubernetesApi api = connection.api();
        Definitions.installKueueUnconverted(api);
        Manifests.parse(OBJECTS).createIn(api);
        try (RunningCore core = RunningCore.start(target, Playground.quietConfiguration(), time);
            ClusterConnection own = target.connect("check");
            CheckController check =
                CheckController.builder("example.com/license", own).check(new License()).build()) {
          assertThat(core).isNotNull();
          check.start();
          Manifests.parse(WORKLOAD).createIn(api);
          ClusterWait.on(api, Patience.LIMIT)
              .until(
                  "it is admitted",
                  () ->
                      api.get(KueueTypes.WORKLOAD, new ObjectKey("ml", "train"))
                          .orElseThrow()
                          .conditions()
                          .admitted());
        }
      }
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
