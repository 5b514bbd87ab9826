/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.architecture;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/** Who may depend on whom: api ← runtime ← sdk ← controllers; runtime ← core; testkit → api. */
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
          .layer("testkit")
          .definedBy(ROOT + "testkit..")
          .layer("core")
          .definedBy(ROOT + "core..")
          .layer("controllers")
          .definedBy(ROOT + "budget..", ROOT + "gpu..", ROOT + "provisioning..")
          .layer("e2e")
          .definedBy(ROOT + "e2e..")
          .whereLayer("api")
          .mayNotAccessAnyLayer()
          .whereLayer("runtime")
          .mayOnlyAccessLayers("api")
          .whereLayer("sdk")
          .mayOnlyAccessLayers("api", "runtime")
          .whereLayer("testkit")
          .mayOnlyAccessLayers("api")
          .whereLayer("core")
          .mayOnlyAccessLayers("api", "runtime")
          .whereLayer("controllers")
          .mayOnlyAccessLayers("api", "sdk")
          .whereLayer("e2e")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule theControllersKnowNothingOfEachOther =
      com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices()
          .matching(ROOT + "(budget|gpu|provisioning)..")
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

  @ArchTest
  static final ArchRule decisionsArePure =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAnyPackage(ROOT + "core.lifecycle..", ROOT + "core.scheduler..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "runtime..", "java.net..", "java.util.concurrent.locks..", "org.slf4j..")
          .because("they are functions of values: no I/O, no locks, no logging")
          .allowEmptyShould(true);
}
