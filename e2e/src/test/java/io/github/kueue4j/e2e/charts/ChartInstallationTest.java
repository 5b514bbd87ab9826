// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** What a cluster says to the charts with everything optional switched on. */
class ChartInstallationTest {
  private static final String CORE =
      """
      controllerManager:
        replicas: 2
        strategy: {rollingUpdate: {maxSurge: 1}}
        affinity: {podAntiAffinity: {}}
        tolerations: [{operator: Exists}]
        imagePullSecrets: [{name: login}]
        featureGates: [{name: PartialAdmission, enabled: true}]
        initContainers: [{name: first, image: first}]
        volumes: [{name: more, emptyDir: {}}]
        podDisruptionBudget: {enabled: true}
        manager:
          env: [{name: A, value: b}]
          envFrom: [{configMapRef: {name: more}}]
          volumeMounts: [{name: more, mountPath: /more}]
      webhookService: {ipDualStack: {enabled: true}}
      networkPolicy: {enabled: true, egress: {enabled: true}}
      metrics: {dashboards: {enabled: true}}
      """;

  private static final String CHECKS =
      """
      checks: {gpu: {replicas: 2}, provisioning: {enabled: true}, http: {enabled: true}, prometheus: {enabled: true}, policy: {enabled: true}, approval: {enabled: true}, dependency: {enabled: true}}
      customChecks: {own: {image: {repository: own}, controllerName: example.com/own}}
      networkPolicy: {enabled: true, egress: {enabled: true}}
      podDisruptionBudget: {enabled: true}
      metrics: {dashboards: {enabled: true}}
      admissionChecks:
        - name: budget
          controllerName: kueue4j.io/budget
          retry: {strategy: Backoff, baseDelay: 30s, maxDelay: 10m, factor: 2, jitter: 0.1}
          pendingTimeoutSeconds: 60
          preemptionPolicy: Anytime
      """;

  @Test
  void everyRenderedObjectIsAccepted() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
      server.applyCrds(Crds.kueue());
      for (Map.Entry<String, String> chart :
          List.of(Map.entry("admission-checks", CHECKS), Map.entry("kueue-core", CORE))) {
        List<Map<String, Object>> trees = new ArrayList<>();
        for (Rendered each : Chart.named(chart.getKey()).renderWith(chart.getValue())) {
          trees.add(each.tree());
        }
        assertThat(trees).as(chart.getKey()).hasSizeGreaterThan(10);
        // The server throws what it refuses.
        assertThatCode(() -> server.apply(new Yaml().dumpAll(trees.iterator())))
            .doesNotThrowAnyException();
      }
    }
  }
}
