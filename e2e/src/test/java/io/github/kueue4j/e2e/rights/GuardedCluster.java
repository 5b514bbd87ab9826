// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testkit.client.JsonApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * An API server that enforces roles and policies. On a real one, they take effect only after they
 * were created.
 *
 * @param folder for kubeconfigs
 */
record GuardedCluster(Closing server, Path folder, Users users) implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> COLLECTIONS =
      Map.of(
          "CustomResourceDefinition", "customresourcedefinitions",
          "ClusterRole", "clusterroles",
          "ClusterRoleBinding", "clusterrolebindings",
          "ValidatingAdmissionPolicy", "validatingadmissionpolicies",
          "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings");

  /** Ends a server. */
  interface Closing {
    void close();
  }

  /** Kubeconfigs of users; of the administrator where none is named. */
  interface Users {
    Path kubeconfig(Optional<User> user, Path file) throws IOException;
  }

  /**
   * One with the kinds of {@code kueue.x-k8s.io} and these objects, or skips the test with the
   * reason, printed.
   *
   * @param objects roles, policies and their bindings
   */
  static GuardedCluster start(ScenarioCluster kind, List<JsonNode> objects, Path folder)
      throws IOException {
    GuardedCluster started =
        kind == ScenarioCluster.EMBEDDED ? embedded(folder) : real(kind, folder);
    try (JsonApi administrator = started.administrator()) {
      for (JsonNode object : objects) {
        String collection = COLLECTIONS.get(object.get("kind").asText());
        administrator.create(
            "/apis/" + object.get("apiVersion").asText() + "/" + collection, object);
      }
      return started;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private static GuardedCluster embedded(Path folder) {
    EmbeddedApiServer server =
        EmbeddedApiServer.builder()
            .objects(Crds.kueue())
            .secure()
            .webhookPatience(Duration.ofMinutes(1))
            .start();
    return new GuardedCluster(
        server::close,
        folder,
        (user, file) ->
            user.isPresent() ? server.kubeconfig(file, user.get()) : server.kubeconfig(file));
  }

  private static GuardedCluster real(ScenarioCluster kind, Path folder) {
    Cluster cluster = kind.start(Clock.systemUTC());
    try (ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("definitions")) {
      Definitions.installKueueUnconverted(connection.api());
    }
    return new GuardedCluster(
        cluster::close,
        folder,
        (user, file) ->
            user.isPresent() ? withToken(cluster, user.get(), file) : cluster.kubeconfig());
  }

  /** Service accounts get their tokens from the API. */
  private static Path withToken(Cluster cluster, User user, Path file) throws IOException {
    String[] name = user.name().split(":", -1);
    String accounts = "/api/v1/namespaces/" + name[2] + "/serviceaccounts";
    try (JsonApi administrator = JsonApi.of(cluster.kubeconfig())) {
      ensure(administrator, "/api/v1/namespaces", name[2]);
      ensure(administrator, accounts, name[3]);
      ObjectNode issued =
          administrator.create(accounts + "/" + name[3] + "/token", JSON.createObjectNode());
      ObjectNode config =
          JSON.valueToTree(
              new Yaml(new SafeConstructor(new LoaderOptions()))
                  .load(Files.readString(cluster.kubeconfig())));
      ((ObjectNode) config.at("/users/0/user")).put("token", issued.at("/status/token").asText());
      return Files.writeString(file, config.toString());
    }
  }

  private static void ensure(JsonApi administrator, String collection, String name) {
    if (administrator.get(collection + "/" + name).isEmpty()) {
      administrator.create(
          collection,
          JSON.createObjectNode().set("metadata", JSON.createObjectNode().put("name", name)));
    }
  }

  JsonApi administrator() throws IOException {
    return JsonApi.of(users.kubeconfig(Optional.empty(), folder.resolve("administrator")));
  }

  JsonApi as(User user) throws IOException {
    return JsonApi.of(
        users.kubeconfig(Optional.of(user), folder.resolve(user.name().replace(':', '-'))));
  }

  @Override
  public void close() {
    server.close();
  }
}
