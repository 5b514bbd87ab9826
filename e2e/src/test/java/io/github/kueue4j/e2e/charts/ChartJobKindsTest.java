// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.ServingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the chart knows of the kinds of Jobs, and what it refuses of those that are declared. */
class ChartJobKindsTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void theKindsOfTheChartAreThoseOfTheCore() throws IOException {
    compare(
        "files/jobkinds.yaml",
        Integrations.ofAll().managed().stream()
            .filter(kind -> kind.suspendField().isPresent())
            .map(ChartJobKindsTest::line)
            .collect(
                Collectors.joining(
                    "",
                    "# The core's kinds of Jobs, with keys of kueue4j.jobKinds. A test writes them, see CONTRIBUTING.md.\n",
                    "")));
    compare(
        "files/servingkinds.yaml",
        ServingKind.ALL.stream()
            .map(
                kind ->
                    "- {framework: %s, apiVersion: %s, kind: %s, plural: %s, grouped: %s, templates: \"%s\"}\n"
                        .formatted(
                            kind.framework(),
                            kind.type().apiVersion(),
                            kind.type().kind(),
                            kind.type().plural(),
                            kind.grouped(),
                            kind.templatesInCel()))
            .collect(
                Collectors.joining(
                    "",
                    "# The kinds whose pods the core queues in place of their objects. A test writes them, see CONTRIBUTING.md.\n",
                    "")));
  }

  private static void compare(String name, String kinds) throws IOException {
    Path file = CORE.folder().resolve(name);
    if (Boolean.getBoolean("kueue4j.charts.write")) {
      Files.writeString(file, kinds);
    }

    assertThat(Files.readString(file))
        .as("brought up to date as CONTRIBUTING.md says")
        .isEqualTo(kinds);
  }

  private static String line(JobKind<?> kind) {
    return "- {framework: %s, apiVersion: %s, kind: %s, plural: %s, suspend: %s%s}\n"
        .formatted(
            kind.framework(),
            kind.type().apiVersion(),
            kind.type().kind(),
            kind.type().plural(),
            kind.suspendField().orElseThrow(),
            kind.podsIn()
                .flatMap(Integrations.ofAll().kinds()::frameworkOf)
                .map(needed -> ", needs: " + needed)
                .orElse(""));
  }

  @Test
  void aKindIsNotManagedWithoutThatWhichHasItsPods() {
    String configuration = "integrations: {frameworks: [trainer.kubeflow.org/trainjob]}";

    assertThatThrownBy(() -> CORE.render(values -> configured(values, configuration)))
        .hasMessageContaining("name jobset.x-k8s.io/jobset, too");
    assertThat(
            rights(
                values ->
                    configured(values, configuration).set("managerConfig.ignoreUnsupported", true)))
        .doesNotContain("[trainjobs]");
    assertThat(
            rights(
                values ->
                    configured(
                        values, configuration.replace("job]", "job, jobset.x-k8s.io/jobset]"))))
        .contains("[trainjobs]");
  }

  private static String rights(UnaryOperator<TemplateCommand> values) {
    return CORE.render(values).stream()
        .filter(each -> each.kind().equals("ClusterRole"))
        .map(each -> each.tree().toString())
        .collect(Collectors.joining());
  }

  private static TemplateCommand configured(TemplateCommand values, String configuration) {
    return values.set("managerConfig.controllerManagerConfigYaml", configuration);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {framework: a.b/c, apiVersion: a.b/v1, kind: Mine}                             | kueue4j.jobKinds[0] of the Configuration has no suspend
          {framework: a.b/c, apiVersion: a.b/v1, kind: 7, suspend: paused}               | kueue4j.jobKinds[0] of the Configuration has no kind
          {framework: a.b/c, apiVersion: v1, kind: Mine, suspend: paused}                | apiVersion must be a group and a version
          {framework: a.b/c, apiVersion: a.b/v1, kind: Mine, suspend: spec.not-now}      | since the API server asks for the field by an expression; it is "spec.not-now"
          {framework: a.b/c, apiVersion: a.b/v1, kind: Mine, suspend: spec.suspend, otherVersions: v1beta1} | kueue4j.jobKinds[0] of the Configuration: otherVersions must be a list of versions, such as [v1beta1], but is v1beta1
          {framework: a.b/c, apiVersion: a.b/v1, kind: Mine, suspend: spec.suspend, otherVersions: [v2, beta]} | kueue4j.jobKinds[0] of the Configuration: otherVersions[1] must be a version, such as v1beta1, but is beta
          {framework: a.b/c, apiVersion: a.b/v1, kind: Job, suspend: spec.suspend}       | is called Job, too
          {framework: a.b/c, apiVersion: a.b/v1, kind: WORKLOAD, suspend: spec.suspend}  | is called WORKLOAD, too
          """)
  void aDeclarationForWhichItHasNoWebhookIsRefused(String declared, String problem) {
    assertThatThrownBy(
            () ->
                CORE.renderWith(
                    """
                    managerConfig:
                      controllerManagerConfigYaml: |
                        webhook: {port: 9443}
                        kueue4j: {jobKinds: [%s]}
                    """
                        .formatted(declared)))
        .hasMessageContaining(problem);
  }
}
