// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The API server doesn't check the names in owner references. A Job whose owner can't exist has
 * none, and the core sends no request that such a name would lead elsewhere.
 */
@Tag("quick")
@Simulated
class OwnerNamesTest {

  /** From {@code /apis/batch/v1/namespaces/team/jobs/}, the first one leads to all Jobs. */
  @ParameterizedTest
  @ValueSource(strings = {"../../../jobs", "..", "%2e%2e"})
  void aJobWhoseOwnerCannotExistIsOneOfItsOwn(String name) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      // Its second owner exists, or it would be collected as garbage.
      String uid =
          cluster
              .api
              .create(
                  CoreTypes.CONFIG_MAP,
                  new V1ConfigMap()
                      .metadata(new V1ObjectMeta().namespace(TestCluster.NAMESPACE).name("owner")))
              .getMetadata()
              .getUid();
      cluster.startCore();
      cluster.settle();
      RequestMatcher elsewhere =
          RequestMatcher.verbs("list", "get")
              .and(RequestMatcher.resource("jobs"))
              .and(request -> request.userAgent().contains("kueue-core"));
      long before = cluster.server.requests().count(elsewhere);

      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: owned
            namespace: team
            labels: {kueue.x-k8s.io/queue-name: lq}
            ownerReferences:
            - {apiVersion: batch/v1, kind: Job, name: "%s", uid: "1", controller: true}
            - {apiVersion: v1, kind: ConfigMap, name: owner, uid: %s}
          spec:
            suspend: true
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 1}}}]}
          """
              .formatted(name, uid));
      cluster.job("other", 1);

      cluster.awaitWorkload("other", TestCluster::admitted);
      cluster.awaitWorkload("owned", TestCluster::admitted);
      cluster.settle();
      assertThat(cluster.server.requests().count(elsewhere)).isEqualTo(before);
    }
  }
}
