// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.time.GoDuration;

/**
 * Which module may depend on which: api ← runtime ← sdk ← http ← controllers; api ← jobs; runtime,
 * jobs ← core ← observe; observe, controllers ← cli ← e2e; api ← apiserver ← testkit. What is
 * shipped, cli and below, knows no test support.
 */
@AnalyzeClasses(
    packages = "io.github.kueue4j",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ModulesTest {
  private static final String ROOT = "io.github.kueue4j.";

  @ArchTest
  static final ArchRule dependenciesPointDownwards =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.github.kueue4j..")
          .layer("api")
          .definedBy(ROOT + "api..")
          .layer("runtime")
          .definedBy(ROOT + "runtime..")
          .layer("sdk")
          .definedBy(ROOT + "sdk..")
          .layer("http")
          .definedBy(ROOT + "http..")
          .layer("apiserver")
          .definedBy(ROOT + "apiserver..")
          .layer("testkit")
          .definedBy(ROOT + "testkit..")
          .layer("jobs")
          .definedBy(ROOT + "jobs..")
          .layer("core")
          .definedBy(ROOT + "core..")
          .layer("observe")
          .definedBy(ROOT + "observe..")
          .layer("controllers")
          .definedBy(
              ROOT + "budget..",
              ROOT + "gpu..",
              ROOT + "provisioning..",
              ROOT + "httpcheck..",
              ROOT + "prometheuscheck..",
              ROOT + "policycheck..",
              ROOT + "approvalcheck..",
              ROOT + "dependencycheck..")
          .layer("cli")
          .definedBy(ROOT + "cli..")
          .layer("e2e")
          .definedBy(ROOT + "e2e..")
          .whereLayer("api")
          .mayNotAccessAnyLayer()
          .whereLayer("runtime")
          .mayOnlyAccessLayers("api")
          .whereLayer("sdk")
          .mayOnlyAccessLayers("api", "runtime")
          .whereLayer("http")
          .mayOnlyAccessLayers("api", "sdk")
          .whereLayer("apiserver")
          .mayOnlyAccessLayers("api")
          .whereLayer("testkit")
          .mayOnlyAccessLayers("api", "apiserver")
          .whereLayer("jobs")
          .mayOnlyAccessLayers("api")
          .whereLayer("core")
          .mayOnlyAccessLayers("api", "runtime", "jobs")
          .whereLayer("observe")
          .mayOnlyAccessLayers("api", "runtime", "jobs", "core")
          .whereLayer("controllers")
          .mayOnlyAccessLayers("api", "sdk", "http")
          .whereLayer("cli")
          .mayOnlyAccessLayers(
              "api", "runtime", "sdk", "http", "jobs", "core", "observe", "controllers")
          .whereLayer("e2e")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule whatIsShippedHasNoTestSupport =
      ArchRuleDefinition.noClasses()
          .that()
          .resideOutsideOfPackages(
              ROOT + "apiserver..",
              ROOT + "testkit..",
              ROOT + "testdefaults..",
              ROOT + "simulation..",
              ROOT + "e2e..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "apiserver..",
              ROOT + "testkit..",
              ROOT + "testdefaults..",
              ROOT + "simulation..",
              "org.eclipse.jetty..",
              "org.junit..")
          .because(
              "an image of the core must not carry a fake API server; cli/pom.xml bans it too");

  @ArchTest
  static final ArchRule onlyRulesAreInCel =
      ArchRuleDefinition.noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + "apiserver..", ROOT + "policycheck..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.cel..")
          .because("it is large, and loaded by the one check that needs it");

  @ArchTest
  static final ArchRule theControllersKnowNothingOfEachOther =
      com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices()
          .matching(
              ROOT
                  + "(budget|gpu|provisioning|httpcheck|prometheuscheck|policycheck|approvalcheck|dependencycheck)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule onlyTheRuntimeTalksToTheCluster =
      ArchRuleDefinition.noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "runtime..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.kubernetes.client.extended..",
              "io.kubernetes.client.informer..",
              "io.kubernetes.client.openapi.apis..",
              "io.kubernetes.client.util.generic..")
          .because("the client's hazards are defended against in one place");

  @ArchTest
  static final ArchRule theApiServerKnowsQuantitiesAndDurationsOnly =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage(ROOT + "apiserver..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(ROOT + "api..")
                  .and(not(belongToAnyOf(Quantity.class, GoDuration.class))))
          .because("it serves the tests of any controller, and knows nothing of Kueue");

  @ArchTest
  static final ArchRule theApiServerUsesNoClient =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage(ROOT + "apiserver..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.kubernetes.client.custom..",
              "io.kubernetes.client.openapi..",
              "io.kubernetes.client.util..")
          .because("a mistake that server and client share would go unnoticed");

  @ArchTest
  static final ArchRule theTestkitLogsInAtOnePlace =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage(ROOT + "testkit..")
          .and()
          .resideOutsideOfPackage(ROOT + "testkit.client..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.kubernetes.client.util..",
              "io.kubernetes.client.openapi",
              "io.kubernetes.client.openapi.auth..")
          .because("the referee shares no code with the player, see ADR 0005");
}
