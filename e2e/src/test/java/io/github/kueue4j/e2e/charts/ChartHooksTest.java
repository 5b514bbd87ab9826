// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hooks that remove what a release leaves behind; {@code UninstallRightsTest} runs them. */
class ChartHooksTest {
  private static final String CORE = "kueue-core";
  private static final String CHECKS = "admission-checks";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void theJobRunsLikeTheOtherPodsAndForAShortTime(String chart) {
    Rendered job = only(afterUninstall(chart, "{}"), "Job");
    Rendered deployment =
        Chart.named(chart).render().stream()
            .filter(each -> each.kind().equals("Deployment"))
            .findFirst()
            .orElseThrow();

    assertThat(job.at("spec", "template", "spec", "securityContext"))
        .isNotNull()
        .isEqualTo(deployment.at("spec", "template", "spec", "securityContext"));
    assertThat(container(job))
        .contains(
            "securityContext={allowPrivilegeEscalation=false, capabilities={drop=[ALL]},"
                + " readOnlyRootFilesystem=true}",
            "image=localhost/kueue4j:");
    assertThat(String.valueOf(job.at("spec", "activeDeadlineSeconds"))).isEqualTo("180");
    assertThat(String.valueOf(job.at("spec", "backoffLimit"))).isEqualTo("2");
    assertThat(afterUninstall(chart, "{}"))
        .hasSizeGreaterThan(3)
        .allSatisfy(
            each ->
                assertThat(String.valueOf(each.at("metadata", "annotations")))
                    .contains(
                        "\"helm.sh/hook-weight\"",
                        "\"helm.sh/hook-delete-policy\":\"before-hook-creation,hook-succeeded\""));
  }

  @Test
  void whatItRemovesIsWhatTheValuesName() {
    assertThat(arguments(CORE, "{}"))
        .contains(
            "--namespace=kueue-system",
            "--lease=c1f6bfd2.kueue.x-k8s.io",
            "--webhook-service=kueue-webhook-service");
    assertThat(
            arguments(
                CORE,
                "managerConfig: {controllerManagerConfigYaml: \"{leaderElection: {resourceName: mine},"
                    + " internalCertManagement: {webhookServiceName: own}, webhook: {}}\"}"))
        .contains("--lease=mine", "--webhook-service=own");
    assertThat(
            arguments(
                CHECKS,
                "{checks: {gpu: {enabled: false}, http: {enabled: true}}, customChecks: {own: {image:"
                    + " {repository: own}, controllerName: a.b/c, lease: its}, plain: {image:"
                    + " {repository: p}, controllerName: a.b/d, sdkOptions: false}}}"))
        .contains("--lease=kueue4j-check-budget, --lease=kueue4j-check-http, --lease=its]");
  }

  @Test
  void definitionsOfOthersAreLeftToThem() {
    List<Rendered> hooks = afterUninstall(CORE, "crds: {install: false}");

    assertThat(hooks).map(Rendered::kind).doesNotContain("ClusterRole", "ClusterRoleBinding");
    assertThat(container(only(hooks, "Job"))).doesNotContain("--webhook-service");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kueue-core       | uninstall: {hook: {enabled: false}}
          kueue-core       | managerConfig: {controllerManagerConfigYaml: "leaderElection: {leaderElect: false}"}
          admission-checks | uninstall: {hook: {enabled: false}}
          admission-checks | {checks: {budget: {enabled: false}, gpu: {enabled: false}}, customChecks: {own: {image: {repository: own}, controllerName: a.b/c}}}
          """)
  void thereIsNoneWhereItIsSwitchedOffOrHasNothingToDo(String chart, String values) {
    assertThat(afterUninstall(chart, values)).isEmpty();
  }

  /** As where no node takes its pod: the Job controller ends it after its time. */
  @Test
  void aHookThatFailsHoldsNothingUp() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      Path kubeconfig = server.kubeconfig(folder.resolve("kubeconfig"));
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-checks}}");
      Chart checks = Chart.named(CHECKS);
      PlayedHook hook =
          new PlayedHook(
              "checks",
              new ObjectKey("kueue-checks", "checks-checks-after-uninstall"),
              kubeconfig,
              kubeconfig);
      checks.install("checks", "kueue-checks", kubeconfig);

      assertThat(hook.uninstallInVain()).contains("job checks-checks-after-uninstall failed");
      try (ClusterContents cluster = ClusterContents.of(kubeconfig)) {
        assertThat(cluster.objects())
            .contains("jobs kueue-checks/checks-checks-after-uninstall")
            .noneMatch(each -> each.startsWith("deployments"));
      }

      checks.install("checks", "kueue-checks", kubeconfig);
      server.apply(
          "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name:"
              + " kueue4j-check-budget, namespace: kueue-checks}, spec: {holderIdentity: \"\"}}");
      assertThat(hook.uninstall()).contains("kueue4j-check-budget: deleted");
    }
  }

  /**
   * The library renders no hooks: here they are rendered as objects of the release. That Helm takes
   * them for hooks is seen where a release is uninstalled.
   */
  private List<Rendered> afterUninstall(String chart, String values) {
    try {
      Chart copy =
          Chart.named(chart).copyWithout("README.md", Files.createTempDirectory(folder, chart));
      Path template = copy.folder().resolve("templates/afteruninstall.yaml");
      String text = Files.readString(template);
      assertThat(text).contains("    helm.sh/hook: post-delete\n");
      Files.writeString(template, text.replace("    helm.sh/hook: post-delete\n", ""));
      return copy.renderWith(values).stream()
          .filter(each -> each.name().endsWith("-after-uninstall"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String arguments(String chart, String values) {
    return container(only(afterUninstall(chart, values), "Job"));
  }

  private static String container(Rendered job) {
    return job.tree().toString();
  }
}
