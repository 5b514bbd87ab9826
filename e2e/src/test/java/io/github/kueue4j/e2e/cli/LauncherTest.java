// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the launcher script builds and what it starts, in a small checkout whose Maven and Java are
 * scripts that say how they were called.
 */
class LauncherTest {
  private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> MODULES =
      List.of("sdk/api", "kueue-core", "observe", "controllers/one", "cli", "config/test-defaults");

  @TempDir Path folder;
  private Path checkout;

  private record Outcome(int status, String out, String err) {
    boolean built() {
      return err.contains("kueue4j: built in");
    }
  }

  @BeforeEach
  void makeCheckout() throws IOException {
    assumeTrue(
        Files.isExecutable(Path.of("/bin/bash")) || Files.isExecutable(Path.of("/usr/bin/bash")),
        "no bash here");
    checkout = Files.createDirectories(folder.resolve("checkout")).toRealPath();
    for (String script : List.of("kueue4j", "config/find-jdk.sh", "config/usage.txt")) {
      Path copy = checkout.resolve(script);
      Files.createDirectories(copy.getParent());
      Files.copy(Checkout.root().resolve(script), copy);
    }
    executable(checkout.resolve("mvnw"), fakeMaven("target/classes"));
    executable(
        folder.resolve("jdk/bin/java"),
        """
        #!/usr/bin/env bash
        if [ "$1" = -version ]; then echo 'openjdk version "21.0.2"' >&2; else echo "$@"; fi
        """);
    Files.createDirectories(checkout.resolve("e2e/target/classes"));
    write("pom.xml");
    write("e2e/pom.xml");
    write("e2e/src/main/java/Main.java");
    write("charts/core/files/crds/one.yaml");
    for (String module : MODULES) {
      Files.createDirectories(checkout.resolve(module).resolve("target/classes"));
      write(module + "/pom.xml");
      write(module + "/src/main/java/A.java");
      write(module + "/src/main/java/B.java");
    }
    writeEverythingLongAgo();
  }

  @Test
  void buildsOnceAndStartsFromTheClassFolders() throws Exception {
    Outcome first = launch();
    assertThat(first.status()).as(first.err()).isZero();
    assertThat(first.built()).isTrue();

    Outcome second = launch();

    assertThat(second.built()).isFalse();
    assertThat(second.out())
        .contains("-cp " + checkout + "/e2e/target/classes:" + checkout + "/sdk/api/target/classes")
        .contains("-Dkueue4j.command=./kueue4j", "io.github.kueue4j.cli.Main up");
  }

  @Test
  void startsFromTheClassFoldersAfterVerifyToo() throws Exception {
    executable(checkout.resolve("mvnw"), fakeMaven("target/kueue4j-x-0.1.0-SNAPSHOT.jar"));
    writeEverythingLongAgo();
    run(checkout.resolve("mvnw").toString());

    Outcome outcome = launch();

    assertThat(outcome.built()).isFalse();
    assertThat(outcome.out()).contains(":" + checkout + "/kueue-core/target/classes:");
  }

  @Tag("landing")
  @Test
  void buildsAfterAChangeOfASourceABuildFileOrAFolder() throws Exception {
    launch();
    Files.writeString(checkout.resolve("kueue-core/src/main/java/A.java"), "class A {}");
    assertThat(launch().built()).as("a source changed").isTrue();
    assertThat(launch().built()).isFalse();

    Files.writeString(checkout.resolve("controllers/one/pom.xml"), "<project/>");
    assertThat(launch().built()).as("a build file changed").isTrue();
    assertThat(launch().built()).isFalse();

    Files.writeString(checkout.resolve("charts/core/files/crds/one.yaml"), "kind: One");
    assertThat(launch().built()).as("a definition changed").isTrue();
    assertThat(launch().built()).isFalse();

    Files.delete(checkout.resolve("sdk/api/src/main/java/B.java"));
    assertThat(launch().built()).as("a source is gone").isTrue();
    assertThat(launch().built()).isFalse();
  }

  @Test
  void countsWhatWasSavedDuringTheBuildAsNotBuilt() throws Exception {
    executable(
        checkout.resolve("mvnw"),
        fakeMaven("target/classes") + "echo 'class A {}' >sdk/api/src/main/java/A.java\n");

    assertThat(launch().built()).isTrue();
    assertThat(launch().built()).isTrue();
  }

  @Test
  void buildsWhereAModuleCameFromElsewhere() throws Exception {
    launch();
    Path classpath = checkout.resolve("e2e/target/launcher.classpath");
    Path elsewhere = executable(folder.resolve("m2/kueue4j-api-0.1.0-SNAPSHOT.jar"), "");
    Files.writeString(classpath, Files.readString(classpath).strip() + ":" + elsewhere);

    assertThat(launch().built()).isTrue();
    assertThat(launch().built()).isFalse();
  }

  @Test
  void helpsWithoutABuild() throws Exception {
    String usage = Files.readString(checkout.resolve("config/usage.txt"));

    Outcome asked = run(checkout.resolve("kueue4j").toString(), "--help");
    Outcome unasked = run(checkout.resolve("kueue4j").toString());

    assertThat(asked).isEqualTo(new Outcome(0, usage, ""));
    assertThat(unasked).isEqualTo(new Outcome(2, usage, ""));
  }

  @Test
  void saysThatTheBuildFailed() throws Exception {
    executable(checkout.resolve("mvnw"), "#!/usr/bin/env bash\necho broken\nexit 1\n");

    Outcome outcome = launch();

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("broken", "the build failed");
  }

  @Test
  void theRealBuildSaysWhenItBegan() throws IOException {
    Path started = Checkout.root().resolve("e2e/target/launcher.started");

    assertThat(Instant.parse(Files.readString(started).strip()))
        .isBefore(Files.getLastModifiedTime(started).toInstant());
  }

  private Outcome launch() throws IOException, InterruptedException {
    return run(checkout.resolve("kueue4j").toString(), "up");
  }

  private Outcome run(String... command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("KUEUE4J_JAVA_HOME", folder.resolve("jdk").toString());
    Process process = builder.start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return new Outcome(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  /** A Maven that writes what e2e's build leaves for the launcher. */
  private String fakeMaven(String product) {
    String entries =
        String.join(":", MODULES.stream().map(each -> "$PWD/" + each + "/" + product).toList());
    return """
    #!/usr/bin/env bash
    cd "%s"
    date -u +%%Y-%%m-%%dT%%H:%%M:%%S.%%3NZ >e2e/target/launcher.started
    sleep 0.01
    printf '%%s' "%s:%s" >e2e/target/launcher.classpath
    """
        .formatted(checkout, entries, folder.resolve("jdk/bin/java"));
  }

  private void write(String file) throws IOException {
    Path path = checkout.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, "");
  }

  private static Path executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private void writeEverythingLongAgo() throws IOException {
    try (Stream<Path> tree = Files.walk(checkout)) {
      for (Path each : tree.toList()) {
        Files.setLastModifiedTime(each, FileTime.from(LONG_AGO));
      }
    }
  }
}
