// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import io.github.kueue4j.runtime.tls.TlsIdentity;
import io.github.kueue4j.runtime.tls.TlsOptions;
import io.github.kueue4j.testdefaults.Patience;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A webhook server with one route, {@code /review}, and raw connections to it. */
final class ServedWebhooks implements AutoCloseable {
  private final WebhookServer server;
  private final SSLContext trusting;

  private final MeterRegistry meters;

  private ServedWebhooks(WebhookServer server, SSLContext trusting, MeterRegistry meters) {
    this.server = server;
    this.trusting = trusting;
    this.meters = meters;
  }

  /**
   * Starts it.
   *
   * @param time of its deadlines
   */
  static ServedWebhooks start(
      ManualTime time, FatalErrors errors, UnaryOperator<JsonObject> reviewer)
      throws GeneralSecurityException, IOException {
    ServingCertificates certificates =
        ServingCertificates.issue(List.of("localhost"), Instant.now(), new SecureRandom());
    TlsIdentity identity = new TlsIdentity();
    identity.show(certificates);
    MeterRegistry meters = new SimpleMeterRegistry();
    WebhookServer server =
        WebhookServer.on(
            new HttpAddress("127.0.0.1", 0),
            TlsOptions.defaults().configurator(identity.context()),
            time,
            errors,
            new WebhookMeters(meters));
    server.route("/review", reviewer);
    server.start();
    return new ServedWebhooks(server, trusting(certificates), meters);
  }

  private static SSLContext trusting(ServingCertificates certificates)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("server", certificates.chain().getLast());
    int number = 0;
    for (var authority : certificates.authorities()) {
      store.setCertificateEntry("authority-" + number++, authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  MeterRegistry meters() {
    return meters;
  }

  WebhookServer server() {
    return server;
  }

  /** A TCP connection without TLS. */
  Socket plain() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    return socket;
  }

  /** A connection after its handshake. */
  Socket connect() throws IOException {
    Socket socket =
        trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    return socket;
  }

  /** Sends text on a connection of its own and returns the beginning of the answer. */
  Socket send(String text) throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  /** Posts a review and returns the connection, from which the answer can be read. */
  Socket post(String body) throws IOException {
    return send(head("Content-Length: " + body.length()) + body);
  }

  /** The beginning of a request with one more header. */
  static String head(String header) {
    return "POST /review HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
  }

  /** All that the server sends until it closes the connection. */
  static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.close();
  }
}
