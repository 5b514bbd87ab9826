// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.server.TestServer.Answer;
import io.github.kueue4j.apiserver.server.TestServer.Watch;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A definition with two versions: one store, two forms. */
class VersionsTest {
  private static final String V1 = "/apis/example.com/v1/namespaces/default/gadgets";
  private static final String BETA = "/apis/example.com/v1beta1/namespaces/default/gadgets";

  @RegisterExtension static final TestServer api = new TestServer();

  @BeforeAll
  static void define() {
    api.server()
        .apply(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gadgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: gadgets, kind: Gadget}
              versions:
              - name: v1beta1
                served: true
                storage: false
                deprecated: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      old: {type: string, default: o}
                      both: {type: integer}
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      both: {type: integer}
                      new: {type: string, default: n}
            """);
  }

  @Test
  void eachVersionHasItsOwnFieldsAndDefaults() {
    api.post(V1, "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}, both: 1}");
    Answer beta = api.get(BETA + "/a");
    assertThat(beta.at("apiVersion").asText()).isEqualTo("example.com/v1beta1");
    assertThat(beta.at("both").asInt()).isEqualTo(1);
    assertThat(beta.at("old").asText()).isEqualTo("o");
    assertThat(beta.body().has("new")).isFalse();
    assertThat(beta.headers().firstValue("Warning"))
        .contains("299 - \"example.com/v1beta1 Gadget is deprecated\"");
    assertThat(api.get(BETA).body().at("/items/0/apiVersion").asText())
        .isEqualTo("example.com/v1beta1");
  }

  @Test
  void aWriteInOneVersionIsSeenInTheOther() throws IOException {
    String start =
        api.post(
                BETA,
                "{apiVersion: example.com/v1beta1, kind: Gadget, metadata: {name: b}, both: 1}")
            .revision();
    try (Watch watch = api.watch(V1 + "?watch=1&resourceVersion=" + start)) {
      Answer patched = api.mergePatch(BETA + "/b", "{\"both\":2}");
      assertThat(patched.at("apiVersion").asText()).isEqualTo("example.com/v1beta1");
      assertThat(patched.at("metadata.generation").asInt()).isEqualTo(2);
      TestServer.Event event = watch.next();
      assertThat(event.object().path("apiVersion").asText()).isEqualTo("example.com/v1");
      assertThat(event.object().path("both").asInt()).isEqualTo(2);
    }
  }

  @Test
  void theStableVersionIsPreferred() {
    assertThat(api.get("/apis/example.com").at("preferredVersion.version").asText())
        .isEqualTo("v1");
    Answer aggregated =
        api.get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    assertThat(aggregated.headers().firstValue("Content-Type").orElse(""))
        .contains("as=APIGroupDiscoveryList");
    assertThat(aggregated.body().path("items").findValuesAsText("version"))
        .containsSubsequence("v1", "v1beta1");
  }

  /** Fixtures ask for it instead of listing a kind. */
  @Test
  void theNewestChangeOfAKindIsKnownWithItsObjects() {
    long before = newest();
    String created =
        api.post(V1, "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: newest}}")
            .revision();

    assertThat(newest()).isEqualTo(Long.parseLong(created)).isGreaterThan(before);
    assertThat(api.server().resourceVersions("example.com", "gadgets"))
        .containsEntry("default/newest", created);
    api.configMap("other-kind", "");
    assertThat(newest()).isEqualTo(Long.parseLong(created));

    api.delete(BETA + "/newest");

    assertThat(newest()).isGreaterThan(Long.parseLong(created));
    assertThat(api.server().resourceVersions("example.com", "gadgets"))
        .doesNotContainKey("default/newest");
    assertThat(api.server().newest("example.com", "none")).isEmpty();
    assertThat(api.server().resourceVersions("example.com", "none")).isEmpty();
    assertThat(api.server().resourceVersions("", "namespaces")).containsKey("default");
  }

  private long newest() {
    return api.server().newest("example.com", "gadgets").orElseThrow();
  }
}
