// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** StatefulSets and their pods as they are written while a core is asked. */
class StatefulSetWebhookTest {
  @Test
  void itsPodsAreOneGroupOfAsManyAsItHas() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCoreWithWebhooks();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.podsAreReviewed();
      set.create(2, "kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: high");

      cluster.reach(
          "all run",
          () -> {
            set.step();
            return set.running().size() == 2;
          });

      Workload workload = set.workload().orElseThrow();
      assertThat(workload.spec().podSets())
          .singleElement()
          .extracting(PodSet::name, PodSet::count)
          .containsExactly("main", 2);
      assertThat(workload.spec().priority()).isEqualTo(100);
      V1Pod last = cluster.pod("db-1");
      assertThat(PodsCluster.finalizers(last)).containsExactly("kueue.x-k8s.io/managed");
      assertThat(last.getMetadata().getLabels())
          .containsEntry("kueue.x-k8s.io/pod-group-name", ObjectKey.of(workload).name());
      assertThat(Objects.requireNonNull(last.getMetadata().getAnnotations()))
          .containsAllEntriesOf(set.ofGroup())
          .containsEntry("kueue.x-k8s.io/pod-group-serving", "true");
    }
  }

  /** Older versions of the other implementation have written such keys into the template. */
  @Test
  void whatATemplateHasFromAnotherCoreIsReplaced() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCoreWithWebhooks();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.podsAreReviewed();
      set.create(0, "kueue.x-k8s.io/queue-name: lq");
      set.patch(
          """
          {"spec": {"replicas": 2, "template": {"metadata": {
            "labels": {"kueue.x-k8s.io/pod-group-name": "statefulset-db-12345",
              "kueue.x-k8s.io/prebuilt-workload-name": "statefulset-db-12345"},
            "annotations": {"kueue.x-k8s.io/pod-group-total-count": "1",
              "kueue.x-k8s.io/pod-group-fast-admission": "true",
              "kueue.x-k8s.io/pod-group-serving": "true",
              "kueue.x-k8s.io/pod-group-pod-index-label": "apps.kubernetes.io/pod-index",
              "kueue.x-k8s.io/pod-suspending-parent": "statefulset"}}}}}
          """);

      set.reach("all run", () -> set.running().size() == 2);

      Workload workload = set.workload().orElseThrow();
      assertThat(cluster.pod("db-0").getMetadata().getLabels())
          .containsEntry("kueue.x-k8s.io/pod-group-name", ObjectKey.of(workload).name())
          .doesNotContainKey("kueue.x-k8s.io/prebuilt-workload-name");
    }
  }

  /** The webhook isn't asked about an object whose template names its queue already. */
  @Test
  void withTheQueueInBothItsPodsAreOneGroup() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCoreWithWebhooks();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.podsAreReviewed();
      set.queued(2);

      set.reach("all run", () -> set.running().size() == 2);

      assertThat(set.workload().orElseThrow().spec().podSets())
          .extracting(PodSet::count)
          .containsExactly(2);
    }
  }

  /** No other object's pods are one group, whatever their template says. */
  @Test
  void aDeploymentWithItsAnnotationHasPodsOfTheirOwn() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCoreWithWebhooks();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.podsAreReviewed();
      web.create(1, "kueue.x-k8s.io/queue-name: lq");
      web.patch(
          "{\"spec\": {\"template\": {\"metadata\": {\"annotations\":"
              + " {\"kueue.x-k8s.io/pod-suspending-parent\": \"statefulset\"}}}}}");

      cluster.reach(
          "its pod runs",
          () -> {
            web.step();
            return web.running().size() == 1;
          });

      assertThat(web.running().getFirst().getMetadata().getLabels())
          .doesNotContainKey("kueue.x-k8s.io/pod-group-name");
    }
  }
}
