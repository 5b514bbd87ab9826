// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kueue4j try} on a playground, whose checks answer on this machine without a token. */
class TryOnUpTest {
  private static final String OBJECTS =
      """
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: PolicyCheck
      metadata: {name: rules}
      spec:
        rules:
        - {name: small-first, when: workload.requests.of('cpu') > 1, answer: Retry, delay: 10m,
          message: Only small ones start now.}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: rules}
      spec:
        controllerName: kueue4j.io/policy
        parameters: {apiGroup: checks.kueue4j.io, kind: PolicyCheck, name: rules}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: people}
      spec: {controllerName: kueue4j.io/approval}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cq}
      spec:
        namespaceSelector: {}
        admissionChecksStrategy: {admissionChecks: [{name: rules}, {name: people}]}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 9}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lq, namespace: default}
      spec: {clusterQueue: cq}
      """;

  @TempDir private Path folder;

  @Test
  void saysWhatEachCheckWouldAnswer() throws Exception {
    try (TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0,
                    Playground.quietConfiguration(),
                    Set.of(CheckName.POLICY, CheckName.APPROVAL),
                    Duration.ofSeconds(1)),
                time);
        ClusterConnection connection = playground.target().connect("test")) {
      Manifests.parse(OBJECTS).createIn(connection.api());
      ClusterWait.on(connection.api(), Patience.LIMIT)
          .until("both checks are active", () -> active(connection));

      assertThat(run(playground, 1).lines())
          .contains(
              "default/train (Job): QuotaReserved",
              "  rules (kueue4j.io/policy): would answer Ready: No rule of the PolicyCheck holds.",
              "  people (kueue4j.io/approval): can't be asked in advance");
      assertThat(run(playground, 2))
          .containsPattern(
              "  rules [(]kueue4j.io/policy[)]: would answer Retry in [0-9ms]+ at the earliest: Rule"
                  + " small-first: Only small ones start now.");
      assertThat(connection.api().get(KueueTypes.WORKLOAD, new ObjectKey("default", "train")))
          .isEmpty();
    }
  }

  private static boolean active(ClusterConnection connection) {
    return List.of("rules", "people").stream()
        .allMatch(
            name ->
                connection.api().get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)).stream()
                    .anyMatch(check -> Conditions.isTrue(check.status().conditions(), "Active")));
  }

  private String run(Playground playground, int cpus) throws IOException {
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train, namespace: default, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        template:
          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: %d}}}]}
      """
                .formatted(cpus));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "try",
            job.toString(),
            "--kubeconfig",
            playground.kubeconfig().toString());
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }
}
