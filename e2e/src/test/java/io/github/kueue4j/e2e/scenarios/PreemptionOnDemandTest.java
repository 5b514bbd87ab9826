// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * KEP-993, {@code AfterCheckPassedOrOnDemand}, with a check on the SDK: it evaluates, then asks for
 * the preemption, and says Ready when the quota is free.
 */
class PreemptionOnDemandTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  private static final String CHECK =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: nodes}
      spec:
        controllerName: example.com/nodes
        preemptionPolicy: AfterCheckPassedOrOnDemand
      """;

  private static final String QUEUE =
      QueueYaml.ML.cpus(
          4,
          """
          preemption: {withinClusterQueue: LowerPriority},
          admissionChecksStrategy: {admissionChecks: [{name: nodes}]}""");

  @ParameterizedTest
  @EnumSource(ScenarioCluster.class)
  void theVictimStaysUntilTheCheckAsks(ScenarioCluster kind) throws InterruptedException {
    AtomicReference<Verdict> answer = new AtomicReference<>(Verdict.pending("thinking"));
    try (TimeSource time = TimeSource.system();
        Cluster cluster = kind.start(time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario");
        CheckController check =
            CheckController.builder("example.com/nodes", connection)
                .check(
                    evaluation ->
                        evaluation.priority() < 100 ? Verdict.ready("there is room") : answer.get())
                .build()) {
      KubernetesApi api = connection.api();
      ClusterWait wait = ClusterWait.on(api, PATIENCE);
      Definitions.installKueueUnconverted(api);
      RunningCore core =
          RunningCore.start(Target.of(cluster.kubeconfig()), Playground.quietConfiguration(), time);
      try {
        Manifests.parse(CHECK).createIn(api);
        Manifests.parse(QUEUE).createIn(api);
        check.start();
        Manifests.parse(workload("victim", 1)).createIn(api);
        wait.until("the victim is admitted", () -> is(api, "victim", WorkloadConditions.ADMITTED));

        Manifests.parse(workload("urgent", 100)).createIn(api);
        wait.until(
            "the check thinks about the urgent one", () -> said(api, "urgent").equals("thinking"));
        assertThat(is(api, "urgent", WorkloadConditions.QUOTA_RESERVED)).isTrue();
        assertThat(is(api, "victim", WorkloadConditions.ADMITTED)).isTrue();

        answer.set(Verdict.pendingPreemption("there is no room yet"));
        check.wakeAll();
        wait.until("the victim gives way", () -> !is(api, "victim", WorkloadConditions.ADMITTED));
        assertThat(is(api, "urgent", WorkloadConditions.ADMITTED)).isFalse();

        answer.set(Verdict.ready("there is room"));
        check.wakeAll();
        wait.until(
            "the urgent one is admitted", () -> is(api, "urgent", WorkloadConditions.ADMITTED));
        assertThat(get(api, "victim").status().conditions())
            .anySatisfy(
                condition -> {
                  assertThat(condition.type()).isEqualTo(WorkloadConditions.PREEMPTED);
                  assertThat(condition.isTrue()).isTrue();
                });
      } finally {
        core.close();
      }
    }
  }

  /** A Workload without a Job: there are no pods to stop when it is evicted. */
  private static String workload(String name, int priority) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: ml}
        spec:
          queueName: main
          priority: %d
          podSets:
            - name: main
              count: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - {name: c, image: example.invalid/c, resources: {requests: {cpu: "4"}}}
        """
        .formatted(name, priority);
  }

  private static Workload get(KubernetesApi api, String name) {
    return api.get(KueueTypes.WORKLOAD, new ObjectKey("ml", name)).orElseThrow();
  }

  private static boolean is(KubernetesApi api, String name, String condition) {
    return Conditions.isTrue(get(api, name).status().conditions(), condition);
  }

  private static String said(KubernetesApi api, String name) {
    return get(api, name).status().admissionCheck("nodes").map(entry -> entry.message()).orElse("");
  }
}
