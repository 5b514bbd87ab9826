// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An endpoint is written in the same way in all definitions that have one. */
class EndpointSchemaTest {

  @Test
  void httpChecksAndPrometheusChecksHaveTheSameEndpoint() throws IOException {
    assertThat(endpoint("prometheuschecks", "endpoint"))
        .isEqualTo(endpoint("httpchecks", "endpoint"));
  }

  /** A BudgetPolicy's endpoint reads no Secrets: the budget controller has no right to. */
  @Test
  void aBudgetPolicysEndpointDiffersBySecretsOnly() throws IOException {
    assertThat(withoutSecrets(endpoint("budgetpolicies", "consumption", "endpoint")))
        .isEqualTo(withoutSecrets(endpoint("httpchecks", "endpoint")));
    assertThat(endpoint("budgetpolicies", "consumption", "http"))
        .isEqualTo(endpoint("budgetpolicies", "consumption", "endpoint"));
  }

  /** Without the descriptions of the endpoint and its URL, which say whose they are. */
  private static JsonObject endpoint(String plural, String... path) throws IOException {
    String yaml =
        Files.readString(
            Checkout.root()
                .resolve("charts/admission-checks/files/crds")
                .resolve("checks.kueue4j.io_" + plural + ".yaml"));
    Map<String, Object> definition = Chart.parse(yaml).getFirst().tree();
    JsonObject found =
        JsonParser.parseString(new Gson().toJson(definition))
            .getAsJsonObject()
            .getAsJsonObject("spec")
            .getAsJsonArray("versions")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("schema")
            .getAsJsonObject("openAPIV3Schema")
            .getAsJsonObject("properties")
            .getAsJsonObject("spec");
    for (String field : path) {
      found = found.getAsJsonObject("properties").getAsJsonObject(field);
    }
    found.remove("description");
    found.getAsJsonObject("properties").getAsJsonObject("url").remove("description");
    return found;
  }

  private static JsonElement withoutSecrets(JsonElement schema) {
    if (schema.isJsonObject()) {
      JsonObject object = schema.getAsJsonObject();
      List.of("secretKeyRef", "clientCertificate").forEach(object::remove);
      // The rules that name them.
      object.remove("x-kubernetes-validations");
      object.asMap().values().forEach(EndpointSchemaTest::withoutSecrets);
    } else if (schema.isJsonArray()) {
      schema.getAsJsonArray().forEach(EndpointSchemaTest::withoutSecrets);
    }
    return schema;
  }
}
