// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every key of the configuration: its default, the effect of a value, and the test that proves the
 * effect.
 */
class EveryKeyTest {
  private static final String HEADER =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
  private static final Set<String> TESTS = tests();

  /**
   * One key.
   *
   * @param read how the core reads it
   * @param standard the default, as text
   * @param yaml a file that sets it
   * @param set the value then, as text
   * @param shownBy the test that shows the effect on a core
   */
  record Key(
      String name,
      Function<Configuration, Object> read,
      String standard,
      String yaml,
      String set,
      String shownBy) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Key key(
      String name,
      Function<Configuration, Object> read,
      Object standard,
      String yaml,
      Object set,
      String shownBy) {
    return new Key(name, read, String.valueOf(standard), yaml, String.valueOf(set), shownBy);
  }

  static Stream<Key> keys() {
    return Stream.of(serving(), controlling(), jobs(), quota(), extensions())
        .flatMap(Function.identity());
  }

  private static Stream<Key> serving() {
    return Stream.of(
        key(
            "namespace",
            Configuration::namespace,
            "kueue-system",
            "namespace: batch",
            "batch",
            "TwoReplicasTest"),
        key(
            "webhook",
            configuration -> configuration.webhook().map(WebhookSettings::address),
            "Optional.empty",
            "webhook: {}",
            "Optional[:9443]",
            "AdmissionWebhooksTest"),
        key(
            "webhook.port",
            configuration -> configuration.webhook().map(WebhookSettings::address),
            "Optional.empty",
            "webhook: {port: 443}",
            "Optional[:443]",
            "WebhooksTest"),
        key(
            "webhook.host",
            configuration -> configuration.webhook().map(WebhookSettings::address),
            "Optional.empty",
            "webhook: {host: 127.0.0.1}",
            "Optional[127.0.0.1:9443]",
            "WebhooksTest"),
        key(
            "webhook.certDir",
            configuration -> configuration.webhook().map(WebhookSettings::certificateFolder),
            "Optional.empty",
            "webhook: {certDir: /certs}\ninternalCertManagement: {enable: false}",
            "Optional[/certs]",
            "WebhooksTest"),
        key(
            "internalCertManagement.enable",
            configuration -> configuration.webhook().map(WebhookSettings::managesCertificates),
            "Optional.empty",
            "webhook: {}\ninternalCertManagement: {enable: false}",
            "Optional[false]",
            "WebhooksTest"),
        key(
            "internalCertManagement.webhookServiceName",
            configuration -> configuration.webhook().map(WebhookSettings::serviceName),
            "Optional.empty",
            "webhook: {}\ninternalCertManagement: {webhookServiceName: hooks}",
            "Optional[hooks]",
            "WebhooksTest"),
        key(
            "internalCertManagement.webhookSecretName",
            configuration -> configuration.webhook().map(WebhookSettings::secretName),
            "Optional.empty",
            "webhook: {}\ninternalCertManagement: {webhookSecretName: hooks.tls}",
            "Optional[hooks.tls]",
            "WebhooksTest"),
        key(
            "metrics.bindAddress",
            configuration -> configuration.metrics().address(),
            "Optional[:8443]",
            "metrics: {bindAddress: \"0\"}",
            "Optional.empty",
            "ConfigurationEffectsTest"),
        key(
            "metrics.enableClusterQueueResources",
            configuration -> configuration.metrics().resources(),
            false,
            "metrics: {enableClusterQueueResources: true}",
            true,
            "CohortStatusTest"),
        key(
            "metrics.localQueueMetrics.enable",
            configuration -> configuration.metrics().localQueues().isPresent(),
            true,
            "metrics: {localQueueMetrics: {enable: false}}",
            false,
            "CustomLabelsTest"),
        key(
            "metrics.localQueueMetrics.localQueueSelector",
            configuration -> configuration.metrics().localQueues(),
            "Optional[LabelSelector[matchLabels={}, matchExpressions=[]]]",
            "metrics: {localQueueMetrics: {localQueueSelector: {matchLabels: {a: b}}}}",
            "Optional[LabelSelector[matchLabels={a=b}, matchExpressions=[]]]",
            "CustomLabelsTest"),
        key(
            "metrics.customLabels",
            configuration ->
                configuration.metrics().customLabels().stream().map(CustomLabel::key).toList(),
            "[]",
            "featureGates: {CustomMetricLabels: true}\n"
                + "metrics: {customLabels: [{name: team}, {name: a, sourceLabelKey: x.y/z}]}",
            "[team, x.y/z]",
            "CustomLabelsTest"),
        key(
            "health.healthProbeBindAddress",
            Configuration::health,
            "Optional[:8081]",
            "health: {healthProbeBindAddress: \"127.0.0.1:1\"}",
            "Optional[127.0.0.1:1]",
            "ConfigurationEffectsTest"),
        key(
            "health.readinessEndpointName",
            Configuration::readinessEndpoint,
            "readyz",
            "health: {readinessEndpointName: ready}",
            "ready",
            "ConfigurationEffectsTest"),
        key(
            "health.livenessEndpointName",
            Configuration::livenessEndpoint,
            "healthz",
            "health: {livenessEndpointName: live}",
            "live",
            "ConfigurationEffectsTest"),
        key(
            "pprofBindAddress",
            Configuration::diagnostics,
            "Optional.empty",
            "pprofBindAddress: :8083",
            "Optional[" + new HttpAddress("127.0.0.1", 8083) + "]",
            "ConfigurationEffectsTest"),
        key(
            "tls.minVersion",
            configuration -> configuration.tls().protocols(),
            "[]",
            "tls: {minVersion: VersionTLS13}",
            "[TLSv1.3]",
            "SecureMetricsTest"),
        key(
            "tls.cipherSuites",
            configuration -> configuration.tls().cipherSuites().stream().limit(1).toList(),
            "[]",
            "tls: {cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]}",
            "[TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]",
            "SecureMetricsTest"),
        key(
            "tls.curvePreferences",
            configuration -> configuration.tls().namedGroups(),
            "[]",
            "tls: {curvePreferences: [CurveP384]}",
            "[secp384r1]",
            "SecureMetricsTest"));
  }

  private static Stream<Key> controlling() {
    return Stream.of(
        key(
            "leaderElection.leaderElect",
            configuration -> configuration.leaderElection().leaderElect(),
            true,
            "leaderElection: {leaderElect: false}",
            false,
            "TwoReplicasTest"),
        key(
            "leaderElection.resourceName",
            configuration -> configuration.leaderElection().resourceName(),
            "c1f6bfd2.kueue.x-k8s.io",
            "leaderElection: {resourceName: mine}",
            "mine",
            "TwoReplicasTest"),
        key(
            "leaderElection.leaseDuration",
            configuration -> configuration.leaderElection().leaseDuration(),
            "PT15S",
            "leaderElection: {leaseDuration: 1m}",
            "PT1M",
            "TwoReplicasTest"),
        key(
            "leaderElection.renewDeadline",
            configuration -> configuration.leaderElection().renewDeadline(),
            "PT10S",
            "leaderElection: {renewDeadline: 5s}",
            "PT5S",
            "TwoReplicasTest"),
        key(
            "leaderElection.retryPeriod",
            configuration -> configuration.leaderElection().retryPeriod(),
            "PT2S",
            "leaderElection: {retryPeriod: 1s}",
            "PT1S",
            "TwoReplicasTest"),
        key(
            "controller.groupKindConcurrency",
            configuration -> configuration.concurrency("Workload", 10),
            10,
            "controller: {groupKindConcurrency: {Workload.kueue.x-k8s.io: 3}}",
            3,
            "ConfigurationEffectsTest"),
        key(
            "controller.cacheSyncTimeout",
            Configuration::cacheSyncTimeout,
            "PT2M",
            "controller: {cacheSyncTimeout: 5m}",
            "PT5M",
            "ConfigurationEffectsTest"),
        key(
            "clientConnection.qps",
            Configuration::queriesPerSecond,
            300.0,
            "clientConnection: {qps: -1}",
            -1.0,
            "ConfigurationEffectsTest"),
        key(
            "clientConnection.burst",
            Configuration::burst,
            500,
            "clientConnection: {burst: 7}",
            7,
            "ConfigurationEffectsTest"),
        key(
            "featureGates",
            configuration -> configuration.featureGates().enabled(FeatureGate.PRIORITY_BOOST),
            false,
            "featureGates: {PriorityBoost: true}",
            true,
            "AdmissionRulesTest"));
  }

  private static Stream<Key> jobs() {
    return Stream.of(
        key(
            "manageJobsWithoutQueueName",
            Configuration::manageJobsWithoutQueueName,
            false,
            "manageJobsWithoutQueueName: true",
            true,
            "AdmissionRulesTest"),
        key(
            "managedJobsNamespaceSelector",
            configuration ->
                Stream.of("kube-system", "kueue-system", "default")
                    .filter(name -> configuration.managedNamespaces().matches(name, Map.of()))
                    .toList(),
            "[default]",
            "managedJobsNamespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}",
            "[]",
            "MeddledJobTest"),
        key(
            "integrations.frameworks",
            configuration -> configuration.integrations().frameworks(),
            "[batch/job]",
            "integrations: {frameworks: [jobset.x-k8s.io/jobset]}",
            "[jobset.x-k8s.io/jobset]",
            "JobSetTest"),
        key(
            "integrations.externalFrameworks",
            configuration -> configuration.integrations().external(),
            "[]",
            "integrations: {externalFrameworks: [AppWrapper.v1beta2.workload.codeflare.dev]}",
            "[ExternalKind[kind=AppWrapper, version=v1beta2, group=workload.codeflare.dev]]",
            "ExternalFrameworkTest"),
        key(
            "integrations.labelKeysToCopy",
            configuration -> configuration.integrations().copied().labels(),
            "[]",
            "integrations: {labelKeysToCopy: [team]}",
            "[team]",
            "JobFeaturesTest"),
        key(
            "objectRetentionPolicies.workloads.afterFinished",
            configuration -> configuration.objectRetention().afterFinished(),
            "Optional.empty",
            "objectRetentionPolicies: {workloads: {afterFinished: 0s}}",
            "Optional[PT0S]",
            "JobFeaturesTest"),
        key(
            "objectRetentionPolicies.workloads.afterDeactivatedByKueue",
            configuration -> configuration.objectRetention().afterDeactivatedByKueue(),
            "Optional.empty",
            "objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 1h}}",
            "Optional[PT1H]",
            "JobFeaturesTest"),
        key(
            "waitForPodsReady.timeout",
            configuration -> configuration.podsReady().policy(),
            "null",
            "waitForPodsReady: {timeout: 5m}",
            "PodsReadyPolicy[timeout=PT5M, recoveryTimeout=PT5M, timestamp=Eviction,"
                + " backoffLimitCount=null, backoffBase=PT1M, backoffMax=PT1H,"
                + " backoffLimitTimeout=null]",
            "PodsReadyTest"),
        key(
            "waitForPodsReady.recoveryTimeout and requeuingStrategy",
            configuration -> configuration.podsReady().policy(),
            "null",
            """
            waitForPodsReady:
              recoveryTimeout: 0s
              requeuingStrategy: {timestamp: Creation, backoffLimitCount: 3, backoffBaseSeconds: 1,
                backoffMaxSeconds: 2}
            """,
            "PodsReadyPolicy[timeout=PT30M, recoveryTimeout=PT0S, timestamp=Creation,"
                + " backoffLimitCount=3, backoffBase=PT1S, backoffMax=PT2S,"
                + " backoffLimitTimeout=null]",
            "PodsReadyTest"),
        key(
            "waitForPodsReady.blockAdmission",
            configuration -> configuration.podsReady().blockAdmission(),
            false,
            "waitForPodsReady: {blockAdmission: true}",
            true,
            "BlockAdmissionTest"));
  }

  private static Stream<Key> quota() {
    return Stream.of(
        key(
            "fairSharing.preemptionStrategies",
            Configuration::fairSharingStrategies,
            "[]",
            "fairSharing: {preemptionStrategies: [LessThanInitialShare]}",
            "[LESS_THAN_INITIAL_SHARE]",
            "WithinCohortTest"),
        key(
            "admissionFairSharing",
            Configuration::usagePolicy,
            "Optional.empty",
            "admissionFairSharing: {}",
            "Optional[UsagePolicy[halfLife=PT0S, samplingInterval=PT5M, resourceWeights={},"
                + " resetInactivityPeriod=null, entryPenaltyFactor=1.0]]",
            "AdmissionFairSharingTest"),
        key(
            "admissionFairSharing.usageHalfLifeTime, usageSamplingInterval, resourceWeights",
            Configuration::usagePolicy,
            "Optional.empty",
            "admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 1m,"
                + " resourceWeights: {cpu: 2}}",
            "Optional[UsagePolicy[halfLife=PT1H, samplingInterval=PT1M, resourceWeights={cpu=2.0},"
                + " resetInactivityPeriod=null, entryPenaltyFactor=1.0]]",
            "AdmissionFairSharingTest"),
        key(
            "admissionFairSharing.entryPenaltyFactor",
            configuration -> configuration.usagePolicy().map(UsagePolicy::entryPenaltyFactor),
            "Optional.empty",
            "admissionFairSharing: {usageHalfLifeTime: 1h, entryPenaltyFactor: 0}",
            "Optional[0.0]",
            "UsageLedgerTest"),
        key(
            "resources.quotaCheckStrategy",
            configuration -> configuration.resourceRules().ignoresUndeclared(),
            false,
            "resources: {quotaCheckStrategy: IgnoreUndeclared}",
            true,
            "ResourceComputationTest"),
        key(
            "resources.excludeResourcePrefixes",
            configuration -> configuration.resourceRules().excludedPrefixes(),
            "[]",
            "resources: {excludeResourcePrefixes: [example.com/]}",
            "[example.com/]",
            "PodSetDemandTest"),
        key(
            "resources.transformations",
            configuration -> configuration.resourceRules().transformations(),
            "[]",
            "resources: {transformations: [{input: a/x, strategy: Replace, multiplyBy: cpu,"
                + " outputs: {c: 2}}]}",
            "[Transformation[input=a/x, replaces=true, multiplyBy=cpu, outputs={c=2}]]",
            "PodSetDemandTest"));
  }

  private static Stream<Key> extensions() {
    return Stream.of(
        key(
            "kueue4j.events",
            configuration -> configuration.extensions().events(),
            "Notable",
            "kueue4j: {events: All}",
            "All",
            "EventsTest"),
        key(
            "kueue4j.insecureMetrics",
            configuration -> configuration.metrics().secure(),
            true,
            "kueue4j: {insecureMetrics: true}",
            false,
            "ConfigurationEffectsTest"),
        key(
            "kueue4j.maximumRetryDelay",
            configuration -> configuration.extensions().maximumRetryDelay(),
            "PT24H",
            "kueue4j: {maximumRetryDelay: 1h}",
            "PT1H",
            "DelayedRetryTest"),
        key(
            "kueue4j.minimumRetryDelay",
            configuration -> configuration.extensions().minimumRetryDelay(),
            "PT1S",
            "kueue4j: {minimumRetryDelay: 30s}",
            "PT30S",
            "DelayedRetryTest"),
        key(
            "kueue4j.queueStatusInterval",
            configuration -> configuration.extensions().queueStatusInterval(),
            "PT3S",
            "kueue4j: {queueStatusInterval: 1s}",
            "PT1S",
            "QueueStatusTest"),
        key(
            "kueue4j.quotaRelease.lostNodeTimeout",
            configuration -> configuration.extensions().quotaRelease().lostNodeTimeout(),
            "PT5M",
            "kueue4j: {quotaRelease: {lostNodeTimeout: 10m}}",
            "PT10M",
            "TerminatingPodsTest"),
        key(
            "kueue4j.quotaRelease.when",
            configuration -> configuration.extensions().quotaRelease().afterPods(),
            true,
            "kueue4j: {quotaRelease: {when: JobSuspended}}",
            false,
            "TerminatingPodsTest"),
        key(
            "kueue4j.topologyRequests",
            configuration -> configuration.extensions().refusesTopologies(),
            false,
            "kueue4j: {topologyRequests: Refuse}",
            true,
            "UnsupportedTest"),
        key(
            "kueue4j.view.bindAddress",
            configuration -> configuration.extensions().view().address(),
            "Optional.empty",
            "kueue4j: {view: {bindAddress: \":8447\"}}",
            "Optional[:8447]",
            "ViewTest"),
        key(
            "kueue4j.view.secureServing",
            configuration -> configuration.extensions().view().secure(),
            true,
            "kueue4j: {view: {bindAddress: \"127.0.0.1:0\", secureServing: false}}",
            false,
            "ViewAccessTest"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void hasItsDefaultAndItsMeaning(Key key) {
    assertThat(String.valueOf(key.read().apply(Configuration.defaults())))
        .isEqualTo(key.standard());
    Configuration configuration = Configuration.parse(HEADER + key.yaml());
    assertThat(String.valueOf(key.read().apply(configuration))).isEqualTo(key.set());
    assertThat(configuration.unusedKeys()).isEmpty();
    assertThat(TESTS).contains(key.shownBy());
  }

  /** The names of all tests, those of the assembled product included. */
  private static Set<String> tests() {
    Path root = Checkout.root();
    try (Stream<Path> core = Files.walk(root.resolve("kueue-core/src/test"));
        Stream<Path> observe = Files.walk(root.resolve("observe/src/test"));
        Stream<Path> product = Files.walk(root.resolve("e2e/src/test"))) {
      return Stream.of(core, observe, product)
          .flatMap(files -> files)
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith("Test.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException("the tests can't be listed", e);
    }
  }
}
