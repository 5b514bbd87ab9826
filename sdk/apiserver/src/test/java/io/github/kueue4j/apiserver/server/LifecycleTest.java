// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Starting, applying, stopping. */
@Isolated("counts threads")
class LifecycleTest {

  @Test
  void leavesNoThreadBehind() {
    for (int i = 0; i < 10; i++) {
      EmbeddedApiServer.start().close();
    }
    Awaitility.await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("embedded-api")));
  }

  @Test
  void endsWithOpenWatchesAndPausedRequests() throws Exception {
    EmbeddedApiServer server = EmbeddedApiServer.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<InputStream> watch =
          client.send(
              HttpRequest.newBuilder(URI.create(server.uri() + "/api/v1/pods?watch=true")).build(),
              HttpResponse.BodyHandlers.ofInputStream());
      server.close();
      server.close();
      assertThatThrownBy(() -> watch.body().readAllBytes()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void saysWhichPortIsTaken() {
    try (EmbeddedApiServer first = EmbeddedApiServer.start()) {
      assertThatThrownBy(() -> EmbeddedApiServer.builder().port(first.port()).start())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("127.0.0.1:" + first.port());
    }
  }

  @Test
  void takesTimesFromItsClock(@TempDir Path folder) throws Exception {
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder()
                .clock(() -> Instant.parse("2030-01-02T03:04:05.6Z"))
                .start();
        HttpClient client = HttpClient.newHttpClient()) {
      server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
      String text =
          client
              .send(
                  HttpRequest.newBuilder(
                          URI.create(server.uri() + "/api/v1/namespaces/default/configmaps/a"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(text).contains("\"creationTimestamp\":\"2030-01-02T03:04:05Z\"");
      assertThat(server.kubeconfig(folder.resolve("config")))
          .content()
          .contains("server: " + server.uri());
    }
  }

  @Test
  void appliesAgainAndNamesWhatItRefuses() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      String yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: '%s'}}";
      server.apply(yaml.formatted("1"));
      server.apply(yaml.formatted("2"));
      assertThatThrownBy(() -> server.apply("{apiVersion: x/v1, kind: Y, metadata: {name: z}}"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot apply Y /z")
          .hasMessageContaining("apply its CustomResourceDefinition first");
      assertThatThrownBy(
              () -> server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: A_B}}"))
          .hasMessageContaining("cannot apply ConfigMap")
          .hasMessageContaining("RFC 1123");
    }
  }
}
