// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Lease;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of the core that runs in a cluster, as the chart has installed it: in a
 * ConfigMap beside the lease of the core's leader election.
 *
 * @param lease the lease; null if there is none or it may not be read
 * @param configuration empty if it may not be read, is ambiguous or invalid, or there is no lease
 */
@API(status = API.Status.INTERNAL)
public record InstalledConfiguration(
    @Nullable V1Lease lease, Optional<Configuration> configuration) {
  private static final Logger log = LoggerFactory.getLogger(InstalledConfiguration.class);

  /** The key of the configuration in the chart's ConfigMap. */
  private static final String CONFIGURATION_KEY = "controller_manager_config.yaml";

  /**
   * Reads it.
   *
   * @param presumed names the lease
   */
  public static InstalledConfiguration read(KubernetesApi api, Configuration presumed) {
    PermittedReads reads = new PermittedReads(api);
    V1Lease lease = lease(reads, presumed.leaderElection().resourceName());
    return new InstalledConfiguration(lease, beside(lease, reads));
  }

  /** A configuration that is known, and the lease that it names. */
  public static InstalledConfiguration known(KubernetesApi api, Configuration configuration) {
    return new InstalledConfiguration(
        lease(new PermittedReads(api), configuration.leaderElection().resourceName()),
        Optional.of(configuration));
  }

  /** The lease of this name that was renewed last; null if there is none or it may not be read. */
  static @Nullable V1Lease lease(PermittedReads reads, String name) {
    return reads.list(CoreTypes.LEASE, ListOptions.all()).stream()
        .filter(lease -> name.equals(ObjectKey.of(lease).name()))
        .filter(lease -> lease.getSpec() != null && lease.getSpec().getRenewTime() != null)
        .max(Comparator.comparing(lease -> lease.getSpec().getRenewTime()))
        .orElse(null);
  }

  /** The configuration in the lease's namespace; empty if there isn't exactly one that is valid. */
  static Optional<Configuration> beside(@Nullable V1Lease lease, PermittedReads reads) {
    return text(lease, reads).flatMap(InstalledConfiguration::parsed);
  }

  /** Reads it as it is written; empty as for {@link #read}, but valid or not. */
  public static Optional<String> text(KubernetesApi api, Configuration presumed) {
    PermittedReads reads = new PermittedReads(api);
    return text(lease(reads, presumed.leaderElection().resourceName()), reads);
  }

  private static Optional<String> text(@Nullable V1Lease lease, PermittedReads reads) {
    if (lease == null) {
      return Optional.empty();
    }
    List<String> texts =
        reads
            .list(CoreTypes.CONFIG_MAP, ListOptions.inNamespace(ObjectKey.of(lease).namespace()))
            .stream()
            .flatMap(map -> Optional.ofNullable(map.getData()).stream())
            .flatMap(data -> Optional.ofNullable(data.get(CONFIGURATION_KEY)).stream())
            .toList();
    return texts.size() == 1 ? Optional.of(texts.getFirst()) : Optional.empty();
  }

  private static Optional<Configuration> parsed(String text) {
    try {
      return Optional.of(Configuration.parse(text, Launch.plain().ignoringUnsupported(true)));
    } catch (InvalidConfigurationException e) {
      log.atDebug().setCause(e).log("Could not read the core's configuration, going on without it");
      return Optional.empty();
    }
  }
}
