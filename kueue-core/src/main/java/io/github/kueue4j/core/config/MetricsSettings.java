// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The configuration of metrics: which there are, their address and access.
 *
 * @param address of /metrics; empty if it is off
 * @param secure whether it is served over HTTPS, to users that the API server authorizes
 * @param certificateFolder folder with {@code tls.crt} and {@code tls.key}, used if it exists and
 *     the core doesn't manage certificates
 * @param localQueues the LocalQueues that have metrics of their own; empty for none
 * @param resources whether the quota of ClusterQueues is measured by flavor and resource
 * @param customLabels further labels of metrics
 */
@API(status = API.Status.EXPERIMENTAL)
public record MetricsSettings(
    Optional<HttpAddress> address,
    boolean secure,
    Optional<Path> certificateFolder,
    Optional<LabelSelector> localQueues,
    boolean resources,
    List<CustomLabel> customLabels) {
  /** Key of the block {@code kueue4j}: serve metrics over plain HTTP without authorization. */
  static final String INSECURE = "insecureMetrics";

  private static final String ADDRESS = "bindAddress";

  public MetricsSettings {
    customLabels = List.copyOf(customLabels);
  }

  /** A copy with another address. */
  MetricsSettings at(Optional<HttpAddress> other) {
    return new MetricsSettings(
        other, secure, certificateFolder, localQueues, resources, customLabels);
  }

  static MetricsSettings read(YamlBlock root, FeatureGates gates, Launch launch) {
    try (YamlBlock block = root.block("metrics");
        YamlBlock perLocalQueue = block.block("localQueueMetrics")) {
      boolean enabled = perLocalQueue.flag("enable", true);
      boolean gated = gates.enabled(FeatureGate.LOCAL_QUEUE_METRICS);
      if (enabled && !gated) {
        perLocalQueue.reportUnusedBut(Set.of(), "the feature gate LocalQueueMetrics is off");
      } else if (!enabled) {
        perLocalQueue.reportUnusedBut(Set.of("enable"), "enable is false");
      }
      Optional<HttpAddress> address = Addresses.read(block, ADDRESS, ":8443");
      YamlBlock extensions = root.block("kueue4j");
      if (address.isEmpty()) {
        block.reportUnusedBut(Set.of(ADDRESS), "bindAddress is \"0\"");
        if (extensions.has(INSECURE)) {
          extensions.reportUnused(INSECURE, "metrics.bindAddress is \"0\"");
        }
      }
      LabelSelector selection = SelectorBlock.read(perLocalQueue, "localQueueSelector");
      return new MetricsSettings(
          address,
          !extensions.flag(INSECURE, false),
          launch.metricsCertificates(),
          enabled && gated ? Optional.of(selection) : Optional.empty(),
          block.flag("enableClusterQueueResources", false),
          CustomLabel.read(block, gates.enabled(FeatureGate.CUSTOM_METRIC_LABELS)));
    }
  }
}
