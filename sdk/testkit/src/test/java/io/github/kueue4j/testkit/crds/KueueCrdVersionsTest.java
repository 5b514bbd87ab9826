// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.crds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The versions of a kind differ in the fields listed here and in no others: a field that is added
 * to one version must be added to the other, too, or have a conversion.
 */
class KueueCrdVersionsTest {
  private static final Map<String, Set<String>> ONLY_IN_V1BETA1 =
      Map.of(
          "workloads",
          Set.of(
              "spec.priorityClassName",
              "spec.priorityClassSource",
              "status.accumulatedPastExexcutionTimeSeconds"),
          "clusterqueues",
          Set.of(
              "spec.cohort",
              "spec.admissionChecks",
              "status.pendingWorkloadsStatus",
              "status.pendingWorkloadsStatus.clusterQueuePendingWorkload",
              "status.pendingWorkloadsStatus.clusterQueuePendingWorkload.name",
              "status.pendingWorkloadsStatus.clusterQueuePendingWorkload.namespace",
              "status.pendingWorkloadsStatus.lastChangeTime"),
          "localqueues",
          Set.of(
              "status.flavorUsage",
              "status.flavorUsage.name",
              "status.flavorUsage.resources",
              "status.flavorUsage.resources.name",
              "status.flavorUsage.resources.total",
              "status.flavors",
              "status.flavors.name",
              "status.flavors.resources",
              "status.flavors.nodeLabels",
              "status.flavors.nodeTaints",
              "status.flavors.topology"),
          "admissionchecks",
          Set.of("spec.retryDelayMinutes"));

  private static final Map<String, Set<String>> ONLY_IN_V1BETA2 =
      Map.of(
          "workloads",
          Set.of(
              "spec.priorityClassRef",
              "spec.priorityClassRef.group",
              "spec.priorityClassRef.kind",
              "spec.priorityClassRef.name",
              "spec.preemptionGates",
              "spec.preemptionGates.name",
              "status.preemptionGates",
              "status.preemptionGates.name",
              "status.accumulatedPastExecutionTimeSeconds"),
          "clusterqueues",
          Set.of("spec.cohortName", "spec.concurrentAdmissionPolicy"),
          "localqueues",
          Set.of(
              "status.flavorsUsage",
              "status.flavorsUsage.name",
              "status.flavorsUsage.resources",
              "status.flavorsUsage.resources.name",
              "status.flavorsUsage.resources.total"));

  static Stream<Arguments> definitions() {
    return KueueTypes.ALL.stream()
        .map(type -> Arguments.of(type.plural(), Yaml.object(Crds.of(type))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("definitions")
  void differInWhatIsConverted(String plural, ObjectNode definition) {
    Set<String> older = fields(definition, "v1beta1");
    Set<String> newer = fields(definition, "v1beta2");

    assertThat(without(older, newer)).isEqualTo(ONLY_IN_V1BETA1.getOrDefault(plural, Set.of()));
    assertThat(without(newer, older)).isEqualTo(ONLY_IN_V1BETA2.getOrDefault(plural, Set.of()));
  }

  /** Or each status carries the owners of all their fields along. */
  @ParameterizedTest
  @ValueSource(strings = {"v1beta2", "v1beta1"})
  void whatIsDecidedAsAWholeHasOneOwner(String version) {
    ObjectNode workload = KueueCrds.schemaOf("Workload", version);

    for (String whole :
        List.of(
            "/properties/spec/properties/podSets/items/properties/template",
            "/properties/status/properties/admission",
            "/properties/status/properties/conditions/items")) {
      assertThat(workload.at(whole + "/x-kubernetes-map-type").asText())
          .as(whole)
          .isEqualTo("atomic");
    }
  }

  private static Set<String> fields(ObjectNode definition, String version) {
    Set<String> found = new TreeSet<>();
    for (JsonNode each : definition.at("/spec/versions")) {
      if (each.path("name").asText().equals(version)) {
        collect(each.at("/schema/openAPIV3Schema"), "", found);
      }
    }
    assertThat(found).as(version).contains("metadata");
    return found;
  }

  private static void collect(JsonNode schema, String path, Set<String> found) {
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String child = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
              found.add(child);
              collect(property.getValue(), child, found);
            });
    if (schema.has("items")) {
      collect(schema.get("items"), path, found);
    }
  }

  private static Set<String> without(Set<String> from, Set<String> what) {
    Set<String> rest = new TreeSet<>(from);
    rest.removeAll(what);
    return rest;
  }
}
