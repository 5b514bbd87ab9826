// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The project's rules that a compiler can't check. */
@AnalyzeClasses(
    packages = "io.github.kueue4j",
    importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {
  private static final String ROOT = "io.github.kueue4j.";

  /**
   * The wiring: the only classes that may read the system's clock or its randomness, because they
   * are where a clock or a random source is handed to all others.
   */
  private static final Set<String> WIRING =
      Set.of(
          ROOT + "api.time.SystemFlow",
          ROOT + "api.time.ScaledFlow",
          ROOT + "apiserver.EmbeddedApiServer$Builder",
          // What it exposes has the time of the process that scrapes it.
          ROOT + "testdefaults.RealPrometheus");

  private static final int MOST_PARAMETERS = 7;

  private static final DescribedPredicate<JavaAccess<?>> READS_THE_CLOCK =
      access(
              "reads the system's clock",
              "java\\.time\\.(Instant|LocalDate|LocalDateTime|OffsetDateTime|ZonedDateTime|LocalTime)",
              "now")
          .or(access("reads the system's clock", "java\\.lang\\.System", "currentTimeMillis"))
          .or(access("makes a system clock", "java\\.time\\.(Clock|InstantSource)", "system.*"))
          .or(access("makes a date of now", "java\\.util\\.Date", "<init>"));

  private static final DescribedPredicate<JavaAccess<?>> ROLLS_DICE =
      access("uses randomness", "java\\.lang\\.Math", "random")
          .or(access("uses randomness", "java\\.util\\.concurrent\\.ThreadLocalRandom", "current"));

  @ArchTest
  static final ArchRule timeIsInjected =
      noClasses()
          .that(areNotWiring())
          .should()
          .accessTargetWhere(READS_THE_CLOCK)
          .because("time comes from an injected TimeSource, so that it can be simulated");

  @ArchTest
  static final ArchRule randomnessIsInjected =
      noClasses().that(areNotWiring()).should().accessTargetWhere(ROLLS_DICE);

  @ArchTest
  static final ArchRule noStatusIsReplaced =
      noClasses()
          .should()
          .accessTargetWhere(
              access("replaces a status", "io\\.kubernetes\\..*", "updateStatus|replace.*Status.*"))
          .because("a status is patched where it is ours, never written back whole");

  @ArchTest
  static final ArchRule logsGoThroughSlf4j =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "java.util.logging..", "org.apache.commons.logging..", "org.apache.logging.."));

  @ArchTest
  static final ArchRule logbackIsWiring =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              ROOT + "cli",
              ROOT + "runtime.logging",
              ROOT + "sdk.program",
              ROOT + "testkit.logging",
              ROOT + "testdefaults")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("ch.qos.logback..")
          .because("a library leaves the choice of the provider to its program");

  @ArchTest
  static final ArchRule onlyTheLauncherPrints =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              ROOT + "cli", ROOT + "e2e.cli..", ROOT + "e2e.demo..", ROOT + "testdefaults")
          .and()
          // Its last words must not wait for a thread of the logging library.
          .doNotHaveFullyQualifiedName(ROOT + "runtime.FatalErrors")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule publicTypesStateTheirMaturity =
      classes()
          .that()
          .arePublic()
          .and()
          .areTopLevelClasses()
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .beAnnotatedWith(API.class);

  @ArchTest
  static final ArchRule signaturesHideTheMachinery =
      classes()
          .that()
          .arePublic()
          .should(
              notShow(
                  "io.kubernetes.client.extended.",
                  "io.kubernetes.client.informer.",
                  "io.github.resilience4j."));

  @ArchTest
  static final ArchRule namesSayWhatAThingIs =
      noClasses()
          .that()
          .resideInAPackage("io.github.kueue4j..")
          .should()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Impl");

  @ArchTest
  static final ArchRule constructorsTakeFewParameters =
      classes()
          .should(
              new ArchCondition<>("have no constructor with more than seven parameters") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  type.getConstructors().stream()
                      .filter(each -> parameters(each) > MOST_PARAMETERS && !isCanonical(each))
                      .forEach(each -> violated(events, type, each.getDescription()));
                }
              })
          .because("what belongs together has a name and owns something; ADR 53");

  @ArchTest
  static final ArchRule largeRecordsHaveOneMaker =
      classes()
          .that()
          .areRecords()
          .should(
              new ArchCondition<>("be made in one class, if they have more than seven components") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  Set<String> makers = makers(type);
                  if (components(type).size() > MOST_PARAMETERS && makers.size() > 1) {
                    violated(events, type, type.getName() + " is made in " + makers);
                  }
                }
              })
          .because("no two places shall know the order of so many components; ADR 53");

  private static void violated(ConditionEvents events, JavaClass type, String message) {
    events.add(SimpleConditionEvent.violated(type, message));
  }

  /** As many as its declaration has, without those that the compiler adds. */
  private static int parameters(JavaConstructor constructor) {
    JavaClass type = constructor.getOwner();
    if (type.isAnonymousClass() || type.isLocalClass()) {
      return 0; // Captured variables are among them.
    }
    int added = type.isEnum() ? 2 : type.isInnerClass() ? 1 : 0;
    return constructor.getRawParameterTypes().size() - added;
  }

  private static boolean isCanonical(JavaConstructor constructor) {
    JavaClass type = constructor.getOwner();
    return type.isRecord()
        && names(constructor.getRawParameterTypes().stream()).equals(components(type));
  }

  /** The types of a record's components, sorted. */
  private static List<String> components(JavaClass type) {
    return names(
        type.getFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .map(JavaField::getRawType));
  }

  private static List<String> names(Stream<JavaClass> types) {
    return types.map(JavaClass::getName).sorted().toList();
  }

  /** The outermost classes that call its constructors, besides its own. */
  private static Set<String> makers(JavaClass type) {
    return type.getConstructors().stream()
        .flatMap(each -> each.getAccessesToSelf().stream())
        .map(access -> outermost(access.getOriginOwner()))
        .filter(maker -> !maker.equals(outermost(type)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("[$].*", "");
  }

  private static DescribedPredicate<JavaAccess<?>> access(
      String description, String ownerPattern, String namePattern) {
    // Asked about every access of every class.
    Predicate<String> owner = Pattern.compile(ownerPattern).asMatchPredicate();
    Predicate<String> name = Pattern.compile(namePattern).asMatchPredicate();
    return describe(
        description,
        access ->
            owner.test(access.getTargetOwner().getFullName())
                && name.test(access.getTarget().getName())
                && !takesAClock(access));
  }

  /** {@code Instant.now(clock)} and {@code new Date(millis)} read what they are given. */
  private static boolean takesAClock(JavaAccess<?> access) {
    return access.getTarget()
            instanceof com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget call
        && Stream.of("now", "<init>").anyMatch(call.getName()::equals)
        && !call.getRawParameterTypes().isEmpty()
        && call.getRawParameterTypes().stream()
            .noneMatch(type -> type.getFullName().equals("java.time.ZoneId"));
  }

  private static DescribedPredicate<JavaClass> areNotWiring() {
    return describe("are not wiring", type -> !WIRING.contains(type.getFullName()));
  }

  private static ArchCondition<JavaClass> notShow(String... forbiddenPrefixes) {
    return new ArchCondition<>("show no type of " + String.join(" or ", forbiddenPrefixes)) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaCodeUnit member : type.getCodeUnits()) {
          if (isVisible(member.getModifiers())) {
            Stream.concat(
                    member.getRawParameterTypes().stream(), Stream.of(member.getRawReturnType()))
                .filter(shown -> isForbidden(shown))
                .forEach(shown -> report(events, type, member.getFullName(), shown));
          }
        }
        for (JavaField field : type.getFields()) {
          if (isVisible(field.getModifiers()) && isForbidden(field.getRawType())) {
            report(events, type, field.getFullName(), field.getRawType());
          }
        }
      }

      private boolean isForbidden(JavaClass shown) {
        String name = shown.getBaseComponentType().getFullName();
        return Stream.of(forbiddenPrefixes).anyMatch(name::startsWith);
      }

      private void report(ConditionEvents events, JavaClass type, String member, JavaClass shown) {
        events.add(SimpleConditionEvent.violated(type, member + " shows " + shown.getFullName()));
      }
    };
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
