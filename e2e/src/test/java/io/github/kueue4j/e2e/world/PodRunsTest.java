// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long simulated pods run, by who has created them. */
class PodRunsTest {
  private static final ObjectKey KEY = new ObjectKey("default", "p");
  private static final Duration RUNTIME = Duration.ofMinutes(10);

  @ParameterizedTest
  @CsvSource({
    "'', Never, Succeeded",
    "ConfigMap, Never, Succeeded",
    "ConfigMap, OnFailure, Succeeded",
    "ConfigMap, Always, Running",
    "RayJob, Never, Running"
  })
  void aPodThatIsNotStartedAgainSucceedsWhenItsTimeIsOver(
      String controller, String restartPolicy, String then) {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        ClusterConnection connection =
            ClusterConnection.builder("test").url(server.uri()).connect();
        ManualTime time = new ManualTime(Instant.parse("2026-03-02T10:00:00Z"))) {
      KubernetesApi api = connection.api();
      SimulatedNodes.createAll(api);
      PodRuns runs = new PodRuns(api, new Nodes(api), time, RUNTIME);
      server.applyCrds(SimulatedWorld.definitions());
      Manifests.parse(
              """
              apiVersion: v1
              kind: Pod
              metadata:
                name: p
                namespace: default
                ownerReferences: [%s]
              spec:
                restartPolicy: %s
                containers: [{name: main, image: example.invalid/main, resources: {requests: {cpu: 1}}}]
              """
                  .formatted(controller.isEmpty() ? "" : owner(api, controller), restartPolicy))
          .createIn(api);

      for (int look = 0; look < 3; look++) {
        runs.reconcile(KEY);
      }
      assertThat(phase(api)).isEqualTo("Running");
      time.advance(RUNTIME.minusSeconds(1));
      runs.reconcile(KEY);
      assertThat(phase(api)).isEqualTo("Running");

      time.advance(Duration.ofSeconds(2));
      runs.reconcile(KEY);

      assertThat(phase(api)).isEqualTo(then);
    }
  }

  /** The kind of an object that exists doesn't matter, unless the world plays it. */
  private static String owner(KubernetesApi api, String kind) {
    String apiVersion = kind.equals("RayJob") ? RayJob.TYPE.apiVersion() : "v1";
    Manifests.parse(
            "{apiVersion: %s, kind: %s, metadata: {name: o, namespace: default}}"
                .formatted(apiVersion, kind))
        .createIn(api);
    ObjectKey key = new ObjectKey("default", "o");
    String uid =
        kind.equals("RayJob")
            ? Uids.of(api.get(RayJob.TYPE, key).orElseThrow())
            : Uids.of(api.get(CoreTypes.CONFIG_MAP, key).orElseThrow());
    return "{apiVersion: %s, kind: %s, name: o, uid: %s, controller: true}"
        .formatted(apiVersion, kind, uid);
  }

  private static String phase(KubernetesApi api) {
    V1Pod pod = api.get(CoreTypes.POD, KEY).orElseThrow();
    return String.valueOf(Objects.requireNonNull(pod.getStatus()).getPhase());
  }
}
