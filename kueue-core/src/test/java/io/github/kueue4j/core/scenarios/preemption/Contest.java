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
package io.github.kueue4j.core.scenarios.preemption;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.ListOptions;
import io.kubernetes.client.openapi.models.EventsV1Event;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

/** A cluster with Jobs of several priorities. */
final class Contest {
  static final String LOWER = "preemption: {withinClusterQueue: LowerPriority}";
  static final String NEWER = "preemption: {withinClusterQueue: LowerOrNewerEqualPriority}";

  private Contest() {}

  /** Classes {@code low} (1), {@code mid} (50) and {@code high} (100). */
  static void classes(TestCluster cluster) {
    cluster.apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: low}, value: 1}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: mid}, value: 50}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: high}, value: 100}
        """);
  }

  /** A Job of a class, a second younger than whatever was there before. */
  static void job(TestCluster cluster, String name, String priority, int cpus) {
    job(cluster, name, priority, cpus, "lq");
  }

  static void job(TestCluster cluster, String name, String priority, int cpus, String queue) {
    cluster.advance(Duration.ofSeconds(1));
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: %s, kueue.x-k8s.io/priority-class: %s}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: %s}}}]}
        """
            .formatted(name, queue, priority, cpus));
    cluster.workload(name);
  }

  /** A Job whose pods run. */
  static void running(TestCluster cluster, String name, String priority, int cpus) {
    running(cluster, name, priority, cpus, "lq");
  }

  static void running(TestCluster cluster, String name, String priority, int cpus, String queue) {
    job(cluster, name, priority, cpus, queue);
    cluster.awaitSuspended(name, false);
    cluster.podsRun(name);
  }

  /** The notes of the events with this reason. */
  static Stream<String> notes(TestCluster cluster, String reason) {
    return cluster
        .api
        .list(CoreTypes.EVENT, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items()
        .stream()
        .filter(event -> reason.equals(event.getReason()))
        .map(EventsV1Event::getNote)
        .filter(Objects::nonNull);
  }

  static String uid(Workload workload) {
    return Objects.requireNonNull(workload.metadata().getUid());
  }
}
