// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Validating admission policies: expressions that writes must satisfy where a binding says so. */
class AdmissionPolicyTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICIES = GROUP + "validatingadmissionpolicies";
  private static final String BINDINGS = GROUP + "validatingadmissionpolicybindings";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @RegisterExtension static final TestServer api = new TestServer();

  @AfterEach
  void forgetPolicies() {
    for (String path : List.of(POLICIES, BINDINGS)) {
      for (JsonNode item : api.get(path).at("items")) {
        api.delete(path + "/" + item.at("/metadata/name").asText());
      }
    }
  }

  /** A policy for ConfigMaps; {@code spec} is more YAML of its spec. */
  private static void policy(String spec) {
    Answer answer =
        api.post(
            POLICIES,
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: p}
            spec:
              matchConstraints:
                resourceRules:
                - {operations: [CREATE, UPDATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}
            """
                + spec.indent(2));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
  }

  private static void bind(String actions, String more) {
    Answer answer =
        api.post(
            BINDINGS,
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: b}, spec: {policyName: p, validationActions: ["
                + actions
                + "]"
                + more
                + "}}");
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
  }

  private static Answer create(String name, String rest) {
    return api.post(
        MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}" + rest + "}");
  }

  @Test
  void whatDoesNotHoldIsRefused() {
    policy("validations: [{expression: 'size(object.data) <= 1'}]");
    assertThat(create("unbound", ", data: {a: x, b: x}").status()).isEqualTo(201);
    bind("Deny", "");

    Answer refused = create("refused", ", data: {a: x, b: x}");

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("reason").asText()).isEqualTo("Invalid");
    assertThat(refused.at("message").asText())
        .isEqualTo(
            "configmaps \"refused\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b'"
                + " denied request: failed expression: size(object.data) <= 1");
    assertThat(create("allowed", ", data: {a: x}").status()).isEqualTo(201);
  }

  @Test
  void messagesReasonsVariablesAndOldObjects() {
    policy(
        """
        variables:
        - {name: before, expression: "oldObject.data.n"}
        - {name: after, expression: "object.data.n"}
        matchConditions:
        - {name: updates, expression: "request.operation == 'UPDATE'"}
        validations:
        - expression: "int(variables.after) >= int(variables.before)"
          messageExpression: "'n fell from ' + variables.before + ' to ' + variables.after"
          reason: Forbidden
        """);
    bind("Deny", "");
    create("old", ", data: {n: '5'}");

    Answer refused = api.mergePatch(MAPS + "/old", "{\"data\":{\"n\":\"3\"}}");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.at("message").asText()).endsWith("denied request: n fell from 5 to 3");
    assertThat(api.mergePatch(MAPS + "/old", "{\"data\":{\"n\":\"6\"}}").status()).isEqualTo(200);
  }

  @Test
  void anExpressionThatFailsRefusesUnlessIgnorable() {
    policy("validations: [{expression: 'object.data.x == \"1\"', message: 'x is one'}]");
    bind("Deny", "");
    assertThat(create("failing", "").at("message").asText())
        .contains("expression 'object.data.x == \"1\"' resulted in error");
    assertThat(create("failing", ", data: {x: '2'}").at("message").asText())
        .endsWith("denied request: x is one");

    forgetPolicies();
    policy("failurePolicy: Ignore\nvalidations: [{expression: 'object.data.x == \"1\"'}]");
    bind("Deny", "");
    assertThat(create("failing", "").status()).isEqualTo(201);
  }

  @Test
  void aWarningLetsTheWriteThrough() {
    policy("validations: [{expression: 'has(object.data)', message: 'no data'}]");
    bind("Warn", "");

    Answer warned = create("warned", "");

    assertThat(warned.status()).isEqualTo(201);
    assertThat(warned.headers().allValues("Warning"))
        .containsExactly(
            "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no data\"");
  }

  @Test
  void aBindingNarrowsThePolicy() {
    policy("validations: [{expression: 'false'}]");
    bind("Deny", ", matchResources: {objectSelector: {matchLabels: {strict: 'yes'}}}");

    assertThat(create("free", "").status()).isEqualTo(201);
    assertThat(
            api.post(
                    MAPS,
                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: s, labels: {strict: 'yes'}}}")
                .status())
        .isEqualTo(422);
  }

  @Test
  void parametersAreObjects() {
    create("limits", ", data: {max: '1'}");
    policy(
        """
        paramKind: {apiVersion: v1, kind: ConfigMap}
        validations: [{expression: "size(object.data) <= int(params.data.max)"}]
        """);
    bind("Deny", ", paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}");

    assertThat(create("two", ", data: {a: x, b: x}").status()).isEqualTo(422);
    assertThat(create("one", ", data: {a: x}").status()).isEqualTo(201);

    forgetPolicies();
    api.delete(MAPS + "/limits");
    policy("paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{expression: 'true'}]");
    bind("Deny", ", paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}");
    assertThat(create("none", "").at("message").asText()).contains("no params found");
  }

  @Test
  void expressionsAskWhatTheUserMay() {
    api.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: owner-of-a},"
            + " rules: [{apiGroups: [shop.example.com], resources: [orders/status],"
            + " resourceNames: [a], verbs: [patch]}, {nonResourceURLs: [/healthz], verbs: [get]}]}");
    api.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name:"
            + " owner-of-a}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name:"
            + " owner-of-a}, subjects: [{kind: ServiceAccount, name: clerk, namespace: default}]}");
    String clerk = "authorizer.serviceAccount('default', 'clerk')";
    String orders = clerk + ".group('shop.example.com').resource('orders')";
    Map<String, Boolean> expected =
        Map.of(
            orders + ".subresource('status').name('a').check('patch').allowed()",
            true,
            orders + ".subresource('status').name('b').check('patch').allowed()",
            false,
            orders + ".subresource('status').check('patch').allowed()",
            false,
            orders + ".name('a').check('patch').allowed()",
            false,
            clerk + ".path('/healthz').check('get').allowed()",
            true,
            clerk + ".path('/metrics').check('get').allowed()",
            false,
            // The plain port's user may do anything.
            "authorizer.group('').resource('pods').namespace('default').check('list').allowed()",
            true,
            "authorizer.requestResource.check('create').allowed()",
            true);
    expected.forEach(
        (expression, allowed) -> {
          policy("validations: [{expression: \"" + expression + "\"}]");
          bind("Deny", "");
          assertThat(create("asking", "").status()).as(expression).isEqualTo(allowed ? 201 : 422);
          api.delete(MAPS + "/asking");
          forgetPolicies();
        });
  }

  private static final String MAY_LIST =
      "authorizer.group('').resource('pods').check('list').allowed()";

  @Test
  void anExpressionMayAskTwice() {
    policy("validations: [{expression: \"" + MAY_LIST + " && " + MAY_LIST + "\"}]");
    bind("Deny", "");
    assertThat(create("twice", "").status()).isEqualTo(201);

    forgetPolicies();
    policy("validations: [{expression: \"[1, 2, 3].all(i, " + MAY_LIST + ")\"}]");
    bind("Deny", "");
    Answer refused = create("thrice", "");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("message").asText()).contains("actual cost limit exceeded");
  }

  @Test
  void aMessageCanNotAsk() {
    policy(
        """
        variables: [{name: may, expression: "%s"}]
        validations:
        - {expression: "!variables.may", messageExpression: "'may: ' + string(variables.may)", message: fixed}
        """
            .formatted(MAY_LIST));
    bind("Deny", "");

    assertThat(create("asking", "").at("message").asText()).endsWith("denied request: fixed");
  }
}
