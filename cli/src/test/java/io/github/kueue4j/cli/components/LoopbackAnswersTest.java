// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Actors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which clusters are believed that checks are asked at ports of this machine. */
class LoopbackAnswersTest {
  private static final LoopbackAnswers TOLD =
      new LoopbackAnswers(Map.of("example.com/c", 4711, "example.com/d", 65_535));

  @TempDir private Path folder;

  @Test
  void anEmbeddedServerIs() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().start();
        ClusterConnection connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
      connection.api().create(CoreTypes.CONFIG_MAP, TOLD.configMap("kueue-system"));

      LoopbackAnswers read = LoopbackAnswers.of(connection, "kueue-system");

      assertThat(read).isEqualTo(TOLD);
      assertThat(read.at("example.com/c", "team", "budget"))
          .contains(URI.create("http://127.0.0.1:4711/dry-evaluations/v1/team/budget"));
      assertThat(read.at("example.com/other", "team", "budget")).isEmpty();
      assertThat(LoopbackAnswers.of(connection, "default").ports()).isEmpty();
    }
  }

  /** It is the same server, with the same ConfigMap and a user who may read it. */
  @Test
  void byHttpsItIsNot() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().secure().start();
        ClusterConnection plain = ClusterConnection.builder("test").url(server.uri()).open()) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
      plain.api().create(CoreTypes.CONFIG_MAP, TOLD.configMap("kueue-system"));
      User admin = User.serviceAccount("team", "admin");
      server.grant(admin, "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}");
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig(admin));
      try (ClusterConnection secure =
          ClusterConnection.builder("test").kubeconfig(kubeconfig, null).open()) {
        assertThat(secure.server().getScheme()).isEqualTo("https");
        assertThat(LoopbackAnswers.of(plain, "kueue-system")).isEqualTo(TOLD);
        assertThat(LoopbackAnswers.of(secure, "kueue-system").ports()).isEmpty();
      }
    }
  }

  /** As {@code kubectl proxy} shows a real cluster on this machine. */
  @Test
  void anotherServerIsNotAskedWhatItTells() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    try (Actors threads = Actors.named("proxy")) {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              asked.add(exchange.getRequestURI().getPath());
              byte[] body = "{\"gitVersion\": \"v1.33.1\"}".getBytes(StandardCharsets.UTF_8);
              exchange.getResponseHeaders().set("Content-Type", "application/json");
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
            }
          });
      server.start();
      try (ClusterConnection connection =
          ClusterConnection.builder("test")
              .url(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
              .open()) {
        assertThat(LoopbackAnswers.of(connection, "kueue-system").ports()).isEmpty();
        assertThat(asked).containsExactly("/version");
      } finally {
        server.stop(0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8001, true",
    "http://localhost:8001, true",
    "http://[::1]:8001, true",
    "https://127.0.0.1:8001, false",
    "https://localhost, false",
    "http://10.0.0.1:8001, false",
    "http://127.0.0.1.example.com:8001, false",
    "http://localhost.example.com, false"
  })
  void onlyPlainHttpOnLoopbackIs(URI server, boolean believed) {
    try (ClusterConnection connection = ClusterConnection.builder("test").url(server).open()) {
      assertThat(connection.isPlainOnLoopback()).isEqualTo(believed);
    }
  }
}
