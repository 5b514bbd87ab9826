// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** JobSets of TrainJobs as the core's webhook leaves them. */
class TrainJobWebhookTest {
  /** The core never resumes it, since it has the pods of its TrainJob. */
  @Test
  void aJobSetThatNamesAQueueIsNotSuspendedWhereItsTrainJobNamesNone() {
    try (TestCluster cluster = new TestCluster()) {
      JobSets.install(cluster);
      PlayedTrainer.install(cluster);
      // Held, so that the core doesn't start the Job before the test looks.
      cluster.queue("stopPolicy: Hold", "default=4");
      cluster.startCoreReviewing(List.of("jobset.x-k8s.io/jobset"), PlayedTrainer.FRAMEWORKS);
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      trainer.labels = "\"kueue.x-k8s.io/queue-name\": \"lq\"";
      cluster.apply(
          PlayedTrainer.OBJECT
              .replace(", labels: {kueue.x-k8s.io/queue-name: lq}", "")
              .replace("suspend: true", "suspend: false"));

      trainer.act();
      cluster.apply(
          """
          apiVersion: jobset.x-k8s.io/v1alpha2
          kind: JobSet
          metadata: {name: own, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {
            restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}}]}
          """);

      assertThat(
              cluster.api.get(JobSet.TYPE, TestCluster.key("own")).orElseThrow().spec().suspend())
          .as("the webhook is asked")
          .isTrue();
      assertThat(trainer.jobSet().orElseThrow().spec().suspend()).isFalse();
    }
  }
}
