// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.objects.ConflictException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which failures of requests for a check's own objects are those of the backend. */
class ApiResourcesTest {

  @ParameterizedTest
  @MethodSource
  void whatNoObjectIsToBlameForConcernsAll(KubernetesApiException cause, boolean all) {
    assertThat(ApiResources.concernsAll(cause)).isEqualTo(all);
  }

  static Stream<Arguments> whatNoObjectIsToBlameForConcernsAll() {
    return Stream.of(
        arguments(new KubernetesApiException.Unreachable("refused", new IOException()), true),
        arguments(new KubernetesApiException.TooManyRequests("slower", null, null), true),
        arguments(new KubernetesApiException.Unauthorized("who?", null), true),
        arguments(new KubernetesApiException.ServerFailure("starting", 503, null, null), true),
        arguments(new KubernetesApiException.ServerFailure("webhook", 500, null, null), false),
        arguments(new KubernetesApiException.Forbidden("quota exceeded", null), false),
        arguments(new KubernetesApiException.Invalid("too long", null), false));
  }

  @Test
  void whatWasChangedSinceItWasReadIsNotDeleted() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection connection =
            ClusterConnection.builder("test").url(server.uri()).connect()) {
      ApiResources resources =
          new ApiResources(connection.api(), ServedVersion.of(connection.api()));
      ObjectKey key = new ObjectKey("default", "notes");
      V1ConfigMap seen =
          resources.createIfAbsent(
              CoreTypes.CONFIG_MAP,
              new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("notes")));
      V1ConfigMap changed =
          resources.patch(CoreTypes.CONFIG_MAP, seen, Map.of("data", Map.of("a", "b")));

      assertThatThrownBy(() -> resources.deleteUnchanged(CoreTypes.CONFIG_MAP, seen))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining("was changed or deleted since it was read");
      assertThat(resources.get(CoreTypes.CONFIG_MAP, key)).isPresent();

      assertThat(resources.deleteUnchanged(CoreTypes.CONFIG_MAP, changed)).isTrue();
      assertThat(resources.get(CoreTypes.CONFIG_MAP, key)).isEmpty();
      assertThat(resources.deleteUnchanged(CoreTypes.CONFIG_MAP, changed)).isFalse();
    }
  }

  /** As where the garbage collector removes what an earlier object of the name owned. */
  @Test
  void whatGoesWhileItIsAskedForIsCreatedAgain() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    List<String> asked = new CopyOnWriteArrayList<>();
    server.createContext(
        "/api/v1/namespaces/default/configmaps",
        exchange -> {
          asked.add(exchange.getRequestMethod());
          switch (asked.size()) {
            case 1 ->
                answer(exchange, 409, "{\"kind\": \"Status\", \"reason\": \"AlreadyExists\"}");
            case 2 ->
                answer(
                    exchange,
                    404,
                    "{\"kind\": \"Status\", \"reason\": \"NotFound\", \"details\": {\"name\": \"notes\"}}");
            default ->
                answer(exchange, 201, "{\"metadata\": {\"name\": \"notes\", \"uid\": \"new\"}}");
          }
        });
    server.start();
    try (ClusterConnection connection =
        ClusterConnection.builder("test")
            .url(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .open()) {
      V1ConfigMap there =
          new ApiResources(connection.api(), ServedVersion.of(connection.api()))
              .createIfAbsent(
                  CoreTypes.CONFIG_MAP,
                  new V1ConfigMap()
                      .metadata(new V1ObjectMeta().namespace("default").name("notes")));

      assertThat(there.getMetadata().getUid()).isEqualTo("new");
      assertThat(asked).containsExactly("POST", "GET", "POST");
    } finally {
      server.stop(0);
    }
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void aServerThatIsGoneIsAnUnavailableBackend() {
    EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    try (ClusterConnection connection =
        ClusterConnection.builder("test").url(server.uri()).connect()) {
      ApiResources resources =
          new ApiResources(connection.api(), ServedVersion.of(connection.api()));
      ObjectKey none = new ObjectKey("default", "none");
      assertThat(resources.get(CoreTypes.CONFIG_MAP, none)).isEmpty();
      server.close();
      assertThatThrownBy(() -> resources.get(CoreTypes.CONFIG_MAP, none))
          .isInstanceOf(BackendUnavailableException.class)
          .hasCauseInstanceOf(KubernetesApiException.Unreachable.class);
    } finally {
      server.close();
    }
  }
}
