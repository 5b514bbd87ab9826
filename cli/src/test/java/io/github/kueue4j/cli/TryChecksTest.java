// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.policycheck.PolicyCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kueue4j try} beside a policy check in a process of its own, and checks that say nothing.
 */
class TryChecksTest {
  private static final User TENANT = User.serviceAccount("team", "tenant");

  @TempDir private static Path folder;

  private static EmbeddedApiServer server;
  private static ClusterConnection connection;
  private static CheckController check;
  private static ServiceProxyFront front;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedApiServer.builder().secure().objects(Crds.kueue()).start();
    PolicyCheck.crds().forEach(server::apply);
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: team}}
        ---
        {apiVersion: v1, kind: Namespace, metadata: {name: other}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
        ---
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: PolicyCheck
        metadata: {name: rules}
        spec:
          rules:
          - {name: small-first, when: workload.requests.of('cpu') > 1, answer: Retry, delay: 10m,
            message: Only small ones start now.}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: rules, annotations: {kueue4j.io/dry-evaluations: "kueue-system/rules:https"}}
        spec:
          controllerName: kueue4j.io/policy
          parameters: {apiGroup: checks.kueue4j.io, kind: PolicyCheck, name: rules}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: astray, annotations: {kueue4j.io/dry-evaluations: "kueue-system/none:https"}}
        spec: {controllerName: example.com/other}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: faulty, annotations: {kueue4j.io/dry-evaluations: "http://evil.example"}}
        spec: {controllerName: example.com/other}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: rules}, {name: astray}, {name: faulty}]}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 9}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: cq}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: other}
        spec: {clusterQueue: cq}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: tenant, namespace: team}
        rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: tenant, namespace: team}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: tenant}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
        """
            .formatted(TENANT.name()));
    connection = ClusterConnection.builder("policy-check").url(server.uri()).connect();
    Stream.of("astray", "faulty").forEach(TryChecksTest::activate);
    check =
        PolicyCheck.controller(
            CheckEnvironment.of(connection).withAnswers(new HttpAddress("127.0.0.1", 0)),
            PolicyCheck.CONTROLLER_NAME);
    check.start();
    await().until(TryChecksTest::active);
    server.grant(
        TENANT, "{apiGroups: [kueue.x-k8s.io], resources: [admissionchecks], verbs: [get]}");
    String token = server.token(TENANT);
    front = new ServiceProxyFront(server.uri(), token, "https:rules:https", check.answersPort());
    Files.writeString(
        folder.resolve("kubeconfig"), front.kubeconfig("{token: \"" + token + "\"}", "team"));
  }

  private static void activate(String name) {
    connection
        .api()
        .patchStatus(
            KueueTypes.ADMISSION_CHECK,
            ObjectKey.cluster(name),
            new MergePatch(
                JsonParser.parseString(
                        """
                        {"status": {"conditions": [{"type": "Active", "status": "True",
                          "reason": "Ready", "message": "",
                          "lastTransitionTime": "2026-01-05T08:00:00Z"}]}}
                        """)
                    .getAsJsonObject()));
  }

  private static boolean active() {
    return Conditions.isTrue(
        connection
            .api()
            .get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("rules"))
            .orElseThrow()
            .status()
            .conditions(),
        "Active");
  }

  @AfterAll
  static void stop() {
    front.close();
    check.close();
    connection.close();
    server.close();
  }

  @Test
  void saysWhatEachCheckWouldAnswer() throws Exception {
    assertThat(run("team", 1).lines())
        .contains(
            "  rules (kueue4j.io/policy): would answer Ready: No rule of the PolicyCheck holds.",
            "  faulty (example.com/other): can't be asked in advance:"
                + " metadata.annotations['kueue4j.io/dry-evaluations'] is 'http://evil.example';"
                + " write NAMESPACE/NAME:PORT of a Service")
        .anyMatch(
            line ->
                line.startsWith(
                    "  astray (example.com/other): can't be asked in advance: post services/proxy"
                        + " kueue-system/https:none:https"));
    assertThat(run("team", 2))
        .containsPattern(
            "  rules [(]kueue4j.io/policy[)]: would answer Retry in [0-9ms]+ at the earliest: Rule small-first: Only"
                + " small ones start now. Asking again in .* min");
  }

  @Test
  void tellsAProgramTheSame() throws Exception {
    JsonArray checks =
        JsonParser.parseString(run("team", 2, "-o", "json"))
            .getAsJsonObject()
            .getAsJsonArray("results")
            .get(0)
            .getAsJsonObject()
            .getAsJsonArray("checks");
    JsonObject told = checks.get(checks.size() - 1).getAsJsonObject();

    assertThat(told.get("name").getAsString()).isEqualTo("rules");
    assertThat(told.get("state").getAsString()).isEqualTo("Retry");
    assertThat(told.get("requeueAfterSeconds").getAsInt()).isBetween(1, 600);
    assertThat(told.get("answer").getAsString()).startsWith("would answer Retry in ");
  }

  @Test
  void whoMayNotListTheWorkloadsLearnsNothing() throws Exception {
    assertThat(run("other", 1))
        .contains(
            "rules (kueue4j.io/policy): can't be asked in advance: "
                + TENANT.name()
                + " may not list"
                + " workloads.kueue.x-k8s.io in namespace other; bind it to a Role with this"
                + " permission")
        .doesNotContain("No rule");
  }

  @Test
  void withoutATokenNothingIsAsked() {
    CommandRun outcome =
        CommandRun.of("try", job("team", 1).toString(), "--server", server.uri().toString());

    assertThat(outcome.out())
        .contains(
            "rules (kueue4j.io/policy): can't be asked in advance: it knows people by tokens: ");
  }

  private static Path job(String namespace, int cpus) {
    try {
      return Files.writeString(
          folder.resolve("job.yaml"),
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train, namespace: %s, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec:
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: %d}}}]}
          """
              .formatted(namespace, cpus));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String run(String namespace, int cpus, String... more) {
    CommandRun outcome =
        CommandRun.of(
            Stream.concat(
                    Stream.of(
                        "try",
                        job(namespace, cpus).toString(),
                        "--kubeconfig",
                        folder.resolve("kubeconfig").toString()),
                    Stream.of(more))
                .toArray(String[]::new));
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome.out();
  }
}
