// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.view.BudgetReader;
import io.github.kueue4j.observe.view.CoreView;
import io.github.kueue4j.observe.view.ShownBudget;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.AnyCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sees what of the view, over HTTPS. */
class ViewAccessTest {
  private static final User OPERATOR = User.serviceAccount("kueue-system", "operator");
  private static final User TENANT = User.serviceAccount("team-a", "tenant");
  private static final User STRANGER = User.serviceAccount("default", "stranger");
  private static final String LIST = "{apiGroups: [kueue.x-k8s.io], verbs: [list], resources: ";

  private final EmbeddedApiServer server = EmbeddedApiServer.builder().secure().start();
  private final ClusterConnection connection =
      ClusterConnection.builder("kueue-core").url(server.uri()).connect();
  private final TimeSource time = TimeSource.system();
  private KueueCore core;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    server.applyCrds(Crds.kueue());
    server.grant(OPERATOR, LIST + "[workloads, clusterqueues]}");
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: default}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: shared}
        spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]}]}
        """);
    core =
        KueueCore.builder(
                connection,
                Configuration.parse(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    leaderElection: {leaderElect: false}
                    health: {healthProbeBindAddress: "0"}
                    metrics: {bindAddress: "0"}
                    kueue4j: {view: {bindAddress: "127.0.0.1:0"}}
                    """),
                time)
            .view(viewed -> CoreView.of(viewed, new Budgets()))
            .build();
    core.start();
    // The certificate is the core's own, and the tests of its webhooks verify those.
    client = HttpClient.newBuilder().sslContext(AnyCertificate.trusted()).build();
    for (String namespace : List.of("team-b", "team-a")) {
      submit(namespace);
    }
    server.apply(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: tenant, namespace: team-a}
        rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: tenant, namespace: team-a}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: tenant}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
        """
            .formatted(TENANT.name()));
  }

  /** One policy, with a row for each namespace that is asked for. */
  private static final class Budgets implements BudgetReader {
    @Override
    public boolean hasAny(KubernetesApi api) {
      return true;
    }

    @Override
    public List<ShownBudget> read(KubernetesApi api, Collection<String> namespaces, Instant now) {
      return List.of(
          new ShownBudget(
              "monthly",
              "EUR",
              now,
              null,
              namespaces.stream()
                  .map(each -> new ShownBudget.BudgetUse(each, "", null, 1, 0, 0, null, null))
                  .toList(),
              List.of(),
              List.of(),
              List.of(),
              List.of()));
    }
  }

  /** The one of team-b comes first and has the quota. */
  private void submit(String namespace) {
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: main, namespace: %1$s}
        spec: {clusterQueue: shared}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: work-of-%1$s, namespace: %1$s}
        spec: {queueName: main, podSets: [{name: main, count: 1, template: {spec: {containers: [
          {name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}]}
        """
            .formatted(namespace));
    await()
        .until(
            () ->
                connection
                    .api()
                    .list(KueueTypes.WORKLOAD, ListOptions.inNamespace(namespace))
                    .items()
                    .stream()
                    .allMatch(workload -> workload.conditions().find("QuotaReserved").isPresent()));
  }

  @AfterEach
  void close() {
    client.close();
    core.close();
    connection.close();
    server.close();
    time.close();
  }

  private HttpResponse<String> get(User user, String path) {
    return get(user, "Authorization", path);
  }

  /**
   * The answer to a request; the State may be too slow for one on a busy machine, and where the
   * last report or forecast took long, the next one is refused for a while.
   */
  private HttpResponse<String> get(User user, String header, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + core.viewPort() + path))
            .header(header, "Bearer " + server.token(user))
            .build();
    return await()
        .until(
            () -> client.send(request, HttpResponse.BodyHandlers.ofString()),
            answer -> answer.statusCode() != 503);
  }

  @Test
  void whoMayListEverythingSeesEverything() throws Exception {
    assertThat(get(OPERATOR, "/view/v1/queues").body()).contains("\"shared\"", "team-a", "team-b");
    await()
        .untilAsserted(
            () ->
                assertThat(get(OPERATOR, "/view/v1/workloads").body())
                    .contains("work-of-team-a", "work-of-team-b"));
    assertThat(get(OPERATOR, "/view/v1/namespaces/team-a/workloads/work-of-team-a").body())
        .contains("Workload/team-b/work-of-team-b");
  }

  @Test
  void aTenantSeesItsNamespaceAndNoNamesOfOthers() throws Exception {
    await()
        .untilAsserted(
            () ->
                assertThat(get(TENANT, "/view/v1/workloads?namespace=team-a").body())
                    .contains("work-of-team-a")
                    .doesNotContain("team-b"));
    // As the API server's proxy of Services passes it on, which removes Authorization.
    assertThat(get(TENANT, "Kueue4j-Authorization", "/view/v1/workloads?namespace=team-a").body())
        .contains("work-of-team-a");
    HttpResponse<String> all = get(TENANT, "/view/v1/workloads");
    assertThat(all.statusCode()).isEqualTo(403);
    assertThat(all.body()).contains("tenant may not list workloads", "?namespace\\u003dNAME");
    assertThat(get(TENANT, "/view/v1/workloads?namespace=team-b").statusCode()).isEqualTo(403);
    assertThat(get(TENANT, "/view/v1/events").statusCode()).isEqualTo(403);
    assertThat(get(TENANT, "/view/v1/checks").statusCode()).isEqualTo(403);

    assertThat(get(TENANT, "/view/v1/queues?namespace=team-a").body())
        .contains("\"clusterWide\":false", "\"clusterQueues\":[]", "\"main\"")
        .doesNotContain("team-b");
    HttpResponse<String> why = get(TENANT, "/view/v1/namespaces/team-a/workloads/work-of-team-a");
    assertThat(why.statusCode()).isEqualTo(200);
    assertThat(why.body()).contains("\"reason\":\"QuotaInUse\"").doesNotContain("team-b");
  }

  @Test
  void budgetsAreThoseOfTheNamespacesWhoseWorkloadsMayBeSeen() throws Exception {
    assertThat(get(OPERATOR, "/view/v1/budgets").body())
        .contains("\"policy\":\"monthly\"", "\"team-a\"", "\"team-b\"");
    assertThat(get(TENANT, "/view/v1/budgets?namespace=team-a").body())
        .contains("\"policy\":\"monthly\"", "\"team-a\"")
        .doesNotContain("team-b");
    assertThat(get(TENANT, "/view/v1/budgets").statusCode()).isEqualTo(403);
    assertThat(get(TENANT, "/view/v1/budgets?namespace=team-b").statusCode()).isEqualTo(403);
    assertThat(get(TENANT, "/view/v1/budgets/offered").body()).contains("\"offered\":true");
  }

  @Test
  void aForecastNamesNoWorkloadOfAnotherNamespace() throws Exception {
    String path = "/view/v1/namespaces/team-a/workloads/work-of-team-a/when";
    await()
        .untilAsserted(
            () ->
                assertThat(get(OPERATOR, path).body())
                    .contains(
                        "How long team-b/work-of-team-b takes isn\\u0027t known",
                        "\"finished\":0"));
    assertThat(get(TENANT, path).body())
        .contains("\"answer\":\"not known\"", "that would name Workloads of other namespaces")
        .doesNotContain("team-b", "\"finished\"");
  }

  @Test
  void whoMayNotListWorkloadsSeesNothing() throws Exception {
    for (String path :
        List.of(
            "queues",
            "workloads",
            "checks",
            "budgets",
            "events",
            "namespaces/team-a/workloads/no-such-one",
            "namespaces/team-a/workloads/work-of-team-a/when")) {
      assertThat(get(STRANGER, "/view/v1/" + path).statusCode()).as(path).isEqualTo(403);
    }
    HttpResponse<String> unknown =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("https://localhost:" + core.viewPort() + "/view/v1/queues"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(unknown.statusCode()).isEqualTo(401);
  }

  @Test
  void oneTenantLeavesStreamsOfEventsToOthers() throws Exception {
    String token = server.token(TENANT);
    for (int stream = 0; stream < 4; stream++) {
      assertThat(open(token, "/view/v1/events?namespace=team-a")).isEqualTo(200);
    }
    assertThat(open(token, "/view/v1/events?namespace=team-a")).isEqualTo(503);
    assertThat(open(server.token(OPERATOR), "/view/v1/events")).isEqualTo(200);
    client.shutdownNow();
  }

  /** The status of an answer that is left open. */
  private int open(String token, String path) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("https://localhost:" + core.viewPort() + path))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofInputStream())
        .statusCode();
  }
}
