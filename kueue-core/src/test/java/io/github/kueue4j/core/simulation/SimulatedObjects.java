// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static io.github.kueue4j.jobs.testing.FromYaml.read;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.state.State;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What administrators made in a simulated cluster, and how its Workloads look. */
public final class SimulatedObjects {
  private final Map<String, Cohort> cohorts = new LinkedHashMap<>();
  private final Map<String, ClusterQueue> queues = new LinkedHashMap<>();

  /** The ClusterQueues by their LocalQueues. */
  private final Map<String, String> behind = new HashMap<>();

  private boolean deferringCheck;

  /**
   * @param spec as the inside of a YAML flow mapping
   */
  Cohort cohort(String name, String spec) {
    Cohort cohort = read(Cohort.class, "{metadata: {name: %s}, spec: {%s}}".formatted(name, spec));
    cohorts.put(name, cohort);
    return cohort;
  }

  /**
   * A ClusterQueue.
   *
   * @param limits further fields of its quota, {@code more} of its spec, both as the inside of a
   *     YAML flow mapping
   */
  ClusterQueue queue(String name, String cohort, int cpus, String limits, String more) {
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            """
            {metadata: {name: %s}, spec: {cohortName: %s, namespaceSelector: {}, resourceGroups: [
              {coveredResources: [cpu], flavors: [{name: default, resources: [
                {name: cpu, nominalQuota: %d%s}]}]}]%s}}
            """
                .formatted(
                    name,
                    cohort,
                    cpus,
                    limits.isEmpty() ? "" : ", " + limits,
                    more.isEmpty() ? "" : ", " + more));
    queues.put(name, queue);
    return queue;
  }

  void localQueue(String name, String clusterQueue) {
    behind.put(name, clusterQueue);
  }

  /** From now on there is a check {@code nodes} for which preemption waits (KEP-993). */
  void deferringCheck() {
    deferringCheck = true;
  }

  ClusterQueue queue(String name) {
    return Objects.requireNonNull(queues.get(name));
  }

  String clusterQueueOf(String localQueue) {
    return Objects.requireNonNull(behind.get(localQueue));
  }

  /** A Workload of one pod that has just been created. */
  public static Workload workload(
      String name, String localQueue, int priority, int cpus, Instant now) {
    // As JSON: there are thousands, and YAML takes several times as long to read.
    Workload workload =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "%1$s", "namespace": "team", "uid": "uid-%1$s"},
             "spec": {"queueName": "%2$s", "priority": %3$d, "podSets": [{"name": "main", "count": 1,
               "template": {"spec": {"containers": [
                 {"name": "c", "resources": {"requests": {"cpu": "%4$d"}}}]}}}]}}
            """
                .formatted(name, localQueue, priority, cpus),
            Workload.class);
    workload.metadata().setCreationTimestamp(now.atOffset(ZoneOffset.UTC));
    return workload;
  }

  /** Tells a State that knows nothing yet what every queue needs. */
  void tellBasics(State state, Instant now) {
    state.configObjects().namespace("team", Map.of());
    state
        .configObjects()
        .flavor("default", read(ResourceFlavor.class, "{metadata: {name: default}}"), now);
    if (deferringCheck) {
      tellCheck(state, now);
    }
  }

  /** Shows a client all of it. */
  void tell(Simulation.Client read) {
    read.put(CoreTypes.NAMESPACE, new V1Namespace().metadata(new V1ObjectMeta().name("team")));
    read.put(KueueTypes.RESOURCE_FLAVOR, read(ResourceFlavor.class, "{metadata: {name: default}}"));
    if (deferringCheck) {
      read.put(KueueTypes.ADMISSION_CHECK, check());
    }
    cohorts.values().forEach(cohort -> read.put(KueueTypes.COHORT, cohort));
    queues.values().forEach(queue -> read.put(KueueTypes.CLUSTER_QUEUE, queue));
    behind.keySet().forEach(name -> read.put(KueueTypes.LOCAL_QUEUE, localQueue(name)));
  }

  /** Tells a State about all queues and Cohorts. */
  void tellQueues(State state, Instant now) {
    cohorts.forEach((name, cohort) -> state.configObjects().cohort(name, cohort, now));
    queues.forEach((name, queue) -> state.configObjects().clusterQueue(name, queue, now));
    behind.keySet().forEach(name -> tellLocalQueue(state, name, now));
  }

  void tellLocalQueue(State state, String name, Instant now) {
    state.configObjects().localQueue(new ObjectKey("team", name), localQueue(name), now);
  }

  private LocalQueue localQueue(String name) {
    return read(
        LocalQueue.class,
        "{metadata: {name: %s, namespace: team}, spec: {clusterQueue: %s}}"
            .formatted(name, clusterQueueOf(name)));
  }

  void tellCheck(State state, Instant now) {
    state.configObjects().check("nodes", check(), now);
  }

  private static AdmissionCheck check() {
    return read(
        AdmissionCheck.class,
        """
        {metadata: {name: nodes}, spec: {controllerName: example.com/nodes,
          preemptionPolicy: AfterCheckPassedOrOnDemand}, status: {conditions: [
            {type: Active, status: "True", reason: Active, message: "",
              lastTransitionTime: "2026-01-01T00:00:00Z"}]}}
        """);
  }
}
