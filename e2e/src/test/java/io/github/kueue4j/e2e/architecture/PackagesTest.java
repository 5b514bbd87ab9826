// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/** The packages within the modules: no cycles, pure rooms stay pure, internal types stay inside. */
@AnalyzeClasses(
    packages = "io.github.kueue4j",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  private static final String ROOT = "io.github.kueue4j.";

  /** The rooms of the core, and below it, that are functions of values. */
  private static final String[] PURE = {
    ROOT + "core.conversion..",
    ROOT + "core.admission..",
    ROOT + "core.lifecycle..",
    ROOT + "core.scheduler..",
    ROOT + "core.quota..",
    ROOT + "core.queue..",
    ROOT + "core.preemption..",
    ROOT + "core.usage..",
    ROOT + "jobs",
    ROOT + "jobs.declared..",
    ROOT + "core.status.."
  };

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().assignedFrom(eachPackage()).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule decisionsArePure =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "runtime..",
              ROOT + "core",
              ROOT + "core.cache..",
              ROOT + "core.state..",
              ROOT + "core.workload..",
              ROOT + "core.owner..",
              ROOT + "core.report..",
              "io.kubernetes.client.openapi.apis..",
              "io.kubernetes.client.openapi",
              "io.kubernetes.client.util..",
              "java.io..",
              "java.net..",
              "java.nio.channels..",
              "java.nio.file..",
              "java.util.concurrent.locks..",
              "okhttp3..",
              "org.slf4j..",
              "io.micrometer..")
          .because("they are functions of values: no I/O, no locks, no logging, no metrics");

  @ArchTest
  static final ArchRule thePackagesOfTheRuntimeStandOnEachOther =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage(ROOT + "runtime..")
          .layer("process")
          .definedBy(ROOT + "runtime")
          .layer("patch")
          .definedBy(ROOT + "runtime.patch..")
          .layer("client")
          .definedBy(ROOT + "runtime.client..")
          .layer("informer")
          .definedBy(ROOT + "runtime.informer..")
          .layer("lease")
          .definedBy(ROOT + "runtime.lease..")
          .layer("http")
          .definedBy(ROOT + "runtime.http..")
          .layer("controller")
          .definedBy(ROOT + "runtime.controller..")
          .layer("tls and logging")
          .definedBy(ROOT + "runtime.tls..", ROOT + "runtime.logging..")
          .ensureAllClassesAreContainedInArchitectureIgnoring(
              resideOutsideOfPackage(ROOT + "runtime.."))
          .whereLayer("process")
          .mayNotAccessAnyLayer()
          .whereLayer("patch")
          .mayNotAccessAnyLayer()
          .whereLayer("tls and logging")
          .mayNotAccessAnyLayer()
          .whereLayer("client")
          .mayOnlyAccessLayers("process", "patch")
          .whereLayer("informer")
          .mayOnlyAccessLayers("process", "client")
          .whereLayer("lease")
          .mayOnlyAccessLayers("process", "client", "patch")
          .whereLayer("http")
          .mayOnlyAccessLayers("process", "client")
          .whereLayer("controller")
          .mayOnlyAccessLayers("process", "client", "informer", "lease", "http")
          .because("each is found by what its reader comes for, see ADR 49");

  @ArchTest
  static final ArchRule explainAndRestoreWorkFromOutside =
      noClasses()
          .that()
          .resideInAnyPackage(ROOT + "observe.explain..", ROOT + "observe.restore..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "core",
              ROOT + "core.cache..",
              ROOT + "core.state..",
              ROOT + "core.workload..",
              ROOT + "core.report..")
          .because("they have to work while no core runs, see ADR 43 and ADR 15");

  @ArchTest
  static final ArchRule aDryRunHasNoCachesAndNoControllers =
      noClasses()
          .that()
          .resideInAnyPackage(
              ROOT + "observe.dryrun..", ROOT + "observe.forecast..", ROOT + "observe.recording..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "core",
              ROOT + "core.cache..",
              ROOT + "core.workload..",
              ROOT + "core.report..",
              ROOT + "observe.view..")
          .because("they have a State of their own and work while no core runs, see ADR 30 and 37");

  @ArchTest
  static final ArchRule internalTypesAreUsedInTheirModuleOnly =
      com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes()
          .that(areOurs())
          .should(useNoInternalTypeOfAnotherModule());

  @ArchTest
  static final ArchRule aSimpleNameMeansOneThingInItsModule =
      com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes()
          .that(areOurs())
          .should(haveASimpleNameOfTheirOwn());

  @ArchTest
  static final ArchRule theFenceDoesNotKnowTheController =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "sdk.internal.fence..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "sdk.internal.controller..");

  @ArchTest
  static final ArchRule theRoomsBehindTheSdkAreEnteredByItsFrontDoor =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "sdk..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "sdk.internal..")
          .because("authors and the other modules have the package sdk, see ADR 32");

  /** The front door of the SDK and what is behind it make one; interfaces stand in front. */
  private static String house(String packageName) {
    return packageName.startsWith(ROOT + "sdk.internal") ? ROOT + "sdk" : packageName;
  }

  private static SliceAssignment eachPackage() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return type.getPackageName().startsWith("io.github.kueue4j")
            ? SliceIdentifier.of(house(type.getPackageName()))
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "each package";
      }
    };
  }

  private static DescribedPredicate<JavaClass> areOurs() {
    return describe("are ours", type -> type.getPackageName().startsWith("io.github.kueue4j."));
  }

  /** The module: the first segment below the root package. */
  private static String module(JavaClass type) {
    String below = type.getPackageName().substring(ROOT.length());
    int dot = below.indexOf('.');
    return dot < 0 ? below : below.substring(0, dot);
  }

  /**
   * The core, the kinds of Jobs below it and observe above are built and shipped together: ADR 43
   * and 50.
   */
  private static ArchCondition<JavaClass> useNoInternalTypeOfAnotherModule() {
    return new ArchCondition<>("use no internal type of another module") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (areOurs().test(target)
              && !module(target).equals(module(type))
              && !(Set.of("observe", "core").contains(module(type))
                  && Set.of("core", "jobs").contains(module(target)))
              && isInternal(target)) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static boolean isInternal(JavaClass type) {
    Optional<API.Status> own = status(type);
    Optional<JavaClass> outer = type.getEnclosingClass();
    return own.map(API.Status.INTERNAL::equals)
        .orElse(outer.isPresent() && isInternal(outer.get()));
  }

  private static Optional<API.Status> status(JavaClass type) {
    return type.tryGetAnnotationOfType(API.class).map(API::status);
  }

  /** Builders apart, which are named after what they build by the type around them. */
  private static ArchCondition<JavaClass> haveASimpleNameOfTheirOwn() {
    return new ArchCondition<>("have a simple name that means nothing else in their module") {
      private final Map<String, Set<String>> byName = new HashMap<>();

      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String name = type.getSimpleName();
        if (name.isEmpty()
            || type.isAnonymousClass()
            || name.equals("Builder")
            || name.equals("package-info")) {
          return;
        }
        byName
            .computeIfAbsent(module(type) + " " + name, key -> new TreeSet<>())
            .add(type.getFullName());
      }

      @Override
      public void finish(ConditionEvents events) {
        byName.forEach(
            (name, types) -> {
              if (types.size() > 1) {
                events.add(
                    SimpleConditionEvent.violated(
                        types, "In module " + name + " stands for " + types));
              }
            });
      }
    };
  }
}
