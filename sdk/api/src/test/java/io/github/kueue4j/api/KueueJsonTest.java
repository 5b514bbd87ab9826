// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParseException;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KueueJsonTest {

  @Test
  void readsAnObjectWithUnknownFieldsNullsAndUnknownValues() {
    Workload workload =
        KueueJson.fromJson(
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta9","kind":"Workload","future":{"a":[1]},
             "metadata":{"name":"w","namespace":"ns","future":1,
               "creationTimestamp":"2026-11-21T12:00:00+08:00"},
             "spec":{"queueName":"q","podSets":[{"name":"a","count":3,"template":{"spec":{
               "containers":[{"name":"c","future":true,"resources":{"requests":{"cpu":"1Ei"}}}]}}},
               null],"priority":null,"future":"x"},
             "status":{"admissionChecks":[{"name":"c","state":"Someday","message":null,
               "lastTransitionTime":"2026-11-21T12:00:00+08:00","requeueAfterSeconds":0}]}}
            """,
            Workload.class);

    assertThat(workload.key()).hasToString("ns/w");
    assertThat(workload.metadata().getCreationTimestamp()).hasToString("2026-11-21T04:00Z");
    assertThat(workload.spec().active()).isTrue();
    assertThat(workload.spec().podSets()).hasSize(1);
    assertThat(workload.spec().podSets().getFirst().count()).isEqualTo(3);
    AdmissionCheckState entry = workload.status().admissionCheck("c").orElseThrow();
    assertThat(entry.state()).isEqualTo(new CheckState("Someday"));
    assertThat(entry.message()).isEmpty();
    assertThat(entry.requeueAfterSeconds()).isZero();
    assertThat(entry.lastTransitionTime()).isEqualTo("2026-11-21T04:00:00Z");
    assertThat(workload.status().conditions()).isEmpty();
    assertThat(KueueJson.toJson(workload))
        .contains("\"state\":\"Someday\"")
        .contains("\"cpu\":\"1Ei\"")
        .contains("\"creationTimestamp\":\"2026-11-21T04:00:00Z\"")
        .startsWith("{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"Workload\"");
  }

  @Test
  void aKnownWordIsReadAsItsConstant() throws IllegalAccessException {
    Set<Class<?>> types =
        RecordShapesTest.records().stream()
            .flatMap(type -> Stream.of(type.getRecordComponents()))
            .map(RecordComponent::getType)
            .filter(OpenValue.class::isAssignableFrom)
            .collect(Collectors.toSet());

    assertThat(types).contains(CheckState.class, StopPolicy.class);
    for (Class<?> type : types) {
      List<Field> constants =
          Stream.of(type.getFields()).filter(field -> field.getType() == type).toList();
      assertThat(constants).as(type.getName()).isNotEmpty();
      for (Field constant : constants) {
        Object known = constant.get(null);
        assertThat(KueueJson.fromJson(KueueJson.toJson(known), type)).isSameAs(known);
      }
      assertThat(KueueJson.fromJson("\"Someday\"", type)).hasToString("Someday");
    }
  }

  @Test
  void anObjectWithoutSpecAndStatusIsEmptyNotNull() {
    Workload workload = KueueJson.fromJson("{\"metadata\":{\"name\":\"w\"}}", Workload.class);

    assertThat(workload.spec()).isEqualTo(WorkloadSpec.empty());
    assertThat(workload.status()).isEqualTo(WorkloadStatus.empty());
  }

  @Test
  void requiredContainersAreWrittenEvenWhenEmpty() {
    AdmissionFairSharingStatus status =
        new AdmissionFairSharingStatus(Map.of(), Instant.parse("2026-01-01T00:00:00.9Z"));

    assertThat(KueueJson.toJson(status))
        .isEqualTo("{\"consumedResources\":{},\"lastUpdate\":\"2026-01-01T00:00:00Z\"}");
  }

  @Test
  void listsKeepTheirMetadata() {
    KubeList<V1Pod> pods =
        KueueJson.listFromJson(
            """
            {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"x"},
             "items":[{"metadata":{"name":"p"},"spec":{"newField":{}}}]}
            """,
            V1Pod.class);

    assertThat(pods.metadata().getResourceVersion()).isEqualTo("7");
    assertThat(pods.items().getFirst().getMetadata().getName()).isEqualTo("p");
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 9_999})
  void aServersObjectIsReadHoweverDeepWhatIsNotUsedOfIt(int depth) {
    String deep = "{\"f\":".repeat(depth) + "{}" + "}".repeat(depth);
    String json =
        "{\"metadata\":{\"managedFields\":[{\"fieldsV1\":%s}],\"name\":\"p\"},\"spec\":{\"x\":%s}}"
            .formatted(deep, deep);

    V1Pod pod = KueueJson.fromServer(new StringReader(json), V1Pod.class);

    assertThat(pod.getMetadata().getName()).isEqualTo("p");
    assertThat(pod.getMetadata().getManagedFields()).isEmpty();
  }

  @Test
  void aServersDocumentEndsWithTheObject() {
    for (String text : List.of("{} {}", "{}}", "{} x")) {
      assertThatThrownBy(() -> KueueJson.fromServer(new StringReader(text), V1Pod.class))
          .isInstanceOf(JsonParseException.class)
          .hasMessageContaining("more after the end");
    }
  }
}
