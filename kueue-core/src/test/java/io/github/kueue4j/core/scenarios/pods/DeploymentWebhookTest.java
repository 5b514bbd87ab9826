// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Deployments as they are written while a core is asked, and while none answers. */
class DeploymentWebhookTest {
  private static final String QUEUED = "kueue.x-k8s.io/queue-name: lq";

  /** Its pods then have it from the template, and the webhook of pods holds them. */
  @Test
  void itsTemplateFollowsItsQueueAndPriority() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.podsAreReviewed();
      web.create(1, QUEUED + ", kueue.x-k8s.io/priority-class: high");
      assertThat(template(web).getLabels())
          .isEqualTo(
              Map.of(
                  "app",
                  "web",
                  "kueue.x-k8s.io/queue-name",
                  "lq",
                  "kueue.x-k8s.io/priority-class",
                  "high"));
      assertThat(template(web).getAnnotations())
          .isEqualTo(Map.of("kueue.x-k8s.io/pod-suspending-parent", "deployment"));

      cluster.reach(
          "its pod runs",
          () -> {
            web.step();
            return web.running().size() == 1;
          });
      cluster.awaitWorkload(
          web.running().getFirst().getMetadata().getName(),
          workload -> Objects.equals(workload.spec().priority(), 100));

      web.patch("{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"other\"}}}");
      assertThat(template(web).getLabels()).containsEntry("kueue.x-k8s.io/queue-name", "other");

      web.patch(
          "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null,"
              + " \"kueue.x-k8s.io/priority-class\": null}}}");
      assertThat(template(web).getLabels()).isEqualTo(Map.of("app", "web"));
      assertThat(template(web).getAnnotations()).isNullOrEmpty();
    }
  }

  private static V1ObjectMeta template(PlayedDeployment web) {
    return Objects.requireNonNull(web.template().getMetadata());
  }

  /** Its controller goes on, and so does every Deployment that names no queue. */
  @Test
  void withoutACoreOnlyWhatWouldRunWithoutQuotaIsRefused() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.create(1, QUEUED);
      cluster.cluster.crashCore();
      cluster.cluster.server.routeService("kueue-system", "kueue-webhook-service", 1);

      PlayedDeployment free = new PlayedDeployment(cluster, "free");
      free.create(1, "a: b");
      assertThat(free.read().map(V1Deployment::getMetadata)).isPresent();
      web.patch(
          "{\"metadata\": {\"annotations\": {\"deployment.kubernetes.io/revision\": \"2\"}}}");
      web.patch("{\"spec\": {\"replicas\": 5}}");
      assertThatThrownBy(() -> new PlayedDeployment(cluster, "other").create(1, QUEUED))
          .hasMessageContaining("mdeployment.kb.io");
      assertThatThrownBy(
              () ->
                  free.patch(
                      "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"lq\"}}}"))
          .isInstanceOf(KubernetesApiException.class)
          .hasMessageContaining("mdeployment.kb.io");
    }
  }

  /** Its priority has no meaning then. */
  @Test
  void withoutItsQueueItsTemplateLosesItsPriorityToo() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.create(1, QUEUED + ", kueue.x-k8s.io/priority-class: high");

      web.patch("{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}}");

      assertThat(template(web).getLabels()).isEqualTo(Map.of("app", "web"));
    }
  }

  /** The garbage collector takes off the finalizers of one that had its queue before. */
  @Test
  void withoutACoreWhatIsBeingDeletedCanGo() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.create(1, QUEUED);
      web.patch("{\"metadata\": {\"finalizers\": [\"example.com/kept\"]}}");
      cluster.startCoreWithWebhooks();
      cluster.cluster.crashCore();
      cluster.cluster.server.routeService("kueue-system", "kueue-webhook-service", 1);
      web.delete();

      web.patch("{\"metadata\": {\"finalizers\": null}}");

      assertThat(web.read()).isEmpty();
    }
  }

  @Test
  void aQueueThatCannotBeOneIsRefused() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCoreWithWebhooks();

      assertThatThrownBy(
              () ->
                  new PlayedDeployment(cluster, "web")
                      .create(1, "kueue.x-k8s.io/queue-name: Not_A_Name"))
          .hasMessageContaining("metadata.labels[kueue.x-k8s.io/queue-name]")
          .hasMessageContaining("Not_A_Name");
      assertThat(new PlayedDeployment(cluster, "web").read()).isEmpty();
    }
  }
}
