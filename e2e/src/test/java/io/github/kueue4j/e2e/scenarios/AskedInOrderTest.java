// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
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
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Patience;
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

  private static Workload train(KubernetesApi api) {
    return api.get(KueueTypes.WORKLOAD, new ObjectKey("ml", "train")).orElseThrow();
  }

  @Test
  void theSecondIsAskedOnceTheFirstIsReady() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TimeSource time = TimeSource.system()) {
      Target target = Target.of(server.kubeconfig(folder.resolve("kubeconfig")));
      try (ClusterConnection connection = target.connect("administrator");
          ClusterConnection policies = target.connect("policy");
          ClusterConnection bookings = target.connect("booking")) {
        KubernetesApi api = connection.api();
        Definitions.installKueueUnconverted(api);
        Manifests.parse(OBJECTS).createIn(api);
        Check<NoParameters> policy = evaluation -> policy();
        Check<NoParameters> booking = evaluation -> booking(evaluation.attempt());
        try (CheckController first =
                CheckController.builder("example.com/policy", policies).check(policy).build();
            CheckController second =
                CheckController.builder("example.com/booking", bookings).check(booking).build()) {
          first.start();
          second.start();
          try (RunningCore core =
              RunningCore.start(target, Playground.quietConfiguration(), time)) {
            assertThat(core).isNotNull();
            Manifests.parse(WORKLOAD).createIn(api);
            ClusterWait.on(api, Patience.LIMIT)
                .until(
                    "the first is asked",
                    () ->
                        train(api)
                            .status()
                            .admissionCheck("policy")
                            .filter(entry -> entry.message().equals("Not decided yet."))
                            .isPresent());
            assertThat(train(api).status().admissionCheck("booking")).isEmpty();
            assertThat(said).isEmpty();
          }
          decided.set(true);
          ClusterWait.on(api, Patience.LIMIT)
              .until(
                  "the first has answered while there is no core",
                  () ->
                      train(api)
                          .status()
                          .admissionCheck("policy")
                          .filter(entry -> entry.is(CheckState.READY))
                          .isPresent());
          assertThat(said).containsExactly("policy Ready");
          try (RunningCore core =
              RunningCore.start(target, Playground.quietConfiguration(), time)) {
            assertThat(core).isNotNull();
            ClusterWait.on(api, Patience.LIMIT)
                .until("it is admitted", () -> train(api).conditions().admitted());
          }
        }
      }
    }
    assertThat(said).containsExactly("policy Ready", "booking 0", "policy Ready", "booking 1");
  }
}
