// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reviews: questions about who a user is and what a user may do. */
class ReviewsTest {
  private static final String ACCESS = "/apis/authorization.k8s.io/v1/";
  private static final String IDENTITY = "/apis/authentication.k8s.io/v1/";

  @RegisterExtension
  static final TestServer api = new TestServer(EmbeddedApiServer.Builder::secure);

  @BeforeAll
  static void grant() {
    api.server()
        .apply(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reader, namespace: default}
            rules: [{apiGroups: [batch], resources: [jobs, jobs/status], verbs: [get]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: reader, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: readers}]
            """);
  }

  private static Answer access(String kind, String path, String spec) {
    return api.post(
        ACCESS + path,
        "{apiVersion: authorization.k8s.io/v1, kind: " + kind + ", spec: " + spec + "}");
  }

  private static boolean allowed(String attributes) {
    Answer answer =
        access(
            "SubjectAccessReview",
            "subjectaccessreviews",
            "{user: jane, groups: [readers], " + attributes + "}");
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
    return answer.at("status.allowed").asBoolean();
  }

  @Test
  void answersWhatAUserMayDo() {
    String job = "resourceAttributes: {group: batch, resource: jobs, verb: %s, namespace: %s%s}";
    assertThat(allowed(job.formatted("get", "default", ""))).isTrue();
    assertThat(allowed(job.formatted("get", "default", ", subresource: status"))).isTrue();
    assertThat(allowed(job.formatted("delete", "default", ""))).isFalse();
    assertThat(allowed(job.formatted("get", "other", ""))).isFalse();
    assertThat(allowed("nonResourceAttributes: {path: /metrics, verb: get}")).isFalse();
  }

  @Test
  void aLocalReviewStaysInItsNamespace() {
    String spec =
        "{user: jane, groups: [readers], resourceAttributes: {group: batch, resource: jobs, verb:"
            + " get, namespace: %s}}";
    String path = "namespaces/default/localsubjectaccessreviews";

    assertThat(
            access("LocalSubjectAccessReview", path, spec.formatted("default"))
                .at("status.allowed")
                .asBoolean())
        .isTrue();
    assertThat(access("LocalSubjectAccessReview", path, spec.formatted("other")).status())
        .isEqualTo(400);
  }

  @Test
  void theAdministratorMayDoEverything() {
    Answer answer =
        access(
            "SelfSubjectAccessReview",
            "selfsubjectaccessreviews",
            "{resourceAttributes: {resource: nodes, verb: delete}}");
    assertThat(answer.at("status.allowed").asBoolean()).isTrue();
    assertThat(
            access("SelfSubjectRulesReview", "selfsubjectrulesreviews", "{namespace: default}")
                .at("status.resourceRules.0.verbs.0")
                .asText())
        .isEqualTo("*");
  }

  @Test
  void knowsTheUserOfAToken() {
    String token = api.server().token(User.serviceAccount("default", "robot"));
    String review = "{apiVersion: authentication.k8s.io/v1, kind: TokenReview, spec: {token: %s}}";

    Answer known = api.post(IDENTITY + "tokenreviews", review.formatted(token));
    Answer unknown = api.post(IDENTITY + "tokenreviews", review.formatted("nonsense"));

    assertThat(known.at("status.authenticated").asBoolean()).isTrue();
    assertThat(known.at("status.user.username").asText())
        .isEqualTo("system:serviceaccount:default:robot");
    assertThat(unknown.at("status.authenticated").asBoolean()).isFalse();
  }

  @Test
  void aGrantAddsToWhatTheUserMayDo() {
    User robot = User.serviceAccount("default", "granted-robot");
    String asked =
        "{user: '%s', resourceAttributes: {group: batch, resource: %%s, verb: get}}"
            .formatted(robot.name());
    String rule = "{apiGroups: [batch], resources: [%s], verbs: [get]}";

    api.server().grant(robot, rule.formatted("jobs"));
    assertThat(mayGet(asked, "jobs")).isTrue();
    assertThat(mayGet(asked, "cronjobs")).isFalse();

    api.server().grant(robot, rule.formatted("cronjobs"));
    assertThat(mayGet(asked, "jobs")).isTrue();
    assertThat(mayGet(asked, "cronjobs")).isTrue();
  }

  private static boolean mayGet(String asked, String resource) {
    return access("SubjectAccessReview", "subjectaccessreviews", asked.formatted(resource))
        .at("status.allowed")
        .asBoolean();
  }

  @Test
  void nothingIsStored() {
    assertThat(api.get(IDENTITY + "tokenreviews").status()).isEqualTo(405);
    assertThat(access("SubjectAccessReview", "subjectaccessreviews", "{user: jane}").status())
        .isEqualTo(400);
  }
}
