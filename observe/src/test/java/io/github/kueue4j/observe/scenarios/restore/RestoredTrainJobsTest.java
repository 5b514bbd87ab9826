// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.restore.Restoration;
import io.github.kueue4j.observe.restore.WorkloadBackup;
import io.github.kueue4j.simulation.Simulated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TrainJobs in a cluster whose definition of JobSets, which have their pods, is gone. */
@Simulated
class RestoredTrainJobsTest {
  @Test
  void oneThatRunsIsReportedWithoutItsJobSet() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.server.applyCrds(
          List.of(
              """
              apiVersion: apiextensions.k8s.io/v1
              kind: CustomResourceDefinition
              metadata: {name: trainjobs.trainer.kubeflow.org}
              spec:
                group: trainer.kubeflow.org
                scope: Namespaced
                names: {kind: TrainJob, plural: trainjobs}
                versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {
                  type: object, x-kubernetes-preserve-unknown-fields: true}}}]
              """));
      cluster.apply(
          """
          apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec: {suspend: false, runtimeRef: {name: torch}}
          """);

      assertThat(
              new Restoration(cluster.api)
                  .restore(new WorkloadBackup(List.of()), cluster.time.instant())
                  .unadmitted())
          .hasSize(1);
    }
  }
}
