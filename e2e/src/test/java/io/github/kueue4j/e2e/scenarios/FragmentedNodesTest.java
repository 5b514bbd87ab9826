// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Free quota that is in pieces (KEP-1282, stories 2 and 3): of two nodes with four GPUs each, three
 * are in use, so that a pod with two GPUs has quota and no node.
 */
class FragmentedNodesTest {
  private static final String OBJECTS =
      """
      {apiVersion: v1, kind: Namespace, metadata: {name: ml}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: l4}
      spec: {nodeLabels: {accelerator: nvidia-l4}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: ml}
      spec:
        namespaceSelector: {}
        resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [
          {name: l4, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]}]
        waitForPodsReady:
          timeout: 10m
          requeuingStrategy: {timestamp: Creation, backoffLimitCount: 1, backoffBaseSeconds: 600}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: ml}
      spec: {clusterQueue: ml}
      """;

  @Test
  void aPodThatFitsNoNodeLetsOthersPassIsGivenUpAndRunsOnceANodeHasRoom()
      throws InterruptedException {
    try (Stage stage = new Stage(Set.of(), OBJECTS)) {
      stage.create(job("left", 3, "1000h"));
      stage.until("one node has one GPU left", () -> stage.jobs.ready("left", 1));
      stage.create(job("right", 3, "1000h"));
      stage.until("so has the other", () -> stage.jobs.ready("right", 1));
      stage.create(job("wide", 2, "1000h"));
      stage.until("there is quota", () -> stage.is("wide", WorkloadConditions.ADMITTED));
      stage.create(job("small", 1, "1m"));
      stage.letTimePass(Duration.ofSeconds(10));

      stage.until("a later one has passed it", () -> stage.jobs.complete("small"));
      stage.until(
          "it is given up",
          () ->
              Conditions.is(
                  stage.jobs.workload("wide").status().conditions(),
                  WorkloadConditions.EVICTED,
                  "True",
                  "DeactivatedDueToRequeuingLimitExceeded"));
      stage.until("its Job stops", () -> stage.jobs.suspended("wide"));
      assertThat(stage.jobs.workload("wide").status().requeueState())
          .as("how often it was tried again can be read")
          .isEqualTo(new RequeueState(1, null));

      activate(stage, "left", false);
      stage.until("a node has room", () -> stage.jobs.activePods("left").isEmpty());
      activate(stage, "wide", true);
      stage.until("it runs without being made anew", () -> stage.jobs.ready("wide", 1));
      assertThat(stage.jobs.workload("wide").status().requeueState()).isNull();
    }
  }

  private static void activate(Stage stage, String job, boolean active) {
    stage.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(stage.jobs.workload(job)),
        new MergePatch(
            JsonParser.parseString("{\"spec\": {\"active\": " + active + "}}").getAsJsonObject()));
  }

  private static String job(String name, int gpus, String runtime) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: ml
          labels: {kueue.x-k8s.io/queue-name: main}
          annotations: {simulation.kueue4j.io/runtime: %s}
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {nvidia.com/gpu: %d}, limits: {nvidia.com/gpu: %d}}}]}
        """
        .formatted(name, runtime, gpus, gpus);
  }
}
