// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What a run of tests tells while it runs, and what it leaves for the end of a red build. */
@ResourceLock("jqwik") // It runs once at a time, also where a run has no properties.
class RunReportTest {
  @TempDir Path root;

  private Path module;

  @BeforeEach
  void makeModule() throws IOException {
    Files.createFile(root.resolve("mvnw"));
    module = Files.createDirectories(root.resolve("sdk/some"));
  }

  /** Runs the class, and returns what its report printed. */
  private List<String> report(Class<?> offender) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(offender))
                .configurationParameter("jqwik.database", root.resolve("properties").toString())
                .build(),
            RunReport.inner(new PrintStream(printed, true, StandardCharsets.UTF_8), module));
    return printed
        .toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.replaceFirst(", in \\d+ s$", ""))
        .map(line -> line.replaceFirst("^sdk/some \\(\\w+\\)", "sdk/some")) // this build's lane
        .toList();
  }

  /** What mvnw prints at the end. */
  private String left() throws IOException {
    Path folder = module.resolve("target/failed-tests");
    if (!Files.exists(folder)) {
      return "";
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(RunReportTest::read).collect(Collectors.joining());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static class Green {
    @Test
    void passes() {
      assertThat(1).isOne();
    }

    @Test
    void skipped() {
      Assumptions.abort("no Docker engine answers");
    }
  }

  @Test
  void aGreenRunIsALineAndTheReasonsOfWhatWasSkipped() throws IOException {
    assertThat(report(Green.class))
        .containsExactly(
            "sdk/some: 1 passed, 0 failed, 1 skipped",
            "sdk/some: 1 skipped: no Docker engine answers");
    assertThat(left()).isEmpty();
  }

  static class Red {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void fails(int number) {
      AssertionError failure = new AssertionError("number " + number);
      if (number == 2) {
        failure.addSuppressed(new IllegalStateException("again by -Dkueue4j.sim.seed=-7."));
        throw failure;
      }
    }

    @TestFactory
    Stream<DynamicTest> made() {
      return Stream.of(
          DynamicTest.dynamicTest(
              "at run time",
              () -> {
                throw new AssertionError("two\nlines");
              }));
    }
  }

  @Test
  void aFailureIsToldAtOnceAndLeftWithTheCommandThatRepeatsIt() throws IOException {
    String red = RunReportTest.class.getName() + "$Red";

    assertThat(report(Red.class))
        .containsExactlyInAnyOrder(
            "sdk/some: FAILED " + red + ".fails [2] number=2: java.lang.AssertionError: number 2",
            "sdk/some: FAILED " + red + ".made at run time: java.lang.AssertionError: two lines",
            "sdk/some: 1 passed, 2 failed, 0 skipped");
    assertThat(left())
        .contains(
            """
            .fails [2] number=2: java.lang.AssertionError: number 2
              ./mvnw -q -o%s -pl sdk/some -am test '-Dtest=RunReportTest$Red#fails' \
            -Dsurefire.failIfNoSpecifiedTests=false -Dkueue4j.sim.seed=-7
            """
                .formatted(Nightly.isOn() ? " -Pnightly" : ""))
        .contains("'-Dtest=RunReportTest$Red#made'");
  }

  @Test
  void aFailureBesideTheTestsOfOtherModulesIsRepeatedInItsOwn() throws IOException {
    Path sources = module.resolve("src/test/java/io/github/kueue4j/testdefaults");
    Files.createFile(Files.createDirectories(sources).resolve("RunReportTest.java"));
    module = Files.createDirectories(root.resolve("config/tests"));

    report(Red.class);

    assertThat(left()).contains(" -pl sdk/some -am test '-Dtest=RunReportTest$Red#fails'");
  }

  /** With the database of jqwik that has the seed. */
  @Test
  void aPropertyThatFailsBesideOthersIsRepeatedThere() throws IOException {
    module = Files.createDirectories(root.resolve("config/tests"));

    report(Falsified.class);

    assertThat(left()).contains(" -pl config/tests -am test -Dkueue4j.together '-Dtest=");
  }

  static class BrokenClass {
    @BeforeAll
    static void breaks() {
      assertThat("today").as("when it works").isEqualTo("tomorrow");
    }

    @Test
    void neverRuns() {
      assertThat(1).isOne();
    }
  }

  @Test
  void aClassThatFailsIsRepeatedWhole() throws IOException {
    report(BrokenClass.class);

    assertThat(left())
        .contains("RunReportTest$BrokenClass: ")
        .contains("when it works")
        .contains("'-Dtest=RunReportTest$BrokenClass' ");
  }

  static class Falsified {
    @Property(tries = 5)
    boolean holds(@ForAll int any) {
      return false;
    }
  }

  @Test
  void thePropertysSeedIsNamed() throws IOException {
    assertThat(report(Falsified.class)).anyMatch(line -> line.contains("$Falsified.holds: "));
    assertThat(left())
        .containsPattern("Falsified.holds: seed -?\\d+, with which jqwik begins the next time\n")
        .contains("'-Dtest=RunReportTest$Falsified#holds'");
  }

  static class None {}

  @Test
  void aRunWithoutTestsSaysNothing() {
    assertThat(report(None.class)).isEmpty();
  }
}
