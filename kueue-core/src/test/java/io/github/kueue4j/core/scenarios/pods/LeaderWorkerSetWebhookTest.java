// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.LeaderWorkerSet.LeaderWorkerTemplate;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** LeaderWorkerSets and their pods as they are written while a core is asked. */
class LeaderWorkerSetWebhookTest {
  private static Map<String, String> labels(V1PodTemplateSpec template) {
    return Objects.requireNonNull(Objects.requireNonNull(template.getMetadata()).getLabels());
  }

  @Test
  void itsPodsAreInTheGroupOfTheirLeader() {
    try (PodsCluster cluster = new PodsCluster("default=8")) {
      cluster.startCoreWithWebhooks();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.podsAreReviewed();
      set.create(2, "kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: high", "", 2);

      set.reach("all run", () -> set.running().size() == 6);

      assertThat(set.workloads()).hasSize(2);
      for (Workload workload : set.workloads()) {
        assertThat(workload.spec().podSets())
            .extracting(PodSet::name, PodSet::count)
            .containsExactly(tuple("leader", 1), tuple("worker", 2));
        assertThat(workload.spec().priority()).isEqualTo(100);
      }
      V1Pod worker = cluster.pod("llm-1-2");
      assertThat(PodsCluster.finalizers(worker)).containsExactly("kueue.x-k8s.io/managed");
      assertThat(worker.getMetadata().getLabels())
          .containsEntry(
              "kueue.x-k8s.io/pod-group-name", ObjectKey.of(set.workloads().getLast()).name());
      assertThat(Objects.requireNonNull(worker.getMetadata().getAnnotations()))
          .containsEntry("kueue.x-k8s.io/role-hash", "worker")
          .containsEntry("kueue.x-k8s.io/pod-group-total-count", "3");
    }
  }

  @Test
  void itsTemplatesFollowItsQueue() {
    try (PodsCluster cluster = new PodsCluster("default=8")) {
      cluster.startCoreWithWebhooks();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.create(0, "kueue.x-k8s.io/queue-name: lq", "", 2);
      LeaderWorkerTemplate queued = set.templates();
      assertThat(labels(Objects.requireNonNull(queued.leaderTemplate())))
          .containsEntry("kueue.x-k8s.io/queue-name", "lq");
      assertThat(labels(Objects.requireNonNull(queued.workerTemplate())))
          .containsEntry("kueue.x-k8s.io/queue-name", "lq");

      set.patch("{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}}");
      LeaderWorkerTemplate unqueued = set.templates();
      assertThat(labels(Objects.requireNonNull(unqueued.leaderTemplate())))
          .containsExactly(Map.entry("app", "llm"));
      assertThat(labels(Objects.requireNonNull(unqueued.workerTemplate())))
          .containsExactly(Map.entry("app", "llm"));

      set.delete();
      set.create(0, "kueue.x-k8s.io/queue-name: lq", "", 0);
      assertThat(set.templates().leaderTemplate()).as("it has none").isNull();
    }
  }

  /** Its StatefulSets have its labels, and their pods are in its groups nevertheless. */
  @Test
  void itsGroupsAreNotThoseOfItsStatefulSets() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCoreWithWebhooks();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.podsAreReviewed();
      set.queued(1);
      set.reach("all run", () -> set.running().size() == 3);
      assertThat(cluster.cluster.workloads())
          .singleElement()
          .extracting(workload -> workload.spec().podSets().getFirst().count())
          .isEqualTo(3);
    }
  }
}
