// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Lives of Deployments whose pods are queued one by one. */
@Simulated
class DeploymentTest {
  private static void reach(
      PodsCluster cluster, PlayedDeployment web, String what, BooleanSupplier expected) {
    cluster.reach(
        what,
        () -> {
          web.step();
          return expected.getAsBoolean();
        });
  }

  private static long waiting(PlayedDeployment web) {
    return web.alive().stream().filter(PodsCluster::gated).count();
  }

  @Test
  void asManyPodsRunAsHaveQuotaAndItIsScaled() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.queued(3);

      reach(cluster, web, "two run", () -> web.running().size() == 2 && waiting(web) == 1);
      cluster.cluster.settle();
      assertThat(web.running()).as("the quota is for two").hasSize(2);

      web.patch("{\"spec\": {\"replicas\": 1}}");
      reach(cluster, web, "one runs", () -> web.pods().size() == 1 && web.running().size() == 1);
      cluster.pod("other", "1");
      cluster.awaitPod("other", pod -> !PodsCluster.gated(pod));

      web.patch("{\"spec\": {\"replicas\": 2}}");
      reach(cluster, web, "another waits", () -> waiting(web) == 1);
      cluster.runs("other");
      cluster.ends("other", "Succeeded");
      reach(cluster, web, "both run", () -> web.running().size() == 2);
    }
  }

  @Test
  void thePodThatReplacesAPreemptedOneWaits() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.queued(2);
      reach(cluster, web, "both run", () -> web.running().size() == 2);

      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");
      reach(
          cluster,
          web,
          "the other one starts",
          () -> !PodsCluster.gated(cluster.pod("high")) && waiting(web) == 1);
      cluster.runs("high");
      cluster.cluster.settle();
      assertThat(web.running()).hasSize(1);

      cluster.ends("high", "Succeeded");
      reach(cluster, web, "both run again", () -> web.running().size() == 2);
      reach(cluster, web, "no pod is left behind", () -> web.pods().size() == 2);
    }
  }

  /**
   * A change of the template, and with it of the queue, is a rollout, for which quota is needed.
   */
  @Test
  void rolledOutItsNewPodsAreQueuedBeforeOldOnesGo() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.queued(2);
      reach(cluster, web, "both run", () -> web.running().size() == 2);

      web.patch(
          "{\"spec\": {\"template\": {\"spec\": {\"containers\": [{\"name\": \"main\","
              + " \"image\": \"web:2\", \"resources\": {\"requests\": {\"cpu\": \"1\"}}}]}}}}");
      reach(
          cluster,
          web,
          "both run the new image",
          () ->
              web.pods().size() == 2
                  && web.running().stream().filter(pod -> image(pod).equals("web:2")).count() == 2);

      cluster.cluster.apply(
          "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,"
              + " metadata: {name: second, namespace: team}, spec: {clusterQueue: cq}}");
      web.patch(
          "{\"spec\": {\"template\": {\"metadata\": {\"labels\":"
              + " {\"kueue.x-k8s.io/queue-name\": \"second\"}}}}}");
      reach(
          cluster,
          web,
          "both are of the other queue",
          () ->
              web.pods().size() == 2
                  && web.running().stream()
                          .filter(pod -> "second".equals(label(pod, "kueue.x-k8s.io/queue-name")))
                          .count()
                      == 2);
    }
  }

  private static String image(V1Pod pod) {
    return String.valueOf(pod.getSpec().getContainers().getFirst().getImage());
  }

  private static String label(V1Pod pod, String key) {
    return String.valueOf(pod.getMetadata().getLabels().get(key));
  }

  @Test
  void deletedWhileNoCoreRunsItStrandsNoPod() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.queued(2);
      reach(cluster, web, "one waits", () -> web.running().size() == 1 && waiting(web) == 1);
      cluster.cluster.settle();
      cluster.cluster.crashCore();

      web.delete();
      cluster.reach(
          "its pods are deleted", () -> web.pods().stream().allMatch(Health::terminating));
      web.step();
      assertThat(web.pods()).as("the core has to say how they ended").hasSize(2);
      cluster.startCore();

      cluster.reach("its pods are gone", () -> web.pods().isEmpty());
      cluster.awaitNoWorkload();
    }
  }

  /** A pod that its core let run goes on, and what it holds is known to the next one. */
  @Test
  void aCoreThatStartsAnewLeavesItsPodsInTheirPlaces() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedDeployment web = new PlayedDeployment(cluster, "web");
      web.queued(2);
      reach(cluster, web, "one waits", () -> web.running().size() == 1 && waiting(web) == 1);
      ObjectKey running = ObjectKey.of(web.running().getFirst());
      cluster.cluster.settle();
      cluster.cluster.crashCore();
      cluster.startCore();
      cluster.cluster.pass(Duration.ofMinutes(1));

      assertThat(web.running()).extracting(ObjectKey::of).containsExactly(running);
      assertThat(waiting(web)).isEqualTo(1);
    }
  }
}
