// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A Job whose managed fields are nested deeper than a JSON library reads, which every user may
 * create, is a Job like any other and stops no other one: neither when a core starts nor later.
 */
class DeepObjectsTest {

  private static final int DEPTH = 300;

  @Test
  void othersAreAdmittedAndItsDeletionIsUnderstood() throws Exception {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      deepJob(cluster, "early");
      cluster.startCore();
      cluster.awaitWorkload("early", TestCluster::admitted);
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::admitted);
      deepJob(cluster, "late");
      cluster.pass(Duration.ofSeconds(2)); // Among Jobs of the same second, names decide.
      cluster.job("second", 1);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("late"))).isFalse();

      delete(cluster, "early");
      cluster.awaitWorkload("late", TestCluster::admitted);
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();

      delete(cluster, "late");
      cluster.awaitWorkload("second", TestCluster::admitted);
    }
  }

  private static void deepJob(TestCluster cluster, String name) throws Exception {
    Map<String, Object> fields = Map.of();
    for (int i = 0; i < DEPTH; i++) {
      fields = Map.of("f:a", fields);
    }
    V1Job job =
        KueueJson.fromJson(
            """
            {"metadata": {"namespace": "team", "labels": {"kueue.x-k8s.io/queue-name": "lq"}},
             "spec": {"suspend": true, "template": {"spec": {"restartPolicy": "Never",
               "containers": [{"name": "main", "image": "busybox",
                 "resources": {"requests": {"cpu": "1"}}}]}}}}
            """,
            V1Job.class);
    job.getMetadata()
        .name(name)
        .addManagedFieldsItem(
            new V1ManagedFieldsEntry()
                .manager("m")
                .operation("Update")
                .apiVersion("batch/v1")
                .fieldsType("FieldsV1")
                .fieldsV1(fields));
    cluster.api.create(CoreTypes.JOB, job);

    assertThat(stored(cluster, name)).contains("{\"f:a\":".repeat(DEPTH));
  }

  /** The Job's JSON as the server sends it to the core. */
  private static String stored(TestCluster cluster, String name) throws Exception {
    String path = CoreTypes.JOB.path(TestCluster.key(name));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(cluster.server.uri().resolve(path)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  private static void delete(TestCluster cluster, String name) {
    boolean deleted =
        cluster.api.delete(CoreTypes.JOB, TestCluster.key(name), DeleteOptions.background());
    assertThat(deleted).isTrue();
  }
}
