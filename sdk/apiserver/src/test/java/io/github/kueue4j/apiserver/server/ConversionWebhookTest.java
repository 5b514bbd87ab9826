// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Versions of a custom resource that a webhook converts: v1 calls the field size, v2 length. */
class ConversionWebhookTest {
  private static final String V1 = "/apis/example.com/v1/namespaces/default/ropes";
  private static final String V2 = "/apis/example.com/v2/namespaces/default/ropes";
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: ropes.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: ropes, kind: Rope}
        conversion:
          strategy: Webhook
          webhook:
            conversionReviewVersions: [v1]
            clientConfig: {service: {namespace: system, name: convert, path: /convert}, caBundle: %s}
        versions:
        - name: v1
          served: true
          storage: %s
          schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
        - name: v2
          served: true
          storage: %s
          selectableFields: [{jsonPath: .spec.length}]
          schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {length: {type: integer}}}}}}
      """;

  @RegisterExtension static final TestServer api = new TestServer();

  private static TestWebhook webhook;

  @BeforeAll
  static void start() throws Exception {
    webhook = new TestWebhook("convert.system.svc");
    api.server().routeService("system", "convert", webhook.port());
    api.server().apply(DEFINITION.formatted(webhook.caBundle(), true, false));
  }

  @AfterAll
  static void stop() {
    webhook.close();
  }

  @BeforeEach
  void convert() {
    webhook.on("/convert", ConversionWebhookTest::converted);
  }

  @AfterEach
  void empty() {
    api.delete(V1);
    webhook.requests().clear();
  }

  private static JsonNode converted(ObjectNode review) {
    JsonNode request = review.path("request");
    String version = request.path("desiredAPIVersion").asText();
    ObjectNode answer = review.objectNode();
    answer.set("apiVersion", review.path("apiVersion"));
    answer.set("kind", review.path("kind"));
    ObjectNode response = answer.putObject("response");
    response.set("uid", request.path("uid"));
    response.putObject("result").put("status", "Success");
    ArrayNode objects = response.putArray("convertedObjects");
    for (JsonNode object : request.path("objects")) {
      ObjectNode copy = object.deepCopy();
      copy.put("apiVersion", version);
      ObjectNode spec = copy.withObject("/spec");
      JsonNode length = spec.remove(version.endsWith("v1") ? "length" : "size");
      if (length != null) {
        spec.set(version.endsWith("v1") ? "size" : "length", length);
      }
      objects.add(copy);
    }
    return answer;
  }

  private static String rope(String version, String name, String spec) {
    return "{apiVersion: example.com/"
        + version
        + ", kind: Rope, metadata: {name: "
        + name
        + "}, spec: {"
        + spec
        + "}}";
  }

  @Test
  void isServedInBothVersionsAndStoredInOne() {
    Answer created = api.post(V2, rope("v2", "one", "length: 5"));

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.at("spec").toString()).isEqualTo("{\"length\":5}");
    assertThat(api.get(V1 + "/one").at("spec").toString()).isEqualTo("{\"size\":5}");
    Answer patched = api.mergePatch(V2 + "/one", "{\"spec\":{\"length\":6}}");
    assertThat(patched.at("spec.length").asInt()).isEqualTo(6);
    assertThat(patched.at("metadata.generation").asInt()).isEqualTo(2);
    assertThat(api.get(V1 + "/one").at("spec.size").asInt()).isEqualTo(6);
  }

  @Test
  void theStorageVersionNeedsNoWebhook() {
    webhook.requests().clear();

    api.post(V1, rope("v1", "plain", "size: 5"));
    api.get(V1 + "/plain");
    api.get(V1);

    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void aListIsConvertedAtOnce() {
    for (int i = 0; i < 5; i++) {
      api.post(V1, rope("v1", "r" + i, "size: " + i));
    }
    webhook.requests().clear();

    Answer list = api.get(V2);

    assertThat(list.at("items"))
        .extracting(rope -> rope.at("/spec/length").asInt())
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(webhook.requests()).hasSize(1);
    assertThat(api.get(V2 + "?fieldSelector=spec.length%3D3").at("items")).hasSize(1);
    assertThat(webhook.requests()).as("a version is converted once").hasSize(1);
  }

  @Test
  void aWatchHasItsVersion() throws Exception {
    // A kind of its own: the server goes on converting for a watch until it sees that it's closed.
    api.server()
        .apply(
            DEFINITION
                .formatted(webhook.caBundle(), true, false)
                .replace("ropes", "cords")
                .replace("Rope", "Cord"));
    try (TestServer.Watch watch = api.watch(V2.replace("ropes", "cords") + "?watch=true")) {
      api.post(V1.replace("ropes", "cords"), rope("v1", "seen", "size: 7").replace("Rope", "Cord"));

      TestServer.Event event = watch.next();
      assertThat(event.object().path("apiVersion").asText()).isEqualTo("example.com/v2");
      assertThat(event.object().at("/spec/length").asInt()).isEqualTo(7);
    }
  }

  @Test
  void appliesInAnyVersion() {
    Answer applied =
        api.send(
            "PATCH",
            V2 + "/applied?fieldManager=one",
            "application/apply-patch+yaml",
            rope("v2", "applied", "length: 3"));

    assertThat(applied.status()).isEqualTo(201);
    assertThat(api.get(V1 + "/applied").at("spec.size").asInt()).isEqualTo(3);
  }

  @Test
  void aFailureIsAnErrorOfTheRequestThatNeedsTheConversion() {
    api.post(V1, rope("v1", "stuck", "size: 5"));
    webhook.on(
        "/convert",
        review -> {
          ObjectNode answer = (ObjectNode) converted(review);
          ((ObjectNode) answer.path("response"))
              .set("result", TestWebhook.json("{'status': 'Failure', 'message': 'too long'}"));
          return answer;
        });

    Answer failed = api.get(V2 + "/stuck");

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.at("message").asText())
        .isEqualTo("conversion webhook for example.com/v1, Kind=Rope failed: too long");
    assertThat(api.get(V2).status()).isEqualTo(500);
    assertThat(api.post(V2, rope("v2", "new", "length: 1")).at("message").asText())
        .isEqualTo("conversion webhook for example.com/v2, Kind=Rope failed: too long");
    assertThat(api.get(V1 + "/stuck").status()).isEqualTo(200);
  }

  @Test
  void metadataIsNotTheWebhooksToChange() {
    api.post(V1, rope("v1", "named", "size: 5"));
    AtomicReference<String> field = new AtomicReference<>("labels");
    webhook.on(
        "/convert",
        review -> {
          JsonNode answer = converted(review);
          ObjectNode metadata = (ObjectNode) answer.at("/response/convertedObjects/0/metadata");
          if (field.get().equals("labels")) {
            metadata.putObject("labels").put("a", "b");
            metadata.putArray("finalizers").add("example.com/x");
          } else {
            metadata.put("name", "other");
          }
          return answer;
        });

    Answer labelled = api.get(V2 + "/named");
    assertThat(labelled.at("metadata.labels.a").asText()).isEqualTo("b");
    assertThat(labelled.body().path("metadata").has("finalizers")).isFalse();
    field.set("name");
    api.mergePatch(V1 + "/named", "{\"spec\":{\"size\":6}}");
    assertThat(api.get(V2 + "/named").at("message").asText())
        .contains("metadata.name must not be changed");
  }

  @Test
  void whatWasStoredBeforeTheStorageVersionChangedIsConvertedToo() {
    api.post(V1, rope("v1", "old", "size: 5"));
    api.server().apply(DEFINITION.formatted(webhook.caBundle(), false, true));
    try {
      assertThat(api.get(V2 + "/old").at("spec.length").asInt()).isEqualTo(5);
      assertThat(api.get(V1 + "/old").at("spec.size").asInt()).isEqualTo(5);
    } finally {
      api.server().apply(DEFINITION.formatted(webhook.caBundle(), true, false));
    }
  }

  @Test
  void aDefinitionNamesItsWebhook() {
    Answer refused =
        api.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            DEFINITION
                .formatted("", true, false)
                .replaceAll("(?m)^    webhook:\\n.*\\n.*\\n", "")
                .replace("ropes", "others")
                .replace("Rope", "Other"));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("message").asText())
        .contains(
            "spec.conversion.webhook.clientConfig: Required value: required when strategy is set to"
                + " Webhook");
  }
}
