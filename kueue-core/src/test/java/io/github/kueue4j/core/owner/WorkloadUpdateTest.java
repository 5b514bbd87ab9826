// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.CopiedMetadata;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.PlainPod;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.PodGroupRoster;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the Workload of a group of pods follows them. */
class WorkloadUpdateTest {
  /** It would outgrow what the API server stores. */
  @Test
  void podsThatWereReplacedOwnItsWorkloadNoMore() {
    V1Pod failed = pod("a", "", "phase: Failed");
    V1Pod running = pod("b", "", "phase: Running");
    V1Pod replacement = pod("c", "schedulingGates: [{name: kueue.x-k8s.io/admission}]", "");
    PodSet podSet = new PlainPod().podSets(failed).getFirst();
    Workload workload =
        JobWorkload.ofGroup(
            new ObjectKey("team", "g"),
            Optional.empty(),
            List.of(failed, running),
            List.of(new PodSet("main", podSet.template(), 2, null)),
            JobWorkload.Priority.none(),
            new CopiedMetadata(Set.of(), Set.of()));
    PodGroup group = PodGroup.of("g", List.of(failed, running, replacement), Optional.of(workload));

    WorkloadUpdate update = new WorkloadUpdate(workload, failed);
    update.followOwners(group, PodGroupRoster.of(group, workload));

    assertThat(update.outcome()).isInstanceOf(Alignment.Change.class);
    Workload after = ((Alignment.Change) update.outcome()).after();
    assertThat(after.metadata().getOwnerReferences())
        .extracting(V1OwnerReference::getName)
        .containsExactlyInAnyOrder("b", "c");
  }

  private static V1Pod pod(String name, String spec, String status) {
    return FromYaml.read(
        V1Pod.class,
        """
        {apiVersion: v1, kind: Pod, metadata: {name: %1$s, namespace: team, uid: %1$s,
            finalizers: [kueue.x-k8s.io/managed],
            labels: {kueue.x-k8s.io/pod-group-name: g, kueue.x-k8s.io/job-uid: %1$s},
            annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}},
          spec: {containers: [{name: main, image: busybox}], %2$s}, status: {%3$s}}
        """
            .formatted(name, spec, status));
  }
}
