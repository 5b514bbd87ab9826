// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Steps that several scenes share. */
final class World {
  static final String ONE_CHECK = "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";
  static final String TWO_CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu}]}";

  /** Long enough for the scheduler to write its reason. */
  static final Duration A_WHILE = Duration.ofSeconds(3);

  private World() {}

  /** A core with one queue. */
  static void queue(TestCluster cluster, String more, String... flavors) {
    cluster.queue(more, flavors);
    cluster.startCore();
  }

  /** A Job that holds quota while its check has not answered. */
  static void reserved(TestCluster cluster, String checks, String... names) {
    for (String name : names) {
      cluster.check(name);
    }
    queue(cluster, checks, "default=1");
    cluster.job("job", 1);
    cluster.awaitWorkload("job", TestCluster::reserved);
  }

  /** A Job whose pods run. */
  static void running(TestCluster cluster, String checks, String... names) {
    reserved(cluster, checks, names);
    for (String name : names) {
      cluster.answer("job", name, CheckState.READY, null);
    }
    cluster.awaitSuspended("job", false);
    cluster.podsRun("job");
    cluster.settle();
  }

  static void patch(TestCluster cluster, ResourceType<?> type, ObjectKey key, String json) {
    cluster.api.patch(type, key, merge(json));
  }

  static void patchStatus(TestCluster cluster, ResourceType<?> type, ObjectKey key, String json) {
    cluster.api.patchStatus(type, key, merge(json));
  }

  static void stopPolicy(TestCluster cluster, ResourceType<?> type, ObjectKey key, String policy) {
    patch(cluster, type, key, "{\"spec\": {\"stopPolicy\": \"" + policy + "\"}}");
  }

  /**
   * Writes the lifecycle's plan for an event that the core doesn't raise itself; the running core
   * continues from there.
   */
  static void plan(TestCluster cluster, Workload workload, Function<Situation, Plan> event) {
    Plan plan = event.apply(Situation.of(workload, RequiredChecks.none()));
    if (plan instanceof Plan.PatchStatus patch) {
      cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          io.github.kueue4j.runtime.patch.GuardedPatch.ofStatus(patch.before(), patch.after()));
    } else {
      throw new IllegalStateException("nothing to write: " + plan);
    }
  }

  /** A Workload that no Job owns. */
  static void bare(TestCluster cluster, String queueName) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: bare, namespace: team}
        spec:
          %s
          podSets:
          - name: main
            count: 1
            template: {spec: {containers: [{name: c, image: busybox,
              resources: {requests: {cpu: 1}}}]}}
        """
            .formatted(queueName.isEmpty() ? "" : "queueName: " + queueName));
  }

  static void notReserved(TestCluster cluster, String workload, String reason, String message) {
    Workload waiting =
        cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key(workload)).orElseThrow();
    plan(
        cluster,
        waiting,
        situation -> Lifecycle.notReserved(situation, reason, message, cluster.time.instant()));
  }

  /** A core with this configuration, and the kind JobSet. */
  static void start(TestCluster cluster, String configuration) {
    JobSets.install(cluster);
    cluster.queue("", "default=1");
    cluster.startCore(configuration);
  }

  /** The server serves this kind, with any fields. */
  static void serve(TestCluster cluster, ResourceType<?> type) {
    cluster.server.applyCrds(
        List.of(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.%2$s}
            spec:
              group: %2$s
              scope: Namespaced
              names: {kind: %3$s, plural: %1$s}
              versions:
              - name: %4$s
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """
                .formatted(type.plural(), type.group(), type.kind(), type.version())));
  }

  static String pod(String name, String metadata) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: team, %s}
        spec: {containers: [{name: main, image: busybox}]}
        """
        .formatted(name, metadata);
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }
}
