// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.http.RequestAuthorizer.Decision;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ExpectedLog(logger = "DelegatedAuthorizer", message = "TokenReview or SubjectAccessReview failed")
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
    server.grant(READER, "{nonResourceURLs: [/metrics], verbs: [get]}");
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
    time.close();
  }

  @Test
  void anEmptyTokenIsRefusedWithoutAReview() {
    assertThat(authorizer.decide("Bearer ", "get", PATH))
        .isInstanceOf(RequestAuthorizer.Decision.Unauthenticated.class);
    assertThat(server.requests().count(REVIEWS)).isZero();
  }

  private String tokenOf(User user) {
    return "Bearer " + server.token(user);
  }

  @Test
  void anAuthorizedUserIsAllowedAndReviewedOnceAMinute() {
    String token = tokenOf(READER);
    try (Fault reviews = server.faults().delay(REVIEWS, Duration.ZERO)) {
      assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Allowed.class);
      assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Allowed.class);
      assertThat(reviews.hits()).isEqualTo(2);

      time.advance(Duration.ofMinutes(1));
      assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Allowed.class);
      assertThat(reviews.hits()).isEqualTo(4);
    }
  }

  @Test
  void aKnownUserWithoutPermissionIsToldWhichOneIsMissing() {
    assertThat(authorizer.decide(tokenOf(STRANGER), "get", PATH))
        .isEqualTo(
            new Decision.Denied(
                "system:serviceaccount:default:stranger may not get /metrics; bind it to a"
                    + " ClusterRole with nonResourceURLs: [/metrics]"));
    assertThat(authorizer.decide(tokenOf(READER), "post", PATH))
        .isInstanceOf(Decision.Denied.class);
  }

  @Test
  void aListIsDecidedByNamespace() {
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: a}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: reader, namespace: a}
        rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: reader, namespace: a}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
        """
            .formatted(STRANGER.name()));
    String token = tokenOf(STRANGER);
    assertThat(authorizer.decideList(token, KueueTypes.WORKLOAD, "a"))
        .isInstanceOf(Decision.Allowed.class);
    assertThat(authorizer.decideList(token, KueueTypes.WORKLOAD, "b"))
        .isEqualTo(
            new Decision.Denied(
                "system:serviceaccount:default:stranger may not list workloads.kueue.x-k8s.io in"
                    + " namespace b; bind it to a Role with this permission"));
    assertThat(authorizer.decideList(token, KueueTypes.WORKLOAD, ""))
        .isInstanceOf(Decision.Denied.class);
  }

  @Test
  void namesThatCannotBeAreRefusedWithoutAReview() {
    String token = tokenOf(READER);
    for (String namespace : new String[] {"x".repeat(64), "A", "-a", "a/b", "a.b"}) {
      assertThat(authorizer.decideList(token, KueueTypes.WORKLOAD, namespace))
          .isEqualTo(
              new Decision.Denied(
                  "the name or the namespace can't be one of Kubernetes; correct it"));
    }
    for (String name : new String[] {"x".repeat(254), "a/b", "a b", "A"}) {
      assertThat(authorizer.decideGet(token, KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)))
          .isInstanceOf(Decision.Denied.class);
    }
    assertThat(server.requests().count(REVIEWS)).isZero();
  }

  @Test
  void oneObjectIsDecidedByItsName() {
    server.grant(
        STRANGER,
        "{apiGroups: [kueue.x-k8s.io], resources: [admissionchecks], resourceNames: [a], verbs:"
            + " [get]}");
    String token = tokenOf(STRANGER);

    assertThat(authorizer.decideGet(token, KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("a")))
        .isInstanceOf(Decision.Allowed.class);
    assertThat(authorizer.decideGet(token, KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("b.c")))
        .isEqualTo(
            new Decision.Denied(
                STRANGER.name()
                    + " may not get admissionchecks.kueue.x-k8s.io b.c; bind it to a role with this"
                    + " permission"));
  }

  @Test
  void aGrantedPermissionIsEffectiveAfterTenSeconds() {
    String token = tokenOf(STRANGER);
    assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Denied.class);
    server.grant(STRANGER, "{nonResourceURLs: [/metrics], verbs: [get]}");

    assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Denied.class);
    time.advance(Duration.ofSeconds(10));

    assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Allowed.class);
  }

  @Test
  void withoutAValidTokenTheRequestIsUnauthenticated() {
    for (String authorization : new String[] {"", "Basic YTpi", "Bearer nonsense", "Bearer "}) {
      assertThat(authorizer.decide(authorization, "get", PATH))
          .as(authorization)
          .isInstanceOf(Decision.Unauthenticated.class);
    }
  }

  @Test
  void whileReviewsFailNothingIsDecidedOrCached() {
    String token = tokenOf(READER);
    try (Fault broken = server.faults().failNext(1, REVIEWS, 500)) {
      assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Undecided.class);
      assertThat(broken.hits()).isEqualTo(1);
    }
    assertThat(authorizer.decide(token, "get", PATH)).isInstanceOf(Decision.Allowed.class);
  }
}
