// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.webhooks;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.admission.DefaultingContext;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.core.webhook.Webhooks;
import io.github.kueue4j.e2e.scenarios.AdministratorAccess;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster whose API server asks the core's webhooks, which listen on this machine. */
final class ReviewedCluster implements AutoCloseable {
  private static final String NAMESPACE = "kueue-system";
  private static final String SERVICE = "kueue-webhook-service";
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final int CREATED = 201;
  private static final int OK = 200;
  private static final int REFUSED = 422;
  private static final int GONE = 404;

  private static final Configuration CONFIGURATION =
      Configuration.parse(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          featureGates: {PriorityBoost: true}
          """);

  private static final Map<String, String> KINDS =
      Map.of(
          "clusterqueues", "ClusterQueue",
          "cohorts", "Cohort",
          "resourceflavors", "ResourceFlavor",
          "localqueues", "LocalQueue",
          "workloads", "Workload",
          "jobs", "Job");

  private final AdministratorAccess access;
  private final ClusterConnection connection;
  private final Webhooks webhooks;

  /** One namespace has a default queue, and one Job waits in a queue. */
  private static final class Town implements DefaultingContext {
    @Override
    public boolean managesNamespace(String namespace) {
      return true;
    }

    @Override
    public boolean hasLocalQueue(String namespace, String name) {
      return namespace.equals("default") && name.equals("default");
    }

    @Override
    public boolean hasWorkloadPriorityClass(String name) {
      return false;
    }

    @Override
    public boolean managesOwner(String namespace, V1OwnerReference owner, ChildJob child) {
      return owner.getKind().equals("Job") && owner.getName().equals("parent");
    }

    @Override
    public boolean createsJobs(String apiVersion, String kind) {
      return kind.equals("Job");
    }

    @Override
    public boolean excludes(String clusterQueue, String namespace) {
      return false;
    }

    @Override
    public Set<String> cohorts() {
      return Set.of();
    }
  }

  private ReviewedCluster(Path kubeconfig) throws IOException, GeneralSecurityException {
    this.access = AdministratorAccess.of(kubeconfig);
    this.connection = ClusterConnection.builder("webhooks").kubeconfig(kubeconfig, null).connect();
    this.webhooks =
        Webhooks.on(
            connection,
            WebhookSettings.onLoopback(),
            NAMESPACE,
            new AdmissionRules(CONFIGURATION, new Town()).reviewers(),
            CONFIGURATION.tls(),
            new SimpleMeterRegistry());
  }

  static ReviewedCluster on(Path kubeconfig) throws IOException, GeneralSecurityException {
    ReviewedCluster cluster = new ReviewedCluster(kubeconfig);
    try {
      cluster.register();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void register() {
    Definitions.installKueue(connection.api());
    for (String namespace : List.of(NAMESPACE, "plain")) {
      create(
          "/api/v1/namespaces", "{\"metadata\": {\"name\": \"" + namespace + "\"}}", "Namespace");
    }
    WebhookRegistration registration =
        new WebhookRegistration(
            new ObjectKey(NAMESPACE, SERVICE),
            WebhookRegistration.allNamespacesBut(NAMESPACE),
            Integrations.of(List.of("batch/job")),
            null);
    register("mutatingwebhookconfigurations", registration.mutating());
    register("validatingwebhookconfigurations", registration.validating());
    webhooks.start();
    await()
        .alias("the webhooks have no problems")
        .atMost(PATIENCE)
        .until(webhooks::problems, List::isEmpty);
  }

  /** No service leads to this machine; a URL does. */
  private void register(String plural, Object configuration) {
    JsonObject tree = KueueJson.toTree(configuration).getAsJsonObject();
    for (JsonElement webhook : tree.getAsJsonArray("webhooks")) {
      JsonObject client = webhook.getAsJsonObject().getAsJsonObject("clientConfig");
      String path = client.remove("service").getAsJsonObject().get("path").getAsString();
      client.addProperty("url", "https://localhost:" + webhooks.port() + path);
    }
    create(
        "/apis/admissionregistration.k8s.io/v1/" + plural,
        tree.toString(),
        tree.get("kind").getAsString());
  }

  private void create(String path, String object, String kind) {
    JsonObject tree = JsonParser.parseString(object).getAsJsonObject();
    tree.addProperty("apiVersion", path.substring(path.indexOf('/', 1) + 1, path.lastIndexOf('/')));
    tree.addProperty("kind", kind);
    expect(CREATED, send("POST", path, tree.toString()));
  }

  /** How the answer differs from what the row says. */
  Optional<String> difference(Refusal row) {
    try {
      HttpResponse<String> answer = write(row);
      if (answer.statusCode() != REFUSED) {
        return Optional.of(answer.statusCode() + " instead of " + REFUSED + ": " + answer.body());
      }
      String message =
          JsonParser.parseString(answer.body()).getAsJsonObject().get("message").getAsString();
      for (String part : row.refusal().split("\\.\\.\\.", -1)) {
        if (!message.contains(part)) {
          return Optional.of("refused, but with " + message);
        }
      }
      return Optional.empty();
    } finally {
      delete(row.path() + "/row");
    }
  }

  private HttpResponse<String> write(Refusal row) {
    if (row.before().isEmpty()) {
      return send("POST", row.path(), typed(row.path(), row.after()));
    }
    expect(CREATED, send("POST", row.path(), typed(row.path(), row.before())));
    String object = row.path() + "/row";
    if (row.status().equals(Refusal.STARTED)) {
      expect(OK, merge(object, "{\"spec\": {\"suspend\": false}}"));
    } else if (!row.status().isEmpty()) {
      expect(OK, merge(object + "/status", "{\"status\": " + row.status() + "}"));
    }
    return row.part().isEmpty() ? replace(object, row) : patchStatus(object, row);
  }

  private HttpResponse<String> patchStatus(String object, Refusal row) {
    JsonObject status = JsonParser.parseString(row.after()).getAsJsonObject();
    // A merge patch keeps what it doesn't mention.
    for (String list : List.of("reclaimablePods", "admissionChecks")) {
      if (!status.has(list)) {
        status.add(list, JsonNull.INSTANCE);
      }
    }
    JsonObject patch = new JsonObject();
    patch.add("status", status);
    return merge(object + "/" + row.part(), patch.toString());
  }

  private HttpResponse<String> replace(String object, Refusal row) {
    JsonObject stored = JsonParser.parseString(send("GET", object, "").body()).getAsJsonObject();
    JsonObject wanted = JsonParser.parseString(typed(row.path(), row.after())).getAsJsonObject();
    wanted
        .getAsJsonObject("metadata")
        .add("resourceVersion", stored.getAsJsonObject("metadata").get("resourceVersion"));
    // What the server has added to a Job is immutable.
    if (stored.getAsJsonObject("spec").has("selector")) {
      for (String member : List.of("selector", "template")) {
        wanted.getAsJsonObject("spec").add(member, stored.getAsJsonObject("spec").get(member));
      }
    }
    return send("PUT", object, wanted.toString());
  }

  private void delete(String object) {
    merge(object, "{\"metadata\": {\"finalizers\": null}}");
    send("DELETE", object + "?propagationPolicy=Background", "");
    await()
        .alias(object + " is gone")
        .atMost(PATIENCE)
        .until(() -> send("GET", object, "").statusCode(), status -> status == GONE);
  }

  /** Rows leave out what the path says. */
  private static String typed(String collection, String object) {
    JsonObject tree = JsonParser.parseString(object).getAsJsonObject();
    String[] parts = collection.split("/", -1);
    tree.addProperty("apiVersion", parts[2] + "/" + parts[3]);
    tree.addProperty("kind", KINDS.get(parts[parts.length - 1]));
    return tree.toString();
  }

  private static void expect(int status, HttpResponse<String> answer) {
    if (answer.statusCode() != status) {
      throw new IllegalStateException(
          answer.request().method()
              + " "
              + answer.request().uri()
              + " was answered with "
              + answer.statusCode()
              + ": "
              + answer.body());
    }
  }

  private HttpResponse<String> merge(String path, String body) {
    return send("PATCH", path, body, "application/merge-patch+json");
  }

  private HttpResponse<String> send(String method, String path, String body) {
    return send(method, path, body, "application/json");
  }

  private HttpResponse<String> send(String method, String path, String body, String type) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(access.server() + path))
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    access.headers().forEach(request::header);
    try {
      return access.client().send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the API server works", e);
    }
  }

  @Override
  public void close() {
    webhooks.close();
    connection.close();
    access.close();
  }
}
