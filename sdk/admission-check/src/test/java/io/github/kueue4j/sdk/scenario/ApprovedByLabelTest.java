// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import org.junit.jupiter.api.Test;

/** A check that waits until a person has set a label of the Workload. */
@KueueTest
class ApprovedByLabelTest {
  private static final String USED = "/status/admission/podSetAssignments/0/resourceUsage/cpu";

  /** As it stands in the ConfigMap. */
  record Settings(String label) {}

  /** As the check wants it. */
  record Label(String key) {}

  private static CheckController controller(CheckEnvironment environment) {
    return CheckController.builder("example.com/approval", environment)
        .wakeOnWorkloadChange(
            (before, now) -> !before.metadata().getLabels().equals(now.metadata().getLabels()))
        .check(
            Parameters.configMap("default", Settings.class, read -> new Label(read.label())),
            ApprovedByLabelTest::evaluate)
        .build();
  }

  private static Verdict evaluate(Evaluation<Label> evaluation) {
    return evaluation.labels().containsKey(evaluation.parameters().key())
        ? Verdict.ready("Approved.")
        : Verdict.pending(
            "%s of %s waits for a yes: %s cpu, %s gpu"
                .formatted(
                    evaluation.queueName(),
                    evaluation.clusterQueue().orElse("none"),
                    evaluation.requested("cpu"),
                    evaluation.requested("nvidia.com/gpu")));
  }

  /** In virtual time, which stands still: nothing but the label asks the check again. */
  @Test
  void isAskedAgainWhenTheLabelIsSet(KueueCluster cluster) {
    cluster.apply(
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: approval, namespace: default},
          data: {label: example.com/approved}}
        """);
    cluster.admissionCheck("approval", "example.com/approval", "v1", "ConfigMap", "approval");
    cluster.run(CheckStarter.of(ApprovedByLabelTest::controller));
    PlayedWorkload job =
        cluster
            .workload(
                "big",
                shape ->
                    shape
                        .namespace("sre")
                        .queue("fast")
                        .count(3)
                        .request("cpu", "11")
                        .priority(5)
                        .label("team", "sre")
                        .annotation("example.com/why", "a test"))
            .reserve()
            .awaitMessage("approval", "fast of script waits for a yes: 33 cpu, 0 gpu");

    try (ClusterConnection person =
        ClusterConnection.builder("person").url(cluster.uri()).connect()) {
      person
          .api()
          .patch(
              KueueTypes.WORKLOAD,
              job.key(),
              new MergePatch(
                  JsonParser.parseString("{metadata: {labels: {'example.com/approved': 'yes'}}}")
                      .getAsJsonObject()));
    }

    job.awaitState("approval", CheckState.READY);
    assertThat(job.read().spec().priority()).isEqualTo(5);
    assertThat(Quantity.parse(job.tree().at(USED).asText())).isEqualTo(Quantity.parse("33"));
    assertThat(job.read().metadata().getAnnotations()).containsEntry("example.com/why", "a test");
  }
}
