// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A third party's checks, deployed by the chart of the reference checks. */
@Tag("thorough")
class CustomChecksTest {
  private static final String VALUES =
      """
      crds: {install: false}
      checks: {budget: {enabled: false}, gpu: {enabled: false}}
      customChecks:
        license:
          image: {repository: registry.example.com/license-check, tag: "1.10"}
          controllerName: example.com/license
          args: [--server=license.example.com]
          rules: [{apiGroups: [example.com], resources: [licenses], verbs: [list, watch]}]
          namespaceRules: [{apiGroups: [""], resources: [configmaps], verbs: [list, watch]}]
        signoff:
          image: {repository: "registry.example.com/signoff@sha256:0123", pullPolicy: Always}
          controllerName: example.com/signoff
          sdkOptions: false
          probes: false
          command: [/signoff.sh]
          names: [signoff-of-team-a]
        idle:
          enabled: false
          image: {repository: registry.example.com/idle}
          controllerName: example.com/idle
      admissionChecks:
        - name: license
          controllerName: example.com/license
          parameters: {apiGroup: example.com, kind: License, name: main}
          retry: {strategy: Backoff, baseDelay: 30s, maxDelay: 10m, factor: 1.5, jitter: 0}
          retryLimits: {maxDelay: 1h, maxRetries: 1000000}
          pendingTimeoutSeconds: 1000000
          preemptionPolicy: AfterCheckPassedOrOnDemand
      parametersObjects:
        - {apiVersion: example.com/v1, kind: License, metadata: {name: main}, spec: {seats: 3}}
      """;

  private final List<Rendered> objects = Chart.named("admission-checks").renderWith(VALUES);
  private final Map<String, Rendered> byId =
      objects.stream().collect(Collectors.toMap(Rendered::id, Function.identity()));

  @Test
  void aProgramOfTheSdkGetsItsOptionsProbesAndRights() {
    String pod = text("Deployment/kueue-license", "spec", "template", "spec");
    assertThat(pod)
        .contains(
            "\"image\":\"registry.example.com/license-check:1.10\"",
            "\"args\":[\"--leader-elect\",\"--lease=license\",\"--http-port=8081\","
                + "\"--server=license.example.com\"]",
            "\"path\":\"/readyz\"",
            "\"serviceAccountName\":\"kueue-license\"")
        .doesNotContain("\"command\"");
    assertThat(text("ClusterRole/kueue-license", "rules"))
        .contains(
            "{\"apiGroups\":[\"example.com\"],\"resources\":[\"licenses\"],\"verbs\":[\"list\",\"watch\"]}",
            "\"resources\":[\"admissionchecks/status\"],\"resourceNames\":[\"license\"]");
    assertThat(text("Role/kueue-license-namespace", "rules")).contains("configmaps");
    assertThat(text("Role/kueue-license-leader-election", "rules"))
        .contains("\"resourceNames\":[\"license\"]");
    assertThat(byId).containsKey("Service/kueue-license-metrics");
  }

  @Test
  void aProgramInAnotherLanguageGetsWhatItSays() {
    assertThat(text("Deployment/kueue-signoff", "spec", "template", "spec"))
        .contains(
            "\"image\":\"registry.example.com/signoff@sha256:0123\"",
            "\"imagePullPolicy\":\"Always\"",
            "\"command\":[\"/signoff.sh\"]")
        .doesNotContain("\"args\"", "Probe");
    assertThat(text("ClusterRole/kueue-signoff", "rules"))
        .contains("\"resourceNames\":[\"signoff-of-team-a\"]");
    assertThat(byId)
        .doesNotContainKeys(
            "Role/kueue-signoff-leader-election",
            "Service/kueue-signoff-metrics",
            "Deployment/kueue-idle");
  }

  @Test
  void theLongestNamesGiveAServiceThatClustersTake() {
    List<Rendered> longest =
        Chart.named("admission-checks")
            .renderWith(
                """
                fullnameOverride: f23456789012345678901234567890
                crds: {install: false}
                checks: {budget: {enabled: false}, gpu: {enabled: false}}
                customChecks:
                  a23456789012345678901234: {image: {repository: a}, controllerName: a.b/c}
                """);

    assertThat(only(longest, "Service").name()).hasSize(63);
  }

  @Test
  void theGuardConfinesItsAccountToo() {
    assertThat(text("ValidatingAdmissionPolicy/kueue-checks-status-guard", "spec"))
        .contains("system:serviceaccount:kueue-system:kueue-license")
        .contains("system:serviceaccount:kueue-system:kueue-signoff");
  }

  /** The guard would deny all that the check writes otherwise. */
  @ParameterizedTest
  @ValueSource(
      strings = {"--controller-name=example.com/room", "--controller-name, example.com/room"})
  void aReferenceCheckOfAnotherNameIsGuardedByIt(String args) {
    List<Rendered> named =
        Chart.named("admission-checks")
            .renderWith(
                """
                crds: {install: false}
                checks: {gpu: {enabled: false}, budget: {args: [%s]}}
                admissionChecks: [{name: ours, controllerName: example.com/room}]
                """
                    .formatted(args));

    assertThat(text(named, "ValidatingAdmissionPolicy/kueue-checks-controller-guard", "spec"))
        .contains("'system:serviceaccount:kueue-system:kueue-budget': ['example.com/room']");
    assertThat(text(named, "ClusterRole/kueue-budget", "rules"))
        .contains("\"resourceNames\":[\"ours\"]");
  }

  @Test
  void admissionChecksAndTheirParametersAreWrittenWhole() {
    assertThat(only(objects, "AdmissionCheck").tree().get("spec"))
        .isEqualTo(
            Map.of(
                "controllerName",
                "example.com/license",
                "parameters",
                Map.of("apiGroup", "example.com", "kind", "License", "name", "main"),
                "retry",
                Map.of(
                    "strategy", "Backoff",
                    "baseDelay", "30s",
                    "maxDelay", "10m",
                    "factor", 1.5,
                    "jitter", 0),
                "retryLimits",
                Map.of("maxDelay", "1h", "maxRetries", 1_000_000),
                "pendingTimeoutSeconds",
                1_000_000,
                "preemptionPolicy",
                "AfterCheckPassedOrOnDemand"));
    assertThat(text("License/main", "spec")).isEqualTo("{\"seats\":3}");
  }

  private String text(String id, String... path) {
    return text(objects, id, path);
  }

  private static String text(List<Rendered> among, String id, String... path) {
    return among.stream()
        .filter(one -> one.id().equals(id))
        .map(one -> String.valueOf(one.at(path)))
        .findFirst()
        .orElseThrow();
  }
}
