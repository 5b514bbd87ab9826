// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import com.sun.net.httpserver.HttpsConfigurator;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.MetricsSettings;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.core.diagnostics.DiagnosticsServer;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.webhook.CertificateKeeper;
import io.github.kueue4j.core.webhook.Webhooks;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.http.DelegatedAuthorizer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The HTTP endpoints of the core besides the webhooks: health, metrics and diagnostics. */
final class Endpoints implements AutoCloseable {
  private final Configuration configuration;
  private final ClusterConnection connection;

  /**
   * The certificates of /metrics and the view; null if none is needed, or that of the webhooks is
   * used.
   */
  private final @Nullable CertificateKeeper certificates;

  /** The context of the HTTPS servers; null if none is needed. */
  private final @Nullable SSLContext context;

  private volatile @Nullable DiagnosticsServer diagnostics;

  private Endpoints(
      Configuration configuration,
      ClusterConnection connection,
      @Nullable CertificateKeeper certificates,
      @Nullable SSLContext context) {
    this.configuration = configuration;
    this.connection = connection;
    this.certificates = certificates;
    this.context = context;
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
    Endpoints endpoints = withCertificate(configuration, connection, webhooks);
    MetricsSettings metrics = configuration.metrics();
    if (metrics.address().isPresent()) {
      if (metrics.secure()) {
        host.metrics(metrics.address().get(), endpoints.tls(), DelegatedAuthorizer.on(connection));
      } else {
        host.metrics(metrics.address().get());
      }
    }
    return endpoints;
  }

  private static Endpoints withCertificate(
      Configuration configuration, ClusterConnection connection, Optional<Webhooks> webhooks) {
    MetricsSettings metrics = configuration.metrics();
    ViewSettings view = configuration.extensions().view();
    boolean secure =
        (metrics.address().isPresent() && metrics.secure())
            || (view.address().isPresent() && view.secure());
    if (!secure) {
      return new Endpoints(configuration, connection, null, null);
    }
    if (webhooks.isPresent() && !hasItsOwn(configuration)) {
      return new Endpoints(
          configuration, connection, null, webhooks.get().certificates().context());
    }
    CertificateKeeper own =
        CertificateKeeper.forMetrics(metrics.certificateFolder(), hosts(configuration), connection);
    return new Endpoints(configuration, connection, own, own.context());
  }

  private HttpsConfigurator tls() {
    return configuration.tls().configurator(Objects.requireNonNull(context, "certificate"));
  }

  /** The view, if it is on; not served yet. */
  Optional<ServedView> view(
      @Nullable Function<ViewedCore, ServedView> maker,
      CoreInformers caches,
      StateLoop loop,
      TimeSource time) {
    ViewSettings settings = configuration.extensions().view();
    if (maker == null || settings.address().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        maker.apply(
            new ViewedCore(
                configuration,
                settings.secure() ? Optional.of(tls()) : Optional.empty(),
                connection,
                caches,
                loop::snapshot,
                time)));
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
    hosts.addAll(Webhooks.hosts(new ObjectKey(configuration.namespace(), Webhooks.VIEW_SERVICE)));
    hosts.add("localhost");
    return hosts;
  }

  /**
   * Starts the diagnostics server, and gets a certificate ready.
   *
   * @throws io.github.kueue4j.runtime.http.HttpPortException if a port can't be had
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
