// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.tls.TlsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The component configuration (kind {@code Configuration} of config.kueue.x-k8s.io, v1beta2 or
 * v1beta1), with the keys that have an effect in the core. An instance is complete and valid:
 * absent keys have their defaults.
 *
 * @param namespace the namespace that the core runs in
 * @param leaderElection of the replicas
 * @param metrics which metrics there are, their address and access
 * @param tls the options of the HTTPS servers
 * @param health address of the health endpoints; empty if they are off
 * @param readinessEndpoint path of the readiness endpoint without the slash
 * @param livenessEndpoint path of the liveness endpoint without the slash
 * @param diagnostics address of the diagnostics (thread dump and the like); empty if they are off
 * @param groupKindConcurrency concurrent reconciles by {@code Kind.group}
 * @param cacheSyncTimeout how long the caches may take to fill before the process ends; positive
 * @param queriesPerSecond client-side rate limit; negative for none
 * @param burst the number of requests that may exceed the rate limit at once; at least 1
 * @param manageJobsWithoutQueueName whether Jobs without a queue name are kept suspended too
 * @param managedNamespaces where Jobs are managed
 * @param integrations the kinds of Jobs that are managed
 * @param objectRetention how long finished and deactivated objects are kept
 * @param resourceRules which resources of pods need quota
 * @param admissionFairSharing how past usage counts; empty if admission fair sharing is off
 * @param fairSharingStrategies of preemption-based fair sharing, in the order to try; empty while
 *     it is off
 * @param waitForPodsReady KEP-1282, as written; see {@link #podsReady}
 * @param featureGates the feature gates
 * @param webhook the webhooks of the core; empty if they are off
 * @param extensions the block {@code kueue4j}
 * @param unusedKeys valid keys in the file that have no effect
 */
@API(status = API.Status.EXPERIMENTAL)
public record Configuration(
    String namespace,
    LeaderElection leaderElection,
    MetricsSettings metrics,
    TlsOptions tls,
    Optional<HttpAddress> health,
    String readinessEndpoint,
    String livenessEndpoint,
    Optional<HttpAddress> diagnostics,
    Map<String, Integer> groupKindConcurrency,
    Duration cacheSyncTimeout,
    double queriesPerSecond,
    int burst,
    boolean manageJobsWithoutQueueName,
    ManagedNamespaces managedNamespaces,
    Integrations integrations,
    ObjectRetention objectRetention,
    ResourceRules resourceRules,
    Optional<UsagePolicy> admissionFairSharing,
    List<FairSharingStrategy> fairSharingStrategies,
    WaitForPodsReady waitForPodsReady,
    FeatureGates featureGates,
    Optional<WebhookSettings> webhook,
    Extensions extensions,
    List<String> unusedKeys) {
  private static final String GROUP = "config.kueue.x-k8s.io";
  private static final String API_VERSION = GROUP + "/v1beta2";
  private static final String KIND = "Configuration";

  /** Kinds with workers of their own, for {@code groupKindConcurrency}. */
  private static final Set<String> CONCURRENT =
      Stream.of(
              KueueTypes.WORKLOAD,
              KueueTypes.CLUSTER_QUEUE,
              KueueTypes.LOCAL_QUEUE,
              KueueTypes.COHORT,
              KueueTypes.RESOURCE_FLAVOR,
              KueueTypes.ADMISSION_CHECK)
          .map(type -> type.kind() + "." + type.group())
          .collect(Collectors.toUnmodifiableSet());

  public Configuration {
    groupKindConcurrency = Map.copyOf(groupKindConcurrency);
    fairSharingStrategies = List.copyOf(fairSharingStrategies);
    unusedKeys = List.copyOf(unusedKeys);
  }

  /** The configuration without a file. */
  public static Configuration defaults() {
    return defaults(Launch.plain());
  }

  /**
   * The configuration without a file, for a process with these launch parameters.
   *
   * @throws InvalidConfigurationException if the launch parameters contain unknown feature gates
   */
  public static Configuration defaults(Launch launch) {
    return parse("apiVersion: " + API_VERSION + "\nkind: " + KIND + "\n", launch);
  }

  /**
   * Reads a configuration file for a process with these launch parameters.
   *
   * @throws InvalidConfigurationException if the file can't be read or is invalid; the message is
   *     one line with the line number, the problem and the remedy
   */
  public static Configuration load(Path file, Launch launch) {
    // A fault of the command line is none of the file.
    defaults(launch);
    String yaml;
    try {
      yaml = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new InvalidConfigurationException(
          file + ": there is no such file; check the path given with --config", e);
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidConfigurationException(file + ": can't be read: " + e.getMessage(), e);
    }
    try {
      return parse(yaml, launch);
    } catch (InvalidConfigurationException e) {
      throw new InvalidConfigurationException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a configuration from YAML.
   *
   * @throws InvalidConfigurationException as {@link #load}
   */
  public static Configuration parse(String yaml) {
    return parse(yaml, Launch.plain());
  }

  /**
   * Reads a configuration from YAML for a process with these launch parameters.
   *
   * @throws InvalidConfigurationException as {@link #load}
   */
  public static Configuration parse(String yaml, Launch launch) {
    Node node = YamlBlock.compose(yaml);
    if (!(node instanceof MappingNode mapping)) {
      throw new InvalidConfigurationException(
          "the configuration must be a mapping that starts with apiVersion: " + API_VERSION);
    }
    List<String> unused = new ArrayList<>();
    try (YamlBlock root = YamlBlock.root(upgraded(mapping, unused), unused)) {
      root.has("apiVersion");
      return read(root, launch, unused);
    }
  }

  private static Configuration read(YamlBlock root, Launch launch, List<String> unused) {
    root.oneOf("kind", "", KIND);
    String namespace = root.text("namespace", launch.namespace());
    LeaderElection leaderElection = LeaderElection.read(root);
    YamlBlock health = root.block("health");
    YamlBlock controller = root.block("controller");
    YamlBlock client = root.block("clientConnection");
    YamlBlock resources = root.block("resources");
    acceptUnsupportedKeys(root, resources);
    Duration cacheSyncTimeout = controller.duration("cacheSyncTimeout", Duration.ofMinutes(2));
    if (!cacheSyncTimeout.isPositive()) {
      throw controller.invalid("cacheSyncTimeout", "must be positive");
    }
    FeatureGates gates = FeatureGates.read(root, launch);
    MetricsSettings metrics = MetricsSettings.read(root, gates, launch);
    Extensions extensions = Extensions.read(root);
    Optional<HttpAddress> probes = Addresses.read(health, "healthProbeBindAddress", ":8081");
    if (probes.isEmpty()) {
      health.reportUnusedBut(Set.of("healthProbeBindAddress"), "healthProbeBindAddress is \"0\"");
    }
    ResourceRules resourceRules = Resources.read(resources, gates, extensions);
    Configuration configuration =
        new Configuration(
            namespace,
            leaderElection,
            metrics,
            TlsBlock.read(root),
            probes,
            health.text("readinessEndpointName", "readyz"),
            health.text("livenessEndpointName", "healthz"),
            readDiagnostics(root),
            readConcurrency(controller),
            cacheSyncTimeout,
            readRate(client),
            readBurst(client),
            root.flag("manageJobsWithoutQueueName", false),
            ManagedNamespaces.read(root, namespace),
            Integrations.read(root, metrics.customLabels(), launch.ignoreUnsupported()),
            ObjectRetention.read(root),
            resourceRules,
            AdmissionFairSharing.read(root, gates, resourceRules.transformations()),
            FairSharingBlock.read(root),
            PodsReadyBlock.read(root, gates),
            gates,
            WebhookSettings.read(root),
            extensions,
            unused);
    configuration.checkAddresses(root);
    for (YamlBlock block : List.of(health, controller, client, resources)) {
      block.close();
    }
    return configuration;
  }

  /** Refuses one port for both HTTP and HTTPS. */
  private void checkAddresses(YamlBlock root) {
    if (metrics.secure()
        && metrics.address().isPresent()
        && metrics.address().equals(health)
        && health.get().port() != 0) {
      throw root.block("metrics")
          .invalid(
              "bindAddress",
              "is health.healthProbeBindAddress, too, but is served over HTTPS; choose another"
                  + " port, or set kueue4j.insecureMetrics");
    }
  }

  /** How the rules of a Workload's life are set, with the feature gates. */
  public LifecycleSettings lifecycle() {
    return LifecycleSettings.defaults()
        .withAcRequeueAfter(featureGates.enabled(FeatureGate.AC_REQUEUE_AFTER))
        .withRetryDelays(extensions.minimumRetryDelay(), extensions.maximumRetryDelay());
  }

  /** The policy of admission fair sharing; empty if the block is absent or the gate is off. */
  public Optional<UsagePolicy> usagePolicy() {
    return admissionFairSharing.filter(
        policy -> featureGates.enabled(FeatureGate.ADMISSION_FAIR_SHARING));
  }

  /** The policy for pods that aren't ready, subject to the feature gate. */
  public WaitForPodsReady podsReady() {
    return featureGates.enabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)
        ? WaitForPodsReady.never()
        : waitForPodsReady;
  }

  /** A copy with other webhook settings. */
  public Configuration withWebhook(WebhookSettings settings) {
    return with(metrics, health, integrations, Optional.of(settings), extensions);
  }

  /** A copy with other settings of the view. */
  public Configuration withView(ViewSettings settings) {
    return with(metrics, health, integrations, webhook, extensions.withView(settings));
  }

  /**
   * A copy that manages these kinds only.
   *
   * @param frameworks kinds that are supported without a declaration, such as {@code batch/job}
   */
  public Configuration withFrameworks(List<String> frameworks) {
    return with(metrics, health, Integrations.of(frameworks), webhook, extensions);
  }

  /**
   * A copy that serves probes, metrics and the view at other addresses; what isn't served stays so.
   *
   * @param instead the address for one of this configuration
   */
  public Configuration withAddresses(UnaryOperator<HttpAddress> instead) {
    return with(
        metrics.at(metrics.address().map(instead)),
        health.map(instead),
        integrations,
        webhook,
        extensions.withView(extensions.view().at(extensions.view().address().map(instead))));
  }

  private Configuration with(
      MetricsSettings otherMetrics,
      Optional<HttpAddress> otherHealth,
      Integrations otherIntegrations,
      Optional<WebhookSettings> otherWebhook,
      Extensions otherExtensions) {
    return new Configuration(
        namespace,
        leaderElection,
        otherMetrics,
        tls,
        otherHealth,
        readinessEndpoint,
        livenessEndpoint,
        diagnostics,
        groupKindConcurrency,
        cacheSyncTimeout,
        queriesPerSecond,
        burst,
        manageJobsWithoutQueueName,
        managedNamespaces,
        otherIntegrations,
        objectRetention,
        resourceRules,
        admissionFairSharing,
        fairSharingStrategies,
        waitForPodsReady,
        featureGates,
        otherWebhook,
        otherExtensions,
        unusedKeys);
  }

  /**
   * The number of objects of a kind of kueue.x-k8s.io that are reconciled concurrently.
   *
   * @param fallback the value if the configuration has none
   */
  public int concurrency(String kind, int fallback) {
    return groupKindConcurrency.getOrDefault(kind + "." + KueueTypes.GROUP, fallback);
  }

  /** Upgrades the file to the current version. */
  private static MappingNode upgraded(MappingNode mapping, List<String> unused) {
    YamlBlock root = YamlBlock.root(mapping, new ArrayList<>());
    String apiVersion = root.text("apiVersion", "");
    boolean older = apiVersion.equals(OlderConfiguration.VERSION);
    if (!older && !apiVersion.equals(API_VERSION)) {
      throw root.invalid(
          "apiVersion",
          "is \""
              + apiVersion
              + "\"; supported are "
              + API_VERSION
              + " and "
              + OlderConfiguration.VERSION);
    }
    AdmissionFairSharing.refuseKeysOfTheKep(root);
    return older ? OlderConfiguration.upgraded(mapping, unused) : mapping;
  }

  /** Accepts keys of the API that concern features which don't exist here. */
  private static void acceptUnsupportedKeys(YamlBlock root, YamlBlock resources) {
    root.acceptUnused("visibilityServer", "multiKueue");
    resources.acceptUnused("deviceClassMappings");
  }

  /**
   * Reads {@code pprofBindAddress}. Without a host it means the loopback address, because
   * diagnostics are confidential; port forwarding reaches that address.
   */
  private static Optional<HttpAddress> readDiagnostics(YamlBlock root) {
    return Addresses.read(root, "pprofBindAddress", "")
        .map(
            address ->
                address.host().isEmpty() ? new HttpAddress("127.0.0.1", address.port()) : address);
  }

  private static double readRate(YamlBlock client) {
    double perSecond = client.decimal("qps", 300);
    if (perSecond == 0 || !Double.isFinite(perSecond)) {
      throw client.invalid("qps", "must be a number above 0, or a negative one for no limit");
    }
    return perSecond;
  }

  private static int readBurst(YamlBlock client) {
    int burst = client.number("burst", 500);
    if (client.decimal("qps", 1) < 0 && client.has("burst")) {
      client.reportUnused("burst", "qps is negative, so there is no limit");
    }
    if (burst < 1) {
      throw client.invalid("burst", "must be at least 1");
    }
    return burst;
  }

  private static Map<String, Integer> readConcurrency(YamlBlock controller) {
    Map<String, Integer> concurrency = controller.numbers("groupKindConcurrency");
    concurrency.forEach(
        (kind, workers) -> {
          if (workers < 1) {
            throw controller.invalid(
                "groupKindConcurrency", "gives " + kind + " " + workers + "; at least 1 is needed");
          }
          if (!CONCURRENT.contains(kind)) {
            controller.reportUnused(
                "groupKindConcurrency." + kind, "no controller works on this kind alone");
          }
        });
    return concurrency;
  }
}
