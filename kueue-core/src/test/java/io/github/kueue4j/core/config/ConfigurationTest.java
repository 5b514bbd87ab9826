// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.RequeuingTimestamp;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
  private static final String HEADER =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

  @Test
  void everyAbsentKeyHasItsDocumentedDefault() {
    Configuration configuration = Configuration.defaults();

    assertThat(configuration.namespace()).isEqualTo("kueue-system");
    assertThat(configuration.leaderElection())
        .isEqualTo(
            new LeaderElection(
                true,
                "c1f6bfd2.kueue.x-k8s.io",
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
    assertThat(configuration.metrics().address()).hasValue(HttpAddress.anyInterface(8443));
    assertThat(configuration.health()).hasValue(HttpAddress.anyInterface(8081));
    assertThat(configuration.cacheSyncTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(configuration.manageJobsWithoutQueueName()).isFalse();
    assertThat(configuration.managedNamespaces().matches("default", Map.of())).isTrue();
    assertThat(configuration.managedNamespaces().matches("kube-system", Map.of())).isFalse();
    assertThat(configuration.managedNamespaces().matches("kueue-system", Map.of())).isFalse();
    assertThat(configuration.extensions().maximumRetryDelay()).isEqualTo(Duration.ofHours(24));
    assertThat(configuration.featureGates().enabled(FeatureGate.AC_REQUEUE_AFTER)).isTrue();
    assertThat(configuration.featureGates().enabled(FeatureGate.SHORT_WORKLOAD_NAMES)).isFalse();
    assertThat(configuration.unusedKeys()).isEmpty();
  }

  @Test
  void readsExplicitValues() {
    Configuration configuration =
        Configuration.parse(
            HEADER
                + """
                namespace: batch-system
                leaderElection: {leaderElect: false}
                metrics:
                  bindAddress: :9090
                health: {healthProbeBindAddress: "127.0.0.1:0"}
                controller:
                  groupKindConcurrency:
                    Workload.kueue.x-k8s.io: 10
                  cacheSyncTimeout: 1m30s
                clientConnection: {qps: 20, burst: 7}
                manageJobsWithoutQueueName: true
                managedJobsNamespaceSelector:
                  matchLabels: {batch: "yes"}
                  matchExpressions:
                  - {key: tier, operator: In, values: [a, b]}
                  - {key: off, operator: DoesNotExist}
                resources: {excludeResourcePrefixes: [example.com/]}
                featureGates: {ACRequeueAfter: false}
                waitForPodsReady: {timeout: 5m}
                kueue4j: {maximumRetryDelay: 2h}
                """);

    assertThat(configuration.namespace()).isEqualTo("batch-system");
    assertThat(configuration.leaderElection().leaderElect()).isFalse();
    assertThat(configuration.metrics().address()).hasValue(HttpAddress.anyInterface(9090));
    assertThat(configuration.groupKindConcurrency()).containsEntry("Workload.kueue.x-k8s.io", 10);
    assertThat(configuration.cacheSyncTimeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(configuration.queriesPerSecond()).isEqualTo(20);
    assertThat(configuration.burst()).isEqualTo(7);
    assertThat(configuration.resourceRules().excludedPrefixes()).containsExactly("example.com/");
    assertThat(configuration.featureGates().enabled(FeatureGate.AC_REQUEUE_AFTER)).isFalse();
    assertThat(configuration.extensions().maximumRetryDelay()).isEqualTo(Duration.ofHours(2));
    assertThat(configuration.unusedKeys()).isEmpty();
    ManagedNamespaces namespaces = configuration.managedNamespaces();
    assertThat(namespaces.matches("x", Map.of("batch", "yes", "tier", "a"))).isTrue();
    assertThat(namespaces.matches("x", Map.of("batch", "yes", "tier", "c"))).isFalse();
    assertThat(namespaces.matches("x", Map.of("batch", "yes", "tier", "a", "off", ""))).isFalse();
    assertThat(namespaces.matches("x", Map.of("tier", "a"))).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          leaderElection: {leaderElct: true}           | line 3: leaderElection.leaderElct is not a known key; did you mean "leaderElect"?
          kueue4j: {maxRetryDelay: 1h}                 | line 3: kueue4j.maxRetryDelay is not a known key; did you mean "maximumRetryDelay"?
          metric: {}                                   | line 3: metric is not a known key; did you mean "metrics"?
          featureGates: {ACRequeAfter: true}           | line 3: featureGates names an unknown gate "ACRequeAfter"; did you mean "ACRequeueAfter"?, or start with --ignore-unsupported (value managerConfig.ignoreUnsupported of the chart)
          featureGates: {TLSOptions: false}            | the feature gate TLSOptions is locked to true, and can't be false; remove it from featureGates, or from --feature-gates
          featureGates: {ACRequeueAfter: maybe}        | line 3: featureGates.ACRequeueAfter must be true or false
          kueue4j: {events: Some}                      | line 3: kueue4j.events is "Some"; allowed: Notable, All
          kueue4j: {topologyRequests: Allow}           | line 3: kueue4j.topologyRequests is "Allow"; allowed: Ignore, Refuse
          kueue4j: {maximumRetryDelay: 90}             | line 3: kueue4j.maximumRetryDelay is not a duration; write numbers with units, such as 1h30m, 15s or 250ms
          kueue4j: {maximumRetryDelay: -1s}            | line 3: kueue4j.maximumRetryDelay must be between 0s and 876000h
          kueue4j: {minimumRetryDelay: -1s}            | line 3: kueue4j.minimumRetryDelay must be between 0s and maximumRetryDelay
          kueue4j: {minimumRetryDelay: 25h}            | line 3: kueue4j.minimumRetryDelay must be between 0s and maximumRetryDelay
          kueue4j: {queueStatusInterval: 0s}           | line 3: kueue4j.queueStatusInterval must be positive
          admissionFairSharing: {usageHalfLife: 1h}    | line 3: admissionFairSharing.usageHalfLife is not a known key; did you mean "usageHalfLifeTime"?
          admissionFairSharing: {usageHalfLifeDecayTime: 1h} | line 3: admissionFairSharing.usageHalfLifeDecayTime is not a known key; write admissionFairSharing.usageHalfLifeTime instead
          fairSharing: {usageHalfLifeDecayTime: 1h}    | line 3: fairSharing.usageHalfLifeDecayTime is not a known key; write admissionFairSharing.usageHalfLifeTime instead
          fairSharing: {usageSamplingInterval: 1m}     | line 3: fairSharing.usageSamplingInterval is not a known key; write admissionFairSharing.usageSamplingInterval instead
          fairSharing: {resourceWeights: {cpu: 1}}     | line 3: fairSharing.resourceWeights is not a known key; write admissionFairSharing.resourceWeights instead
          fairSharing: {resetInactivityPeriod: 1h}     | line 3: fairSharing.resetInactivityPeriod is not a known key; write admissionFairSharing.resetInactivityPeriod instead
          fairSharing: {admissionFairSharing: {}}      | line 3: fairSharing.admissionFairSharing is not a known key; write admissionFairSharing, a block of its own, instead
          fairSharing: {}                              | fairSharing.preemptionStrategies is missing; allowed: [LessThanOrEqualToFinalShare], [LessThanInitialShare], both in this order, or [] for none
          admissionFairSharing: {entryPenaltyFactor: -0.5} | line 3: admissionFairSharing.entryPenaltyFactor is -0.5; write a number from 0 to 1000
          admissionFairSharing: {entryPenaltyFactor: 1000.1} | line 3: admissionFairSharing.entryPenaltyFactor is 1000.1; write a number from 0 to 1000
          admissionFairSharing: {usageHalfLifeTime: -1h} | line 3: admissionFairSharing.usageHalfLifeTime must not be negative
          admissionFairSharing: {usageSamplingInterval: 0s} | line 3: admissionFairSharing.usageSamplingInterval must be positive
          admissionFairSharing: {resetInactivityPeriod: 0s} | line 3: admissionFairSharing.resetInactivityPeriod must be positive; leave it out to keep usage for ever
          admissionFairSharing: {resourceWeights: {cpu: -1}} | line 3: admissionFairSharing.resourceWeights gives cpu -1.0; it must be a number of at least 0
          admissionFairSharing: {resourceWeights: {cpu: .nan}} | line 3: admissionFairSharing.resourceWeights.cpu must be a number
          waitForPodsReady: {timeout: -1s}             | line 3: waitForPodsReady.timeout must not be negative
          waitForPodsReady: {recoveryTimeout: -1s}     | line 3: waitForPodsReady.recoveryTimeout must not be negative
          waitForPodsReady: {timeOut: 1s}              | line 3: waitForPodsReady.timeOut is not a known key; did you mean "timeout"?
          waitForPodsReady: {requeuingStrategy: {timestamp: Start}} | line 3: waitForPodsReady.requeuingStrategy.timestamp is "Start"; allowed: Eviction, Creation
          waitForPodsReady: {requeuingStrategy: {backoffLimitCount: -1}} | line 3: waitForPodsReady.requeuingStrategy.backoffLimitCount is -1; it must not be negative
          waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: -1}} | line 3: waitForPodsReady.requeuingStrategy.backoffBaseSeconds is -1; it must not be negative
          waitForPodsReady: {requeuingStrategy: {backoffMaxSeconds: -1}} | line 3: waitForPodsReady.requeuingStrategy.backoffMaxSeconds is -1; it must not be negative
          waitForPodsReady: {requeuingStrategy: {backoffLimitTimeout: 0s}} | line 3: waitForPodsReady.requeuingStrategy.backoffLimitTimeout must be positive; leave it out for no limit
          kueue4j: [1]                                 | line 3: kueue4j must be a mapping of keys to values
          integrations: {frameworks: [jobset]}         | line 3: integrations.frameworks names "jobset"; available: batch/job, jobset.x-k8s.io/jobset, pod, trainer.kubeflow.org/trainjob, workload.codeflare.dev/appwrapper, kubeflow.org/jaxjob, kubeflow.org/mpijob, kubeflow.org/paddlejob, kubeflow.org/pytorchjob, ray.io/raycluster, ray.io/rayjob, ray.io/rayservice, kubeflow.org/tfjob, kubeflow.org/xgboostjob, deployment, statefulset, leaderworkerset.x-k8s.io/leaderworkerset
          integrations: {frameworks: [batch/job, deployment]}          | line 3: integrations.frameworks names deployment, whose pods are queued as pods: name pod, too
          integrations: {frameworks: [trainer.kubeflow.org/trainjob]}  | line 3: integrations.frameworks names trainer.kubeflow.org/trainjob, whose pods are those of its JobSet: name jobset.x-k8s.io/jobset, too
          integrations: {frameworks: [batch/job, sparkoperator.k8s.io/sparkapplication]} | line 3: integrations.frameworks names sparkoperator.k8s.io/sparkapplication, which this core doesn't manage; remove what no Job here needs, or start with --ignore-unsupported (value managerConfig.ignoreUnsupported of the chart). Available: batch/job, jobset.x-k8s.io/jobset, pod, trainer.kubeflow.org/trainjob, workload.codeflare.dev/appwrapper, kubeflow.org/jaxjob, kubeflow.org/mpijob, kubeflow.org/paddlejob, kubeflow.org/pytorchjob, ray.io/raycluster, ray.io/rayjob, ray.io/rayservice, kubeflow.org/tfjob, kubeflow.org/xgboostjob, deployment, statefulset, leaderworkerset.x-k8s.io/leaderworkerset
          kueue4j: {jobKinds: [{kind: Run}]}           | line 3: kueue4j.jobKinds[0].framework is missing; write a text
          kueue4j: {jobKinds: [{framework: ray.io/rayjob, apiVersion: x.io/v1, kind: Run, suspend: spec.suspend, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds declares ray.io/rayjob twice, or one built in
          kueue4j: {jobKinds: [{framework: jobset.x-k8s.io/jobset, apiVersion: x.io/v1, kind: Run, suspend: spec.suspend, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds declares jobset.x-k8s.io/jobset twice, or one built in
          kueue4j: {jobKinds: [{framework: a, apiVersion: x.io/v1, kind: Workload, suspend: spec.suspend, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds declares Workload twice, or one built in
          kueue4j: {jobKinds: [{framework: a, apiVersion: x.io/v1, kind: Run, suspend: spec.on-hold, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds[0].suspend has a dash, which no expression of a webhook can name
          kueue4j: {jobKinds: [{framework: a, apiVersion: x.io/v1, otherVersions: [v2, v1], kind: Run, suspend: spec.suspend, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds[0].otherVersions 'v1' is named twice among the versions of Run
          kueue4j: {jobKinds: [{framework: a, apiVersion: x.io/v1, otherVersions: [x.io/v2], kind: Run, suspend: spec.suspend, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds[0].otherVersions 'x.io/v2' is no version of Run: write one such as v1beta1
          kueue4j: {jobKinds: [{framework: a, apiVersion: ray.io/v1, kind: RayJob, suspend: spec.suspend, podSets: [{name: a, template: spec.a}]}]} | line 3: kueue4j.jobKinds declares rayjobs.ray.io twice, or one built in
          kueue4j: {jobKinds: [{framework: a, apiVersion: x.io/v1, kind: Run, suspend: spec.suspend, podSets: [{name: a, template: spec.a, order: [b]}]}]} | line 3: kueue4j.jobKinds[0].podSets[0].order orders the keys of a map, but there is no forEach
          kueue4j: {jobKinds: [{framework: a, apiVersion: x.io/v1, kind: Run, suspend: spec.suspend, podSets: [{name: a, template: spec.a}], finished: [{condition: Done, path: status.state}]}]} | line 3: kueue4j.jobKinds[0].finished[0].path needs one of in, above or present: true; or write condition, all or none without a path
          integrations: {frameworks: [batch/job, batch/job]} | line 3: integrations.frameworks names a framework twice; remove one of them
          manageJobsWithoutQueueName: 1                | line 3: manageJobsWithoutQueueName must be true or false
          controller: {cacheSyncTimeout: 0s}           | line 3: controller.cacheSyncTimeout must be positive
          controller: {groupKindConcurrency: {Job.batch: 0}} | line 3: controller.groupKindConcurrency gives Job.batch 0; at least 1 is needed
          clientConnection: {burst: many}              | line 3: clientConnection.burst must be a whole number of at most 32 bits
          managedJobsNamespaceSelector: {}             | line 3: managedJobsNamespaceSelector must not match namespace "kube-system"; exclude it with kubernetes.io/metadata.name NotIn
          leaderElection: {leaseDuration: 5s}          | leaderElection.leaseDuration must be longer than leaderElection.renewDeadline
          health: {healthProbeBindAddress: "8081"}     | line 3: health.healthProbeBindAddress is "8081", without a port; write ":8081", or "0" for none
          webhook: {port: 70000}                       | line 3: webhook.port is 70000; write a port from 1 to 65535, or 0 for any
          internalCertManagement: {webhookServiceName: 1b} | line 3: internalCertManagement.webhookServiceName is "1b"; write lower case letters, digits and dashes, a letter first, at most 63 in all
          internalCertManagement: {webhookSecretName: a..b} | line 3: internalCertManagement.webhookSecretName is "a..b"; write lower case letters, digits, dashes and dots, at most 253 in all
          integrations: {externalFrameworks: [RayJob]} | line 3: integrations.externalFrameworks names "RayJob"; write Kind.version.group
          integrations: {externalFrameworks: [Ray Job.v1.ray.io]} | line 3: integrations.externalFrameworks names "Ray Job.v1.ray.io"; write Kind.version.group
          integrations: {externalFrameworks: [RayJob.version.ray.io]} | line 3: integrations.externalFrameworks names "RayJob.version.ray.io"; write Kind.version.group
          integrations: {externalFrameworks: [RayJob.v1.Ray_io]} | line 3: integrations.externalFrameworks names "RayJob.v1.Ray_io"; write Kind.version.group
          integrations: {labelKeysToCopy: [cost center]} | line 3: integrations.labelKeysToCopy names "cost center", which can't be a label; write name or example.com/name
          pprofBindAddress: 8083                       | line 3: pprofBindAddress is "8083", without a port; write ":8081", or "0" for none
          kueue4j: {view: {bindAddress: ":8447", secureServing: false}} | line 3: kueue4j.view.bindAddress serves anyone who reaches :8447; set secureServing: true, or bind it to 127.0.0.1
          metrics: {bindAddress: ":8081"}              | line 3: metrics.bindAddress is health.healthProbeBindAddress, too, but is served over HTTPS; choose another port, or set kueue4j.insecureMetrics
          metrics: {localQueueMetrics: {localQueueSelector: {matchLabels: {a b: c}}}} | line 3: metrics.localQueueMetrics.localQueueSelector.matchLabels names "a b", which can't be a label; write name or example.com/name
          metrics: {localQueueMetrics: {localQueueSelector: {matchLabels: {a: -}}}} | line 3: metrics.localQueueMetrics.localQueueSelector.matchLabels has "-", which can't be the value of a label; write at most 63 letters, digits, dashes, dots and underscores
          metrics: {customLabels: [{name: 1a}]}        | line 3: metrics.customLabels[0].name is "1a"; write letters, digits and underscores, a letter first
          metrics: {customLabels: [{name: a}, {name: a}]} | line 3: metrics.customLabels[1].name is given to two labels; rename one of them
          metrics: {customLabels: [{name: a_}]}        | line 3: metrics.customLabels[0].name is "a_", which can't be the key of a label; name one in sourceLabelKey
          metrics: {customLabels: [{name: a, sourceLabelKey: b, sourceAnnotationKey: c}]} | line 3: metrics.customLabels[0].sourceLabelKey can't be given together with sourceAnnotationKey; remove one of them
          metrics: {customLabels: [{name: a, sourceKind: Pod}]} | line 3: metrics.customLabels[0].sourceKind is "Pod"; allowed: ClusterQueue, LocalQueue, Cohort, Workload
          metrics: {customLabels: [{name: a, sourceKind: Workload}]} | metrics.customLabels[0].trackedValues is missing; name the values of Workloads to distinguish
          metrics: {customLabels: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}]} | line 3: metrics.customLabels has 7 labels with sourceKind ClusterQueue; at most 6 are possible
          metrics: {customLabels: [{name: a, sourceKind: Workload, trackedValues: [x]}, {name: b, sourceKind: Workload, trackedValues: [x]}, {name: c, sourceKind: Workload, trackedValues: [x]}]} | line 3: metrics.customLabels has 3 labels with sourceKind Workload; at most 2 are possible
          internalCertManagement: {enabled: true}      | line 3: internalCertManagement.enabled is not a known key; did you mean "enable"?
          leaderElection: {resourceLock: configmaps}   | line 3: leaderElection.resourceLock is "configmaps"; allowed: leases
          leaderElection: {retryPeriod: 10s}           | leaderElection.retryPeriod must be positive and shorter than leaderElection.renewDeadline
          clientConnection: {qps: 0}                   | line 3: clientConnection.qps must be a number above 0, or a negative one for no limit
          clientConnection: {burst: 0}                 | line 3: clientConnection.burst must be at least 1
          metrics: {localQueueMetrics: {enabled: true}} | line 3: metrics.localQueueMetrics.enabled is not a known key; did you mean "enable"?
          resources: {quotaCheckStrategy: Ignore}      | line 3: resources.quotaCheckStrategy is "Ignore"; allowed: BlockUndeclared, IgnoreUndeclared
          resources: {excludeResourcePrefixes: [""]}   | line 3: resources.excludeResourcePrefixes has an empty prefix, which excludes every resource; remove it
          resources: {excludeResourcePrefixes: [a.io/, nvidia.com/*]} | line 3: resources.excludeResourcePrefixes has "nvidia.com/*", which no resource begins with; write it without *
          resources: {transformations: [{input: a.io/x, outputs: {x: "-1"}}]} | line 3: resources.transformations[0].outputs has "-1" for x, which is negative
          resources: {transformations: [{input: a}, {input: a}]} | line 3: resources.transformations[1].input is given to two transformations; join them
          resources: {transformations: [{input: a, strategy: Keep}]} | line 3: resources.transformations[0].strategy is "Keep"; allowed: Retain, Replace
          managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Near}]} | line 3: managedJobsNamespaceSelector.matchExpressions[0].operator is "Near"; allowed: In, NotIn, Exists, DoesNotExist
          managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: In}]} | managedJobsNamespaceSelector.matchExpressions[0].values must not be empty with operator In
          kind: Configuration                          | line 3: kind is given twice; remove one of them
          namespace: [                                 | line 4: not valid YAML: expected the node content, but found '<stream end>'
          """)
  void refusesWithPlaceProblemAndRemedy(String line, String message) {
    assertThatThrownBy(() -> Configuration.parse(HEADER + line + "\n"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(message);
  }

  /** YAML 1.1, as the file's other readers read it, has more words for a truth value than two. */
  @ParameterizedTest
  @CsvSource({"true, true", "yes, true", "On, true", "false, false", "NO, false", "off, false"})
  void aSwitchIsWrittenInAnyWordOfYaml(String word, boolean on) {
    assertThat(Configuration.parse(HEADER + "manageJobsWithoutQueueName: " + word + "\n"))
        .extracting(Configuration::manageJobsWithoutQueueName)
        .isEqualTo(on);
    assertThat(
            Configuration.parse(HEADER + "featureGates: {ACRequeueAfter: " + word + "}\n")
                .featureGates()
                .enabled(FeatureGate.AC_REQUEUE_AFTER))
        .isEqualTo(on);
    assertThat(
            Configuration.parse(
                    HEADER.replace("v1beta2", "v1beta1")
                        + "waitForPodsReady: {enable: "
                        + word
                        + "}\n")
                .podsReady()
                .equals(WaitForPodsReady.ifAsked()))
        .isEqualTo(!on);
  }

  @Test
  void waitForPodsReadyNeedsTheBlockAndTheGate() {
    assertThat(Configuration.defaults().podsReady()).isEqualTo(WaitForPodsReady.ifAsked());
    assertThat(Configuration.parse(HEADER + "waitForPodsReady: {}\n").podsReady())
        .isEqualTo(new WaitForPodsReady(PodsReadyPolicy.defaults(), true, false));
    assertThat(Configuration.parse(HEADER + "waitForPodsReady: {enable: false}\n").podsReady())
        .isEqualTo(WaitForPodsReady.ifAsked());
    String block =
        """
        waitForPodsReady:
          timeout: 5m
          blockAdmission: true
          requeuingStrategy:
            timestamp: Creation
            backoffLimitCount: 0
            backoffBaseSeconds: 1
            backoffMaxSeconds: 0
            backoffLimitTimeout: 24h
        """;
    assertThat(Configuration.parse(HEADER + block).podsReady())
        .isEqualTo(
            new WaitForPodsReady(
                new PodsReadyPolicy(
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(5),
                    RequeuingTimestamp.CREATION,
                    0,
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    Duration.ofHours(24)),
                true,
                true));
    String off = "featureGates: {DisableWaitForPodsReady: true}\n";
    assertThat(Configuration.parse(HEADER + off + block).podsReady())
        .isEqualTo(WaitForPodsReady.never());
  }

  @Test
  void admissionFairSharingNeedsTheBlockAndTheGate() {
    assertThat(Configuration.defaults().usagePolicy()).isEmpty();
    assertThat(Configuration.parse(HEADER + "admissionFairSharing: {}\n").usagePolicy())
        .hasValue(new UsagePolicy(Duration.ZERO, Duration.ofMinutes(5), Map.of(), null));
    String block =
        """
        admissionFairSharing:
          usageHalfLifeTime: 168h
          usageSamplingInterval: 1m
          resourceWeights: {cpu: 2, memory: 1e-9}
          resetInactivityPeriod: 720h
          entryPenaltyFactor: 2.5
        """;
    assertThat(Configuration.parse(HEADER + block).usagePolicy())
        .hasValue(
            new UsagePolicy(
                Duration.ofDays(7),
                Duration.ofMinutes(1),
                Map.of("cpu", 2.0, "memory", 1e-9),
                Duration.ofDays(30),
                2.5));
    assertThat(
            Configuration.parse(HEADER + block + "featureGates: {AdmissionFairSharing: false}\n")
                .usagePolicy())
        .isEmpty();
  }

  @Test
  void refusesAnotherVersionOrKind() {
    assertThatThrownBy(() -> Configuration.parse("apiVersion: v1\nkind: ConfigMap\n"))
        .hasMessage(
            "line 1: apiVersion is \"v1\"; supported are config.kueue.x-k8s.io/v1beta2 and"
                + " config.kueue.x-k8s.io/v1beta1");
    assertThatThrownBy(() -> Configuration.parse("")).hasMessageContaining("must be a mapping");
    assertThatThrownBy(() -> Configuration.parse(HEADER.replace("Configuration", "Configuraton")))
        .hasMessage("line 2: kind is \"Configuraton\"; allowed: Configuration");
  }

  @Test
  void keysWithoutEffectAreReportedWithTheReason() {
    Configuration configuration =
        Configuration.parse(
            HEADER
                + """
                visibilityServer: {bindPort: 8082}
                multiKueue: {}
                resources: {deviceClassMappings: []}
                controller: {groupKindConcurrency: {Job.batch: 5, Workload.kueue.x-k8s.io: 10}}
                metrics: {customLabels: [{name: team}]}
                featureGates: {TopologyAwareScheduling: false, MultiKueue: true, QuotaCheckStrategy: false}
                """);

    assertThat(configuration.unusedKeys())
        .containsExactlyInAnyOrder(
            "visibilityServer",
            "multiKueue",
            "resources.deviceClassMappings",
            "controller.groupKindConcurrency.Job.batch (no controller works on this kind alone)",
            "metrics.customLabels (the feature gate CustomMetricLabels is off)",
            "featureGates.TopologyAwareScheduling (no effect here)",
            "featureGates.MultiKueue (no effect here)");
    assertThat(configuration.metrics().customLabels()).isEmpty();
  }

  /** Each key that another one, or a gate, keeps from having an effect. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          webhook:                                            | webhook (without a value it counts as absent; write {} for a block of defaults)
          health: {readinessEndpointName: }                   | health.readinessEndpointName (without a value it counts as absent; write {} for a block of defaults)
          internalCertManagement: {enable: true}              | internalCertManagement.enable (there is no block webhook)
          webhook: {certDir: /certs}                          | webhook.certDir (internalCertManagement.enable is true)
          leaderElection: {leaderElect: false, resourceName: a} | leaderElection.resourceName (leaderElect is false)
          health: {healthProbeBindAddress: "0", livenessEndpointName: a} | health.livenessEndpointName (healthProbeBindAddress is "0")
          clientConnection: {qps: -1, burst: 7}               | clientConnection.burst (qps is negative, so there is no limit)
          metrics: {localQueueMetrics: {enable: false, localQueueSelector: {}}} | metrics.localQueueMetrics.localQueueSelector (enable is false)
          metrics: {localQueueMetrics: {enable: true}}; featureGates: {LocalQueueMetrics: false} | metrics.localQueueMetrics.enable (the feature gate LocalQueueMetrics is off)
          metrics: {localQueueMetrics: {enable: false}}; featureGates: {LocalQueueMetrics: false} |
          metrics: {bindAddress: "0", enableClusterQueueResources: true} | metrics.enableClusterQueueResources (bindAddress is "0")
          metrics: {bindAddress: "0"}; kueue4j: {insecureMetrics: true} | kueue4j.insecureMetrics (metrics.bindAddress is "0")
          metrics: {bindAddress: ":8443", enableClusterQueueResources: true} |
          fairSharing: {enable: false, preemptionStrategies: [LessThanInitialShare]} | fairSharing.preemptionStrategies (enable is false)
          waitForPodsReady: {enable: false, timeout: 1m}      | waitForPodsReady.timeout (enable is false)
          waitForPodsReady: {timeout: 1m}; featureGates: {DisableWaitForPodsReady: true} | waitForPodsReady (the feature gate DisableWaitForPodsReady is on)
          waitForPodsReady: {timeout: 0s}                     | waitForPodsReady.timeout (0s counts as the default, 30m0s)
          waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 7200}} | waitForPodsReady.requeuingStrategy.backoffBaseSeconds (no delay is longer than backoffMaxSeconds, 3600)
          waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 7200, backoffMaxSeconds: 0}} |
          admissionFairSharing: {}; featureGates: {AdmissionFairSharing: false} | admissionFairSharing (the feature gate AdmissionFairSharing is off)
          admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {memroy: 0}} | admissionFairSharing.resourceWeights.memroy (no pod can request it, and no transformation has it as an output)
          integrations: {frameworks: [pod]} | integrations.frameworks (without the block webhook no pod is held for its quota)
          admissionFairSharing: {resourceWeights: {memory: 0, pods: 2, a.io/x: 1, credits: 1}}; resources: {transformations: [{input: a.io/x, outputs: {credits: 2}}]} |
          admissionFairSharing: {entryPenaltyFactor: 2} | admissionFairSharing.entryPenaltyFactor (past usage doesn't count while usageHalfLifeTime is 0)
          admissionFairSharing: {usageHalfLifeTime: 0s, resetInactivityPeriod: 1h} | admissionFairSharing.resetInactivityPeriod (past usage doesn't count while usageHalfLifeTime is 0)
          admissionFairSharing: {usageHalfLifeTime: 1h, entryPenaltyFactor: 2, resetInactivityPeriod: 1h} |
          kueue4j: {quotaRelease: {when: JobSuspended, lostNodeTimeout: 1m}} | kueue4j.quotaRelease.lostNodeTimeout (when is JobSuspended)
          kueue4j: {view: {secureServing: true}}              | kueue4j.view.secureServing (there is no bindAddress)
          resources: {transformations: [{input: a.io/x}]}     | resources.transformations[0].input (without outputs only strategy Replace has an effect)
          resources: {transformations: [{input: a.io/x, strategy: Replace}]} |
          resources: {transformations: [{input: a.io/x, strategy: Replace, multiplyBy: cpu}]} | resources.transformations[0].multiplyBy (there are no outputs)
          resources: {transformations: [{input: memmory, outputs: {x: 1}}]} | resources.transformations[0].input (no pod can request "memmory"; write cpu, memory, ephemeral-storage, a name that begins with hugepages-, or one with a prefix, such as example.com/gpu)
          resources: {transformations: [{input: a.io/x, multiplyBy: Cpu, outputs: {x: 1}}]} | resources.transformations[0].multiplyBy (no pod can request "Cpu"; write cpu, memory, ephemeral-storage, a name that begins with hugepages-, or one with a prefix, such as example.com/gpu)
          resources: {transformations: [{input: hugepages-2Mi, multiplyBy: a.io/y, outputs: {x: 1}}]} |
          resources: {excludeResourcePrefixes: [a.io/], transformations: [{input: a.io/x, outputs: {x: 1}}]} | resources.transformations[0].input (excludeResourcePrefixes has "a.io/")
          resources: {excludeResourcePrefixes: [a.io/], transformations: [{input: cpu, multiplyBy: a.io/x, outputs: {x: 1}}]} | resources.transformations[0].multiplyBy (excludeResourcePrefixes has "a.io/")
          """)
  void aKeyThatIsSwitchedOffIsReported(String keys, @Nullable String report) {
    assertThat(Configuration.parse(HEADER + keys.replace("; ", "\n") + "\n").unusedKeys())
        .isEqualTo(report == null ? List.of() : List.of(report));
  }

  @Test
  void frameworksOfOthersAreIgnoredOnRequest() {
    Launch ignoring = Launch.plain().ignoringUnsupported(true);

    Configuration configuration =
        Configuration.parse(
            HEADER
                + "integrations: {frameworks: [sparkoperator.k8s.io/sparkapplication, batch/job,"
                + " trainer.kubeflow.org/trainjob, deployment]}\n",
            ignoring);

    assertThat(configuration.integrations().frameworks()).containsExactly("batch/job");
    assertThat(configuration.unusedKeys())
        .containsExactly(
            "integrations.frameworks (Jobs of sparkoperator.k8s.io/sparkapplication are not managed)",
            "integrations.frameworks (pods of deployment are not managed without pod)",
            "integrations.frameworks (pods of trainer.kubeflow.org/trainjob are not managed without"
                + " jobset.x-k8s.io/jobset)");
    assertThatThrownBy(
            () ->
                Configuration.parse(
                    HEADER + "integrations: {frameworks: [batch/jobs]}\n", ignoring))
        .hasMessageContaining("\"batch/jobs\"");
  }

  @Test
  void theDefaultsOfTheOtherImplementationStart() throws IOException {
    String defaults;
    try (InputStream in = getClass().getResourceAsStream("defaults-of-kueue.yaml")) {
      defaults = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }

    Configuration configuration = Configuration.parse(defaults);

    assertThat(configuration.integrations().frameworks())
        .containsExactly(
            "batch/job",
            "deployment",
            "jobset.x-k8s.io/jobset",
            "kubeflow.org/mpijob",
            "leaderworkerset.x-k8s.io/leaderworkerset",
            "pod",
            "ray.io/raycluster",
            "ray.io/rayjob",
            "ray.io/rayservice",
            "statefulset",
            "trainer.kubeflow.org/trainjob",
            "workload.codeflare.dev/appwrapper");
    assertThat(configuration.unusedKeys())
        .containsExactly(
            "controller.groupKindConcurrency.Job.batch (no controller works on this kind alone)",
            "controller.groupKindConcurrency.Pod (no controller works on this kind alone)");
  }

  @Test
  void namesTheFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("core.yaml");
    assertThatThrownBy(() -> Configuration.load(file, Launch.plain()))
        .hasMessage(file + ": there is no such file; check the path given with --config");

    Files.writeString(file, HEADER + "webhok: {}\n");
    assertThatThrownBy(() -> Configuration.load(file, Launch.plain()))
        .hasMessage(file + ": line 3: webhok is not a known key; did you mean \"webhook\"?");
  }

  @Test
  void fairSharingIsEnabledByItsBlock() {
    assertThat(fairSharing("")).isEmpty();
    assertThat(fairSharing("fairSharing: {preemptionStrategies: [LessThanInitialShare]}"))
        .containsExactly(FairSharingStrategy.LESS_THAN_INITIAL_SHARE);
    assertThat(fairSharing("fairSharing: {enable: true}"))
        .containsExactly(FairSharingStrategy.values());
    assertThat(fairSharing("fairSharing: {enable: false}")).isEmpty();
    assertThat(fairSharing("fairSharing: {enable: true, preemptionStrategies: []}")).isEmpty();
    assertThat(fairSharing("fairSharing: {preemptionStrategies: []}")).isEmpty();
    for (String strategies :
        List.of("[Whatever]", "[LessThanInitialShare, LessThanOrEqualToFinalShare]")) {
      assertThatThrownBy(
              () -> fairSharing("fairSharing: {preemptionStrategies: " + strategies + "}"))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("fairSharing.preemptionStrategies")
          .hasMessageContaining("allowed");
    }
  }

  private static List<FairSharingStrategy> fairSharing(String block) {
    return Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            """
                + block)
        .fairSharingStrategies();
  }
}
