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
package io.github.kueue4j.core.config;

import io.github.kueue4j.runtime.HttpAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What is measured, and where and to whom it is shown.
 *
 * @param address where /metrics is served; empty for nowhere
 * @param secure whether over HTTPS and only to those whom the API server lets read it
 * @param certificateFolder holds {@code tls.crt} and {@code tls.key} for it, if somebody else makes
 *     them; read if the core doesn't manage certificates
 * @param localQueues which LocalQueues have metrics of their own; empty for none
 * @param resources whether the quota of ClusterQueues is measured by flavor and resource
 * @param customLabels what else the metrics of queues and Cohorts say about them
 */
@API(status = API.Status.EXPERIMENTAL)
public record MetricsSettings(
    Optional<HttpAddress> address,
    boolean secure,
    Path certificateFolder,
    Optional<LabelSelection> localQueues,
    boolean resources,
    List<CustomLabel> customLabels) {
  /** In the block {@code kueue4j}: plain HTTP, and anybody may read. */
  static final String INSECURE = "insecureMetrics";

  private static final Path CERTIFICATE_FOLDER = Path.of("/etc/kueue/metrics/certs");

  public MetricsSettings {
    customLabels = List.copyOf(customLabels);
  }

  static MetricsSettings read(ConfigurationBlock root, FeatureGates gates) {
    try (ConfigurationBlock block = root.block("metrics");
        ConfigurationBlock perLocalQueue = block.block("localQueueMetrics")) {
      boolean localQueues =
          perLocalQueue.flag("enable", true) && gates.enabled(FeatureGate.LOCAL_QUEUE_METRICS);
      LabelSelection selection = LabelSelection.read(perLocalQueue, "localQueueSelector");
      return new MetricsSettings(
          Addresses.read(block, "bindAddress", ":8443"),
          !root.block("kueue4j").flag(INSECURE, false),
          CERTIFICATE_FOLDER,
          localQueues ? Optional.of(selection) : Optional.empty(),
          block.flag("enableClusterQueueResources", false),
          CustomLabel.read(block, gates.enabled(FeatureGate.CUSTOM_METRIC_LABELS)));
    }
  }
}
