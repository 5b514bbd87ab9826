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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.access.User;
import io.github.kueue4j.testkit.traffic.Fault;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** kubectl as a person uses it. Skipped, with the reason, where no recent kubectl is installed. */
class KubectlTest {
  private static final int OLDEST_MINOR = 28;
  private static final String QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: team}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train}
      spec:
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: example/train}]
      """;

  @RegisterExtension
  static final TestServer api = new TestServer(EmbeddedApiServer.Builder::secure);

  @TempDir static Path folder;

  record Result(int exit, String output) {}

  @BeforeAll
  static void prepare() throws Exception {
    assumeTrue(kubectlIsRecent(), "no kubectl 1." + OLDEST_MINOR + " or newer on the PATH");
    api.server().kubeconfig(folder.resolve("kubeconfig"));
    api.server().applyCrds(Crds.kueue());
    Files.writeString(folder.resolve("queues.yaml"), QUEUES);
    assertThat(kubectl("apply", "-f", "queues.yaml").exit()).isZero();
  }

  private static boolean kubectlIsRecent() throws Exception {
    boolean onPath =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)).stream()
            .anyMatch(entry -> Files.isExecutable(Path.of(entry, "kubectl")));
    if (!onPath) {
      return false;
    }
    Matcher version =
        Pattern.compile("\"minor\": \"([0-9]+)")
            .matcher(kubectl("version", "--client", "-ojson").output());
    return version.find() && Integer.parseInt(version.group(1)) >= OLDEST_MINOR;
  }

  private static Result kubectl(String... arguments) throws IOException, InterruptedException {
    Process process = start(arguments);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), output);
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("KUBE_EDITOR", "sed -i s/BestEffortFIFO/StrictFIFO/");
    return builder.start();
  }

  @Test
  void appliesTwiceWithoutAChange() throws Exception {
    assertThat(kubectl("apply", "-f", "queues.yaml").output())
        .contains("clusterqueue.kueue.x-k8s.io/team unchanged", "job.batch/train unchanged");
  }

  @Test
  void appliesOnTheServersSide() throws Exception {
    Files.writeString(
        folder.resolve("applied.yaml"),
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: applied},"
            + " spec: {clusterQueue: team}}");
    String[] apply = {"apply", "--server-side", "-f", "applied.yaml"};
    assertThat(kubectl(apply).output()).contains("applied serverside-applied");
    kubectl("label", "localqueue", "applied", "a=b");
    Files.writeString(
        folder.resolve("applied.yaml"),
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: applied,"
            + " labels: {a: c}}, spec: {clusterQueue: team}}");

    Result refused = kubectl(apply);
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.output())
        .contains(
            "conflict with \"kubectl-label\" using kueue.x-k8s.io/v1beta2: .metadata.labels.a");
    assertThat(kubectl("apply", "--server-side", "--force-conflicts", "-f", "applied.yaml").exit())
        .isZero();
    assertThat(kubectl("get", "localqueue", "applied", "--show-managed-fields", "-oyaml").output())
        .contains("manager: kubectl", "operation: Apply", "a: c");
    assertThat(kubectl("apply", "--server-side", "-f", "queues.yaml").output())
        .contains("clusterqueue.kueue.x-k8s.io/team serverside-applied");
  }

  @Test
  void refusesAnUnknownFieldWithItsPath() throws Exception {
    Files.writeString(
        folder.resolve("typo.yaml"),
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: typo},"
            + " spec: {clusterQueue: team, clusterQueu: x}}");
    Result result = kubectl("apply", "-f", "typo.yaml");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.output()).contains("unknown field \"spec.clusterQueu\"");
  }

  @Test
  void aKindThatIsNotServedIsNamed() throws Exception {
    Files.writeString(
        folder.resolve("unknown.yaml"),
        "{apiVersion: example.com/v1, kind: Shoe, metadata: {name: left}}");
    Result result = kubectl("apply", "-f", "unknown.yaml");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.output()).contains("no matches for kind \"Shoe\" in version");
  }

  @Test
  void isContentWithTheOlderOpenApi() throws Exception {
    Files.writeString(
        folder.resolve("older.yaml"),
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: older}, dat: {}}");
    try (Fault withoutVersion3 =
        api.server()
            .faults()
            .failRate(1, request -> request.path().startsWith("/openapi/v3"), 404, new Random(1))) {
      Result result = kubectl("apply", "-f", "older.yaml");
      assertThat(result.output()).contains("strict decoding error: unknown field \"dat\"");
      assertThat(withoutVersion3.hits()).isPositive();
    }
  }

  @Test
  void isTheUserWhoseTokenItShows() throws Exception {
    api.server().kubeconfig(folder.resolve("restricted"), User.named("jane"));
    api.server()
        .apply(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: janes}
            rules: [{apiGroups: [batch], resources: [jobs], verbs: [get, list]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: janes}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: janes}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]
            """);

    assertThat(kubectl("--kubeconfig=restricted", "get", "job", "train").output())
        .contains("Suspended");
    assertThat(kubectl("--kubeconfig=restricted", "get", "cq").output())
        .contains("Error from server (Forbidden)", "User \"jane\" cannot list resource");
    assertThat(kubectl("--kubeconfig=restricted", "auth", "whoami").output()).contains("jane");
    assertThat(kubectl("--kubeconfig=restricted", "auth", "can-i", "list", "jobs").output())
        .contains("yes");
    Result refused = kubectl("--kubeconfig=restricted", "auth", "can-i", "delete", "jobs");
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.output()).contains("no");
    assertThat(kubectl("--kubeconfig=restricted", "auth", "can-i", "--list").output())
        .contains("jobs.batch");
  }

  @Test
  void showsTables() throws Exception {
    assertThat(kubectl("get", "cq").output()).contains("COHORT", "PENDING WORKLOADS", "team");
    assertThat(kubectl("get", "job", "train").output()).contains("COMPLETIONS", "Suspended");
    assertThat(kubectl("get", "ns").output()).contains("default", "Active");
  }

  @Test
  void describesWithEvents() throws Exception {
    String uid =
        api.get("/apis/batch/v1/namespaces/default/jobs/train").at("metadata.uid").asText();
    api.post(
        "/apis/events.k8s.io/v1/namespaces/default/events",
        """
        {apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: train.1}, note: was queued,
         reason: Queued, type: Normal, action: Queue, reportingController: test,
         eventTime: '2026-01-01T00:00:00.000000Z', reportingInstance: test-0,
         regarding: {apiVersion: batch/v1, kind: Job, namespace: default, name: train, uid: %s}}
        """
            .formatted(uid));
    assertThat(kubectl("describe", "job", "train").output()).contains("Suspend:", "was queued");
    assertThat(kubectl("get", "events").output()).contains("job/train", "was queued");
  }

  @Test
  void patchesAndEdits() throws Exception {
    Files.writeString(
        folder.resolve("edited.yaml"),
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: edited}}");
    kubectl("create", "-f", "edited.yaml");
    assertThat(
            kubectl(
                    "patch",
                    "cq",
                    "edited",
                    "--type=json",
                    "-p=[{\"op\":\"add\",\"path\":\"/spec\",\"value\":{\"stopPolicy\":\"Hold\","
                        + "\"queueingStrategy\":\"BestEffortFIFO\"}}]")
                .output())
        .contains("patched");
    assertThat(kubectl("edit", "cq", "edited").output()).contains("edited");
    assertThat(kubectl("get", "cq", "edited", "-o=jsonpath={.spec.queueingStrategy}").output())
        .isEqualTo("StrictFIFO");
    assertThat(
            kubectl("patch", "job", "train", "-p", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .output())
        .contains("patched");
  }

  @Test
  void waitsForConditions() throws Exception {
    Process waiting = start("wait", "cq/team", "--for=condition=Active", "--timeout=100s");
    api.mergePatch(
        "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/team/status",
        """
        {"status":{"conditions":[{"type":"Active","status":"True","reason":"Ready","message":"",
          "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
        """);
    assertThat(waiting.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(waiting.exitValue()).isZero();
  }

  @Test
  void watches() throws Exception {
    Process watching = start("get", "configmaps", "-w", "-o=name");
    try {
      Patient.await()
          .until(() -> api.get("/metrics").body().asText().contains("requests{verb=\"WATCH\"} 1"));
      api.configMap("seen", "");
      try (var lines = watching.inputReader(StandardCharsets.UTF_8)) {
        assertThat(lines.readLine()).isEqualTo("configmap/seen");
      }
    } finally {
      watching.destroy();
    }
  }

  @Test
  void deletesAndWaitsForTheEnd() throws Exception {
    api.post("/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: short}}");
    kubectl("create", "configmap", "a", "--from-literal=x=1", "-n", "short");
    assertThat(kubectl("delete", "ns", "short").output()).contains("deleted");
    assertThat(kubectl("get", "ns", "short").output()).contains("NotFound");
  }

  @Test
  void listsAndExplainsKinds() throws Exception {
    assertThat(kubectl("api-resources").output())
        .contains("clusterqueues", "cq", "kueue.x-k8s.io/v1beta2", "events.k8s.io/v1");
    assertThat(kubectl("explain", "cq.spec.stopPolicy").output()).contains("HoldAndDrain");
  }
}
