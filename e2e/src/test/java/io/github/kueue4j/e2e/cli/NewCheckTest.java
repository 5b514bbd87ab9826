// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stranger's project: written, built and tested by Maven, and run against the real core. */
@Order(1)
class NewCheckTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  /** As the tests of this build: so short a life never earns back the second compiler's work. */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

  private static final ObjectKey PARAMETERS = new ObjectKey("checks", "license");

  // Holds links into the machine's Maven repository, which a folder of JUnit warns about.
  private final TemporaryFolder temporary = TemporaryFolder.create("new-check");
  private final Path folder = temporary.path();

  private record Outcome(int status, String out, String err) {}

  @AfterEach
  void remove() {
    temporary.close();
  }

  @Tag("landing")
  @Test
  void writesAProjectThatBuildsAndDelaysAndAdmitsAJob() throws Exception {
    Path project = folder.resolve("license-check");

    Outcome written = newCheck("license", "--namespace=checks", "--directory=" + project);

    assertThat(written.status()).as(written.err()).isZero();
    assertThat(written.out()).contains("deploy/rbac.yaml", "LicenseCheckTest.java", "mvn verify");
    assertThat(leftPlaceholders(project)).isEmpty();
    build(project);
    try (TimeSource time = TimeSource.system();
        Playground cluster =
            Playground.start(
                new Playground.Options(
                    0, Playground.quietConfiguration(), Set.of(), Duration.ofSeconds(1)),
                time);
        ClusterConnection connection =
            ClusterConnection.builder("new-check-test")
                .kubeconfig(cluster.kubeconfig(), null)
                .connect();
        LocalProcess check = start(project, cluster)) {
      for (String file : List.of("deploy/check.yaml", "example/queue.yaml")) {
        Manifests.parse(Files.readString(project.resolve(file))).createIn(connection.api());
      }
      await("the check puts the Job off")
          .atMost(PATIENCE)
          .failFast(() -> assertThat(check.isAlive()).as(check.tail()).isTrue())
          .until(() -> workload(connection).filter(NewCheckTest::isPutOff).isPresent());

      connection
          .api()
          .patch(
              CoreTypes.CONFIG_MAP,
              PARAMETERS,
              new MergePatch(
                  JsonParser.parseString("{\"data\":{\"open\":\"true\"}}").getAsJsonObject()));

      await("the Job runs, well before its delay of 30 s is over")
          .atMost(PATIENCE)
          .until(() -> workload(connection).filter(NewCheckTest::isAdmitted).isPresent());
      // It logs a verdict once the write has been answered, and the core may have been quicker.
      await("the check says that it let the Job through")
          .atMost(PATIENCE)
          .until(() -> check.hasPrinted("Wrote a verdict") && check.hasPrinted("state=\"Ready\""));
    }
  }

  @Test
  void aNameThatEndsInCheckNamesTheProgramToo() throws Exception {
    Path project = folder.resolve("quota");

    Outcome written = newCheck("quota-check", "--directory=" + project);

    assertThat(written.status()).as(written.err()).isZero();
    assertThat(written.out()).contains("/QuotaCheckTest.java", "target/quota-check.jar --help");
    assertThat(read(project.resolve("deploy/rbac.yaml")))
        .contains("--name quota-check --check quota-check ");
    assertThat(leftPlaceholders(project)).isEmpty();
    try (Stream<Path> files = Files.walk(project)) {
      assertThat(files.filter(Files::isRegularFile).map(NewCheckTest::read))
          .isNotEmpty()
          .noneMatch(text -> text.contains("check-check"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "License | the name 'License' can't be used: a letter, then letters, digits and '-', lower case, at most 40",
        "x- | the name 'x-' can't be used",
        "license --package=com.example.class | the package 'com.example.class' is none; give one such as com.example.license",
        "license --controller-name=license | 'license' can't be the name of a check controller: write a domain of yours, a slash and a name",
        "license --namespace=A | 'A' is no name of a namespace",
        "license --directory=/proc | /proc exists and isn't empty; choose another with --directory",
      })
  void saysWhatNamesItTakes(String arguments, String problem) {
    Outcome outcome = newCheck(arguments.split(" "));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("kueue4j: " + problem);
  }

  private static Outcome newCheck(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] line =
        Stream.concat(Stream.of("new-check"), Stream.of(arguments)).toArray(String[]::new);
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), line);
    return new Outcome(status, out.toString(), err.toString());
  }

  private static List<Path> leftPlaceholders(Path project) throws Exception {
    try (Stream<Path> files = Files.walk(project)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> read(file).matches("(?s).*@[a-zA-Z]+@.*"))
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As its README says, with this build's artifacts installed. */
  private void build(Path project) throws Exception {
    Path repository = folder.resolve("repository");
    StagedArtifacts.in(repository);
    Path log = folder.resolve("maven.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Checkout.root().resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + repository,
                "-DargLine=" + SHORT_LIVED,
                "verify")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // What is set already, such as a proxy, stays.
    builder.environment().merge("MAVEN_OPTS", SHORT_LIVED, (given, ours) -> given + " " + ours);
    // What Surefire says, as a Maven of the reader's own would show it.
    builder.environment().put("KUEUE4J_VERBOSE", "1");
    Process maven = builder.start();
    maven.getOutputStream().close();
    assertThat(maven.waitFor(10, TimeUnit.MINUTES)).as("Maven ends: " + read(log)).isTrue();
    assertThat(maven.exitValue()).as(read(log)).isZero();
    assertThat(read(log)).contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
  }

  private LocalProcess start(Path project, Playground cluster) {
    return LocalProcess.start(
        "license-check",
        folder,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-jar",
            project.resolve("target/license-check.jar").toString(),
            "--kubeconfig=" + cluster.kubeconfig()));
  }

  private static Optional<Workload> workload(ClusterConnection connection) {
    return connection
        .api()
        .list(KueueTypes.WORKLOAD, ListOptions.inNamespace("checks"))
        .items()
        .stream()
        .findFirst();
  }

  private static boolean isPutOff(Workload workload) {
    return workload.status().requeueState() != null
        && says(workload, WorkloadConditions.QUOTA_RESERVED, Condition.FALSE);
  }

  private static boolean isAdmitted(Workload workload) {
    return says(workload, WorkloadConditions.ADMITTED, Condition.TRUE);
  }

  private static boolean says(Workload workload, String type, String status) {
    return workload.status().conditions().stream()
        .anyMatch(condition -> condition.type().equals(type) && condition.status().equals(status));
  }
}
