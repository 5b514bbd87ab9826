// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The configuration of the core's webhooks.
 *
 * @param address of the webhooks; port 0 for any free port
 * @param certificateFolder folder with {@code tls.crt} and {@code tls.key}, used if the core
 *     doesn't manage certificates
 * @param managesCertificates whether the core creates and renews its certificate and registers its
 *     authority with the API server
 * @param serviceName the Service that routes to the port
 * @param secretName the Secret with the certificate that the core manages
 */
@API(status = API.Status.EXPERIMENTAL)
public record WebhookSettings(
    HttpAddress address,
    Path certificateFolder,
    boolean managesCertificates,
    String serviceName,
    String secretName) {
  private static final String DEFAULT_FOLDER = "/tmp/k8s-webhook-server/serving-certs";
  private static final String DEFAULT_SERVICE = "kueue-webhook-service";
  private static final String DEFAULT_SECRET = "kueue-webhook-server-cert";
  private static final int DEFAULT_PORT = 9443;
  private static final int LAST_PORT = 65_535;

  /** Any free port of the loopback address, for an API server on the same machine. */
  public static WebhookSettings onLoopback() {
    return new WebhookSettings(
        new HttpAddress("127.0.0.1", 0),
        Path.of(DEFAULT_FOLDER),
        true,
        DEFAULT_SERVICE,
        DEFAULT_SECRET);
  }

  /**
   * Reads the block {@code webhook}; empty without it, because no API server can reach a core on a
   * workstation.
   */
  static Optional<WebhookSettings> read(YamlBlock root) {
    boolean served = root.has("webhook");
    try (YamlBlock webhook = root.block("webhook");
        YamlBlock management = root.block("internalCertManagement")) {
      int port = webhook.number("port", DEFAULT_PORT);
      if (port < 0 || port > LAST_PORT) {
        throw webhook.invalid(
            "port", "is %d; write a port from 1 to %d, or 0 for any".formatted(port, LAST_PORT));
      }
      WebhookSettings settings =
          new WebhookSettings(
              new HttpAddress(webhook.text("host", ""), port),
              Path.of(webhook.text("certDir", DEFAULT_FOLDER)),
              management.flag("enable", true),
              name(
                  management,
                  "webhookServiceName",
                  DEFAULT_SERVICE,
                  "[a-z]([-a-z0-9]{0,61}[a-z0-9])?",
                  "write lower case letters, digits and dashes, a letter first, at most 63 in all"),
              name(
                  management,
                  "webhookSecretName",
                  DEFAULT_SECRET,
                  "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
                  "write lower case letters, digits, dashes and dots, at most 253 in all"));
      if (!served) {
        management.reportUnusedBut(Set.of(), "there is no block webhook");
        return Optional.empty();
      }
      if (settings.managesCertificates() && webhook.has("certDir")) {
        webhook.reportUnused("certDir", "internalCertManagement.enable is true");
      }
      return Optional.of(settings);
    }
  }

  private static String name(
      YamlBlock block, String key, String fallback, String form, String remedy) {
    String name = block.text(key, fallback);
    if (!name.matches(form)) {
      throw block.invalid(key, "is \"" + name + "\"; " + remedy);
    }
    return name;
  }
}
