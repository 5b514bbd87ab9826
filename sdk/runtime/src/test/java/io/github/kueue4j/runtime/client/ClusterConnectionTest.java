// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.ScriptedServer;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConnectionTest {

  @TempDir private Path directory = Path.of("");

  private static ClusterConnection.Builder builder() {
    return ClusterConnection.builder("test");
  }

  @Test
  void connectsWithAKubeconfigFile() {
    try (var server = EmbeddedApiServer.start()) {
      Path file = server.kubeconfig(directory.resolve("config"));
      try (var connection = builder().kubeconfig(file, null).connect()) {
        assertThat(connection.server()).isEqualTo(server.uri());
        assertThat(connection.namespace()).isEqualTo("default");
        assertThat(connection.api().serverVersion()).startsWith("v1.");
      }
    }
  }

  @Test
  void sendsTheTokenOfTheChosenContext() throws IOException {
    try (var server = new ScriptedServer((request, answer) -> answer.json(200, "{\"items\":[]}"))) {
      Path file = config(server.uri());
      assertThat(authorization(server, file, null)).isEqualTo("Bearer token-one");
      assertThat(authorization(server, file, "two")).isEqualTo("Basic dTpw");
      // From a file beside the kubeconfig, with a trailing newline.
      Files.writeString(directory.resolve("token.txt"), "token-three\n");
      assertThat(authorization(server, file, "three")).isEqualTo("Bearer token-three");
    }
  }

  private static String authorization(ScriptedServer server, Path file, @Nullable String context) {
    try (var connection = builder().kubeconfig(file, context).open()) {
      connection.api().list(CoreTypes.NODE, ListOptions.all());
      String sent = server.received().getLast().authorization();
      return sent == null ? "" : sent;
    }
  }

  private Path config(URI server) throws IOException {
    return Files.writeString(
        directory.resolve("config"),
        """
        current-context: one
        contexts:
        - {name: one, context: {cluster: c, user: one, namespace: team-a}}
        - {name: two, context: {cluster: c, user: two}}
        - {name: three, context: {cluster: c, user: three}}
        - {name: homeless, context: {cluster: gone, user: one}}
        clusters:
        - {name: c, cluster: {server: "%s/"}}
        users:
        - {name: one, user: {token: token-one}}
        - {name: two, user: {username: u, password: p}}
        - {name: three, user: {tokenFile: token.txt}}
        """
            .formatted(server));
  }

  @Test
  void takesTheContextsNamespaceAndDropsATrailingSlash() throws IOException {
    try (var connection =
        builder().kubeconfig(config(URI.create("http://127.0.0.1:9")), "one").open()) {
      assertThat(connection.namespace()).isEqualTo("team-a");
      assertThat(connection.server()).hasToString("http://127.0.0.1:9");
    }
  }

  @Test
  void reportsAnInvalidKubeconfigInOneLine() throws IOException {
    Path file = config(URI.create("http://127.0.0.1:9"));
    refused(directory.resolve("none"), null, "no kubeconfig at", "check the path");
    refused(file, "four", "no context 'four'", "[one, two, three, homeless]");
    refused(file, "homeless", "context 'homeless'", "names no cluster with a server");
    Path garbage = Files.writeString(directory.resolve("garbage"), "just words");
    refused(garbage, null, "is no readable kubeconfig");
    Path empty = Files.writeString(directory.resolve("empty"), "contexts: []\n");
    refused(empty, null, "no current-context in");
    Path badCertificate =
        Files.writeString(
            directory.resolve("bad"),
            Files.readString(file)
                .replace("token: token-one", "client-certificate: none, client-key: none"));
    refused(badCertificate, null, "can't use the credentials of context 'one'");
  }

  private static void refused(Path file, @Nullable String context, String... words) {
    assertThatThrownBy(() -> builder().kubeconfig(file, context))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("\n");
  }

  @Test
  void findsThePodsServiceAccount() throws IOException {
    Path account = directory.resolve("account");
    var environment =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
    assertThatThrownBy(() -> Endpoint.inCluster(environment, account))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContaining("not inside a cluster");

    Files.createDirectories(account);
    for (String name : List.of("token", "ca.crt")) {
      Files.writeString(account.resolve(name), "x");
    }
    Files.writeString(account.resolve("namespace"), "kueue-system\n");
    Endpoint endpoint = Endpoint.inCluster(environment, account);
    assertThat(endpoint.server()).hasToString("https://[fd00::1]:443");
    assertThat(endpoint.namespace()).isEqualTo("kueue-system");
  }

  /** What KUBECONFIG says, as the environment of a process. */
  private static Map<String, String> naming(Path... files) {
    return Map.of(
        "KUBECONFIG",
        Stream.of(files).map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
  }

  private Endpoint auto(Map<String, String> environment, @Nullable String context) {
    return Endpoint.auto(environment, directory, directory.resolve("account"), context);
  }

  private Path write(String file, String text) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }

  @Test
  void mergesTheFilesOfTheVariableAsKubectlDoes() throws Exception {
    Path contexts =
        write(
            "a/contexts",
            """
            contexts:
            - {name: one, context: {cluster: c, user: u, namespace: first}}
            """);
    Path clusters =
        write(
            "b/clusters",
            """
            current-context: one
            contexts:
            - {name: one, context: {cluster: c, user: u, namespace: second}}
            - {name: two, context: {cluster: d, user: u, namespace: other}}
            clusters:
            - {name: c, cluster: {server: "http://127.0.0.1:1"}}
            - {name: d, cluster: {server: "http://127.0.0.1:2"}}
            users:
            - {name: u, user: {tokenFile: token}}
            """);
    Path late = write("c/late", "{current-context: two, users: [{name: u, user: {token: x}}]}");
    write("b/token", "of-b");
    var environment = naming(contexts, directory.resolve("none"), clusters, late);

    Endpoint current = auto(environment, null);
    assertThat(current.server()).hasToString("http://127.0.0.1:1");
    assertThat(current.namespace()).isEqualTo("first");
    assertThat(auto(environment, "two").server()).hasToString("http://127.0.0.1:2");
    assertThatThrownBy(() -> auto(environment, "three"))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContainingAll("no context 'three'", "a/contexts", "b/clusters", "[one, two]");
    try (var server = new ScriptedServer((request, answer) -> answer.json(200, "{\"items\":[]}"))) {
      Path own =
          write("own", "clusters: [{name: c, cluster: {server: \"%s\"}}]".formatted(server.uri()));
      Endpoint found = auto(naming(own, contexts, clusters), null);
      var client = HttpClients.base(found, "test");
      try (var answer = client.newCall(get(found.server())).execute()) {
        assertThat(answer.code()).isEqualTo(200);
      }
      assertThat(server.received().getLast().authorization()).isEqualTo("Bearer of-b");
      HttpClients.close(client);
    }
  }

  private static Request get(URI server) {
    return new Request.Builder().url(server + "/api/v1/nodes").build();
  }

  @Test
  void takesTheFileInTheHomeAndThenThePod() throws IOException {
    Path account = directory.resolve("account");
    Files.createDirectories(account);
    Files.writeString(account.resolve("token"), "x");
    Files.writeString(account.resolve("ca.crt"), "x");
    var pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "443");
    assertThat(auto(pod, null).server()).hasToString("https://10.0.0.1:443");

    Path home = write(".kube/config", Files.readString(config(URI.create("http://127.0.0.1:9"))));
    assertThat(auto(pod, null).server()).hasToString("http://127.0.0.1:9");
    assertThat(auto(pod, "one").namespace()).isEqualTo("team-a");

    Path other = write("other", Files.readString(home).replace("team-a", "team-b"));
    assertThat(auto(naming(other), null).namespace()).isEqualTo("team-b");
  }

  @Test
  void saysWhereItLookedWhenThereIsNoCluster() {
    assertThatThrownBy(() -> auto(Map.of(), null))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContainingAll("KUBECONFIG is not set", directory + "/.kube/config", "no pod");
    assertThatThrownBy(() -> auto(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"), "staging"))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContainingAll("context 'staging'", "KUBECONFIG is not set");
    assertThatThrownBy(() -> auto(naming(directory.resolve("none")), null))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContainingAll("none of the files of KUBECONFIG", directory + "/none");
  }

  @Test
  void wantsExactlyOneCluster() {
    assertThatThrownBy(() -> builder().open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no cluster chosen for test");
    assertThatThrownBy(() -> builder().url(URI.create("localhost:8080")))
        .isInstanceOf(ClusterConnectionException.class)
        .hasMessageContaining("is no server URL");
  }
}
