// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Who may write which Approval, by the chart's role and policy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApprovalGuardTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String APPROVALS =
      "/apis/checks.kueue4j.io/v1alpha1/namespaces/%s/approvals";
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/";

  private Path folder;
  private GuardedCluster cluster;
  private JsonApi administrator;
  private String uid;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    folder = temporary;
    cluster = GuardedCluster.start(ScenarioCluster.EMBEDDED, ofTheChart(), folder);
    administrator = cluster.administrator();
    administrator.create(
        ROLES + "clusterroles",
        yaml(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: creates-only}
            rules:
            - {apiGroups: [checks.kueue4j.io], resources: [approvals], verbs: [create, list]}
            - {apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [get, list]}
            """));
    administrator.create(
        ROLES + "clusterroles",
        yaml(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: approves-small}
            rules:
            - {apiGroups: [checks.kueue4j.io], resources: [approvals], verbs: [create]}
            - {apiGroups: [kueue.x-k8s.io], resources: [admissionchecks], resourceNames: [small], verbs: [approve]}
            """));
    bind("alice", "kueue-approver-role");
    bind("carol", "creates-only");
    bind("dave", "approves-small");
    uid =
        administrator
            .create(
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
                        count: 3
                        template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}
                    """))
            .at("/metadata/uid")
            .asText();
  }

  private static List<JsonNode> ofTheChart() {
    return Chart.named("admission-checks")
        .render(values -> values.set("checks.approval.enabled", true))
        .stream()
        .map(each -> JSON.<JsonNode>valueToTree(each.tree()))
        .filter(
            each ->
                each.at("/metadata/name")
                    .asText()
                    .matches(".*(approval-guard|approver-role)|approv.*kueue4j.io"))
        .toList();
  }

  /** In the namespace {@code default}. */
  private void bind(String user, String role) {
    administrator.create(
        ROLES + "namespaces/default/rolebindings",
        yaml(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: %1$s, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %2$s}
            subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: %1$s}]
            """
                .formatted(user, role)));
  }

  @AfterAll
  void stop() {
    administrator.close();
    cluster.close();
  }

  private static ObjectNode yaml(String text) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }

  private ObjectNode create(String user, String namespace, String by, String check, String owner)
      throws IOException {
    return create(user, namespace, by, check, owner, "kueue.x-k8s.io/v1beta2");
  }

  private ObjectNode create(
      String user, String namespace, String by, String check, String owner, String apiVersion)
      throws IOException {
    try (JsonApi api = cluster.as(User.named(user))) {
      return api.create(
          APPROVALS.formatted(namespace),
          yaml(
              """
              apiVersion: checks.kueue4j.io/v1alpha1
              kind: Approval
              metadata:
                generateName: w-
                namespace: %s
                ownerReferences:
                - {apiVersion: %s, kind: Workload, name: w, uid: %s}
              spec: {workload: {name: w, uid: %s}, check: %s, decision: Approve, by: %s}
              """
                  .formatted(namespace, apiVersion, owner, uid, check, by)));
    }
  }

  private void assertRefused(
      String user, String namespace, String by, String check, String owner, String why) {
    assertThatThrownBy(() -> create(user, namespace, by, check, owner))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageContaining(why);
  }

  @Test
  void anApproverWritesTheirOwnName() throws IOException {
    assertThat(create("alice", "default", "alice", "large", uid).at("/spec/by").asText())
        .isEqualTo("alice");
    assertRefused(
        "alice",
        "default",
        "bob",
        "large",
        uid,
        "spec.by is \"bob\": write your own name, \"alice\"");
  }

  @Test
  void anApprovalBelongsToItsWorkload() {
    assertRefused(
        "alice",
        "default",
        "alice",
        "large",
        "another",
        "has to name the Workload of spec.workload");
    assertThatThrownBy(() -> create("alice", "default", "alice", "large", uid, "example.com/v1"))
        .hasMessageContaining("has to name the Workload of spec.workload");
  }

  /** An earlier approval would count again. */
  @Test
  void noApproverWithdrawsADenial() throws IOException {
    String name = create("alice", "default", "alice", "kept", uid).at("/metadata/name").asText();
    try (JsonApi api = cluster.as(User.named("alice"))) {
      assertThatThrownBy(() -> api.delete(APPROVALS.formatted("default") + "/" + name))
          .isInstanceOf(RefusedRequestException.class)
          .hasMessageContaining("cannot delete resource");
    }
  }

  @Test
  void theRightIsOneOfTheNamespace() {
    assertRefused("alice", "other", "alice", "large", uid, "cannot create resource");
  }

  @Test
  void toCreateIsNotEnough() {
    assertRefused(
        "carol",
        "default",
        "carol",
        "large",
        uid,
        "carol may not decide for large in default: that needs the verb approve on"
            + " admissionchecks.kueue.x-k8s.io");
  }

  @Test
  void theRightMayBeForOneAdmissionCheck() throws IOException {
    assertThat(create("dave", "default", "dave", "small", uid).at("/spec/check").asText())
        .isEqualTo("small");
    assertRefused("dave", "default", "dave", "large", uid, "dave may not decide for large");
  }

  /** A user of one namespace can't list AdmissionChecks. */
  @Test
  void theCommandNeedsNoMore() throws IOException {
    assertThat(run("alice", "approve workload/w -n default").err())
        .contains("list admissionchecks")
        .contains("(or --check)");
    Printed denied =
        run("alice", "deny workload/w -n default --check other --comment Never-on-Mondays");
    assertThat(denied.out())
        .as(denied.err())
        .matches(
            "default/w is denied for other by alice \\(w-\\w+\\), as it is now: 3 pods in main\n");
    assertThat(run("alice", "deny workload/w -n default --check other --comment Never").err())
        .contains("default/w was decided about already: Denied by alice at ")
        .contains(": Never-on-Mondays; 'kubectl get approvals -n default' lists it");
    assertThat(run("carol", "approve workload/w -n default --check third").err())
        .contains("that needs the verb approve on admissionchecks.kueue.x-k8s.io")
        .hasLineCount(1);
    assertThat(run("dave", "approve workload/w -n default --check small").err())
        .contains("get and list of Workloads");
  }

  /** What a command came to. */
  private record Printed(String out, String err) {}

  private Printed run(String user, String line) throws IOException {
    cluster.as(User.named(user)).close(); // Writes the kubeconfig.
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Main.run(
        new PrintWriter(out),
        new PrintWriter(err),
        Stream.concat(
                Stream.of(line.split(" ", -1)),
                Stream.of("--kubeconfig", folder.resolve(user).toString()))
            .toArray(String[]::new));
    return new Printed(out.toString(), err.toString());
  }
}
