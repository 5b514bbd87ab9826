// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** All objects of a cluster, of whatever kind, over the plain API. */
final class ClusterContents implements AutoCloseable {
  /** What the server and its controllers make by themselves, and Helm's record of releases. */
  private static final Pattern OF_OTHERS =
      Pattern.compile(
          "(events|leases|endpoints|endpointslices|ipaddresses|apiservices) .*|.*sh\\.helm\\.release.*");

  private final HttpClient client;
  private final URI server;
  private final String token;

  private ClusterContents(HttpClient client, URI server, String token) {
    this.client = client;
    this.server = server;
    this.token = token;
  }

  /** Of the cluster that a kubeconfig of the tests names: with a token, or without credentials. */
  static ClusterContents of(Path kubeconfig) throws IOException, GeneralSecurityException {
    Rendered config = Chart.parse(Files.readString(kubeconfig)).getFirst();
    JsonObject cluster = first(config, "clusters").getAsJsonObject("cluster");
    JsonObject user = first(config, "users").getAsJsonObject("user");
    HttpClient.Builder client = HttpClient.newBuilder();
    if (cluster.has("certificate-authority-data")) {
      client.sslContext(
          trusting(
              Base64.getDecoder().decode(cluster.get("certificate-authority-data").getAsString())));
    }
    return new ClusterContents(
        client.build(),
        URI.create(cluster.get("server").getAsString()),
        user.has("token") ? user.get("token").getAsString() : "");
  }

  private static JsonObject first(Rendered config, String list) {
    return requireNonNull(config.at(list)).getAsJsonArray().get(0).getAsJsonObject();
  }

  private static SSLContext trusting(byte[] certificate)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "cluster",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate)));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** Such as {@code services kueue-system/kueue-webhook-service}. */
  Set<String> objects() {
    Set<String> all = new TreeSet<>();
    addResources("/api/v1", all);
    for (JsonElement group : get("/apis").getAsJsonArray("groups")) {
      String version =
          group
              .getAsJsonObject()
              .getAsJsonObject("preferredVersion")
              .get("groupVersion")
              .getAsString();
      addResources("/apis/" + version, all);
    }
    all.removeIf(each -> OF_OTHERS.matcher(each).matches());
    return all;
  }

  private void addResources(String group, Set<String> all) {
    for (JsonElement each : get(group).getAsJsonArray("resources")) {
      String resource = each.getAsJsonObject().get("name").getAsString();
      if (!resource.contains("/")
          && each.getAsJsonObject().get("verbs").toString().contains("list")) {
        for (JsonElement item : get(group + "/" + resource).getAsJsonArray("items")) {
          JsonObject metadata = item.getAsJsonObject().getAsJsonObject("metadata");
          String namespace =
              metadata.has("namespace") ? metadata.get("namespace").getAsString() + "/" : "";
          all.add(resource + " " + namespace + metadata.get("name").getAsString());
        }
      }
    }
  }

  JsonObject get(String path) {
    return send(HttpRequest.newBuilder(server.resolve(path)));
  }

  /** Creates an object in the collection at a path. */
  void create(String path, String object) {
    send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", "application/yaml")
            .POST(HttpRequest.BodyPublishers.ofString(object)));
  }

  /** Sends a merge patch. */
  void patch(String path, String patch) {
    send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", "application/merge-patch+json")
            .method("PATCH", HttpRequest.BodyPublishers.ofString(patch)));
  }

  private JsonObject send(HttpRequest.Builder request) {
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpRequest built = request.build();
    // 429: the server starts to serve a kind whose definition has just changed.
    HttpResponse<String> answer =
        await()
            .until(
                () -> client.send(built, HttpResponse.BodyHandlers.ofString()),
                each -> each.statusCode() != 429);
    assertThat(answer.statusCode()).as("%s: %s", answer.uri(), answer.body()).isIn(200, 201);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
