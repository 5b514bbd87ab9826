// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1PodSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintsTest {

  private static final NodeFacts NODE =
      NodeFacts.of(
          KueueJson.fromJson(
              """
              {"metadata": {"name": "n1", "labels": {"zone": "a", "generation": "7"}},
               "spec": {"taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"},
                 {"key": "old", "effect": "PreferNoSchedule"}]}}
              """,
              V1Node.class));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "zone; In; [\"a\", \"b\"]; true",
        "zone; In; [\"b\"]; false",
        "rack; In; [\"a\"]; false",
        "zone; NotIn; [\"a\"]; false",
        "zone; NotIn; [\"b\"]; true",
        "rack; NotIn; [\"a\"]; true",
        "zone; Exists; []; true",
        "rack; Exists; []; false",
        "zone; DoesNotExist; []; false",
        "rack; DoesNotExist; []; true",
        "generation; Gt; [\"6\"]; true",
        "generation; Gt; [\"7\"]; false",
        "generation; Lt; [\"8\"]; true",
        "generation; Lt; [\"7\"]; false",
        "zone; Gt; [\"6\"]; false",
        "rack; Lt; [\"6\"]; false",
        "generation; Gt; [\"six\"]; false",
        "generation; Newer; [\"7\"]; false",
      })
  void eachOperatorOfTheRequiredAffinity(
      String key, String operator, String values, boolean matches) {
    assertThat(
            admits(
                """
                {"tolerations": [{"operator": "Exists"}], "affinity": {"nodeAffinity":
                  {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms":
                    [{"matchExpressions": [{"key": "%s", "operator": "%s", "values": %s}]}]}}}}
                """
                    .formatted(key, operator, values)))
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[]; false",
        "[{}]; false",
        "[{}, {\"matchExpressions\": [{\"key\": \"zone\", \"operator\": \"Exists\"}]}]; true",
        "[{\"matchFields\": [{\"key\": \"metadata.name\", \"operator\": \"In\", \"values\": [\"n1\"]}]}]; true",
        "[{\"matchFields\": [{\"key\": \"metadata.name\", \"operator\": \"NotIn\", \"values\": [\"n1\"]}]}]; false",
        "[{\"matchFields\": [{\"key\": \"metadata.uid\", \"operator\": \"In\", \"values\": [\"n1\"]}]}]; false",
        "[{\"matchExpressions\": [{\"key\": \"zone\", \"operator\": \"Exists\"}, {\"key\": \"rack\", \"operator\": \"Exists\"}]}]; false",
      })
  void oneOfTheTermsMustMatchAsAWhole(String terms, boolean matches) {
    assertThat(
            admits(
                """
                {"tolerations": [{"operator": "Exists"}], "affinity": {"nodeAffinity":
                  {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": %s}}}}
                """
                    .formatted(terms)))
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"operator\": \"Exists\"}",
        "{\"key\": \"gpu\", \"operator\": \"Exists\"}",
        "{\"key\": \"gpu\", \"value\": \"yes\"}",
        "{\"key\": \"gpu\", \"operator\": \"Equal\", \"value\": \"yes\", \"effect\": \"NoSchedule\"}",
      })
  void taintsThatAreTolerated(String toleration) {
    assertThat(admits("{\"tolerations\": [" + toleration + "]}")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"key\": \"gpu\"}",
        "{\"key\": \"gpu\", \"value\": \"no\"}",
        "{\"key\": \"other\", \"operator\": \"Exists\"}",
        "{\"value\": \"yes\"}",
        "{\"key\": \"gpu\", \"operator\": \"Exists\", \"effect\": \"NoExecute\"}",
      })
  void taintsThatAreNot(String toleration) {
    assertThat(admits("{\"tolerations\": [" + toleration + "]}")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"zone, a, true", "zone, b, false", "rack, a, false"})
  void theNodeSelector(String key, String value, boolean matches) {
    assertThat(
            admits(
                "{\"tolerations\": [{\"operator\": \"Exists\"}], \"nodeSelector\": {\"%s\": \"%s\"}}"
                    .formatted(key, value)))
        .isEqualTo(matches);
  }

  private static boolean admits(String pod) {
    return Constraints.of(KueueJson.fromJson(pod, V1PodSpec.class)).admit(NODE);
  }
}
