/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.access.User;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    Matcher token = Pattern.compile("token: (\\S+)").matcher(server.kubeconfig(PROMETHEUS));
    assertThat(token.find()).isTrue();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anything()}, null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"))
              .header("Authorization", "Bearer " + token.group(1))
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
