// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.TestLog;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide's test prints, with Logback, in a project of its own. */
@Tag("landing")
class LoggingOfTestsTest {
  private static final Path GUIDES = Checkout.root().resolve("docs/guides");
  private static final int ENOUGH = 10;

  @TempDir Path project;

  /** In one process, which has no configuration of its own; a nightly build has one for each. */
  @Test
  void withoutAnyConfigurationOfLogbackAndWithTheOneOfTheGuideAboutTests() throws Exception {
    String configuration =
        Files.writeString(project.resolve("guide.xml"), configurationIn("testing.md")).toString();

    List<String> lines = lines(2, configuration);

    int second = lines.indexOf(configuration);
    assertFew(lines.subList(0, second));
    assertFew(lines.subList(second + 1, lines.size()));
  }

  @Tag("nightly")
  @Test
  void withTheConfigurationOfTheGuideAboutTests() throws Exception {
    Files.writeString(project.resolve("logback-test.xml"), configurationIn("testing.md"));

    assertFew(lines(1));
  }

  /** A build reads it in {@code TerminationTest}. */
  @Tag("nightly")
  @Test
  void withTheConfigurationOfTheGuideAboutProduction() throws Exception {
    Files.writeString(project.resolve("logback.xml"), configurationIn("sdk.md"));

    assertFew(lines(1));
  }

  private static void assertFew(List<String> lines) {
    assertThat(lines)
        .hasSizeBetween(1, ENOUGH)
        .anyMatch(line -> line.contains("Wrote a verdict"))
        .noneMatch(line -> line.startsWith("\tat ") || line.contains("ERROR"));
  }

  /**
   * What runs of the test print, without the JVM's own warnings about libraries.
   *
   * @param runs of which all succeed: one, and one for each configuration
   */
  private List<String> lines(int runs, String... configurations) throws Exception {
    Path classes = copyOfTheExample();
    Path log = project.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                project
                    + File.pathSeparator
                    + classPathWithout(Set.of(classes, folderOf(TestLog.class))),
                OneTest.class.getName(),
                LicenseCheckTest.class.getName()));
    command.addAll(List.of(configurations));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as("%s", Files.readString(log)).isEqualTo(runs);
    return Files.readAllLines(log).stream().filter(line -> !line.startsWith("WARNING: ")).toList();
  }

  /** What our tests capture, and the configuration of Logback that goes with it, no project has. */
  private static String classPathWithout(Set<Path> folders) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !folders.contains(Path.of(entry).toAbsolutePath()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path folderOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Copies this package's classes into the project; returns the folder where they were. */
  private Path copyOfTheExample() throws Exception {
    Path classes = folderOf(LicenseCheckTest.class);
    String packageFolder =
        LicenseCheckTest.class
            .getPackageName()
            .replace(".", FileSystems.getDefault().getSeparator());
    Path target = Files.createDirectories(project.resolve(packageFolder));
    try (Stream<Path> files = Files.list(classes.resolve(packageFolder))) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName().toString()));
      }
    }
    return classes;
  }

  private static String configurationIn(String guide) throws IOException {
    String page = Files.readString(GUIDES.resolve(guide));
    int from = page.indexOf("<configuration>");
    return page.substring(from, page.indexOf("```", from));
  }
}
