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
package io.github.kueue4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.RequestAuthorizer.Decision;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.access.User;
import io.github.kueue4j.testkit.traffic.Fault;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelegatedAuthorizerTest {
  private static final User READER = User.serviceAccount("monitoring", "prometheus");
  private static final User STRANGER = User.serviceAccount("default", "stranger");
  private static final String PATH = "/metrics";
  private static final RequestMatcher REVIEWS = request -> request.resource().endsWith("reviews");

  private final ManualTime time = ManualTime.create();
  private final EmbeddedApiServer server = EmbeddedApiServer.builder().secure().start();
  private final ClusterConnection connection =
      ClusterConnection.builder("metrics").url(server.uri()).wireTime(time).open();
  private final DelegatedAuthorizer authorizer = DelegatedAuthorizer.on(connection);

  @BeforeEach
  void grant() {
    server.apply(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: metrics-reader}
        rules: [{nonResourceURLs: [/metrics], verbs: [get]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: metrics-reader}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: metrics-reader}
        subjects: [{kind: ServiceAccount, namespace: monitoring, name: prometheus}]
        """);
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
    time.close();
  }

  @Test
  void anEmptyTokenIsNobodysAndTheServerIsNotAsked() {
    assertThat(authorizer.decide("Bearer ", "get", PATH))
        .isInstanceOf(RequestAuthorizer.Decision.Unauthenticated.class);
    assertThat(server.requests().count(REVIEWS)).isZero();
  }

  private String tokenOf(User user) {
    Matcher token = Pattern.compile("token: (\\S+)").matcher(server.kubeconfig(user));
    assertThat(token.find()).isTrue();
    return "Bearer " + token.group(1);
  }

  @Test
  void whoMayIsAllowedAndAskedAboutOnceAMinute() {
    String token = tokenOf(READER);
    try (Fault reviews = server.faults().delay(REVIEWS, Duration.ZERO)) {
      assertThat(authorizer.decide(token, "get", PATH)).isEqualTo(new Decision.Allowed());
      assertThat(authorizer.decide(token, "get", PATH)).isEqualTo(new Decision.Allowed());
      assertThat(reviews.hits()).isEqualTo(2);

      time.advance(Duration.ofMinutes(1));
      assertThat(authorizer.decide(token, "get", PATH)).isEqualTo(new Decision.Allowed());
      assertThat(reviews.hits()).isEqualTo(4);
    }
  }

  @Test
  void whoIsKnownButMayNotIsToldWhatIsMissing() {
    assertThat(authorizer.decide(tokenOf(STRANGER), "get", PATH))
        .isEqualTo(
            new Decision.Denied(
                "system:serviceaccount:default:stranger may not get /metrics; bind it to a"
                    + " ClusterRole with nonResourceURLs: [/metrics]"));
    assertThat(authorizer.decide(tokenOf(READER), "post", PATH))
        .isInstanceOf(Decision.Denied.class);
  }

  @Test
  void aRightThatIsGrantedCountsTenSecondsLater() {
    String token = tokenOf(STRANGER);
    assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Denied.class);
    server.apply(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: metrics-reader-too}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: metrics-reader}
        subjects: [{kind: ServiceAccount, namespace: default, name: stranger}]
        """);

    assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Denied.class);
    time.advance(Duration.ofSeconds(10));

    assertThat(authorizer.decide(token, "get", PATH)).isEqualTo(new Decision.Allowed());
  }

  @Test
  void withoutAValidTokenNobodyIsKnown() {
    for (String authorization : new String[] {"", "Basic YTpi", "Bearer nonsense", "Bearer "}) {
      assertThat(authorizer.decide(authorization, "get", PATH))
          .as(authorization)
          .isInstanceOf(Decision.Unauthenticated.class);
    }
  }

  @Test
  void whileTheServerCannotBeAskedNothingIsDecidedOrKept() {
    String token = tokenOf(READER);
    try (Fault broken = server.faults().failNext(1, REVIEWS, 500)) {
      assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Undecided.class);
      assertThat(broken.hits()).isEqualTo(1);
    }
    assertThat(authorizer.decide(token, "get", PATH)).isEqualTo(new Decision.Allowed());
  }
}
