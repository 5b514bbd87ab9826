// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What the charts' guard lets a check do to the status of a Workload that isn't its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StatusGuardScenario {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  private static final String STATUS = WORKLOADS + "/w/status";
  private static final String WHEN = "lastTransitionTime: '2026-03-02T10:00:00Z'";

  /** The rights of a third party's check of before the guard: any AdmissionCheck's status. */
  private static final User STRANGER = User.serviceAccount("default", "stranger");

  private final ScenarioCluster kind;
  private final Deque<Runnable> running = new ArrayDeque<>();
  private JsonApi administrator;
  private JsonApi budget;

  /** Its role names no AdmissionChecks, as in the chart's default values. */
  private JsonApi http;

  private JsonApi core;
  private JsonApi stranger;

  StatusGuardScenario(ScenarioCluster kind) {
    this.kind = kind;
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    List<JsonNode> objects = new ArrayList<>(ofTheCharts());
    objects.add(role());
    objects.add(binding());
    GuardedCluster cluster = GuardedCluster.start(kind, objects, folder);
    running.push(cluster::close);
    administrator = opened(cluster.administrator());
    budget = opened(cluster.as(Component.BUDGET.user()));
    http = opened(cluster.as(Component.HTTP.user()));
    check("money", "kueue4j.io/budget");
    check("other", "example.com/other");
    core = opened(cluster.as(Component.CORE.user()));
    stranger = opened(cluster.as(STRANGER));
    await().alias("the guard's policy refuses a stranger's patch").until(this::isGuarded);
  }

  private void check(String name, String controllerName) {
    administrator.create(
        "/apis/kueue.x-k8s.io/v1beta2/admissionchecks",
        yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: %s}
            spec: {controllerName: %s}
            """
                .formatted(name, controllerName)));
  }

  private static ObjectNode role() {
    return yaml(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: stranger}
        rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads/status], verbs: [patch]}]
        """);
  }

  private static ObjectNode binding() {
    return yaml(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: stranger}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: stranger}
        subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: "%s"}]
        """
            .formatted(STRANGER.name()));
  }

  /** The checks answer for one AdmissionCheck each. */
  private static List<JsonNode> ofTheCharts() {
    return Stream.concat(
            Chart.named("kueue-core").render().stream(),
            Chart.named("admission-checks")
                .render(
                    values ->
                        values
                            .set("checks.budget.names[0]", "money")
                            .set("checks.http.enabled", "true"))
                .stream())
        .filter(
            each ->
                each.kind().startsWith("ClusterRole")
                    || each.kind().startsWith("ValidatingAdmissionPolicy"))
        .map(each -> JSON.<JsonNode>valueToTree(each.tree()))
        .toList();
  }

  /** A real API server enforces roles and policies only a moment after they were created. */
  private boolean isGuarded() {
    reserve();
    try {
      stranger.patch(
          STATUS, PatchFormat.MERGE, entries(entry("money", "Ready"), untouched("other")));
      return false;
    } catch (RefusedRequestException e) {
      return String.valueOf(e.getMessage()).contains("admissionChecks of money");
    }
  }

  private JsonApi opened(JsonApi api) {
    running.push(api::close);
    return api;
  }

  @AfterAll
  void stop() {
    running.forEach(Runnable::run);
  }

  @BeforeEach
  void reserve() {
    if (administrator.get(WORKLOADS + "/w").isPresent()) {
      administrator.delete(WORKLOADS + "/w");
    }
    administrator.create(
        WORKLOADS,
        yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: w, namespace: default}
            spec:
              queueName: q
              podSets:
              - name: main
                count: 1
                template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}
            """));
    administrator.patch(
        STATUS,
        PatchFormat.MERGE,
        yaml(
            """
            status:
              conditions:
              - {type: QuotaReserved, status: 'True', reason: r, message: m, %1$s}
              admission: {clusterQueue: cq, podSetAssignments: [{name: main, count: 1}]}
              admissionChecks:
              - {name: money, state: Pending, message: '', %1$s}
              - {name: other, state: Pending, message: '', %1$s}
            """
                .formatted(WHEN)));
  }

  private static ObjectNode yaml(String text) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }

  /** A merge patch that replaces the list of entries. */
  private static ObjectNode entries(String... entries) {
    return yaml("status: {admissionChecks: [" + String.join(", ", entries) + "]}");
  }

  private static String entry(String check, String state) {
    return "{name: " + check + ", state: " + state + ", message: said, " + WHEN + "}";
  }

  private static String untouched(String check) {
    return "{name: " + check + ", state: Pending, message: '', " + WHEN + "}";
  }

  private static void assertRefused(JsonApi api, ObjectNode patch, String why) {
    assertThatThrownBy(() -> api.patch(STATUS, PatchFormat.MERGE, patch))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ready", "Retry", "Rejected"})
  void aCheckChangesItsOwnEntry(String state) {
    ObjectNode answer =
        budget.patch(STATUS, PatchFormat.MERGE, entries(entry("money", state), untouched("other")));

    assertThat(answer.at("/status/admissionChecks/0/state").asText()).isEqualTo(state);
  }

  @Test
  void anotherChecksEntryIsNotItsOwn() {
    assertRefused(
        budget,
        entries(untouched("money"), entry("other", "Ready")),
        "may not change the entry of status.admissionChecks of other:");
  }

  @ParameterizedTest
  @CsvSource({"money, kueue4j.io/budget", "other, example.com/other"})
  void aCheckWithTheRightToAllIsConfinedToThoseOfItsController(String name, String controller) {
    assertRefused(
        http,
        entries(
            name.equals("money") ? entry("money", "Rejected") : untouched("money"),
            name.equals("other") ? entry("other", "Rejected") : untouched("other")),
        "may not change the entry of status.admissionChecks of "
            + name
            + ": its AdmissionCheck is answered by "
            + controller);
  }

  @Test
  void aSecondEntryInOnePatchIsRefusedWithTheFirst() {
    assertRefused(
        budget,
        entries(entry("money", "Ready"), entry("other", "Ready")),
        "admissionChecks of other:");
    assertThat(
            administrator.get(STATUS).orElseThrow().at("/status/admissionChecks/0/state").asText())
        .isEqualTo("Pending");
  }

  @Test
  void entriesAreNeitherAddedNorRemoved() {
    String why = "may neither add nor remove entries";
    assertRefused(
        budget, entries(untouched("money"), untouched("other"), entry("third", "Ready")), why);
    assertRefused(budget, entries(entry("money", "Ready")), why);
    assertRefused(budget, entries(entry("money", "Ready"), untouched("renamed")), why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          conditions: [{type: Admitted, status: 'True', reason: r, message: m, WHEN}] | status.conditions
          conditions: [] | status.conditions
          admission: null | status.admission
          admission: {clusterQueue: another} | status.admission
          requeueState: {count: 7} | status.requeueState
          reclaimablePods: [{name: main, count: 1}] | status.reclaimablePods
          """)
  void theRestOfTheStatusIsTheCores(String field, String named) {
    ObjectNode patch = yaml("status: {" + field.replace("WHEN", WHEN) + "}");

    assertRefused(
        budget,
        patch,
        "system:serviceaccount:kueue-system:kueue-budget may change entries of status.admissionChecks"
            + " only, not "
            + named);
    assertThat(core.patch(STATUS, PatchFormat.MERGE, patch)).isNotNull();
  }

  @Test
  void theCoreAndTheAdministratorAreExempt() {
    ObjectNode all =
        entries(entry("money", "Ready"), entry("other", "Ready"), entry("third", "Ready"));

    for (JsonApi api : List.of(core, administrator)) {
      assertThat(api.patch(STATUS, PatchFormat.MERGE, all).at("/status/admissionChecks"))
          .hasSize(3);
    }
  }

  @Test
  void whoeverMayPatchTheStatusOfWorkloadsIsConfinedByTheGuardOfTheCore() {
    assertRefused(
        stranger,
        entries(entry("money", "Ready"), untouched("other")),
        "admissionChecks of money:");
  }
}
