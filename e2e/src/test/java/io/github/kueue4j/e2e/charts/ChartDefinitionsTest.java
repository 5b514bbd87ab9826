// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CustomResourceDefinitions that the charts bring. */
@Tag("thorough")
class ChartDefinitionsTest {
  private static final Chart CORE = Chart.named("kueue-core");

  @Test
  void theChartsDefinitionsAreThoseOfTheApi() {
    List<Map<String, Object>> ofTheApi =
        Crds.kueue().stream().map(Chart::parse).map(List::getFirst).map(Rendered::tree).toList();

    assertThat(definitions(CORE.render(values -> values.set("crds.keep", false))))
        .containsExactlyInAnyOrderElementsOf(ofTheApi);
  }

  @Test
  void definitionsSurviveAnUninstallUnlessAskedOtherwise() {
    assertThat(definitions(CORE.render()))
        .isNotEmpty()
        .allSatisfy(
            crd ->
                assertThat(Chart.asMap(Chart.asMap(crd.get("metadata")).get("annotations")))
                    .containsEntry("helm.sh/resource-policy", "keep"));
    assertThat(definitions(CORE.render(values -> values.set("crds.install", false)))).isEmpty();
  }

  @Test
  void versionsThatAreNotConvertedOrNotReadAreNotServed() {
    List<String> converted = List.of("clusterqueues", "cohorts", "localqueues", "workloads");

    assertThat(withoutV1beta1(values -> values)).isEmpty();
    // As after --reuse-values of a release that didn't know the value.
    assertThat(withoutV1beta1(values -> values.set("crds.v1beta1", "null"))).isEmpty();
    assertThat(withoutV1beta1(values -> values.set("crds.v1beta1", false))).isEqualTo(converted);
    assertThat(
            withoutV1beta1(
                values ->
                    values.set(
                        "managerConfig.controllerManagerConfigYaml",
                        "metrics: {bindAddress: \"0\"}")))
        .isEqualTo(converted);
  }

  private static List<String> withoutV1beta1(UnaryOperator<TemplateCommand> values) {
    return CORE.render(values).stream()
        .filter(each -> each.id().startsWith("CustomResourceDefinition/"))
        .filter(each -> !served(each, "v1beta1"))
        .peek(each -> assertThat(served(each, "v1beta2")).isTrue())
        .map(each -> each.name().substring(0, each.name().indexOf('.')))
        .sorted()
        .toList();
  }

  private static boolean served(Rendered definition, String version) {
    JsonObject spec = KueueJson.toTree(definition.tree()).getAsJsonObject().getAsJsonObject("spec");
    for (JsonElement each : spec.getAsJsonArray("versions")) {
      if (each.getAsJsonObject().get("name").getAsString().equals(version)) {
        return each.getAsJsonObject().get("served").getAsBoolean();
      }
    }
    throw new AssertionError(definition.name() + " has no version " + version);
  }

  @Test
  void conversionIsAskedForOnThePortOfTheService() {
    Rendered workloads =
        CORE.render(values -> values.set("webhookService.ports[0].port", 9443)).stream()
            .filter(each -> each.name().equals("workloads.kueue.x-k8s.io"))
            .findFirst()
            .orElseThrow();

    assertThat(workloads.tree().toString())
        .contains("service={namespace=kueue-system, name=kueue-webhook-service, port=9443,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void annotationsAreAddedToAllDefinitions(String chart) {
    for (boolean keep : List.of(true, false)) {
      List<Map<String, Object>> definitions =
          definitions(
              Chart.named(chart)
                  .render(
                      values ->
                          values
                              .set("crds.keep", keep)
                              .set("crds.annotations.example\\.com/by", "us")));

      assertThat(definitions)
          .isNotEmpty()
          .allSatisfy(each -> assertThat(annotations(each)).containsEntry("example.com/by", "us"))
          .allSatisfy(
              each ->
                  assertThat(annotations(each).containsKey("helm.sh/resource-policy"))
                      .isEqualTo(keep));
    }
  }

  private static Map<String, Object> annotations(Map<String, Object> definition) {
    return Chart.asMap(Chart.asMap(definition.get("metadata")).get("annotations"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void aChartWithoutItsDefinitionsIsRefused(String name, @TempDir Path folder) throws IOException {
    Chart copy = Chart.named(name).copyWithout("files/crds", folder);

    assertThatThrownBy(copy::render)
        .hasMessageContaining("this copy of the chart has no files/crds/*.yaml")
        .hasMessageContaining("crds.install");
    assertThat(copy.render(values -> values.set("crds.install", false))).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void aChartHasNoSymbolicLinks(String name) throws IOException {
    try (Stream<Path> files = Files.walk(Chart.named(name).folder())) {
      assertThat(files.filter(Files::isSymbolicLink)).isEmpty();
    }
  }

  private static List<Map<String, Object>> definitions(List<Rendered> objects) {
    return objects.stream()
        .filter(each -> each.kind().equals("CustomResourceDefinition"))
        .map(Rendered::tree)
        .toList();
  }
}
