// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.testdefaults.Checkout;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which pods the API server asks the core about, and what comes of it. */
class PodWebhookTest {
  private static final String QUEUED = "labels: {kueue.x-k8s.io/queue-name: lq}";

  private static final String GROUPED =
      "labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/pod-group-name: g},"
          + " annotations: {kueue.x-k8s.io/pod-group-total-count: \"1\"}";

  @Test
  void aPodThatNamesAQueueWaitsForItsAdmission() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();

      V1Pod created = create(cluster, "a", QUEUED);

      assertThat(PodsCluster.gated(created)).isTrue();
      assertThat(PodsCluster.finalizers(created)).containsExactly("kueue.x-k8s.io/managed");
      cluster.awaitWorkload("a", TestCluster::admitted);
      V1Pod started = cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      assertThat(started.getMetadata().getLabels()).containsEntry("kueue.x-k8s.io/managed", "true");
    }
  }

  /** A cluster whose core is down must be able to start everything else, the core included. */
  @Test
  void withoutACoreOnlyPodsThatWouldRunWithoutQuotaAreRefused() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();
      cluster.cluster.crashCore();
      cluster.cluster.server.routeService("kueue-system", "kueue-webhook-service", 1);

      create(cluster, "plain", "labels: {a: b}");
      create(
          cluster,
          "of-a-job",
          QUEUED
              + ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u,"
              + " controller: true}]");
      assertThatThrownBy(() -> create(cluster, "queued", QUEUED))
          .isInstanceOf(KubernetesApiException.class)
          .hasMessageContaining("mpod.kb.io");
    }
  }

  @Test
  void whatCannotBeQueuedIsRefusedWithAReason() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();
      String group = GROUPED.substring(0, GROUPED.indexOf(", annotations"));
      for (Map.Entry<String, String> refused :
          Map.of(
                  group,
                  "annotations[kueue.x-k8s.io/pod-group-total-count] is missing",
                  GROUPED.replace("name: g", "name: G_1"),
                  "metadata.labels[kueue.x-k8s.io/pod-group-name]",
                  GROUPED.replace(", kueue.x-k8s.io/pod-group-name: g", ""),
                  "means nothing without the label kueue.x-k8s.io/pod-group-name",
                  GROUPED.replace("\"1\"", "\"-1\""),
                  "is \"-1\": it has to be the number of pods",
                  GROUPED.replace(
                      "count: \"1\"", "count: \"1\", kueue.x-k8s.io/pod-group-serving: \"true\""),
                  "groups that serve requests are those of StatefulSets and LeaderWorkerSets only",
                  GROUPED.replace("name: g", "name: g, kueue.x-k8s.io/pod-group-sets: x"),
                  "is for groups that serve requests or have a topology",
                  GROUPED.replace("name: g", "name: g, kueue.x-k8s.io/prebuilt-workload-name: w"),
                  "either the label kueue.x-k8s.io/pod-group-name or a prebuilt Workload")
              .entrySet()) {
        assertThatThrownBy(() -> create(cluster, "grouped", refused.getKey()))
            .isInstanceOf(KubernetesApiException.class)
            .hasMessageContaining(refused.getValue());
      }

      create(cluster, "a", GROUPED);
      cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      for (String label :
          List.of(
              "kueue.x-k8s.io/pod-group-name\": null",
              "kueue.x-k8s.io/podset\": \"other\"",
              "kueue.x-k8s.io/managed\": null",
              "kueue.x-k8s.io/managed\": \"false\"",
              "kueue.x-k8s.io/queue-name\": null")) {
        assertThatThrownBy(
                () ->
                    cluster.cluster.api.patch(
                        CoreTypes.POD,
                        TestCluster.key("a"),
                        TestCluster.merge("{\"metadata\": {\"labels\": {\"" + label + "}}}")))
            .isInstanceOf(KubernetesApiException.class)
            .hasMessageContaining(
                "metadata.labels[" + label.substring(0, label.indexOf('"')) + "]");
      }
    }
  }

  @Test
  void theGuideIsRight() throws IOException {
    List<String> yamls =
        Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Checkout.root().resolve("docs/guides/plain-pods.md")))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(yamls).hasSize(3);
    Configuration configuration = Configuration.parse(yamls.getFirst());
    assertThat(configuration.integrations().frameworks()).containsExactly("batch/job", "pod");
    assertThat(configuration.webhook()).isPresent();

    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCoreWithWebhooks();
      cluster.cluster.apply(yamls.get(1));

      assertThat(cluster.workloadKey("notebook").name()).startsWith("pod-notebook-");
      cluster.awaitWorkload("notebook", TestCluster::admitted);
      cluster.awaitPod("notebook", pod -> !PodsCluster.gated(pod));

      cluster.cluster.apply(yamls.getLast());
      cluster.awaitPod("training-0", pod -> !PodsCluster.gated(pod));
      cluster.awaitPod("training-1", pod -> !PodsCluster.gated(pod));
      assertThat(cluster.cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("training")))
          .isPresent();
    }
  }

  private static V1Pod create(PodsCluster cluster, String name, String metadata) {
    return cluster.cluster.api.create(
        CoreTypes.POD,
        FromYaml.read(
            V1Pod.class,
            """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: team, %s},
              spec: {containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}
            """
                .formatted(name, metadata)));
  }
}
