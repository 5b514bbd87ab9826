// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.approvalcheck.ApprovalCheck;
import io.github.kueue4j.approvalcheck.ApprovalSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.dependencycheck.DependencyCheck;
import io.github.kueue4j.gpu.GpuPolicy;
import io.github.kueue4j.httpcheck.HttpCheck;
import io.github.kueue4j.policycheck.PolicyCheck;
import io.github.kueue4j.prometheuscheck.PrometheusCheck;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The records of the reference checks know each field that their definitions let people write: one
 * that they didn't know would be refused. Those of the provisioning check are compared in the
 * module of the API.
 */
class ParametersFieldsTest {

  static final ResourceType<?>[] KINDS = {
    Policy.POLICIES,
    HttpCheck.TYPE,
    PrometheusCheck.TYPE,
    PolicyCheck.TYPE,
    ApprovalCheck.TYPE,
    ApprovalSpec.TYPE,
    DependencyCheck.TYPE,
    ResourceType.clusterScoped(
        "checks.kueue4j.io/v1alpha1", "GpuAvailabilityPolicy", gpuPolicySpec())
  };

  /** Not public. */
  private static Class<? extends Record> gpuPolicySpec() {
    return Stream.of(GpuPolicy.class.getDeclaredClasses())
        .filter(each -> each.getSimpleName().equals("Spec"))
        .findFirst()
        .orElseThrow()
        .asSubclass(Record.class);
  }

  @ParameterizedTest
  @FieldSource("KINDS")
  void eachFieldOfTheDefinitionIsKnown(ResourceType<?> type) throws IOException {
    JsonObject object = new JsonObject();
    JsonElement spec = sample(schema(type.qualifiedName()));
    object.add("spec", spec);

    assertThat(spec.getAsJsonObject().size()).isPositive();
    assertThatCode(read(object, type)::refuseUnknownFields).doesNotThrowAnyException();
    spec.getAsJsonObject().addProperty("surplus", true);
    assertThatThrownBy(read(object, type)::refuseUnknownFields)
        .hasMessageContaining("spec.surplus is 'true': there is no such field");
  }

  private static CustomResource<?> read(JsonObject object, ResourceType<?> type) {
    return (CustomResource<?>) KueueJson.fromTree(object, type);
  }

  private static JsonObject schema(String qualifiedName) throws IOException {
    String group = qualifiedName.substring(qualifiedName.indexOf('.') + 1);
    String plural = qualifiedName.substring(0, qualifiedName.indexOf('.'));
    String yaml =
        Files.readString(
            Checkout.root()
                .resolve("charts/admission-checks/files/crds")
                .resolve(group + "_" + plural + ".yaml"));
    return KueueJson.toTree(Chart.parse(yaml).getFirst().tree())
        .getAsJsonObject()
        .getAsJsonObject("spec")
        .getAsJsonArray("versions")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("schema")
        .getAsJsonObject("openAPIV3Schema")
        .getAsJsonObject("properties")
        .getAsJsonObject("spec");
  }

  /** All fields of a schema, with one item in each list and one entry in each map; no values. */
  private static JsonElement sample(JsonObject schema) {
    if (schema.has("properties")) {
      JsonObject sample = new JsonObject();
      schema
          .getAsJsonObject("properties")
          .asMap()
          .forEach((name, field) -> sample.add(name, sample(field.getAsJsonObject())));
      return sample;
    }
    if (schema.has("items")) {
      JsonArray sample = new JsonArray();
      sample.add(sample(schema.getAsJsonObject("items")));
      return sample;
    }
    if (schema.has("additionalProperties")) {
      JsonObject sample = new JsonObject();
      sample.add("any", sample(schema.getAsJsonObject("additionalProperties")));
      return sample;
    }
    return JsonNull.INSTANCE;
  }
}
