// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The parameters of a process's start that its configuration depends on.
 *
 * @param namespace the default for a file that names no namespace
 * @param featureGates of the command line, {@code name=true,other=false}; empty for none
 * @param metricsCertificates folder in which a certificate for the metrics may be mounted; empty if
 *     none can be
 * @param ignoreUnsupported whether frameworks and feature gates that other implementations have and
 *     this one hasn't are reported as keys without effect instead of being refused
 */
@API(status = API.Status.EXPERIMENTAL)
public record Launch(
    String namespace,
    String featureGates,
    Optional<Path> metricsCertificates,
    boolean ignoreUnsupported) {
  /** How what is unsupported is ignored, as the end of a remedy. */
  static final String IGNORE_UNSUPPORTED =
      "--ignore-unsupported (value managerConfig.ignoreUnsupported of the chart)";

  private static final String DEFAULT_NAMESPACE = "kueue-system";

  /** The file with the namespace of a pod's service account. */
  private static final Path OF_THE_POD =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  /** Where a pod of the core has the certificate for its metrics mounted. */
  private static final Path METRICS_CERTIFICATES = Path.of("/etc/kueue/metrics/certs");

  /** Outside of a cluster, without feature gates; reads nothing of the machine. */
  public static Launch plain() {
    return plain("");
  }

  /** Outside of a cluster; reads nothing of the machine. */
  public static Launch plain(String featureGates) {
    return new Launch(DEFAULT_NAMESPACE, featureGates, Optional.empty(), false);
  }

  /** The namespace of this process's pod; {@code kueue-system} outside of a pod. */
  public static Launch ofThisProcess(String featureGates) {
    return in(OF_THE_POD, featureGates).withMetricsCertificates(METRICS_CERTIFICATES);
  }

  /** The same with another folder for the certificate of the metrics. */
  public Launch withMetricsCertificates(Path folder) {
    return new Launch(namespace, featureGates, Optional.of(folder), ignoreUnsupported);
  }

  /** The same, and what only other implementations have is ignored or refused. */
  public Launch ignoringUnsupported(boolean ignore) {
    return new Launch(namespace, featureGates, metricsCertificates, ignore);
  }

  static Launch in(Path namespaceFile, String featureGates) {
    try {
      String namespace =
          Files.isReadable(namespaceFile) ? Files.readString(namespaceFile).strip() : "";
      return new Launch(
          namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace,
          featureGates,
          Optional.empty(),
          false);
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidConfigurationException(
          namespaceFile + ": can't be read: " + e.getMessage() + "; set namespace in --config", e);
    }
  }
}
