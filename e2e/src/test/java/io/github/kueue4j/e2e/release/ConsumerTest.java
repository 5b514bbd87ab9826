// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a release publishes, in a local repository that {@code deploy} has filled, and a third
 * party's check that gets it from there only.
 */
@Tag("nightly")
class ConsumerTest {
  private static final String VERSION = Poms.root().text("/project/version");
  private static final Path GROUP = Path.of("io", "github", "kueue4j");

  private Path staging;

  // Holds links into the machine's Maven repository, which a folder of JUnit warns about.
  private final TemporaryFolder temporary = TemporaryFolder.create("consumer");

  @BeforeEach
  void find() {
    String named = System.getProperty("kueue4j.staging", "");
    assumeTrue(!named.isEmpty(), "no -Dkueue4j.staging=FOLDER; see docs/releases.md");
    staging = Path.of(named).toAbsolutePath();
  }

  @AfterEach
  void remove() {
    temporary.close();
  }

  @Test
  void holdsWhatIsPublishedWithSourcesAndJavadocAndNothingElse() throws IOException {
    try (Stream<Path> artifacts = Files.list(staging.resolve(GROUP))) {
      assertThat(artifacts.filter(Files::isDirectory).map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      Stream.of("kueue4j-parent"),
                      Poms.modules().stream().filter(Poms::published).map(Poms::artifact))
                  .toList());
    }
    for (Poms module : Poms.modules()) {
      if (module.published() && !module.artifact().equals("kueue4j-bom")) {
        List<String> files = files(module.artifact());
        assertThat(files).anyMatch(file -> file.endsWith("-sources.jar"));
        assertThat(files).anyMatch(file -> file.endsWith("-javadoc.jar"));
        assertThat(files).anyMatch(file -> file.endsWith(".pom"));
        String jar =
            files.stream()
                .filter(file -> file.matches(module.artifact() + "-[\\d.-]+(SNAPSHOT)?\\.jar"))
                .findFirst()
                .orElseThrow();
        try (JarFile file = new JarFile(folder(module.artifact()).resolve(jar).toFile())) {
          assertThat(file.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
              .isEqualTo(module.text("/project/properties/module.name"));
        }
      }
    }
  }

  @Test
  void aCheckBuildsAndPassesItsTestWithThePublishedArtifactsOnly() throws Exception {
    Path project = temporary.path().resolve("project");
    copy(Path.of(Objects.requireNonNull(getClass().getResource("/consumer")).toURI()), project);
    Path repository = temporary.path().resolve("repository");
    MachineRepository.linkInto(repository);
    Path log = temporary.path().resolve("maven.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Checkout.root().resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-o",
                "-Daether.offline.protocols=file",
                "-Dmaven.repo.local=" + repository,
                "-Dkueue4j.staging=" + staging.toUri(),
                "-Dkueue4j.version=" + VERSION,
                "-Djunit.version=" + Poms.root().text("/project/properties/junit.version"),
                "verify")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("KUEUE4J_VERBOSE", "1"); // with what Surefire says
    Process maven = builder.start();
    maven.getOutputStream().close();

    assertThat(maven.waitFor(10, TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(log);
    assertThat(maven.exitValue()).as(said).isZero();
    assertThat(said).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
    assertThat(repository.resolve(GROUP).resolve("kueue4j-sdk").resolve(VERSION)).isDirectory();
  }

  private Path folder(String artifact) {
    return staging.resolve(GROUP).resolve(artifact).resolve(VERSION);
  }

  private List<String> files(String artifact) throws IOException {
    try (Stream<Path> files = Files.list(folder(artifact))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
