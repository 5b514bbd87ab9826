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
import io.github.kueue4j.api.Workload;
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
import io.github.kueue4j.runtime.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Patience;
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

  private static final String CHECK =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: license, annotations: {kueue4j.io/mode: Observe}}
      spec: {controllerName: example.com/license}
      """;

  private static final String WORKLOAD =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: %s, namespace: ml}
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

  @Test
  void whatItWouldHaveHeldBackRunsUntilItIsEnforced() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TimeSource time = TimeSource.system()) {
      Target target = Target.of(server.kubeconfig(folder.resolve("kubeconfig")));
      try (ClusterConnection connection = target.connect("administrator")) {
        KubernetesApi api = connection.api();
        Definitions.installKueueUnconverted(api);
        Manifests.parse(CHECK).createIn(api);
        Manifests.parse(
                QueueYaml.ML.cpus(
                    1000, "admissionChecksStrategy: {admissionChecks: [{name: license}]}"))
            .createIn(api);
        try (RunningCore core = RunningCore.start(target, Playground.quietConfiguration(), time);
            ClusterConnection own = target.connect("check");
            CheckController check =
                CheckController.builder("example.com/license", own)
                    .check(evaluation -> NO)
                    .build()) {
          assertThat(core).isNotNull();
          check.start();
          introduce(api, ClusterWait.on(api, Patience.LIMIT));
        }
      }
    }
  }

  private static void introduce(KubernetesApi api, ClusterWait wait) {
    Manifests.parse(WORKLOAD.formatted("observed")).createIn(api);
    wait.until("it is admitted and the answer recorded", () -> admittedWithRecord(api));

    api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("license"),
        new MergePatch(
            JsonParser.parseString("{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": null}}}")
                .getAsJsonObject()));
    // The core and the check see the change at moments of their own.
    AtomicInteger made = new AtomicInteger();
    wait.until("a later one is held back", () -> laterIsHeldBack(api, made));

    assertThat(admittedWithRecord(api)).as("nothing is taken back").isTrue();
    assertThat(ObservedAnswer.of(entry(api, "observed")))
        .contains(new ObservedAnswer(CheckState.RETRY, "NoLicense", "No license is free."));
  }

  private static boolean laterIsHeldBack(KubernetesApi api, AtomicInteger made) {
    String last = "later-" + made.get();
    if (made.get() == 0 || workload(api, last).conditions().admitted()) {
      last = "later-" + made.incrementAndGet();
      Manifests.parse(WORKLOAD.formatted(last)).createIn(api);
    }
    return entry(api, last).is(CheckState.RETRY) && !workload(api, last).conditions().admitted();
  }

  private static boolean admittedWithRecord(KubernetesApi api) {
    return workload(api, "observed").conditions().admitted()
        && ObservedAnswer.of(entry(api, "observed")).isPresent();
  }

  private static Workload workload(KubernetesApi api, String name) {
    return api.get(KueueTypes.WORKLOAD, new ObjectKey("ml", name)).orElseThrow();
  }

  private static AdmissionCheckState entry(KubernetesApi api, String name) {
    return workload(api, name)
        .status()
        .admissionCheck("license")
        .orElseGet(() -> AdmissionCheckState.pending("license", Instant.EPOCH));
  }
}
