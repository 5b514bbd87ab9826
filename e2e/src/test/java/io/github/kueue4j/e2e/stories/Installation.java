// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.UpgradeCommand;
import io.github.kueue4j.e2e.charts.Chart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Both charts, installed into namespaces of their own by Helm's library. */
final class Installation {
  /** Where the core is. */
  static final String CORE = StoryWorld.PREFIX + "system";

  /** Where the checks are. */
  static final String CHECKS = StoryWorld.PREFIX + "checks";

  private static final String CORE_RELEASE = "kueue";
  private static final String CHECKS_RELEASE = "checks";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path kubeconfig;

  /** As in the charts' values; empty for their own. */
  private final String image;

  /**
   * Nothing is installed yet.
   *
   * @param image with its tag; the charts' own if empty
   */
  Installation(Path kubeconfig, Optional<String> image) {
    this.kubeconfig = kubeconfig;
    this.image = image.map(Installation::value).orElse("{}");
  }

  private static String value(String image) {
    int colon = image.lastIndexOf(':');
    return "{repository: %s, tag: \"%s\"}"
        .formatted(image.substring(0, colon), image.substring(colon + 1));
  }

  /** Installs both, and waits until their pods are ready. */
  void install() {
    Chart.named("kueue-core")
        .helm()
        .install()
        .withName(CORE_RELEASE)
        .withNamespace(CORE)
        .createNamespace()
        .withValuesFile(Chart.written(coreValues()))
        .waitReady()
        .withTimeout((int) PATIENCE.toSeconds())
        .withKubeConfig(kubeconfig)
        .call();
    Chart.named("admission-checks")
        .helm()
        .install()
        .withName(CHECKS_RELEASE)
        .withNamespace(CHECKS)
        .createNamespace()
        .withValuesFile(Chart.written(checksValues()))
        .waitReady()
        .withTimeout((int) PATIENCE.toSeconds())
        .withKubeConfig(kubeconfig)
        .call();
  }

  private String coreValues() {
    return """
        controllerManager:
          manager:
            image: %s
            resources: {requests: {cpu: 100m}}
        managerConfig:
          controllerManagerConfigYaml: |
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            namespace: %s
            health: {healthProbeBindAddress: ":8081"}
            metrics: {bindAddress: ":8443"}
            webhook: {port: 9443}
            internalCertManagement: {enable: true}
        """
            .formatted(image, CORE)
        + Site.SETTINGS.indent(4);
  }

  private String checksValues() {
    return """
        image: %s
        resources: {requests: {cpu: 50m}}
        checks: {http: {enabled: true}}
        """
        .formatted(image);
  }

  /**
   * Upgrades the core with values besides those that it has, and waits until its pods are ready.
   */
  void upgradeCore(String values) {
    UpgradeCommand upgrade =
        Chart.named("kueue-core")
            .helm()
            .upgrade()
            .withName(CORE_RELEASE)
            .withNamespace(CORE)
            .resetThenReuseValues()
            .withValuesFile(Chart.written(values))
            .waitReady()
            .withTimeout((int) PATIENCE.toSeconds())
            .withKubeConfig(kubeconfig);
    upgrade.call();
  }

  /** As {@code helm test} does. */
  void test() {
    Helm.test(CORE_RELEASE).withNamespace(CORE).withKubeConfig(kubeconfig).withTimeout(180).call();
    Helm.test(CHECKS_RELEASE)
        .withNamespace(CHECKS)
        .withKubeConfig(kubeconfig)
        .withTimeout(180)
        .call();
  }

  /** Uninstalls what is installed, the checks first. */
  void uninstall() {
    Helm.uninstall(CHECKS_RELEASE)
        .ignoreNotFound()
        .withNamespace(CHECKS)
        .withKubeConfig(kubeconfig)
        .call();
    Helm.uninstall(CORE_RELEASE)
        .ignoreNotFound()
        .withNamespace(CORE)
        .withKubeConfig(kubeconfig)
        .call();
  }
}
