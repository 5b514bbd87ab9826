// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.FromYaml;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which pods the API server asks the core about, and what comes of it. */
class PodWebhookTest {
  private static final String QUEUED = "labels: {kueue.x-k8s.io/queue-name: lq}";

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
      assertThatThrownBy(
              () ->
                  create(
                      cluster,
                      "grouped",
                      "labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/pod-group-name: g}"))
          .isInstanceOf(KubernetesApiException.class)
          .hasMessageContaining("groups of pods are not supported; leave out the label");

      create(cluster, "a", QUEUED);
      cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      for (String label :
          List.of(
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
            .matcher(Files.readString(Path.of("..", "docs", "guides", "plain-pods.md")))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(yamls).hasSize(2);
    Configuration configuration = Configuration.parse(yamls.getFirst());
    assertThat(configuration.integrations().frameworks()).containsExactly("batch/job", "pod");
    assertThat(configuration.webhook()).isPresent();

    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();
      cluster.cluster.apply(yamls.getLast());

      assertThat(cluster.workloadKey("notebook").name()).startsWith("pod-notebook-");
      cluster.awaitWorkload("notebook", TestCluster::admitted);
      cluster.awaitPod("notebook", pod -> !PodsCluster.gated(pod));
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
