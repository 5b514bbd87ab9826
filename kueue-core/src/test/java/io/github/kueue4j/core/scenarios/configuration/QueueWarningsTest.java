// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** What the webhooks say of a queue because of other objects, which the core has in its caches. */
class QueueWarningsTest {
  private static final String CLUSTER_QUEUES = "clusterqueues";

  @Test
  void aQueueThatLeadsNowhereIsToldSo() throws Exception {
    try (TestCluster cluster = new TestCluster();
        HttpClient http = HttpClient.newHttpClient()) {
      ObjectKey service = new ObjectKey("kueue-system", "kueue-webhook-service");
      cluster.apply(
          KueueJson.toJson(
              new WebhookRegistration(
                      service,
                      WebhookRegistration.allNamespacesBut(service.namespace()),
                      Integrations.of(List.of("batch/job")),
                      null)
                  .validating()));
      cluster.startCoreReviewingJobs("");
      for (String namespace : List.of("free", "chosen")) {
        cluster.apply(
            "{apiVersion: v1, kind: Namespace, metadata: {name: %1$s, labels: {%1$s: 'yes'}}}"
                .formatted(namespace));
      }
      String queue =
          "{metadata: {name: cq}, spec: {cohortName: research,"
              + " namespaceSelector: {matchLabels: {chosen: 'yes'}}}}";
      await()
          .alias("the webhooks answer")
          .atMost(Patience.LIMIT)
          .until(() -> post(cluster, http, CLUSTER_QUEUES, queue).statusCode() == 201);

      await()
          .alias("the core has seen the queue")
          .atMost(Patience.LIMIT)
          .until(() -> !warnings(cluster, http, CLUSTER_QUEUES, "cohortName: reserch").isEmpty());

      assertThat(warnings(cluster, http, CLUSTER_QUEUES, "cohortName: reserch"))
          .singleElement()
          .asString()
          .contains("research");
      assertThat(warnings(cluster, http, CLUSTER_QUEUES, "cohortName: research")).isEmpty();
      assertThat(warnings(cluster, http, "namespaces/free/localqueues", "clusterQueue: cq"))
          .singleElement()
          .asString()
          .contains("its namespaceSelector doesn't select the namespace free");
      assertThat(warnings(cluster, http, "namespaces/chosen/localqueues", "clusterQueue: cq"))
          .isEmpty();
    }
  }

  /** Those of a new object, which isn't stored. */
  private static List<String> warnings(
      TestCluster cluster, HttpClient http, String collection, String spec)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        post(
            cluster,
            http,
            collection + "?dryRun=All",
            "{metadata: {name: other}, spec: {" + spec + "}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer.headers().allValues("Warning");
  }

  private static HttpResponse<String> post(
      TestCluster cluster, HttpClient http, String path, String object)
      throws IOException, InterruptedException {
    String kind = path.startsWith(CLUSTER_QUEUES) ? "ClusterQueue" : "LocalQueue";
    String yaml =
        object.replaceFirst(
            "\\{", "{apiVersion: kueue.x-k8s.io/v1beta2, kind: %s, ".formatted(kind));
    return http.send(
        HttpRequest.newBuilder(
                URI.create(cluster.server.uri() + "/apis/kueue.x-k8s.io/v1beta2/" + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(KueueJson.toJson(new Yaml().load(yaml))))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
