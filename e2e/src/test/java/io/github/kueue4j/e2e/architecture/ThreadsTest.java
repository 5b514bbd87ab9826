// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.platform.launcher.core.LauncherFactory;

/** Threads of tests belong to {@link Actors}, which waits for them. */
class ThreadsTest {
  private static final String OFFENDERS = "io.github.kueue4j.e2e.architecture.offenders";

  /** Classes that make threads of their own, and why. */
  private static final Map<String, String> EXCEPTED =
      Map.of(
          "io.github.kueue4j.runtime.hazards.ShutdownLeakTest",
          "is about the thread that the JDK makes for the library; it closes the executor",
          "io.github.kueue4j.apiserver.example.GreetingControllerTest",
          "is quoted by a page, whose readers have no Actors; it joins the thread");

  private static final String CONSTRUCTOR = "<init>";
  private static final String PARALLEL = "parallel";

  /** What makes threads: types, and which of their methods and constructors. */
  private static final Map<String, Predicate<JavaCodeUnitAccess<?>>> MAKERS =
      Map.of(
          "java.util.concurrent.Executors",
          access -> true,
          "java.lang.Thread",
          named(CONSTRUCTOR, "ofVirtual", "ofPlatform", "startVirtualThread"),
          "java.util.concurrent.CompletableFuture",
          ThreadsTest::isAsynchronous,
          "java.util.concurrent.CompletionStage",
          ThreadsTest::isAsynchronous,
          "java.util.concurrent.ForkJoinPool",
          named(CONSTRUCTOR, "commonPool"),
          "java.util.concurrent.ThreadPoolExecutor",
          named(CONSTRUCTOR),
          "java.util.concurrent.ScheduledThreadPoolExecutor",
          named(CONSTRUCTOR),
          "java.util.Timer",
          named(CONSTRUCTOR));

  @Test
  void testsMakeNoThreads() throws Exception {
    makeNoThreads(not(resideInAnyPackage(OFFENDERS)))
        .check(imported(TestClasses.folders(), ThreadsTest::namesAMaker));
  }

  @Test
  void testsThatRunTestsDoSoOneAfterTheOther() throws Exception {
    classes()
        .that(describe("run tests", type -> accesses(type, LauncherFactory.class)))
        .and(
            describe(
                "are no programs", type -> type.tryGetMethod("main", String[].class).isEmpty()))
        .should()
        .beAnnotatedWith(ResourceLock.class)
        .orShould()
        .beAnnotatedWith(Isolated.class)
        .because("jqwik keeps what it runs in statics: @ResourceLock(\"jqwik\")")
        .check(
            imported(
                TestClasses.folders(),
                constants ->
                    constants.contains(LauncherFactory.class.getName().replace('.', '/'))));
  }

  private static boolean accesses(JavaClass type, Class<?> other) {
    return type.getAccessesFromSelf().stream()
        .anyMatch(access -> access.getTargetOwner().isEquivalentTo(other));
  }

  @Test
  void theOffenderIsFoundInAllItsMethods() throws Exception {
    JavaClasses all =
        imported(
            List.of(TestClasses.own().resolve(OFFENDERS.replace('.', '/'))),
            ThreadsTest::namesAMaker);

    EvaluationResult result = makeNoThreads(resideInAnyPackage(OFFENDERS)).evaluate(all);

    JavaClass offender = all.get(OFFENDERS + ".ThreadMaker");
    List<String> offences =
        offender.getMethods().stream()
            .map(JavaMethod::getName)
            .filter(name -> !name.startsWith("may") && !name.startsWith("lambda$"))
            .toList();
    assertThat(offences).hasSizeGreaterThan(10);
    List<String> details = result.getFailureReport().getDetails();
    assertThat(offences)
        .allSatisfy(name -> assertThat(details).anyMatch(each -> names(each, name)));
    assertThat(details).noneMatch(each -> each.contains("ThreadMaker.may"));
    assertThat(result.getFailureReport().toString()).contains("use Actors");
  }

  /** The subclass of Thread is a class of its own, made by the method. */
  private static boolean names(String detail, String method) {
    return method.equals("subclass")
        ? detail.contains("ThreadMaker$1.<init>")
        : detail.contains("ThreadMaker." + method + "(");
  }

  private static ArchRule makeNoThreads(DescribedPredicate<JavaClass> where) {
    return classes()
        .that(where)
        .and(areNotExcepted())
        .should(
            new ArchCondition<>("make no threads of their own") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnitAccessesFromSelf().stream()
                    .filter(ThreadsTest::makesAThread)
                    .forEach(
                        access ->
                            events.add(
                                SimpleConditionEvent.violated(type, access.getDescription())));
              }
            })
        .because(
            "a thread that outlives its test fails another: use Actors of"
                + " io.github.kueue4j.testdefaults, whose close waits for what it began; its pool()"
                + " and timers() are for code that takes nothing else");
  }

  private static DescribedPredicate<JavaClass> areNotExcepted() {
    return describe(
        "are not excepted",
        type ->
            EXCEPTED.keySet().stream()
                .noneMatch(name -> (type.getFullName() + '$').startsWith(name + '$')));
  }

  private static boolean makesAThread(JavaCodeUnitAccess<?> access) {
    return MAKERS.getOrDefault(access.getTargetOwner().getFullName(), other -> false).test(access)
        || access.getTarget().getName().equals(PARALLEL + "Stream")
        || isParallel(access);
  }

  private static Predicate<JavaCodeUnitAccess<?>> named(String... methods) {
    return access -> Set.of(methods).contains(access.getTarget().getName());
  }

  private static boolean isAsynchronous(JavaCodeUnitAccess<?> access) {
    String method = access.getTarget().getName();
    return (method.endsWith("Async") || method.equals("delayedExecutor")) && !takesExecutor(access);
  }

  private static boolean takesExecutor(JavaCodeUnitAccess<?> access) {
    return access.getTarget().getRawParameterTypes().stream()
        .map(HasName.AndFullName::getFullName)
        .anyMatch("java.util.concurrent.Executor"::equals);
  }

  private static boolean isParallel(JavaCodeUnitAccess<?> access) {
    return access.getTargetOwner().getPackageName().equals("java.util.stream")
        && access.getTarget().getName().equals(PARALLEL);
  }

  /** Those classes whose constants are of interest. */
  private static JavaClasses imported(List<Path> folders, Predicate<String> constants) {
    return new ClassFileImporter()
        .withImportOption(file -> constants.test(constants(file)))
        .importPaths(folders);
  }

  private static String constants(Location file) {
    try {
      return Files.readString(Path.of(file.asURI()), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean namesAMaker(String constants) {
    return constants.contains(PARALLEL)
        || MAKERS.keySet().stream().anyMatch(maker -> constants.contains(maker.replace('.', '/')));
  }
}
