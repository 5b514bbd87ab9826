// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples for Argo CD and Flux: charts, values, and what they must leave alone. */
class GitOpsExamplesTest {
  @Test
  void argoCdRendersTheChartsAndLeavesAloneWhatOthersWrite() throws IOException {
    List<Rendered> applications = example("argocd.yaml");

    assertThat(applications).map(Rendered::name).containsExactly("kueue-core", "admission-checks");
    for (Rendered each : applications) {
      String path = requireNonNull(each.at("spec", "source", "path")).getAsString();
      List<Rendered> objects = rendered(path, each.at("spec", "source", "helm", "valuesObject"));
      assertThat(objects)
          .filteredOn(object -> object.kind().equals("CustomResourceDefinition"))
          .isNotEmpty()
          .allSatisfy(
              crd ->
                  assertThat(String.valueOf(crd.at("metadata", "annotations")))
                      .contains("Prune=false,Delete=false"));
      JsonElement ignored = each.at("spec", "ignoreDifferences");
      assertThat(ids(ignored, "")).isEqualTo(writtenByOthers(objects));
    }
  }

  @Test
  void fluxRendersTheChartsAndLeavesAloneWhatOthersWrite() throws IOException {
    List<Rendered> releases =
        example("flux.yaml").stream().filter(each -> each.kind().equals("HelmRelease")).toList();

    assertThat(releases).map(Rendered::name).containsExactly("kueue", "checks");
    for (Rendered each : releases) {
      String path = requireNonNull(each.at("spec", "chart", "spec", "chart")).getAsString();
      List<Rendered> objects = rendered(path, each.at("spec", "values"));
      assertThat(ids(each.at("spec", "driftDetection", "ignore"), "target"))
          .isEqualTo(writtenByOthers(objects));
    }
  }

  private static List<Rendered> example(String file) throws IOException {
    return Chart.parse(Files.readString(Checkout.root().resolve("examples/gitops").resolve(file)));
  }

  private static List<Rendered> rendered(String chart, @Nullable JsonElement values) {
    return new Chart(Checkout.root().resolve(chart)).renderWith(String.valueOf(values));
  }

  /** The core its certificate and the authority, the cluster the rules of roles that aggregate. */
  private static Set<String> writtenByOthers(List<Rendered> objects) {
    Set<String> ids = new TreeSet<>();
    for (Rendered each : objects) {
      boolean converted =
          each.kind().equals("CustomResourceDefinition")
              && each.at("spec", "conversion", "webhook") != null;
      if (converted
          || each.kind().equals("Secret")
          || each.kind().endsWith("WebhookConfiguration")
          || each.at("aggregationRule") != null) {
        ids.add(each.id());
      }
    }
    return ids;
  }

  private static Set<String> ids(@Nullable JsonElement list, String within) {
    List<JsonObject> targets = new ArrayList<>();
    if (list != null) {
      list.getAsJsonArray()
          .forEach(
              each -> {
                JsonObject object = each.getAsJsonObject();
                targets.add(within.isEmpty() ? object : object.getAsJsonObject(within));
              });
    }
    Set<String> ids = new TreeSet<>();
    targets.forEach(
        each -> ids.add(each.get("kind").getAsString() + "/" + each.get("name").getAsString()));
    return ids;
  }
}
