// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionConversionTest {
  private static final String OLD = "kueue.x-k8s.io/v1beta1";
  private static final String NEW = "kueue.x-k8s.io/v1beta2";

  private static JsonObject json(String text) {
    return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
  }

  private static JsonObject object(String apiVersion, String kind, String rest) {
    return json("{apiVersion: '%s', kind: '%s', %s}".formatted(apiVersion, kind, rest));
  }

  private static void bothWays(String kind, String older, String newer) {
    JsonObject old = object(OLD, kind, older);
    JsonObject current = object(NEW, kind, newer);
    assertThat(VersionConversion.convert(old, NEW)).isEqualTo(current);
    assertThat(VersionConversion.convert(current, OLD)).isEqualTo(old);
  }

  @Test
  void prioritySources() {
    bothWays(
        "Workload",
        "spec: {priority: 5, priorityClassSource: 'kueue.x-k8s.io/workloadpriorityclass', priorityClassName: high}",
        "spec: {priority: 5, priorityClassRef: {group: 'kueue.x-k8s.io', kind: WorkloadPriorityClass, name: high}}");
    bothWays(
        "Workload",
        "spec: {priority: 5, priorityClassSource: 'scheduling.k8s.io/priorityclass', priorityClassName: high}",
        "spec: {priority: 5, priorityClassRef: {group: 'scheduling.k8s.io', kind: PriorityClass, name: high}}");
  }

  @Test
  void theNameOfAClassOfUnknownKindIsRestored() {
    JsonObject old =
        object(
            OLD, "Workload", "metadata: {name: a}, spec: {priority: 5, priorityClassName: high}");

    JsonObject current = VersionConversion.convert(old, NEW);

    assertThat(current)
        .isEqualTo(
            object(
                NEW,
                "Workload",
                "metadata: {name: a, annotations: {'kueue4j.io/v1beta1-priority-class-name': high}}, spec: {priority: 5}"));
    assertThat(VersionConversion.convert(current, OLD)).isEqualTo(old);
  }

  @Test
  void theMisspelledFieldAndUnknownFields() {
    bothWays(
        "Workload",
        "status: {admissionChecks: [{name: a, state: Retry, requeueAfterSeconds: 7}], somethingNew: [1], accumulatedPastExexcutionTimeSeconds: 3}",
        "status: {admissionChecks: [{name: a, state: Retry, requeueAfterSeconds: 7}], somethingNew: [1], accumulatedPastExecutionTimeSeconds: 3}");
  }

  @Test
  void cohorts() {
    bothWays("ClusterQueue", "spec: {cohort: all}", "spec: {cohortName: all}");
    bothWays("Cohort", "spec: {parentName: all}", "spec: {parentName: all}");
  }

  @Test
  void checksGivenByNameAreConvertedBackToNames() {
    JsonObject old =
        object(OLD, "ClusterQueue", "metadata: {name: q}, spec: {admissionChecks: [budget, gpu]}");

    JsonObject current = VersionConversion.convert(old, NEW);

    assertThat(current.getAsJsonObject("spec"))
        .isEqualTo(
            json("{admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu}]}}"));
    assertThat(VersionConversion.convert(current, OLD)).isEqualTo(old);
  }

  @Test
  void checksThatWereLimitedToFlavorsStayAStrategy() {
    JsonObject current =
        object(
            NEW,
            "ClusterQueue",
            "metadata: {name: q, annotations: {'kueue4j.io/v1beta1-admission-checks': 'true'}}, spec: {admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [spot]}]}}");

    assertThat(VersionConversion.convert(current, OLD))
        .isEqualTo(
            object(
                OLD,
                "ClusterQueue",
                "metadata: {name: q}, spec: {admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [spot]}]}}"));
  }

  @Test
  void aStrategyStaysAStrategy() {
    String strategy =
        "spec: {admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu, onFlavors: [spot]}]}}";
    bothWays("ClusterQueue", strategy, strategy);
  }

  @Test
  void anObjectStoredWithBothFieldsKeepsAllChecks() {
    JsonObject old =
        object(
            OLD,
            "ClusterQueue",
            "spec: {admissionChecks: [budget], admissionChecksStrategy: {admissionChecks: [{name: gpu, onFlavors: [spot]}, {name: budget, onFlavors: [spot]}]}}");

    assertThat(VersionConversion.convert(old, NEW))
        .isEqualTo(
            object(
                NEW,
                "ClusterQueue",
                "spec: {admissionChecksStrategy: {admissionChecks: [{name: gpu, onFlavors: [spot]}, {name: budget}]}}"));
  }

  @Test
  void valuesOfFlavorFungibility() {
    JsonObject old =
        object(
            OLD,
            "ClusterQueue",
            "spec: {flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}}");

    assertThat(VersionConversion.convert(old, NEW))
        .isEqualTo(
            object(
                NEW,
                "ClusterQueue",
                "spec: {flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: MayStopSearch}}"));
  }

  @Test
  void usageOfLocalQueues() {
    bothWays(
        "LocalQueue",
        "status: {pendingWorkloads: 1, flavorUsage: [{name: spot}]}",
        "status: {pendingWorkloads: 1, flavorsUsage: [{name: spot}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ResourceFlavor",
        "AdmissionCheck",
        "WorkloadPriorityClass",
        "ProvisioningRequestConfig"
      })
  void theSameInBoth(String kind) {
    bothWays(kind, "metadata: {name: a}, spec: {any: 1}", "metadata: {name: a}, spec: {any: 1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec: 7, status: []",
        "spec: {admissionChecksStrategy: [], admissionChecks: {}, flavorFungibility: 3}",
        "metadata: {annotations: null}, spec: {priorityClassName: null, priorityClassRef: 3}",
        "spec: {admissionChecksStrategy: {admissionChecks: [7, {}]}}"
      })
  void invalidObjectsAreLeftToTheSchema(String rest) {
    for (String kind : List.of("Workload", "ClusterQueue", "LocalQueue")) {
      JsonObject there = VersionConversion.convert(object(OLD, kind, rest), NEW);
      assertThat(VersionConversion.convert(there, OLD).get("apiVersion").getAsString())
          .isEqualTo(OLD);
    }
  }

  @Test
  void unknownKindsAndVersions() {
    assertThatThrownBy(() -> VersionConversion.convert(object(OLD, "Topology", "spec: {}"), NEW))
        .hasMessageContaining("kind Topology can't be converted")
        .hasMessageContaining("Workload");
    assertThatThrownBy(
            () ->
                VersionConversion.convert(object(OLD, "Workload", "spec: {}"), "kueue.x-k8s.io/v2"))
        .hasMessage(
            "Workload has no version kueue.x-k8s.io/v2; there are kueue.x-k8s.io/v1beta1 and v1beta2");
  }
}
