// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ValidatingAdmissionPolicy;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The client's models, read and written by {@link KueueJson}. */
class ClientModelsJsonTest {

  static List<ResourceType<?>> builtIn() {
    return List.of(
        CoreTypes.NAMESPACE,
        CoreTypes.NODE,
        CoreTypes.POD,
        CoreTypes.POD_TEMPLATE,
        CoreTypes.CONFIG_MAP,
        CoreTypes.SECRET,
        CoreTypes.LIMIT_RANGE,
        CoreTypes.EVENT,
        CoreTypes.JOB,
        CoreTypes.DEPLOYMENT,
        CoreTypes.LEASE,
        CoreTypes.RUNTIME_CLASS,
        CoreTypes.PRIORITY_CLASS,
        CoreTypes.CUSTOM_RESOURCE_DEFINITION);
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void unknownFieldsOfANewerServerAreSkipped(ResourceType<?> type) {
    JsonObject future =
        JsonParser.parseString(
                """
                {"metadata":{"name":"a","future":{"x":[1,null]}},"future":"x",
                 "spec":{"future":1},"status":{"future":[{}]}}
                """)
            .getAsJsonObject();
    future.addProperty("apiVersion", type.apiVersion());
    future.addProperty("kind", type.kind());

    JsonObject again = KueueJson.toTree(KueueJson.fromTree(future, type.type())).getAsJsonObject();

    assertThat(again.getAsJsonObject("metadata").toString()).isEqualTo("{\"name\":\"a\"}");
    assertThat(again.get("kind").getAsString()).isEqualTo(type.kind());
  }

  @Test
  void quantitiesKeepTheirNotationAndPrecision() {
    String json =
        """
        {"status":{"allocatable":{"a":"1Ei","b":"0.0000001","c":"1.5Gi","d":2,"e":"1e18"}}}\
        """;

    JsonObject written = KueueJson.toTree(KueueJson.fromJson(json, V1Node.class)).getAsJsonObject();

    assertThat(written.getAsJsonObject("status").getAsJsonObject("allocatable").toString())
        .isEqualTo("{\"a\":\"1Ei\",\"b\":\"100n\",\"c\":\"1536Mi\",\"d\":\"2\",\"e\":\"1e18\"}");
  }

  @Test
  void timesAreReadWithAnyOffsetAndWrittenInUtc() {
    V1Pod pod =
        KueueJson.fromJson(
            "{\"status\":{\"startTime\":\"2026-03-04T12:00:00.5+08:00\"}}", V1Pod.class);

    assertThat(pod.getStatus().getStartTime())
        .isEqualTo(OffsetDateTime.parse("2026-03-04T04:00:00.5Z"));
    assertThat(KueueJson.toJson(pod)).contains("\"startTime\":\"2026-03-04T04:00:00Z\"");
  }

  @Test
  void leasesAndEventsHaveExactlySixDecimals() {
    V1Lease lease =
        KueueJson.fromJson(
            """
            {"metadata":{"name":"l"},"spec":{"renewTime":"2026-03-04T12:00:00.000000+08:00"}}
            """,
            V1Lease.class);
    EventsV1Event event =
        new EventsV1Event()
            .metadata(new V1ObjectMeta().name("e"))
            .eventTime(OffsetDateTime.parse("2026-03-04T04:00:00.123456789Z"));

    assertThat(KueueJson.toJson(lease)).contains("\"renewTime\":\"2026-03-04T04:00:00.000000Z\"");
    assertThat(KueueJson.toJson(event)).contains("\"eventTime\":\"2026-03-04T04:00:00.123456Z\"");
  }

  @Test
  void invalidValuesReadAsAbsentInsteadOfFailingAList() {
    KubeList<V1Job> jobs =
        KueueJson.listFromJson(
            """
            {"items":[{"metadata":{"name":"a","creationTimestamp":"yesterday"},
                       "status":{"startTime":""}},
                      {"metadata":{"name":"b"}}]}
            """,
            V1Job.class);

    assertThat(jobs.items()).hasSize(2);
    assertThat(jobs.items().getFirst().getMetadata().getCreationTimestamp()).isNull();
  }

  @Test
  void portsAreNumbersOrNames() {
    String json = "{\"spec\":{\"ports\":[{\"targetPort\":80},{\"targetPort\":\"web\"}]}}";

    assertThat(KueueJson.toJson(KueueJson.fromJson(json, V1Service.class))).isEqualTo(json);
  }

  @Test
  void emptyListsAreOmittedButEmptyObjectsAreKept() {
    String crd =
        """
        {"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"default":{}}},\
        "subresources":{"status":{}}}]}}\
        """;

    // The client's models start with empty lists; "finalizers":[] in a patch would erase others'.
    assertThat(KueueJson.toJson(new V1ObjectMeta().name("a"))).isEqualTo("{\"name\":\"a\"}");
    assertThat(KueueJson.toJson(KueueJson.fromJson(crd, V1CustomResourceDefinition.class)))
        .isEqualTo(crd);
  }

  @Test
  void bytesAreBase64() {
    V1Secret secret = KueueJson.fromJson("{\"data\":{\"k\":\"aMOp\"}}", V1Secret.class);

    assertThat(secret.getData().get("k")).asString().isEqualTo("hé");
    assertThat(KueueJson.toJson(secret)).isEqualTo("{\"data\":{\"k\":\"aMOp\"}}");
    assertThat(KueueJson.fromJson("{\"data\":{\"k\":\"a\"}}", V1Secret.class).getData())
        .containsEntry("k", null);
  }

  @Test
  void fieldsNamedLikeJavaWordsKeepTheirNames() {
    String json = "{\"spec\":{\"validations\":[{\"expression\":\"a < b && c > 'd'\"}]}}";

    assertThat(KueueJson.toJson(KueueJson.fromJson(json, V1ValidatingAdmissionPolicy.class)))
        .isEqualTo(json);
  }

  @Test
  void anEmptyDocumentIsRefusedByName() {
    assertThatThrownBy(() -> KueueJson.fromJson("", V1Pod.class))
        .isInstanceOf(JsonParseException.class)
        .hasMessageContaining("V1Pod");
  }
}
