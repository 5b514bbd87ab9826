// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Two cores on one cluster: one leads, both answer the API server. */
@Order(1)
class TwoReplicasTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final String NAMESPACE = "kueue-system";
  private static final String SERVICE = "kueue-webhook-service";
  private static final int JOBS = 30;
  private static final int AT_ONCE = 5;

  private static final Configuration CONFIGURATION =
      Configuration.parse(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          health: {healthProbeBindAddress: "0"}
          metrics: {bindAddress: "0"}
          leaderElection: {leaseDuration: 20s, renewDeadline: 18s, retryPeriod: 500ms}
          webhook: {port: 0, host: 127.0.0.1}
          """);

  private final TimeSource time = TimeSource.system();
  private final EmbeddedCluster cluster = EmbeddedCluster.start(0, time, objects());
  private final Target target = Target.of(cluster.kubeconfig());
  private final ClusterConnection connection = target.connect("users");
  private final KubernetesApi api = connection.api();
  private final List<AutoCloseable> running = new ArrayList<>();
  private RunningCore leader;
  private RunningCore follower;

  private static List<String> objects() {
    List<String> objects = new ArrayList<>(Crds.kueue());
    objects.addAll(Crds.external());
    objects.add("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
    WebhookRegistration registration =
        new WebhookRegistration(
            new ObjectKey(NAMESPACE, SERVICE),
            WebhookRegistration.allNamespacesBut(NAMESPACE),
            CONFIGURATION.integrations(),
            null);
    objects.add(KueueJson.toJson(registration.mutating()));
    objects.add(KueueJson.toJson(registration.validating()));
    return objects;
  }

  @BeforeEach
  void twoCores() throws InterruptedException {
    running.add(SimulatedWorld.start(cluster.kubeconfig(), time, Duration.ofMillis(500)));
    leader = RunningCore.startAs("first", target, CONFIGURATION, time);
    running.add(leader);
    await().atMost(PATIENCE).until(leader::leading);
    follower = RunningCore.startAs("second", target, CONFIGURATION, time);
    running.add(follower);
    cluster.routeService(NAMESPACE, SERVICE, leader.webhookPort());
    await().atMost(PATIENCE).until(() -> leader.ready() && follower.ready());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : running.reversed()) {
      each.close();
    }
    connection.close();
    cluster.close();
    time.close();
  }

  private void createQueue(String name, int cpus) {
    Manifests.parse(new QueueYaml("default", name, "default").cpus(cpus)).createIn(api);
  }

  private V1Job job(int number) {
    return api.create(
        CoreTypes.JOB,
        KueueJson.fromJson(
            """
            {"metadata": {"name": "job-%d", "namespace": "default",
               "labels": {"kueue.x-k8s.io/queue-name": "default"}}, "spec": {
              "template": {"spec": {"restartPolicy": "Never", "containers": [
                {"name": "c", "image": "i", "resources": {"requests": {"cpu": 1}}}]}}}}
            """
                .formatted(number),
            V1Job.class));
  }

  private List<Workload> workloads() {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("default")).items();
  }

  private static boolean is(Workload workload, String condition) {
    return Conditions.isTrue(workload.status().conditions(), condition);
  }

  private long finished() {
    List<Workload> all = workloads();
    // Counted in one list of one moment.
    assertThat(all.stream().filter(each -> is(each, "QuotaReserved") && !is(each, "Finished")))
        .hasSizeLessThanOrEqualTo(AT_ONCE);
    return all.stream().filter(each -> is(each, "Finished")).count();
  }

  @Test
  void theFollowerAnswersToo() {
    cluster.routeService(NAMESPACE, SERVICE, follower.webhookPort());
    assertThat(follower.leading()).isFalse();
    createQueue("cq", AT_ONCE);

    assertThatThrownBy(() -> createQueue("worse", -1))
        .isInstanceOf(KubernetesApiException.Invalid.class)
        .hasMessageContaining("nominalQuota: Invalid value: \"-1\"");
    assertThat(job(1).getSpec().getSuspend()).isTrue();
    assertThat(api.get(KueueTypes.CLUSTER_QUEUE.inVersion("v1beta1"), ObjectKey.cluster("cq")))
        .isPresent();
  }

  @Test
  void aFailoverLosesAndDoublesNothing() {
    createQueue("cq", AT_ONCE);
    IntStream.range(0, JOBS).forEach(this::job);
    await().atMost(PATIENCE).until(() -> finished() >= AT_ONCE);

    // Its lease isn't given back: the other one has to wait until it has expired.
    running.remove(leader);
    leader.crash();
    cluster.routeService(NAMESPACE, SERVICE, follower.webhookPort());

    await().atMost(PATIENCE).until(follower::leading);
    await().atMost(PATIENCE).until(() -> finished() == JOBS);
    List<Workload> all = workloads();
    assertThat(all).hasSize(JOBS);
    assertThat(all)
        .describedAs("no Workload was evicted or started anew")
        .allMatch(each -> Conditions.find(each.status().conditions(), "Evicted").isEmpty());
    assertThat(api.list(CoreTypes.JOB, ListOptions.inNamespace("default")).items())
        .hasSize(JOBS)
        .allMatch(each -> Integer.valueOf(1).equals(each.getStatus().getSucceeded()));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              ClusterQueue queue =
                  api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq")).orElseThrow();
              assertThat(queue.status().reservingWorkloads()).isZero();
              assertThat(queue.status().pendingWorkloads()).isZero();
            });
  }
}
