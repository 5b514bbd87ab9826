// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A Prometheus that reads /metrics of the core with the rights that its chart gives it. */
final class Scraper {
  private static final User PROMETHEUS = User.serviceAccount("monitoring", "prometheus-k8s");

  private Scraper() {}

  static HttpResponse<String> scrape(EmbeddedApiServer server, int port)
      throws IOException, InterruptedException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anything()}, null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"))
              .header("Authorization", "Bearer " + server.token(PROMETHEUS))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  /** The certificate is for the Service's name, and the core's own tests verify it. */
  private static final class Anything extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
