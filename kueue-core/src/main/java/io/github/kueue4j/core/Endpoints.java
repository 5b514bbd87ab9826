// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.MetricsSettings;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.core.diagnostics.DiagnosticsServer;
import io.github.kueue4j.core.webhook.CertificateKeeper;
import io.github.kueue4j.core.webhook.Webhooks;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ControllerHost;
import io.github.kueue4j.runtime.DelegatedAuthorizer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The HTTP endpoints of the core besides the webhooks: health, metrics and diagnostics. */
final class Endpoints implements AutoCloseable {
  private final Configuration configuration;
  private final ClusterConnection connection;

  /** Of /metrics; null if it needs no certificate, or uses that of the webhooks. */
  private final @Nullable CertificateKeeper certificates;

  private volatile @Nullable DiagnosticsServer diagnostics;

  private Endpoints(
      Configuration configuration,
      ClusterConnection connection,
      @Nullable CertificateKeeper certificates) {
    this.configuration = configuration;
    this.connection = connection;
    this.certificates = certificates;
  }

  /**
   * Adds the endpoints to a host.
   *
   * @param connection for asking the API server whether a client may read the metrics
   */
  static Endpoints on(
      ControllerHost.Builder host,
      Configuration configuration,
      ClusterConnection connection,
      Optional<Webhooks> webhooks) {
    configuration.health().ifPresent(host::health);
    host.healthPaths(
        "/" + configuration.livenessEndpoint(), "/" + configuration.readinessEndpoint());
    MetricsSettings metrics = configuration.metrics();
    if (metrics.address().isEmpty()) {
      return new Endpoints(configuration, connection, null);
    }
    if (!metrics.secure()) {
      host.metrics(metrics.address().get());
      return new Endpoints(configuration, connection, null);
    }
    boolean shares = webhooks.isPresent() && !hasItsOwn(configuration);
    CertificateKeeper shown =
        shares
            ? webhooks.get().certificates()
            : CertificateKeeper.forMetrics(
                metrics.certificateFolder(), hosts(configuration), connection);
    host.metrics(
        metrics.address().get(),
        configuration.tls().configurator(shown.context()),
        DelegatedAuthorizer.on(connection));
    return new Endpoints(configuration, connection, shares ? null : shown);
  }

  /** Whether /metrics has a certificate of its own that the core doesn't make. */
  private static boolean hasItsOwn(Configuration configuration) {
    boolean managed =
        configuration.webhook().map(WebhookSettings::managesCertificates).orElse(true);
    return !managed
        && configuration.metrics().certificateFolder().filter(Files::isDirectory).isPresent();
  }

  private static List<String> hosts(Configuration configuration) {
    List<String> hosts =
        new ArrayList<>(
            Webhooks.hosts(new ObjectKey(configuration.namespace(), Webhooks.METRICS_SERVICE)));
    hosts.add("localhost");
    return hosts;
  }

  /**
   * Starts the diagnostics server, and gets a certificate ready.
   *
   * @throws io.github.kueue4j.runtime.HttpPortException if a port can't be had
   * @throws InterruptedException if the thread is interrupted
   */
  void start() throws InterruptedException {
    if (configuration.diagnostics().isPresent()) {
      diagnostics =
          DiagnosticsServer.start(
              configuration.diagnostics().get(), connection.wireTime(), connection.fatalErrors());
    }
    if (certificates != null) {
      certificates.start();
      certificates.awaitFirstAttempt();
    }
  }

  /** The port of the diagnostics server; -1 if there is none. */
  int diagnosticsPort() {
    DiagnosticsServer server = diagnostics;
    return server == null ? -1 : server.port();
  }

  @Override
  public void close() {
    DiagnosticsServer server = diagnostics;
    if (server != null) {
      server.close();
    }
    if (certificates != null) {
      certificates.close();
    }
  }
}
