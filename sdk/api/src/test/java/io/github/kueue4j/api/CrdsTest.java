// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The API server's requirements on CRDs, and the names and columns that kubectl shows. */
class CrdsTest {

  private static final Set<String> NODE_KEYS =
      Set.of(
          "description",
          "type",
          "format",
          "properties",
          "items",
          "additionalProperties",
          "required",
          "enum",
          "default",
          "pattern",
          "minimum",
          "maximum",
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "maxProperties",
          "anyOf",
          "x-kubernetes-int-or-string",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-validations");

  private static final Pattern LOOP = Pattern.compile("([a-zA-Z]+)\\.(?:all|exists)\\(");

  static Stream<CrdDocument> crds() {
    return CrdDocument.all();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Workload | Namespaced | kwl wl kueueworkload kueueworkloads | true"
            + " | Queue, Reserved in, Admitted, Finished, Requeue at, Delayed by, Age",
        "ClusterQueue | Cluster | cq | true"
            + " | Cohort, Strategy, Pending Workloads, Admitted Workloads, Active, Age",
        "LocalQueue | Namespaced | queue queues lq | true"
            + " | ClusterQueue, Pending Workloads, Admitted Workloads, Active, Age",
        "Cohort | Cluster | co | true | ''",
        "ResourceFlavor | Cluster | flavor flavors rf | false | ''",
        "AdmissionCheck | Cluster | ac | true | Controller, Active, Age",
        "WorkloadPriorityClass | Cluster | wpc | false | Value",
        "ProvisioningRequestConfig | Cluster | prc | false | ''",
        "ProvisioningRequest | Namespaced | provreq provreqs | true | Age",
      })
  void namesScopeStatusAndColumns(
      String kind, String scope, String shortNames, boolean status, String columns) {
    CrdDocument crd =
        crds().filter(each -> each.type().kind().equals(kind)).findFirst().orElseThrow();
    JsonObject names = crd.spec().getAsJsonObject("names");

    assertThat(crd.spec().get("scope").getAsString()).isEqualTo(scope);
    assertThat(crd.type().namespaced()).isEqualTo(scope.equals("Namespaced"));
    assertThat(texts(names, "shortNames")).containsExactly(shortNames.split(" "));
    assertThat(crd.version().has("subresources")).isEqualTo(status);
    assertThat(String.join(", ", columnNames(crd))).isEqualTo(columns);
  }

  @ParameterizedTest
  @MethodSource("crds")
  void theNamesFitTheResourceType(CrdDocument crd) {
    JsonObject metadata = crd.json().getAsJsonObject("metadata");
    JsonObject names = crd.spec().getAsJsonObject("names");

    assertThat(metadata.get("name").getAsString()).isEqualTo(crd.type().qualifiedName());
    assertThat(crd.spec().get("group").getAsString()).isEqualTo(crd.type().group());
    assertThat(names.get("kind").getAsString()).isEqualTo(crd.type().kind());
    assertThat(names.get("plural").getAsString()).isEqualTo(crd.type().plural());
    assertThat(crd.version().get("name").getAsString()).isEqualTo(crd.type().version());
    assertThat(crd.version().get("served").getAsBoolean()).isTrue();
    assertThat(crd.version().get("storage").getAsBoolean()).isTrue();
    // API servers refuse CRDs of *.k8s.io groups without it.
    assertThat(
            metadata.getAsJsonObject("annotations").get("api-approved.kubernetes.io").getAsString())
        .startsWith("unapproved");
  }

  @ParameterizedTest
  @MethodSource("crds")
  void theSchemaIsStructural(CrdDocument crd) {
    List<String> faults = new ArrayList<>();
    new SchemaNode(crd.schema())
        .visit(
            "",
            (path, node) -> {
              Set<String> odd = new TreeSet<>(node.json().keySet());
              odd.removeAll(NODE_KEYS);
              if (!odd.isEmpty()) {
                faults.add(path + ": " + odd);
              }
              if (node.isQuantity() == node.json().has("type")) {
                faults.add(path + ": type and int-or-string exclude each other");
              }
              if (node.json().has("properties") && node.json().has("additionalProperties")) {
                faults.add(path + ": properties and additionalProperties exclude each other");
              }
              if (node.text("description").isEmpty()
                  && !path.equals("metadata")
                  && !path.endsWith("[]")
                  && !path.endsWith("{}")) {
                faults.add(path + ": no description");
              }
              listFaults(path, node, faults);
            });
    assertThat(faults).isEmpty();
  }

  private static void listFaults(String path, SchemaNode node, List<String> faults) {
    boolean isMap = node.text("x-kubernetes-list-type").equals("map");
    if (isMap == node.texts("x-kubernetes-list-map-keys").isEmpty()) {
      faults.add(path + ": a map list has keys, any other has none");
    }
    for (String key : node.texts("x-kubernetes-list-map-keys")) {
      SchemaNode property = node.items().properties().get(key);
      if (property == null
          || !(property.json().has("default") || node.items().texts("required").contains(key))) {
        faults.add(path + ": the key " + key + " is neither required nor has a default");
      }
    }
  }

  /** The API server estimates the cost of a rule; a loop over an unbounded list is over budget. */
  @ParameterizedTest
  @MethodSource("crds")
  void listsInLoopsOfRulesAreBounded(CrdDocument crd) {
    Map<String, Boolean> boundedByName = new HashMap<>();
    List<String> unbounded = new ArrayList<>();
    new SchemaNode(crd.schema())
        .visit(
            "",
            (path, node) -> {
              if (node.text("type").equals("array")) {
                String name = path.substring(path.lastIndexOf('.') + 1);
                boundedByName.merge(name, node.json().has("maxItems"), Boolean::logicalAnd);
              }
            });
    new SchemaNode(crd.schema())
        .visit(
            "",
            (path, node) -> {
              for (String rule : node.rules()) {
                Matcher loop = LOOP.matcher(rule);
                while (loop.find()) {
                  boolean bounded =
                      loop.group(1).equals("self")
                          ? node.json().has("maxItems")
                          : boundedByName.getOrDefault(loop.group(1), false);
                  if (!bounded) {
                    unbounded.add(path + ": " + loop.group());
                  }
                }
              }
            });
    assertThat(unbounded).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("crds")
  void columnsAndSelectableFieldsNameFieldsOfTheSchema(CrdDocument crd) {
    Set<String> paths = new TreeSet<>(Set.of("metadata.creationTimestamp"));
    new SchemaNode(crd.schema()).visit("", (path, node) -> paths.add(path));

    for (String key : List.of("additionalPrinterColumns", "selectableFields")) {
      for (JsonElement column : list(crd.version(), key)) {
        String path = column.getAsJsonObject().get("jsonPath").getAsString();
        assertThat(paths).contains(path.substring(1).replaceAll("\\[[^]]*]", "[]"));
      }
    }
  }

  @Test
  void onlyTheClusterQueueOfAWorkloadIsSelectable() {
    assertThat(
            crds()
                .flatMap(crd -> list(crd.version(), "selectableFields").stream())
                .map(field -> field.getAsJsonObject().get("jsonPath").getAsString()))
        .containsExactly(".status.admission.clusterQueue");
  }

  @Test
  void everyRuleHasAMessage() {
    List<JsonElement> rules = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    crds()
        .forEach(
            crd ->
                new SchemaNode(crd.schema())
                    .visit(
                        "",
                        (path, node) ->
                            list(node.json(), "x-kubernetes-validations").stream()
                                .peek(rules::add)
                                .filter(rule -> !rule.getAsJsonObject().has("message"))
                                .forEach(rule -> silent.add(crd + " " + path))));
    assertThat(rules).hasSizeGreaterThan(10);
    assertThat(silent).isEmpty();
  }

  @Test
  void aKindWithoutDefinitionIsRefused() {
    assertThat(Crds.kueue()).hasSize(8);
    assertThat(Crds.external()).hasSize(1);
    ResourceType<Workload> unknown = ResourceType.of("example.com/v1", "Thing", Workload.class);
    assertThatThrownBy(() -> Crds.of(unknown))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Thing");
  }

  private static List<String> columnNames(CrdDocument crd) {
    return list(crd.version(), "additionalPrinterColumns").stream()
        .map(column -> column.getAsJsonObject().get("name").getAsString())
        .toList();
  }

  private static List<String> texts(JsonObject object, String key) {
    return list(object, key).stream().map(JsonElement::getAsString).toList();
  }

  private static List<JsonElement> list(JsonObject object, String key) {
    return object.has(key) ? object.getAsJsonArray(key).asList() : List.of();
  }
}
