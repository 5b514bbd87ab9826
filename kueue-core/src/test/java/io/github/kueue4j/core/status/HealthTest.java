// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.jobs.testing.FromYaml;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthTest {
  private static final ResourceFlavor FLAVOR =
      FromYaml.read(ResourceFlavor.class, "metadata: {name: here}");

  @Test
  void whatIsMissingIsNamedInTheOrderOfTheSpec() {
    ClusterQueue queue =
        FromYaml.read(
            ClusterQueue.class,
            """
            metadata: {name: cq}
            spec:
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - {name: spot, resources: [{name: cpu, nominalQuota: 1}]}
                - {name: here, resources: [{name: cpu, nominalQuota: 1}]}
                - {name: on-demand, resources: [{name: cpu, nominalQuota: 1}]}
              admissionChecksStrategy: {admissionChecks: [{name: quick}, {name: careful}]}
            """);

    Health health =
        Health.of(
            queue,
            name -> Optional.of(name).filter("here"::equals).map(here -> FLAVOR),
            check -> Optional.empty(),
            cohort -> null);

    assertThat(health.message())
        .isEqualTo(
            "Can't admit new workloads: references missing ResourceFlavor(s): spot,on-demand,"
                + " references missing AdmissionCheck(s): quick,careful.");
  }

  /** A check that observes may be inactive, unless it has refused to observe. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Observe | False | BackendDown     |",
        "Observe | False | UnsupportedMode | inactive AdmissionCheck(s): trial",
        "Observe | True  | Active          |",
        "Enforce | False | BackendDown     | inactive AdmissionCheck(s): trial",
        "Enforce | True  | Active          |",
        "observe | True  | Active          | is 'observe', which is no mode: write Observe or"
      })
  void theModeOfACheckDecidesWhetherItMayBeInactive(
      String mode, String active, String reason, @Nullable String problem) {
    ClusterQueue queue =
        FromYaml.read(
            ClusterQueue.class,
            """
            metadata: {name: cq}
            spec: {admissionChecksStrategy: {admissionChecks: [{name: trial}]}}
            """);
    AdmissionCheck check =
        FromYaml.read(
            AdmissionCheck.class,
            """
            metadata: {name: trial, annotations: {kueue4j.io/mode: %s}}
            spec: {controllerName: example.com/test}
            status:
              conditions:
              - {type: Active, status: '%s', reason: %s, message: '',
                 lastTransitionTime: '2026-01-01T00:00:00Z'}
            """
                .formatted(mode, active, reason));

    Health health =
        Health.of(queue, flavor -> Optional.of(FLAVOR), name -> Optional.of(check), cohort -> null);

    assertThat(health.active()).isEqualTo(problem == null);
    assertThat(health.message()).contains(Objects.requireNonNullElse(problem, "Can admit"));
    assertThat(health.reason()).isEqualTo(problem == null ? "Ready" : "AdmissionCheckInactive");
  }

  private static AdmissionCheck check(String name, @Nullable String after, @Nullable String stage) {
    AdmissionCheck check =
        FromYaml.read(
            AdmissionCheck.class,
            """
            spec: {controllerName: example.com/test}
            status:
              conditions:
              - {type: Active, status: 'True', reason: Active, message: '',
                 lastTransitionTime: '2026-01-01T00:00:00Z'}
            """);
    check.metadata().setName(name);
    check
        .metadata()
        .setAnnotations(
            Map.of(
                CheckOrder.ANNOTATION,
                Objects.requireNonNullElse(after, ""),
                CheckStage.ANNOTATION,
                Objects.requireNonNullElse(stage, "")));
    return check;
  }

  /** Values that are too long to write down. */
  private static String written(String value) {
    return switch (value) {
      case "LONG" -> "a.".repeat(50_000) + "a";
      case "MANY" -> "b,".repeat(16) + "b";
      default -> value;
    };
  }

  /** An order that can't be kept, with the check, the value and the remedy. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LONG      |        |             | is no name of at most 253 characters: write",
        "MANY      |        |             | which are 17 names: write 16 at most",
        "b         |        |             | ",
        "gone, b   |        |             | ",
        "''        | a,c    |             | ",
        "b, B?     |        |             | a (metadata.annotations['kueue4j.io/after'] is 'b, B?', in which 'B?' is no name of at most 253 characters: write",
        "b,,c      |        |             | a (metadata.annotations['kueue4j.io/after'] is 'b,,c', in which '' is no name of at most 253 characters: write",
        "a         |        |             | a (metadata.annotations['kueue4j.io/after'] is 'a', which is the check itself: leave 'a' out",
        "b         | a, c   |             | a (metadata.annotations['kueue4j.io/after'] is 'b', so it comes after itself by way of b: leave",
        "b         |        | BeforeQuota | is 'b', so it comes after b, which is asked with quota, and is itself asked before: give b"
      })
  void anOrderThatCannotBeKeptMakesTheQueueInactive(
      String afterOfA,
      @Nullable String afterOfB,
      @Nullable String stageOfA,
      @Nullable String problem) {
    ClusterQueue queue =
        FromYaml.read(
            ClusterQueue.class,
            """
            metadata: {name: cq}
            spec: {admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}}
            """);
    Map<String, AdmissionCheck> checks =
        Map.of("a", check("a", written(afterOfA), stageOfA), "b", check("b", afterOfB, null));

    Health health =
        Health.of(
            queue,
            flavor -> Optional.of(FLAVOR),
            name -> Optional.ofNullable(checks.get(name)),
            cohort -> null);

    assertThat(health.active()).isEqualTo(problem == null);
    assertThat(health.message()).contains(Objects.requireNonNullElse(problem, "Can admit"));
  }

  /** Checks that can't be alternatives, with the check, the value and the remedy; b is in g. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "g    |   |             | ",
        "h    | b |             | ",
        "G 1  |   |             | a (metadata.annotations['kueue4j.io/any-of'] is 'G 1', which is no name of a group: write",
        "LONG |   |             | which is no name of a group: write one of at most 63",
        "g    |   | BeforeQuota | is 'g', but before quota each check is needed: leave it out, or the annotation kueue4j.io/stage",
        "g    | b |             | a (metadata.annotations['kueue4j.io/after'] is 'b', so it comes after itself by way of b: leave"
      })
  void alternativesThatCannotBeMakeTheQueueInactive(
      String groupOfA,
      @Nullable String afterOfA,
      @Nullable String stageOfA,
      @Nullable String problem) {
    ClusterQueue queue =
        FromYaml.read(
            ClusterQueue.class,
            """
            metadata: {name: cq}
            spec: {admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}}
            """);
    Map<String, AdmissionCheck> checks =
        Map.of(
            "a",
            inGroup(check("a", afterOfA, stageOfA), written(groupOfA)),
            "b",
            inGroup(check("b", null, null), "g"));

    Health health =
        Health.of(
            queue,
            flavor -> Optional.of(FLAVOR),
            name -> Optional.ofNullable(checks.get(name)),
            cohort -> null);

    assertThat(health.active()).isEqualTo(problem == null);
    assertThat(health.message()).contains(Objects.requireNonNullElse(problem, "Can admit"));
  }

  private static AdmissionCheck inGroup(AdmissionCheck check, String group) {
    Map<String, String> annotations = new HashMap<>(check.metadata().getAnnotations());
    annotations.put(CheckGroup.ANNOTATION, group);
    check.metadata().setAnnotations(annotations);
    return check;
  }
}
