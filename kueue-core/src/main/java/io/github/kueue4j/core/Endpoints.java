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

/** What people and their tools read of the core: health, metrics, and a look inside. */
final class Endpoints implements AutoCloseable {
  private final Configuration configuration;

  /** Of /metrics; null if it needs none, or shows that of the webhooks. */
  private final @Nullable CertificateKeeper certificates;

  private volatile @Nullable DiagnosticsServer diagnostics;

  private Endpoints(Configuration configuration, @Nullable CertificateKeeper certificates) {
    this.configuration = configuration;
    this.certificates = certificates;
  }

  /**
   * Describes to a host what it serves.
   *
   * @param connection to ask who may read
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
      return new Endpoints(configuration, null);
    }
    if (!metrics.secure()) {
      host.metrics(metrics.address().get());
      return new Endpoints(configuration, null);
    }
    boolean shares = webhooks.isPresent() && !hasItsOwn(configuration);
    CertificateKeeper shown =
        shares
            ? webhooks.get().certificates()
            : CertificateKeeper.forMetrics(
                metrics.certificateFolder(), hosts(configuration), connection.wireTime());
    host.metrics(
        metrics.address().get(),
        configuration.tls().configurator(shown.context()),
        DelegatedAuthorizer.on(connection));
    return new Endpoints(configuration, shares ? null : shown);
  }

  /** Whether somebody else makes a certificate for /metrics alone. */
  private static boolean hasItsOwn(Configuration configuration) {
    boolean managed =
        configuration.webhook().map(WebhookSettings::managesCertificates).orElse(true);
    return !managed && Files.isDirectory(configuration.metrics().certificateFolder());
  }

  private static List<String> hosts(Configuration configuration) {
    List<String> hosts =
        new ArrayList<>(
            Webhooks.hosts(new ObjectKey(configuration.namespace(), Webhooks.METRICS_SERVICE)));
    hosts.add("localhost");
    return hosts;
  }

  /**
   * Serves the look inside, and gets a certificate ready.
   *
   * @throws io.github.kueue4j.runtime.HttpPortException if a port can't be had
   * @throws InterruptedException if the thread is interrupted
   */
  void start() throws InterruptedException {
    if (configuration.diagnostics().isPresent()) {
      diagnostics = DiagnosticsServer.start(configuration.diagnostics().get());
    }
    if (certificates != null) {
      certificates.start();
      certificates.awaitFirstLook();
    }
  }

  /** The port of the look inside; -1 if it isn't served. */
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
