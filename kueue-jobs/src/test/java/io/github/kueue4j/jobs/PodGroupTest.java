// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is decided about the pods of a group and its Workload. */
class PodGroupTest {
  private static final String GATED = "schedulingGates: [{name: kueue.x-k8s.io/admission}]";

  private static V1Pod pod(String name, int total, String spec, String status) {
    return FromYaml.read(
        V1Pod.class,
        """
        {apiVersion: v1, kind: Pod, metadata: {name: %1$s, namespace: team, uid: %1$s,
            finalizers: [kueue.x-k8s.io/managed],
            labels: {kueue.x-k8s.io/pod-group-name: g, kueue.x-k8s.io/job-uid: %1$s},
            annotations: {kueue.x-k8s.io/pod-group-total-count: "%2$d"}},
          spec: {containers: [{name: main, image: busybox}], %3$s}, status: {%4$s}}
        """
            .formatted(name, total, spec, status));
  }

  private static Workload workload(List<V1Pod> owners, int places) {
    PodSet podSet = new PodSet("main", PlainPod.template(owners.getFirst()), places, null);
    return JobWorkload.ofGroup(
        new ObjectKey("team", "g"),
        Optional.empty(),
        owners,
        List.of(podSet.withTemplate(PlainPod.template(owners.getFirst()))),
        JobWorkload.Priority.none(),
        new CopiedMetadata(java.util.Set.of(), java.util.Set.of()));
  }

  @Test
  void aPodThatFailedIsReplacedByTheNext() {
    List<V1Pod> first =
        List.of(pod("a", 2, "", "phase: Failed"), pod("b", 2, "", "phase: Running"));
    Workload workload = workload(first, 2);
    List<V1Pod> all = new ArrayList<>(first);
    all.add(pod("c", 2, GATED, ""));
    PodGroup group = PodGroup.of("g", all, Optional.of(workload));
    PodGroupRoster roster = PodGroupRoster.of(group, workload);
    assertThat(roster.replaced()).extracting(pod -> ObjectKey.of(pod).name()).containsExactly("a");
  }

  @Test
  void itsWorkloadDependsOnWhatAnyPodNames() {
    V1Pod first = pod("a", 3, GATED, "");
    V1Pod second = pod("b", 3, GATED, "");
    assertThat(workload(List.of(first, second), 3).metadata().getAnnotations())
        .doesNotContainKey(Keys.DEPENDS_ON);
    first.getMetadata().putAnnotationsItem(Keys.DEPENDS_ON, "job/prepare, job/load,");
    second.getMetadata().putAnnotationsItem(Keys.DEPENDS_ON, "job/also\njob/prepare");

    assertThat(
            workload(List.of(first, second, pod("c", 3, GATED, "")), 3).metadata().getAnnotations())
        .containsEntry(Keys.DEPENDS_ON, "job/also, job/load, job/prepare");
  }

  @Test
  void thatOfASinglePodDependsOnWhatItNames() {
    V1Pod pod = pod("a", 1, GATED, "");
    pod.getMetadata().putAnnotationsItem(Keys.DEPENDS_ON, "job/prepare");

    assertThat(
            JobWorkload.create(
                    new ObjectKey("team", "pod-a"),
                    new PlainPod().type(),
                    pod,
                    new PlainPod().podSets(pod),
                    JobWorkload.Priority.none(),
                    new CopiedMetadata(java.util.Set.of(), java.util.Set.of()))
                .metadata()
                .getAnnotations())
        .containsEntry(Keys.DEPENDS_ON, "job/prepare");
  }

  @Test
  void namesThatItsWorkloadCannotHoldAreTold() {
    assertThat(group(5_000, 60).misfit()).isEmpty();
    assertThat(group(5_000, 100).misfit().orElseThrow().why())
        .startsWith(
            "the longest metadata.name of its group has 100 characters, but at most 90 fit into the"
                + " Workload of a group of 5000 pods");
    assertThat(group(500, 253).misfit()).isEmpty();
  }

  private static PodGroup group(int total, int longest) {
    return new PodGroup(
        "g", List.of(pod("a", total, GATED, ""), pod("b".repeat(longest), total, GATED, "")));
  }
}
