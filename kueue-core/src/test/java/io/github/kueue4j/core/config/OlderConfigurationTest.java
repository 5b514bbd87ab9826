// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OlderConfigurationTest {
  private static final String OLDER =
      "apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n";
  private static final String NEWER =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

  @Test
  void bothVersionsHaveTheSameDefaults() {
    assertThat(Configuration.parse(OLDER)).isEqualTo(Configuration.parse(NEWER));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fairSharing: {}                                   | {}
          fairSharing: {enable: false}                      | {}
          fairSharing: {enable: true}                       | fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
          fairSharing: {enable: true, preemptionStrategies: [LessThanInitialShare]} | fairSharing: {preemptionStrategies: [LessThanInitialShare]}
          fairSharing: {enable: true, preemptionStrategies: []} | {}
          waitForPodsReady: {}                              | {}
          waitForPodsReady: {enable: true}                  | waitForPodsReady: {timeout: 5m, blockAdmission: true}
          waitForPodsReady: {enable: true, timeout: 1m, blockAdmission: false} | waitForPodsReady: {timeout: 1m, blockAdmission: false}
          leaderElection: {leaderElect: false}              | leaderElection: {leaderElect: false}
          """)
  void convertsToTheNewerVersion(String older, String newer) {
    assertThat(Configuration.parse(OLDER + older + "\n"))
        .isEqualTo(Configuration.parse(newer.equals("{}") ? NEWER : NEWER + newer + "\n"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          waitForPodsReady: {enabled: false}       | line 3: waitForPodsReady.enabled is not a known key; did you mean "enable"?
          waitForPodsReady: {enable: perhaps}      | line 3: waitForPodsReady.enable must be true or false
          fairSharing: {enable: false, strategy: x} | line 3: fairSharing.strategy is not a known key; known here: enable, preemptionStrategies
          fairSharing: {enable: true, usageHalfLifeDecayTime: 1h} | line 3: fairSharing.usageHalfLifeDecayTime is not a known key; write admissionFairSharing.usageHalfLifeTime instead
          fairSharing: {enable: true, preemptionStrategies: [x]} | line 3: fairSharing.preemptionStrategies is [x]; allowed: [LessThanOrEqualToFinalShare], [LessThanInitialShare], both in this order, or [] for none
          fairSharing: 5                           | line 3: fairSharing must be a mapping of keys to values
          fairShring: {}                           | line 3: fairShring is not a known key; did you mean "fairSharing"?
          integrations: {podOption: {}}            | line 3: integrations.podOption is not a known key
          """)
  void isAsStrict(String line, String message) {
    assertThatThrownBy(() -> Configuration.parse(OLDER + line + "\n"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void keysThatAreDroppedAreNamed() {
    Configuration configuration =
        Configuration.parse(
            OLDER
                + """
                queueVisibility: {updateIntervalSeconds: 5}
                integrations: {frameworks: [batch/job], podOptions: {namespaceSelector: {}}}
                fairSharing: {preemptionStrategies: [LessThanInitialShare]}
                waitForPodsReady: {enable: false, timeout: 1m}
                """);

    assertThat(configuration.unusedKeys())
        .containsExactly(
            "queueVisibility (v1beta1 alone has it)",
            "integrations.podOptions (v1beta1 alone has it; managedJobsNamespaceSelector says which"
                + " namespaces are managed)",
            "fairSharing.preemptionStrategies (enable is not true)",
            "waitForPodsReady.timeout (enable is not true)");
    assertThat(configuration.fairSharingStrategies()).isEmpty();
    assertThat(configuration.podsReady()).isEqualTo(WaitForPodsReady.ifAsked());
    assertThat(configuration.integrations()).isEqualTo(Configuration.parse(NEWER).integrations());
  }

  @Test
  void theNewerVersionRefusesRemovedKeys() {
    assertThatThrownBy(() -> Configuration.parse(NEWER + "queueVisibility: {}\n"))
        .hasMessageStartingWith("line 3: queueVisibility is not a known key");
    assertThatThrownBy(() -> Configuration.parse(NEWER + "integrations: {podOptions: {}}\n"))
        .hasMessageStartingWith("line 3: integrations.podOptions is not a known key");
  }

  @Test
  void gatesOfTheCommandLine() {
    Launch launch = Launch.plain("ACRequeueAfter=false, PriorityBoost=TRUE");

    FeatureGates gates = Configuration.parse(NEWER, launch).featureGates();

    assertThat(gates.enabled(FeatureGate.AC_REQUEUE_AFTER)).isFalse();
    assertThat(gates.enabled(FeatureGate.PRIORITY_BOOST)).isTrue();
    assertThat(Configuration.defaults(launch).featureGates()).isEqualTo(gates);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ACRequeAfter=true     | --feature-gates names an unknown gate "ACRequeAfter"; did you mean "ACRequeueAfter"?, or start with --ignore-unsupported (value managerConfig.ignoreUnsupported of the chart)
          ACRequeueAfter        | --feature-gates has "ACRequeueAfter"; write Name=true or Name=false
          ACRequeueAfter=1      | --feature-gates has "ACRequeueAfter=1"; write Name=true or Name=false
          PriorityBoost=true,PriorityBoost=false | --feature-gates has PriorityBoost twice; remove one of them
          TLSOptions=false      | the feature gate TLSOptions is locked to true, and can't be false; remove it from featureGates, or from --feature-gates
          """)
  void gatesOfTheCommandLineAreChecked(String flag, String message) {
    assertThatThrownBy(() -> Configuration.defaults(Launch.plain(flag)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(message);
  }

  @Test
  void gatesComeFromEitherTheFileOrTheCommandLine() {
    assertThatThrownBy(
            () ->
                Configuration.parse(
                    NEWER + "featureGates: {PriorityBoost: true}\n",
                    Launch.plain("PriorityBoost=true")))
        .hasMessage(
            "line 3: featureGates can't be given together with --feature-gates; remove one of"
                + " them");
  }

  @Test
  void aPodsOwnNamespaceIsTheDefault(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("namespace");
    assertThat(Configuration.defaults(Launch.in(file, "")).namespace()).isEqualTo("kueue-system");

    Files.writeString(file, "batch-system\n");
    Configuration inPod = Configuration.defaults(Launch.in(file, ""));
    assertThat(inPod.namespace()).isEqualTo("batch-system");
    assertThat(inPod.managedNamespaces().matches("batch-system", Map.of())).isFalse();
    assertThat(Configuration.parse(NEWER + "namespace: x\n", Launch.in(file, "")).namespace())
        .isEqualTo("x");
  }
}
