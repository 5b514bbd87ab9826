// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every test runs, and asserts something: itself, or by the methods of tests that it calls. */
class AssertionsTest {
  private static final String OFFENDERS = "io.github.kueue4j.e2e.architecture.offenders";

  /** What makes a method a test. */
  private static final Set<String> TEST =
      Set.of(
          "org.junit.jupiter.api.Test",
          "org.junit.jupiter.api.RepeatedTest",
          "org.junit.jupiter.api.TestFactory",
          "org.junit.jupiter.params.ParameterizedTest",
          "net.jqwik.api.Property",
          "net.jqwik.api.Example");

  /** Tests that needn't assert, by the beginning of their names, and why. */
  private static final Map<String, String> EXCEPTED =
      Map.of(
          OFFENDERS + ".",
          "are for the test of this rule",
          "io.github.kueue4j.e2e.testing.LeaksTest$",
          "leave something behind; LeaksTest judges them",
          "io.github.kueue4j.e2e.testing.LogCaptureTest$",
          "log; LogCaptureTest judges them",
          "io.github.kueue4j.testdefaults.RunReportTest$",
          "pass, fail and are skipped; RunReportTest judges them",
          "io.github.kueue4j.testdefaults.TogetherEngineTest$",
          "tell when they run; TogetherEngineTest judges them",
          "io.github.kueue4j.testdefaults.TestOwnerTest$",
          "tell whose they are; TestOwnerTest judges them");

  /** Its main classes await for tests, and throw an AssertionError where that is in vain. */
  private static final String TESTKIT = "sdk/testkit";

  private static final List<JavaMethod> TESTS = new ArrayList<>();

  @BeforeAll
  static void importTests() throws Exception {
    List<Path> folders = new ArrayList<>(TestClasses.folders());
    folders.add(TestClasses.ofMain(TESTKIT));
    tests(TestClasses.imported(folders))
        .filter(test -> EXCEPTED.keySet().stream().noneMatch(test.getFullName()::startsWith))
        .forEach(TESTS::add);
  }

  @AfterAll
  static void forgetTests() {
    TESTS.clear();
  }

  /** A build finds tests by the names of their classes, and says nothing of others. */
  @Test
  void everyTestRuns() {
    assertThat(TESTS).hasSizeGreaterThan(2000);
    assertThat(
            TESTS.stream()
                .map(JavaMethod::getOwner)
                .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                .map(type -> type.getName().replaceFirst("\\$.*", ""))
                .filter(name -> !name.endsWith("Test"))
                .distinct())
        .as("classes of tests whose name doesn't end with Test, so that no build runs them")
        .isEmpty();
  }

  @Test
  void everyTestAsserts() {
    assertThat(TESTS).hasSizeGreaterThan(2000);
    assertThat(TESTS.stream().filter(test -> !asserts(test)).map(JavaMethod::getFullName))
        .as(
            "tests that come to no assertion, so that they pass when nothing happens: assert what"
                + " the name says")
        .isEmpty();
  }

  @Test
  void theOffendersAreFoundAndNothingElse() {
    JavaClasses all =
        TestClasses.imported(List.of(TestClasses.own().resolve(OFFENDERS.replace('.', '/'))));

    JavaClass offender = all.get(OFFENDERS + ".Assertionless");
    assertThat(tests(all).filter(test -> !asserts(test)).map(JavaMethod::getName))
        .containsExactlyInAnyOrderElementsOf(
            tests(offender)
                .map(JavaMethod::getName)
                .filter(name -> !name.startsWith("may"))
                .toList())
        .hasSizeGreaterThan(7);
  }

  private static Stream<JavaMethod> tests(Iterable<JavaClass> classes) {
    List<JavaMethod> tests = new ArrayList<>();
    classes.forEach(type -> tests(type).forEach(tests::add));
    return tests.stream();
  }

  private static Stream<JavaMethod> tests(JavaClass type) {
    return type.getMethods().stream()
        .filter(
            method ->
                method.getAnnotations().stream()
                    .anyMatch(each -> TEST.contains(each.getRawType().getFullName())));
  }

  private static boolean asserts(JavaMethod test) {
    return isJudgedByItsResult(test) || AssertionReach.reaches(test);
  }

  /** A property of jqwik fails if it returns false. */
  private static boolean isJudgedByItsResult(JavaMethod test) {
    String result = test.getRawReturnType().getFullName();
    return result.equals("boolean") || result.equals("java.lang.Boolean");
  }
}
