// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.AnyCertificate;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** /metrics as it is by default: over HTTPS, and only for users whom the API server authorizes. */
class SecureMetricsTest {
  private static final String HOST = "kueue-controller-manager-metrics-service.kueue-system.svc";
  private static final User READER = User.serviceAccount("monitoring", "prometheus");
  private static final User STRANGER = User.serviceAccount("default", "stranger");

  private final EmbeddedApiServer server = EmbeddedApiServer.builder().secure().start();
  private final ClusterConnection connection =
      ClusterConnection.builder("kueue-core").url(server.uri()).connect();
  private final TimeSource time = TimeSource.system();

  @BeforeEach
  void grant() {
    server.applyCrds(Crds.kueue());
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    server.grant(READER, "{nonResourceURLs: [/metrics], verbs: [get]}");
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
    time.close();
  }

  private KueueCore start(String more) throws InterruptedException {
    return start(more, Launch.plain());
  }

  private KueueCore start(String more, Launch launch) throws InterruptedException {
    KueueCore core =
        KueueCore.builder(
                connection,
                Configuration.parse(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    leaderElection: {leaderElect: false}
                    health: {healthProbeBindAddress: "127.0.0.1:0"}
                    metrics: {bindAddress: "127.0.0.1:0"}
                    """
                        + more,
                    launch),
                time)
            .build();
    core.start();
    return core;
  }

  private String tokenOf(User user) {
    return "Authorization: Bearer " + server.token(user) + "\r\n";
  }

  /** Scrapes under the name of the Service, over TLS as {@code client} would have it. */
  private static String scrape(
      KueueCore core, SSLContext trust, SSLParameters client, String authorization)
      throws IOException {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), core.metricsPort());
        SSLSocket socket =
            (SSLSocket)
                trust.getSocketFactory().createSocket(plain, HOST, core.metricsPort(), true)) {
      socket.setSSLParameters(client);
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n"
                  .formatted(HOST, authorization)
                  .getBytes(StandardCharsets.UTF_8));
      try (InputStream answer = socket.getInputStream()) {
        return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  private static String scrape(KueueCore core, String authorization) throws Exception {
    SSLContext anything = AnyCertificate.trusted();
    return scrape(core, anything, anything.getDefaultSSLParameters(), authorization);
  }

  private static SSLContext trusting(byte[] authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (var certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(authorities))) {
      store.setCertificateEntry("authority-" + number++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  @Test
  void onlyAuthorizedReadersAreAnswered() throws Exception {
    try (KueueCore core = start("")) {
      assertThat(scrape(core, "")).startsWith("HTTP/1.1 401 ").contains("bearer");
      assertThat(scrape(core, "Authorization: Bearer nonsense\r\n")).startsWith("HTTP/1.1 401 ");
      assertThat(scrape(core, tokenOf(STRANGER)))
          .startsWith("HTTP/1.1 403 ")
          .contains("system:serviceaccount:default:stranger may not get /metrics");
      assertThat(scrape(core, tokenOf(READER)))
          .startsWith("HTTP/1.1 200 ")
          .contains("workqueue_depth");
    }
  }

  @Test
  void theCertificateOfTheWebhooksIsShownAndCanBeVerified() throws Exception {
    try (KueueCore core = start("webhook: {host: 127.0.0.1, port: 0}\n")) {
      await().until(() -> core.readinessProblems().isEmpty());
      SSLContext trust = trusting(certificates().get("ca.crt"));

      assertThat(scrape(core, trust, verified(trust), tokenOf(READER))).startsWith("HTTP/1.1 200 ");
    }
  }

  @ExpectedLog(logger = "ConfiguredSettings", message = "internalCertManagement.enable")
  @Test
  void aMountedCertificateIsShown(@TempDir Path folder) throws Exception {
    try (KueueCore core = start("webhook: {host: 127.0.0.1, port: 0}\n")) {
      await().until(() -> core.readinessProblems().isEmpty());
    }
    for (String file : List.of("tls.crt", "tls.key")) {
      Files.write(folder.resolve(file), certificates().get(file));
    }
    SSLContext trust = trusting(certificates().get("ca.crt"));

    try (KueueCore core =
        start(
            "internalCertManagement: {enable: false}\n",
            Launch.plain().withMetricsCertificates(folder))) {
      assertThat(scrape(core, trust, verified(trust), tokenOf(READER))).startsWith("HTTP/1.1 200 ");
    }
    try (KueueCore core = start("internalCertManagement: {enable: false}\n")) {
      assertThatThrownBy(() -> scrape(core, trust, verified(trust), tokenOf(READER)))
          .isInstanceOf(SSLException.class);
    }
  }

  private Map<String, byte[]> certificates() {
    return connection
        .api()
        .get(CoreTypes.SECRET, new ObjectKey("kueue-system", "kueue-webhook-server-cert"))
        .orElseThrow()
        .getData();
  }

  private static SSLParameters verified(SSLContext trust) {
    SSLParameters verified = trust.getDefaultSSLParameters();
    verified.setEndpointIdentificationAlgorithm("HTTPS");
    return verified;
  }

  @Test
  void handshakesAgreeToWhatTheConfigurationSays() throws Exception {
    SSLContext anything = AnyCertificate.trusted();
    SSLParameters older = anything.getDefaultSSLParameters();
    older.setProtocols(new String[] {"TLSv1.2"});
    SSLParameters otherCurve = anything.getDefaultSSLParameters();
    otherCurve.setNamedGroups(new String[] {"x25519"});
    SSLParameters otherSuite = anything.getDefaultSSLParameters();
    otherSuite.setProtocols(new String[] {"TLSv1.2"});
    otherSuite.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
    SSLParameters suite = anything.getDefaultSSLParameters();
    suite.setProtocols(new String[] {"TLSv1.2"});
    suite.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"});

    try (KueueCore core = start("")) {
      for (SSLParameters client : new SSLParameters[] {older, otherCurve, otherSuite}) {
        assertThat(scrape(core, anything, client, "")).startsWith("HTTP/1.1 401 ");
      }
    }
    try (KueueCore core =
        start("tls: {minVersion: VersionTLS13, curvePreferences: [CurveP384]}\n")) {
      assertThatThrownBy(() -> scrape(core, anything, older, "")).isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> scrape(core, anything, otherCurve, ""))
          .isInstanceOf(SSLException.class);
      assertThat(scrape(core, "")).startsWith("HTTP/1.1 401 ");
    }
    try (KueueCore core =
        start("tls: {cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]}\n")) {
      assertThatThrownBy(() -> scrape(core, anything, otherSuite, ""))
          .isInstanceOf(SSLException.class);
      assertThat(scrape(core, anything, suite, "")).startsWith("HTTP/1.1 401 ");
    }
  }
}
