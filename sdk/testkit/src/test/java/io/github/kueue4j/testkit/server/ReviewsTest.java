/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.access.User;
import io.github.kueue4j.testkit.server.TestServer.Answer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reviews: questions about who somebody is and what somebody may do. */
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
  void saysWhatSomebodyMayDo() {
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
  void knowsWhoseATokenIs() {
    String kubeconfig = api.server().kubeconfig(User.serviceAccount("default", "robot"));
    Matcher token = Pattern.compile("token: (\\S+)").matcher(kubeconfig);
    assertThat(token.find()).isTrue();
    String review = "{apiVersion: authentication.k8s.io/v1, kind: TokenReview, spec: {token: %s}}";

    Answer known = api.post(IDENTITY + "tokenreviews", review.formatted(token.group(1)));
    Answer unknown = api.post(IDENTITY + "tokenreviews", review.formatted("nonsense"));

    assertThat(known.at("status.authenticated").asBoolean()).isTrue();
    assertThat(known.at("status.user.username").asText())
        .isEqualTo("system:serviceaccount:default:robot");
    assertThat(unknown.at("status.authenticated").asBoolean()).isFalse();
  }

  @Test
  void nothingIsStored() {
    assertThat(api.get(IDENTITY + "tokenreviews").status()).isEqualTo(405);
    assertThat(access("SubjectAccessReview", "subjectaccessreviews", "{user: jane}").status())
        .isEqualTo(400);
  }
}
