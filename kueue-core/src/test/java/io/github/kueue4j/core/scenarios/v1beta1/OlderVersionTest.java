// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.v1beta1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Manifests of v1beta1 do what they say, by way of the core's conversion webhook. */
@Tag("quick")
class OlderVersionTest {
  private static final String GROUP = "/apis/kueue.x-k8s.io/";
  private static final Duration PATIENCE = Patience.LIMIT;

  private final TestCluster cluster = new TestCluster();
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void serveWebhooks() {
    cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    KueueCore core = cluster.startCore("webhook: {port: 0, host: 127.0.0.1}\n");
    cluster.server.routeService("kueue-system", "kueue-webhook-service", core.webhookPort());
    await()
        .atMost(PATIENCE)
        .until(() -> get("v1beta1/clusterqueues").statusCode() == 200 && trusted());
  }

  @AfterEach
  void close() {
    http.close();
    cluster.close();
  }

  private boolean trusted() throws Exception {
    return get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/workloads.kueue.x-k8s.io")
        .body()
        .contains("caBundle");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(
                URI.create(cluster.server.uri() + (path.startsWith("/") ? path : GROUP + path)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private JsonObject older(String resource) throws Exception {
    HttpResponse<String> answer = get("v1beta1/" + resource);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private void queue() {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: default}
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          cohort: all
          namespaceSelector: {}
          admissionChecks: [budget]
          flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: TryNextFlavor}
          resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: cq}
        """);
  }

  /** A list is converted as a whole: one object must not hide the others. */
  @Test
  void aDeepWorkloadIsListedAndReplacedAsAnyOther() throws Exception {
    String deep = "{\"a\":".repeat(400) + "1" + "}".repeat(400);
    HttpResponse<String> created = send("POST", "v1beta2/namespaces/team/workloads", deep, "");
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);

    HttpResponse<String> listed = get("v1beta1/workloads");
    assertThat(listed.statusCode()).as(listed.body()).isEqualTo(200);
    assertThat(listed.body()).contains("{\"a\":".repeat(400));

    String seen =
        ", \"resourceVersion\": \""
            + created.body().replaceAll("(?s).*\"resourceVersion\":\"(\\d+)\".*", "$1")
            + "\"";
    HttpResponse<String> replaced =
        send("PUT", "v1beta1/namespaces/team/workloads/deep", deep, seen);
    assertThat(replaced.statusCode()).as(replaced.body()).isEqualTo(200);
  }

  private HttpResponse<String> send(String method, String path, String unknown, String seen)
      throws IOException, InterruptedException {
    String workload =
        """
        {"apiVersion": "kueue.x-k8s.io/%s", "kind": "Workload",
          "metadata": {"name": "deep", "namespace": "team"%s}, "spec": {"podSets": [
          {"name": "main", "count": 1, "template": {"spec": {"unknown": %s, "containers": []}}}]}}
        """
            .formatted(path.substring(0, path.indexOf('/')), seen, unknown);
    return http.send(
        HttpRequest.newBuilder(URI.create(cluster.server.uri() + GROUP + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(workload))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** KEP-993: the list of names requires the checks of every workload, whatever its flavors. */
  @Test
  void checksThatAreListedByNameAreRequired() throws Exception {
    cluster.check("budget", "v1beta1");
    queue();
    cluster.job("a", 3);

    cluster.awaitWorkload(
        "a",
        workload ->
            workload
                .status()
                .admissionCheck("budget")
                .filter(entry -> entry.is(CheckState.PENDING))
                .isPresent());
    cluster.answer("a", "budget", CheckState.READY, null);
    cluster.awaitWorkload("a", TestCluster::admitted);
    cluster.awaitSuspended("a", false);
    cluster.jobSucceeds("a");
    cluster.awaitWorkload(
        "a", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));

    ClusterQueue current = cluster.clusterQueue();
    assertThat(current.spec().cohortName()).isEqualTo("all");
    assertThat(current.spec().admissionChecks())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.name()).isEqualTo("budget");
              assertThat(rule.onFlavors()).isEmpty();
            });
    JsonObject spec = older("clusterqueues/cq").getAsJsonObject("spec");
    assertThat(spec.getAsJsonArray("admissionChecks").toString()).isEqualTo("[\"budget\"]");
    assertThat(spec.has("admissionChecksStrategy")).isFalse();
    assertThat(spec.get("cohort").getAsString()).isEqualTo("all");
    JsonObject localQueue = older("namespaces/team/localqueues/lq");
    assertThat(localQueue.getAsJsonObject("status").has("flavorsUsage")).isFalse();
  }

  @Test
  void aClusterQueueThatListsChecksTwiceIsRefused() {
    assertThatThrownBy(
            () ->
                cluster.apply(
                    """
                    apiVersion: kueue.x-k8s.io/v1beta1
                    kind: ClusterQueue
                    metadata: {name: both}
                    spec:
                      admissionChecks: [a]
                      admissionChecksStrategy: {admissionChecks: [{name: b}]}
                    """))
        .hasMessageContaining(
            "admissionChecks and admissionChecksStrategy exclude each other; a rule of the strategy"
                + " without onFlavors is the same as a name in admissionChecks");
  }

  @Test
  void workloadsWithTheirPriorityClass() throws Exception {
    cluster.check("budget");
    queue();
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: WorkloadPriorityClass
        metadata: {name: high}
        value: 70
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: Workload
        metadata: {name: bare, namespace: team}
        spec:
          queueName: lq
          priority: 70
          priorityClassName: high
          priorityClassSource: kueue.x-k8s.io/workloadpriorityclass
          podSets:
            - name: main
              count: 1
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
        """);

    ObjectKey key = new ObjectKey("team", "bare");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                cluster
                    .api
                    .get(KueueTypes.WORKLOAD, key)
                    .filter(workload -> workload.status().admission() != null)
                    .isPresent());
    Workload current = cluster.api.get(KueueTypes.WORKLOAD, key).orElseThrow();
    assertThat(current.spec().priorityClassRef()).isNotNull();
    assertThat(current.spec().priorityClassRef().kind()).isEqualTo("WorkloadPriorityClass");
    JsonObject spec = older("namespaces/team/workloads/bare").getAsJsonObject("spec");
    assertThat(spec.get("priorityClassName").getAsString()).isEqualTo("high");
    assertThat(spec.has("priorityClassRef")).isFalse();
  }
}
