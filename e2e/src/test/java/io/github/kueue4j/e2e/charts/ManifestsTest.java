// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.kueue4j.e2e.charts.Chart.Rendered;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The charts as plain manifests, for those who don't use Helm. This writes them to {@code
 * target/manifests}: each a folder that Kustomize takes as a base.
 */
class ManifestsTest {
  private static final Path FOLDER = Checkout.root().resolve("e2e/target/manifests");

  @BeforeAll
  static void write() throws IOException {
    write(Chart.named("kueue-core"), "kueue", "kueue-system");
    write(Chart.named("admission-checks"), "checks", "kueue-checks");
  }

  private static void write(Chart chart, String release, String namespace) throws IOException {
    Path folder =
        Files.createDirectories(FOLDER.resolve(String.valueOf(chart.folder().getFileName())));
    String manifest =
        chart
            .manifest(values -> values.withName(release).withNamespace(namespace))
            .replace("    app.kubernetes.io/managed-by: Helm\n", "")
            .replace("        app.kubernetes.io/managed-by: Helm\n", "");
    Files.writeString(
        folder.resolve("manifests.yaml"),
        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: " + namespace + "\n" + manifest);
    Files.writeString(
        folder.resolve("kustomization.yaml"),
        """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources: [manifests.yaml]
        """);
  }

  @Test
  void areWhatHelmRenders() throws IOException {
    List<Rendered> objects =
        Chart.parse(Files.readString(FOLDER.resolve("kueue-core/manifests.yaml")));

    assertThat(objects).hasSize(Chart.named("kueue-core").render().size() + 1);
    assertThat(objects.getFirst().id()).isEqualTo("Namespace/kueue-system");
    assertThat(Files.readString(FOLDER.resolve("admission-checks/manifests.yaml")))
        .contains("namespace: kueue-checks", "system:serviceaccount:kueue-checks:checks-budget")
        .doesNotContain("managed-by: Helm", "helm.sh/hook");
  }

  @Test
  void kustomizeBuildsTheOverlayOfTheExamples() throws IOException, InterruptedException {
    assumeThat(Programs.onThePath("kubectl")).as("kubectl is not on the PATH").isTrue();
    String overlay = Checkout.root().resolve("examples/gitops/kustomize").toString();

    List<Rendered> objects = Chart.parse(Programs.run(List.of("kubectl", "kustomize", overlay)));

    int rendered =
        Chart.named("kueue-core").render().size() + Chart.named("admission-checks").render().size();
    assertThat(objects).hasSize(rendered + 2);
    assertThat(objects)
        .filteredOn(each -> each.kind().equals("Deployment"))
        .hasSize(3)
        .allSatisfy(
            each ->
                assertThat(each.tree().toString())
                    .contains("image=registry.example.com/batch/kueue4j:0.1.0"));
    assertThat(objects)
        .filteredOn(each -> each.id().equals("Deployment/kueue-controller-manager"))
        .singleElement()
        .satisfies(each -> assertThat(each.tree().toString()).contains("replicas=2"));
  }
}
