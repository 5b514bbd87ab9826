// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the charts accept as values, and what they say about the rest. */
@Tag("thorough")
class ChartValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kueue-core | replicas: 2 | additional properties 'replicas' not allowed
          kueue-core | controllerManager: {drain: 0s} | at '/controllerManager/drain': '0s' does not match pattern
          kueue-core | controllerManager: {drain: 11s} | at '/controllerManager/drain': '11s' does not match pattern
          kueue-core | controllerManager: {manager: {resource: {}}} | at '/controllerManager/manager': additional properties 'resource'
          kueue-core | controllerManager: {replicas: two} | at '/controllerManager/replicas': got string, want integer
          kueue-core | controllerManager: {replicas: -1} | at '/controllerManager/replicas': minimum: got -1, want 0
          kueue-core | controllerManager: {manager: {image: {pullPolicy: Sometimes}}} | 'Always', 'IfNotPresent', 'Never'
          kueue-core | controllerManager: {manager: {image: {tag: 1.10}}} | image/tag': got number, want string
          kueue-core | controllerManager: {manager: {logging: {level: loud}}} | one of 'error', 'warn', 'info', 'debug', 'trace'
          kueue-core | controllerManager: {manager: {resources: {limits: {memory: lots}}}} | limits/memory': 'lots' does not match
          kueue-core | controllerManager: {featureGates: [{name: PartialAdmission}]} | featureGates/0': missing property 'enabled'
          kueue-core | controllerManager: {podDisruptionBudget: {minAvailable: half}} | 'half' does not match pattern
          kueue-core | metricsService: {ports: [{port: 70000}]} | maximum: got 70,000, want 65,535
          kueue-core | mutatingWebhook: {reinvocationPolicy: Always} | one of 'Never', 'IfNeeded'
          kueue-core | metrics: {prometheusRule: {runbookUrl: here}} | runbookUrl': 'here' does not match
          kueue-core | certManager: {issuerRef: {name: ours}} | certManager.issuerRef needs enableCertManager
          kueue-core | networkPolicy: {viewFrom: [{podSelector: {}}]} | networkPolicy.viewFrom needs networkPolicy.enabled
          kueue-core | networkPolicy: {metricsFrom: [{podSelector: {}}]} | networkPolicy.metricsFrom needs networkPolicy.enabled
          kueue-core | networkPolicy: {enabled: true, egress: {extraEgress: [{}]}} | networkPolicy.egress.extraEgress needs networkPolicy.egress.enabled
          kueue-core | networkPolicy: {enabled: true, viewFrom: [{podSelector: {}}]} | networkPolicy.viewFrom needs kueue4j.view.bindAddress
          kueue-core | {networkPolicy: {enabled: true, metricsFrom: [{}]}, managerConfig: {controllerManagerConfigYaml: 'metrics: {bindAddress: "0"}'}} | networkPolicy.metricsFrom needs metrics
          kueue-core | controllerManager: {serviceAccount: {create: false, name: a, annotations: {a: b}}} | controllerManager.serviceAccount.annotations needs serviceAccount.create
          kueue-core | fullnameOverride: a2345678901234567890123456789 | at '/fullnameOverride': maxLength: got 29, want 28
          kueue-core | nameOverride: a2345678901234567890123456789 | longer than 28 characters
          admission-checks | fullnameOverride: a234567890123456789012345678901 | at '/fullnameOverride': maxLength: got 31, want 30
          admission-checks | nameOverride: a234567890123456789012345678901 | longer than 30 characters
          admission-checks | checks: {gpu: {enabled: true, serviceAccount: {create: false, name: a, annotations: {a: b}}}} | serviceAccount.annotations of the check gpu needs serviceAccount.create
          admission-checks | {podDisruptionBudget: {enabled: true}, checks: {gpu: {enabled: true}}} | podDisruptionBudget.enabled needs a check with replicas above 1
          admission-checks | networkPolicy: {metricsFrom: [{podSelector: {}}]} | networkPolicy.metricsFrom needs networkPolicy.enabled
          admission-checks | networkPolicy: {extraIngress: [{}]} | networkPolicy.extraIngress needs networkPolicy.enabled
          admission-checks | networkPolicy: {enabled: true, egress: {extraEgress: [{}]}} | networkPolicy.egress.extraEgress needs networkPolicy.egress.enabled
          admission-checks | customChecks: {a: {image: {repository: a}, controllerName: a.b/c, sdkOptions: false, lease: d}} | customChecks.a.lease needs sdkOptions
          admission-checks | checks: {gpu: {args: [--controller-name]}} | --controller-name is '', which can't be the name
          admission-checks | check: {} | additional properties 'check' not allowed
          admission-checks | checks: {gpus: {enabled: true}} | at '/checks': additional properties 'gpus' not allowed
          admission-checks | checks: {gpu: {replica: 2}} | at '/checks/gpu': additional properties 'replica' not allowed
          admission-checks | customChecks: {mine: {image: {repository: a}}} | at '/customChecks/mine': missing property 'controllerName'
          admission-checks | customChecks: {gpu: {image: {repository: a}, controllerName: a.b/c}} | invalid propertyName 'gpu'
          admission-checks | customChecks: {a234567890123456789012345: {image: {repository: a}, controllerName: a.b/c}} | invalid propertyName 'a234567890123456789012345'
          admission-checks | checks: {gpu: {secrets: {names: [a]}}} | at '/checks/gpu': additional properties 'secrets' not allowed
          admission-checks | checks: {http: {enabled: true, secrets: {namespace: kueue-system}}} | name the Secrets that endpoints may have in checks.http.secrets.names
          admission-checks | admissionChecks: [{name: a, controllerName: a.b/c, retry: {}}] | retry': missing property 'baseDelay'
          admission-checks | admissionChecks: [{name: a, controllerName: a.b/c, pendingTimeoutSeconds: 0}] | minimum: got 0, want 1
          admission-checks | admissionChecks: [{name: a, controllerName: a.b/c, preemptionPolicy: Never}] | 'Anytime', 'AfterCheckPassedOrOnDemand'
          """)
  void whatIsWrongIsRefusedWithItsPlace(String chart, String values, String message) {
    assertThatThrownBy(() -> Chart.named(chart).renderWith(values)).hasMessageContaining(message);
  }

  /** Cut to their length, the names of two releases could be the same. */
  @ParameterizedTest
  @CsvSource({"kueue-core, 28", "admission-checks, 30"})
  void aReleaseWithALongNameNeedsAShorterOneForItsObjects(String chart, int longest) {
    String longName = "a".repeat(longest + 1);

    assertThat(Chart.named(chart).manifest(values -> values.withName("a".repeat(longest))))
        .contains("name: " + "a".repeat(longest) + "-");
    assertThatThrownBy(() -> Chart.named(chart).manifest(values -> values.withName(longName)))
        .hasMessageContaining('"' + longName + "\", which is longer than " + longest)
        .hasMessageContaining("fullnameOverride");
    assertThat(
            Chart.named(chart)
                .manifest(values -> values.withName(longName).set("fullnameOverride", "short")))
        .contains("name: short-")
        .doesNotContain("name: " + longName);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          enableMutatingAdmissionPolicy: true | suspendJobsByPolicy: true
          enableKueueViz: true | kueue4j.view.bindAddress
          kueueViz: {backend: {replicas: 2}} | metrics.dashboards.enabled: true
          enableVisibilityAPF: true | ./kueue4j explain
          controllerManager: {manager: {logLevel: 4}} | controllerManager.manager.logging.level: debug
          """)
  void valuesOfTheOtherChartAreRefusedWithWhatToSetInstead(String values, String remedy) {
    assertThatThrownBy(() -> Chart.named("kueue-core").renderWith(values))
        .hasMessageContaining("values of another chart; remove them")
        .hasMessageContaining(remedy);
  }

  /** Those that mean the same here, at their defaults there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{enableKueueViz: false, enableVisibilityAPF: false, enableMutatingAdmissionPolicy: false}",
        "metricsService: {ports: [{name: https, port: 8443, protocol: TCP, targetPort: 8443}]}",
        "webhookService: {ports: [{port: 443, protocol: TCP, targetPort: 9443}]}",
        "webhookService: {ipDualStack: {enabled: true, ipFamilies: [IPv6, IPv4]}}",
        "controllerManager: {featureGates: [{name: PartialAdmission, enabled: true}]}",
        "metrics: {serviceMonitor: {tlsConfig: {insecureSkipVerify: true}}}",
        "global: {imageRegistry: registry.example.com}"
      })
  void valuesOfTheOtherChartThatMeanTheSameAreTaken(String values) {
    assertThat(Chart.named("kueue-core").renderWith(values)).isNotEmpty();
  }

  /** {@code --reuse-values} takes those of the release and no defaults of the new chart. */
  @ParameterizedTest
  @CsvSource({"kueue-core,networkPolicy", "admission-checks,customChecks"})
  void valuesThatLackWhatIsNewAreRefused(String chart, String key) {
    assertThatThrownBy(() -> Chart.named(chart).renderWith(key + ": null"))
        .hasMessageContaining("missing property '" + key + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void schemaAndDefaultsNameTheSameKeys(String chart) throws IOException {
    JsonObject schema =
        JsonParser.parseString(
                Files.readString(Chart.named(chart).folder().resolve("values.schema.json")))
            .getAsJsonObject();
    Set<String> described = new TreeSet<>();
    describe(schema, schema, "", described);
    Set<String> given = new TreeSet<>();
    collect(Chart.named(chart).values(), "", given);

    assertThat(described).isNotEmpty();
    assertThat(given).describedAs("in values.yaml, not in the schema").isSubsetOf(described);
    described.removeIf(
        key ->
            key.equals("global")
                || key.matches(
                    "checks\\.(gpu|provisioning|http|prometheus|policy|approval|dependency)\\..*")
                || key.matches(".*(limits|requests|claims|terminationGracePeriodSeconds)"));
    assertThat(given)
        .describedAs("in the schema, without a default and a comment in values.yaml")
        .containsAll(described.stream().filter(key -> !isProbe(key)).toList());
  }

  private static boolean isProbe(String key) {
    return key.matches(".*Probe\\..*");
  }

  private static void describe(
      JsonObject root, JsonObject schema, String path, Set<String> described) {
    if (!schema.has("properties")) {
      return;
    }
    for (Map.Entry<String, JsonElement> each : schema.getAsJsonObject("properties").entrySet()) {
      JsonObject property = each.getValue().getAsJsonObject();
      if (!property.has("deprecated")) {
        described.add(path + each.getKey());
        describe(root, resolved(root, property), path + each.getKey() + ".", described);
      }
    }
  }

  private static JsonObject resolved(JsonObject root, JsonObject schema) {
    if (!schema.has("$ref")) {
      return schema;
    }
    String name = schema.get("$ref").getAsString().replace("#/definitions/", "");
    return root.getAsJsonObject("definitions").getAsJsonObject(name);
  }

  /** The keys of mappings, down to those that the schema leaves open. */
  private static void collect(Map<String, Object> values, String path, Set<String> given) {
    values.forEach(
        (key, value) -> {
          boolean open = path.matches(".*(SecurityContext|[lL]abels|limits|requests)\\.");
          if (!open) {
            given.add(path + key);
            if (value instanceof Map<?, ?>) {
              collect(Chart.asMap(value), path + key + ".", given);
            }
          }
        });
  }
}
