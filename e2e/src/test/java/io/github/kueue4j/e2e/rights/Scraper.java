// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.testdefaults.AnyCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A Prometheus that reads /metrics of the core with the rights that its chart gives it. */
final class Scraper {
  private static final User PROMETHEUS = User.serviceAccount("monitoring", "prometheus-k8s");

  private Scraper() {}

  static HttpResponse<String> scrape(EmbeddedApiServer server, int port)
      throws IOException, InterruptedException {
    // The certificate is for the Service's name, and the core's own tests verify it.
    try (HttpClient client = HttpClient.newBuilder().sslContext(AnyCertificate.trusted()).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"))
              .header("Authorization", "Bearer " + server.token(PROMETHEUS))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
