// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.startup.Packaged;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The distribution that the module cli builds, started by its script as its users start it. */
class DistributionTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  private static Path distribution;

  @TempDir Path folder;

  private record Outcome(int status, String out, String err) {}

  @BeforeAll
  static void findDistribution() throws IOException {
    distribution = Packaged.distribution();
  }

  @Tag("landing")
  @Test
  void coreCheckAndExplanationWorkInProcessesOfTheirOwn() throws Exception {
    Path configuration =
        Files.writeString(
            folder.resolve("core.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection: {leaderElect: false}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """);
    try (TimeSource time = TimeSource.system();
        EmbeddedCluster cluster = EmbeddedCluster.start(0, time);
        ClusterConnection connection =
            ClusterConnection.builder("distribution-test").url(cluster.uri()).connect();
        LocalProcess core =
            start(
                "core",
                "core",
                "--install-crds",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--config=" + configuration)) {
      awaitLine(core, "the core is running on " + cluster.uri());
      Manifests.parse(OBJECTS).createIn(connection.api());
      try (LocalProcess check =
          start("check", "check", "gpu", "--kubeconfig=" + cluster.kubeconfig())) {
        awaitLine(check, "gpu-check is running on " + cluster.uri());

        await("the Job that fits is admitted")
            .atMost(PATIENCE)
            .until(() -> says(connection, "modest", WorkloadConditions.ADMITTED, Condition.TRUE));
        await("the other one waits for quota")
            .atMost(PATIENCE)
            .until(
                () ->
                    says(connection, "greedy", WorkloadConditions.QUOTA_RESERVED, Condition.FALSE));

        Outcome explained = explain(cluster, "greedy");
        assertThat(explained.status()).as(explained.err()).isZero();
        assertThat(explained.out())
            .contains(": ExceedsQuota", "nvidia.com/gpu in a100: 4 of 8 used")
            .contains("Who acts: the owner of the Job");
      }
    }
  }

  private static boolean says(
      ClusterConnection connection, String job, String type, String status) {
    return connection
        .api()
        .list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml"))
        .items()
        .stream()
        .filter(workload -> ObjectKey.of(workload).name().startsWith("job-" + job + "-"))
        .flatMap(workload -> workload.status().conditions().stream())
        .anyMatch(condition -> condition.type().equals(type) && condition.status().equals(status));
  }

  private Outcome explain(EmbeddedCluster cluster, String job) throws Exception {
    return run("explain", "job/" + job, "-n", "ml", "--server", cluster.uri().toString());
  }

  @Test
  void hasTheCommandsOfProductionOnly() throws Exception {
    Outcome help = run("--help");

    assertThat(help.status()).isZero();
    assertThat(help.out())
        .startsWith("Usage: kueue4j COMMAND [OPTION]...")
        .contains("\n  core\n", "\n  check NAME\n", "\n  explain NAME\n", "\n  rbac ")
        .doesNotContain("demo", "\n  up\n", "bench", "conformance");
  }

  /**
   * kubectl finds a plugin by the name of its program, here through a link on the PATH. The mistake
   * is a command that production doesn't have.
   */
  @Test
  void isAPluginOfKubectl() throws Exception {
    Path link = folder.resolve("kubectl-kueue4j");
    Files.createSymbolicLink(link, distribution.resolve("bin/kubectl-kueue4j"));

    Outcome version = run(Map.of(), List.of(link.toString(), "--version"));
    Outcome mistake = run(Map.of(), List.of(link.toString(), "demo"));
    Files.delete(link);

    assertThat(version.status()).isZero();
    assertThat(version.out()).startsWith("kueue4j ");
    assertThat(mistake.status()).isEqualTo(2);
    assertThat(mistake.err()).contains("Try 'kubectl kueue4j --help'.");
  }

  @Test
  void shipsNoSupportForTests() throws IOException {
    try (Stream<Path> libraries = Files.list(distribution.resolve("lib"))) {
      assertThat(libraries.map(each -> String.valueOf(each.getFileName())))
          .anyMatch(name -> name.startsWith("kueue4j-cli-"))
          .noneMatch(
              name ->
                  name.matches("(jetty|junit|archunit|assertj|awaitility).*|kueue4j-.*")
                      && !name.matches(
                          "kueue4j-(api|runtime|sdk|http|jobs|core|observe|approval-check|budget-check|dependency-check|gpu-availability|http-check"
                              + "|policy-check|prometheus-check|provisioning|cli)-\\d.*"));
    }
  }

  @Test
  void shipsNoLibraryThatNothingNeeds() throws IOException {
    try (Stream<Path> libraries = Files.list(distribution.resolve("lib"))) {
      assertThat(libraries.map(each -> String.valueOf(each.getFileName())))
          .anyMatch(name -> name.startsWith("client-java-api-"))
          .as("what CEL needs when it runs")
          .anyMatch(name -> name.startsWith("protobuf-java-"))
          .noneMatch(name -> name.matches("(client-java-api-fluent|client-java-proto).*"));
    }
  }

  /** A stable name for users on the module path, see docs/adr/0010-no-module-descriptors.md. */
  @Test
  void eachJarNamesItsModuleAfterItsRootPackage() throws IOException {
    List<Path> jars;
    try (Stream<Path> libraries = Files.list(distribution.resolve("lib"))) {
      jars =
          libraries
              .filter(each -> String.valueOf(each.getFileName()).startsWith("kueue4j-"))
              .toList();
    }
    assertThat(jars).hasSizeGreaterThan(5);
    for (Path jar : jars) {
      try (JarFile opened = new JarFile(jar.toFile())) {
        String module = opened.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
        assertThat(module).as(jar.toString()).startsWith("io.github.kueue4j.");
        String root = module.replace('.', '/') + "/";
        assertThat(opened.stream().map(ZipEntry::getName).filter(each -> each.endsWith(".class")))
            .as(module)
            .isNotEmpty()
            .allMatch(each -> each.startsWith(root));
      }
    }
  }

  /** A program that says that it is this version of Java, and prints its arguments. */
  private Path java(String version) throws IOException {
    Path java = folder.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(
        java,
        """
        #!/bin/sh
        if [ "$1" = -version ]; then echo 'openjdk version "%s"' >&2; exit; fi
        for each; do echo "<$each>"; done
        """
            .formatted(version));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return folder.resolve("jdk");
  }

  @ParameterizedTest
  @CsvSource({"17.0.15, jdk, has Java 17", "21.0.2, missing, has no bin/java"})
  void refusesAJavaThatIsTooOldOrMissing(String version, String named, String problem)
      throws Exception {
    Path home = java(version).resolveSibling(named);

    Outcome outcome =
        run(
            Map.of("KUEUE4J_JAVA_HOME", home.toString()),
            List.of(distribution.resolve("bin/kueue4j").toString(), "--version"));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "kueue4j: KUEUE4J_JAVA_HOME=%s %s; set it to a Java of at least 21, or unset it.\n"
                .formatted(home, problem));
  }

  @Test
  void startsOnTheJavaThatItIsGivenWhereverItIsCalledFrom() throws Exception {
    Path home = java("21.0.2");
    Path link = folder.resolve("a link");
    Files.createSymbolicLink(link, distribution.resolve("bin/kueue4j"));

    Outcome outcome =
        run(
            Map.of("KUEUE4J_JAVA_HOME", home.toString(), "KUEUE4J_JAVA_OPTS", "-Xmx1g -Da=b"),
            List.of(link.toString(), "explain", "a b", ""));
    Files.delete(link);

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines())
        .startsWith(
            "<-XX:TieredStopAtLevel=1>",
            "<-Xmx1g>",
            "<-Da=b>",
            "<-Dkueue4j.command=kueue4j>",
            "<-cp>")
        .endsWith("<io.github.kueue4j.cli.Main>", "<explain>", "<a b>", "<>")
        .anyMatch(line -> line.contains(distribution + "/lib/kueue4j-cli-"));
  }

  /** A queue with eight GPUs, as many on a node, and a Job each that fits and does not. */
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: ml}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: gpus, labels: {pool: a100}}
      status:
        allocatable: {cpu: "64", nvidia.com/gpu: "8"}
        conditions: [{type: Ready, status: "True"}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: gpu}
      spec: {controllerName: kueue4j.io/gpu-availability}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: a100}
      spec: {nodeLabels: {pool: a100}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: ml}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors: [{name: a100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]
        admissionChecksStrategy: {admissionChecks: [{name: gpu}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: ml}
      spec: {clusterQueue: ml}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: modest, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        suspend: true
        template:
          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {nvidia.com/gpu: 4}, limits: {nvidia.com/gpu: 4}}}]}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: greedy, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        suspend: true
        template:
          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {nvidia.com/gpu: 16}, limits: {nvidia.com/gpu: 16}}}]}
      """;

  private LocalProcess start(String name, String... arguments) {
    List<String> command = new ArrayList<>(List.of(script()));
    command.addAll(List.of(arguments));
    return LocalProcess.start(name, folder, command);
  }

  private static String script() {
    return distribution.resolve("bin/kueue4j").toString();
  }

  private static void awaitLine(LocalProcess process, String line) {
    await(line)
        .atMost(PATIENCE)
        .failFast(() -> assertThat(process.isAlive()).as(process.tail()).isTrue())
        .until(() -> process.hasPrinted(line));
  }

  private Outcome run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(script()));
    command.addAll(List.of(arguments));
    return run(Map.of(), command);
  }

  private Outcome run(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
