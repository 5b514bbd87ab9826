// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The token's file is replaced while the program runs, and the old token is refused. */
class TokenFileTest {
  private static final ObjectKey A = new ObjectKey("default", "a");

  @TempDir private Path directory = Path.of("");
  private Path token = Path.of("");

  /** Accepted by the server. */
  private volatile String valid = "old";

  /** Whether the file is replaced as soon as the old token has been refused, and not before. */
  private volatile boolean replacedLate;

  @BeforeEach
  void write() throws IOException {
    token = Files.writeString(directory.resolve("token"), "old\n");
  }

  private void answer(ScriptedServer.Received request, ScriptedServer.Answer answer)
      throws IOException {
    if (!("Bearer " + valid).equals(request.authorization())) {
      if (replacedLate) {
        Files.writeString(token, valid + "\n");
      }
      answer.status(401, "Unauthorized", "the token has expired");
    } else if (request.isWatch()) {
      answer.open().event("ADDED", ScriptedServer.configMap("b", "2", "v"));
    } else if (request.path().endsWith("/configmaps")) {
      answer.json(200, ScriptedServer.listJson("1"));
    } else {
      answer.json(200, ScriptedServer.configMap("a", "1", "v"));
    }
  }

  private ClusterConnection connect(ScriptedServer server) throws IOException {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("config"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: c, user: u}}]
            clusters: [{name: c, cluster: {server: "%s"}}]
            users: [{name: u, user: {tokenFile: token}}]
            """
                .formatted(server.uri()));
    return ClusterConnection.builder("test").kubeconfig(kubeconfig, null).open();
  }

  @Test
  void theNextRequestHasTheNewToken() throws IOException {
    try (var server = new ScriptedServer(this::answer);
        var connection = connect(server)) {
      assertThat(connection.api().get(CoreTypes.CONFIG_MAP, A)).isPresent();
      valid = "new";
      Files.writeString(token, "new\n");
      assertThat(connection.api().get(CoreTypes.CONFIG_MAP, A)).isPresent();
      assertThat(sent(server)).containsExactly("Bearer old", "Bearer new");
    }
  }

  @Test
  void aRefusedRequestIsRepeatedWithTheNewToken() throws IOException {
    try (var server = new ScriptedServer(this::answer);
        var connection = connect(server)) {
      valid = "new";
      replacedLate = true;

      JsonObject document = new JsonObject();
      document.addProperty("kind", "ConfigMap");
      connection.api().patch(CoreTypes.CONFIG_MAP, A, new MergePatch(document));

      assertThat(sent(server)).containsExactly("Bearer old", "Bearer new");
      assertThat(server.received())
          .allMatch(request -> request.body().equals("{\"kind\":\"ConfigMap\"}"));
    }
  }

  @Test
  void aWatchGoesOnWithTheNewToken() throws Exception {
    try (var server = new ScriptedServer(this::answer);
        var connection = connect(server);
        var informers = Informers.on(connection)) {
      valid = "new";
      replacedLate = true;
      var informer = informers.of(CoreTypes.CONFIG_MAP).register();
      informers.start();

      await().until(() -> informer.get(new ObjectKey("default", "b")).isPresent());
    }
  }

  @Test
  void aRequestIsNotRepeatedWithTheSameToken() throws IOException {
    try (var server = new ScriptedServer(this::answer);
        var connection = connect(server)) {
      valid = "new";
      assertThatThrownBy(() -> connection.api().get(CoreTypes.CONFIG_MAP, A))
          .isInstanceOf(KubernetesApiException.Unauthorized.class);
      assertThat(sent(server)).containsExactly("Bearer old");
    }
  }

  @Test
  void theLastTokenServesWhileTheFileIsBeingReplaced() throws IOException {
    try (var server = new ScriptedServer(this::answer);
        var connection = connect(server)) {
      assertThat(connection.api().get(CoreTypes.CONFIG_MAP, A)).isPresent();
      Files.writeString(token, "");
      assertThat(connection.api().get(CoreTypes.CONFIG_MAP, A)).isPresent();
      Files.delete(token);
      assertThat(connection.api().get(CoreTypes.CONFIG_MAP, A)).isPresent();
    }
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    try (var server = new ScriptedServer(this::answer);
        var connection = connect(server)) {
      Files.delete(token);
      assertThatThrownBy(() -> connection.api().get(CoreTypes.CONFIG_MAP, A))
          .isInstanceOf(KubernetesApiException.Unreachable.class)
          .hasMessageContaining("can't read the token in " + token);
    }
  }

  private static List<String> sent(ScriptedServer server) {
    return server.received().stream()
        .map(ScriptedServer.Received::authorization)
        .map(String::valueOf)
        .toList();
  }
}
