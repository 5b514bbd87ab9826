// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Maven Central asks of a pom, and that each module is published on purpose or not at all. */
class PublishedPomsTest {

  @Test
  void whatHasNoParentSaysAllThatIsAsked() {
    for (Poms pom : List.of(Poms.root(), Poms.read(Checkout.root().resolve("bom/pom.xml")))) {
      assertThat(
              List.of(
                  "/project/name",
                  "/project/description",
                  "/project/url",
                  "/project/licenses/license/name",
                  "/project/licenses/license/url",
                  "/project/developers/developer/name",
                  "/project/developers/developer/url",
                  "/project/scm/connection",
                  "/project/scm/developerConnection",
                  "/project/scm/url"))
          .allSatisfy(path -> assertThat(pom.text(path)).as(pom + " " + path).isNotEmpty());
      assertThat(pom.texts("/project/profiles/profile[id='sign']//artifactId"))
          .containsExactly("maven-gpg-plugin");
    }
  }

  @Test
  void eachPublishedModuleHasANameADescriptionAndAModuleName() {
    assertThat(Poms.modules().stream().filter(Poms::published))
        .hasSize(7)
        .allSatisfy(
            pom -> {
              assertThat(pom.text("/project/name")).isEqualTo(pom.artifact());
              assertThat(pom.text("/project/description")).isNotEmpty();
              assertThat(pom.artifact().equals("kueue4j-bom"))
                  .isEqualTo(pom.text("/project/properties/module.name").isEmpty());
            });
  }

  @Test
  void theBomNamesWhatIsPublished() {
    Poms bom = Poms.read(Checkout.root().resolve("bom/pom.xml"));

    assertThat(bom.texts("/project/dependencyManagement/dependencies/dependency/artifactId"))
        .containsExactlyInAnyOrderElementsOf(
            Poms.modules().stream()
                .filter(Poms::published)
                .map(Poms::artifact)
                .filter(artifact -> !artifact.equals("kueue4j-bom"))
                .toList());
  }

  @Test
  void thePageNamesWhatIsPublishedAndWhatIsNot() throws IOException {
    String page = Files.readString(Checkout.root().resolve("docs/releases.md"));
    String published =
        page.substring(page.indexOf("## What is published"), page.indexOf("Not published"));

    assertThat(Poms.modules()).isNotEmpty();
    for (Poms module : Poms.modules()) {
      assertThat(published.contains('`' + module.artifact() + '`'))
          .as(module.artifact())
          .isEqualTo(module.published());
    }
  }

  /** A published artifact must not need one that isn't published. */
  @Test
  void noPublishedModuleDependsOnAnUnpublishedOne() {
    List<String> unpublished =
        Poms.modules().stream().filter(pom -> !pom.published()).map(Poms::artifact).toList();

    assertThat(Poms.modules().stream().filter(Poms::published))
        .isNotEmpty()
        .allSatisfy(
            pom ->
                assertThat(
                        pom.texts("/project/dependencies/dependency[not(scope='test')]/artifactId"))
                    .as(pom.toString())
                    .doesNotContainAnyElementsOf(unpublished));
  }
}
