// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.Fault;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** kubectl as a person uses it. Skipped, with the reason, where no recent kubectl is installed. */
@Tag("landing")
class KubectlTest {
  private static final int OLDEST_MINOR = 28;
  private static final String OBJECTS =
      """
      apiVersion: shop.example.com/v1
      kind: Warehouse
      metadata: {name: spare}
      ---
      apiVersion: shop.example.com/v1
      kind: Warehouse
      metadata: {name: team}
      spec:
        region: north
        capacities: [{resource: parcels, amount: 4}]
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
    api.server().apply(Shop.definitions());
    Files.writeString(folder.resolve("objects.yaml"), OBJECTS);
    assertThat(kubectl("apply", "-f", "objects.yaml").exit()).isZero();
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
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return new Result(process.exitValue(), output);
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
    builder.environment().put("HOME", folder.toString());
    // kubectl is written in Go; without its collector a call takes a sixth less processor time.
    builder.environment().put("GOGC", "off");
    builder.environment().put("KUBE_EDITOR", "sed -i s/Loose/Tight/");
    return builder.start();
  }

  @Test
  void appliesTwiceWithoutAChange() throws Exception {
    assertThat(kubectl("apply", "-f", "objects.yaml").output())
        .contains("warehouse.shop.example.com/team unchanged", "job.batch/train unchanged");
  }

  @Test
  void appliesOnTheServersSide() throws Exception {
    Files.writeString(
        folder.resolve("applied.yaml"),
        "{apiVersion: shop.example.com/v1, kind: Shelf, metadata: {name: applied},"
            + " spec: {warehouse: team}}");
    String[] apply = {"apply", "--server-side", "-f", "applied.yaml"};
    assertThat(kubectl(apply).output()).contains("applied serverside-applied");
    kubectl("label", "shelf", "applied", "a=b");
    Files.writeString(
        folder.resolve("applied.yaml"),
        "{apiVersion: shop.example.com/v1, kind: Shelf, metadata: {name: applied,"
            + " labels: {a: c}}, spec: {warehouse: team}}");

    Result refused = kubectl(apply);
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.output())
        .contains("conflict with \"kubectl-label\" using shop.example.com/v1: .metadata.labels.a");
    assertThat(kubectl("apply", "--server-side", "--force-conflicts", "-f", "applied.yaml").exit())
        .isZero();
    assertThat(kubectl("get", "shelf", "applied", "--show-managed-fields", "-oyaml").output())
        .contains("manager: kubectl", "operation: Apply", "a: c");
    assertThat(kubectl("apply", "--server-side", "-f", "objects.yaml").output())
        .contains("warehouse.shop.example.com/team serverside-applied");
  }

  @Test
  void refusesAnUnknownFieldWithItsPath() throws Exception {
    Files.writeString(
        folder.resolve("typo.yaml"),
        "{apiVersion: shop.example.com/v1, kind: Shelf, metadata: {name: typo},"
            + " spec: {warehouse: team, warehous: x}}");
    Result result = kubectl("apply", "-f", "typo.yaml");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.output()).contains("unknown field \"spec.warehous\"");
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
    assertThat(kubectl("--kubeconfig=restricted", "get", "wh").output())
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
    assertThat(kubectl("get", "wh").output()).contains("REGION", "OPEN ORDERS", "team");
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
        "{apiVersion: shop.example.com/v1, kind: Warehouse, metadata: {name: edited}}");
    kubectl("create", "-f", "edited.yaml");
    assertThat(
            kubectl(
                    "patch",
                    "wh",
                    "edited",
                    "--type=json",
                    "-p=[{\"op\":\"add\",\"path\":\"/spec\",\"value\":{\"stopPolicy\":\"Hold\","
                        + "\"packing\":\"Loose\"}}]")
                .output())
        .contains("patched");
    assertThat(kubectl("edit", "wh", "edited").output()).contains("edited");
    assertThat(kubectl("get", "wh", "edited", "-o=jsonpath={.spec.packing}").output())
        .isEqualTo("Tight");
    assertThat(
            kubectl("patch", "job", "train", "-p", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .output())
        .contains("patched");
  }

  @Test
  void waitsForConditions() throws Exception {
    Process waiting = start("wait", "wh/team", "--for=condition=Active", "--timeout=100s");
    api.mergePatch(
        "/apis/shop.example.com/v1/warehouses/team/status",
        """
        {"status":{"conditions":[{"type":"Active","status":"True","reason":"Ready","message":"",
          "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
        """);
    assertThat(waiting.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(waiting.exitValue()).isZero();
  }

  @Test
  void watches() throws Exception {
    Process watching = start("get", "configmaps", "-w", "-o=name");
    try {
      Awaitility.await()
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
        .contains("warehouses", "wh", "shop.example.com/v1", "events.k8s.io/v1");
    assertThat(kubectl("explain", "wh.spec.stopPolicy").output()).contains("HoldAndDrain");
  }
}
