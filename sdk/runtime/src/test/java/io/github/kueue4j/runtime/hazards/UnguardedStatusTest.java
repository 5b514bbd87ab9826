// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import org.junit.jupiter.api.Test;

/** The library's updateStatus replaces the whole status without a version precondition. */
class UnguardedStatusTest {

  /** Writes of whole objects: updateStatus, and PUTs under the generated clients' names. */
  private static final ArchRule NO_WHOLE_OBJECT_WRITES =
      noClasses()
          .that()
          .resideInAPackage("io.github.kueue4j..")
          .should()
          .callMethodWhere(
              DescribedPredicate.describe(
                  "updates or replaces an object through the client library",
                  (JavaCall<?> call) ->
                      call.getTargetOwner().getPackageName().startsWith("io.kubernetes.client")
                          // Its cache has an update of its own, which writes nothing.
                          && !call.getTargetOwner().getPackageName().contains(".informer.")
                          && call.getName()
                              .matches("updateStatus(Async)?|update(Async)?|replace.+")));

  @Test
  void theLibraryReplacesTheStatusWithoutAPrecondition() {
    try (var server =
            new ScriptedServer((request, answer) -> answer.json(200, "{\"kind\":\"Node\"}"));
        var raw = new RawClient(server.uri())) {
      var nodes =
          new GenericKubernetesApi<>(
              V1Node.class, V1NodeList.class, "", "v1", "nodes", raw.client());
      var node =
          new V1Node()
              .metadata(new V1ObjectMeta().name("n").resourceVersion("41"))
              .status(new V1NodeStatus().phase("x"));
      nodes.updateStatus(node, V1Node::getStatus);

      String body = server.received().getFirst().body();
      assertThat(body).contains("\"replace\"").contains("\"/status\"").doesNotContain("41");
    }
  }

  @Test
  void oursNeverCallsIt() {
    JavaClasses runtime =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/hazards/"))
            .importPackages("io.github.kueue4j.runtime");
    NO_WHOLE_OBJECT_WRITES.check(runtime);
  }

  @Test
  void theRuleFindsSuchACall() {
    JavaClasses thisClass = new ClassFileImporter().importClasses(UnguardedStatusTest.class);
    assertThat(NO_WHOLE_OBJECT_WRITES.evaluate(thisClass).hasViolation()).isTrue();
  }
}
