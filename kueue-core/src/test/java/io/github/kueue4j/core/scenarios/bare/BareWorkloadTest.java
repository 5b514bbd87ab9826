/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.scenarios.bare;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.Patient;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.GuardedPatch;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A Workload without owner counts as stopped: evicting it releases its quota. */
class BareWorkloadTest {
  @Test
  void evictionAfterAdmissionReleasesTheQuota() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: bare, namespace: team}
          spec:
            queueName: lq
            podSets:
            - name: main
              count: 1
              template: {spec: {containers: [{name: c, image: busybox,
                resources: {requests: {cpu: 1}}}]}}
          """);
      await(cluster, TestCluster::reserved);
      answer(cluster, CheckState.READY, null);
      await(cluster, TestCluster::admitted);

      answer(cluster, CheckState.RETRY, 60);

      Workload released = await(cluster, workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.isTrue(released, WorkloadConditions.ADMITTED)).isFalse();
      assertThat(released.status().admission()).isNull();
    }
  }

  private static Workload await(TestCluster cluster, Predicate<Workload> expected) {
    return Patient.await()
        .until(
            () -> cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("bare")).orElseThrow(),
            expected);
  }

  private static void answer(
      TestCluster cluster, CheckState state, @Nullable Integer requeueAfterSeconds) {
    cluster.settle();
    Workload workload = await(cluster, found -> true);
    AdmissionCheckState entry =
        workload
            .status()
            .admissionCheck("budget")
            .orElseThrow()
            .withState(state)
            .withLastTransitionTime(cluster.time.instant())
            .withRequeueAfterSeconds(requeueAfterSeconds);
    cluster.api.patchStatus(
        KueueTypes.WORKLOAD,
        GuardedPatch.ofStatus(
            workload, workload.withStatus(workload.status().withAdmissionChecks(List.of(entry)))));
  }
}
