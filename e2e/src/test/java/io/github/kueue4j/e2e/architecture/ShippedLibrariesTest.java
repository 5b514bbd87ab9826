// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;

/**
 * The distribution and the image do without two libraries that the Kubernetes client asks for: no
 * code that they can reach needs them.
 */
@ArchTag("thorough")
@AnalyzeClasses(
    packages = "io.github.kueue4j",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ShippedLibrariesTest {
  /** Read when a rule is checked: this class is loaded where its rules are left out, too. */
  private static final class Client {
    /** The client's models come by the thousand, and need nothing but each other. */
    static final JavaClasses CLASSES =
        new ClassFileImporter()
            .withImportOption(
                location ->
                    !location.contains("client-java-api-")
                        && !location.contains("client-java-proto-"))
            .importPackages("io.kubernetes.client");
  }

  private static final DescribedPredicate<JavaClass> LEFT_OUT =
      resideInAnyPackage("io.kubernetes.client.proto..", "io.kubernetes.client.fluent..")
          .or(
              resideInAPackage("io.kubernetes.client.openapi.models..")
                  .and(simpleNameEndingWith("Builder").or(simpleNameEndingWith("Fluent"))))
          .as("in client-java-api-fluent or client-java-proto");

  /** What the client library has for others than us. */
  private static final DescribedPredicate<JavaClass> NEEDS_THEM =
      resideInAPackage("io.kubernetes.client.extended.event.legacy..")
          .or(
              new DescribedPredicate<>("the client's ProtoClient or Monitoring") {
                @Override
                public boolean test(JavaClass type) {
                  return type.getName().startsWith("io.kubernetes.client.ProtoClient")
                      || type.getName().equals("io.kubernetes.client.monitoring.Monitoring");
                }
              });

  private static final DescribedPredicate<JavaClass> IN_THE_EMBEDDED_SERVER =
      resideInAnyPackage("io.github.kueue4j.apiserver..", "io.github.kueue4j.testkit..");

  @ArchTest
  static void whatIsShippedNeedsNoneOfTheLibrariesLeftOut(JavaClasses own) {
    holds(shipped().should().dependOnClassesThat(LEFT_OUT), own);
  }

  @ArchTest
  static void nothingReachesTheClassesThatWouldNeedThem(JavaClasses own) {
    holds(shipped().should().dependOnClassesThat(NEEDS_THEM), own);
  }

  /** The rules would hold if nothing were seen. */
  @ArchTest
  static void whatTheClientHasForOthersIsSeen(JavaClasses own) {
    ArchRule reversed = noClasses().that(NEEDS_THEM).should().dependOnClassesThat(LEFT_OUT);

    assertThat(own).isNotEmpty();
    assertThat(reversed.evaluate(Client.CLASSES).hasViolation()).isTrue();
  }

  private static void holds(ArchRule rule, JavaClasses own) {
    rule.check(own);
    rule.check(Client.CLASSES);
  }

  private static GivenClassesConjunction shipped() {
    return noClasses().that(DescribedPredicate.not(NEEDS_THEM.or(IN_THE_EMBEDDED_SERVER)));
  }
}
