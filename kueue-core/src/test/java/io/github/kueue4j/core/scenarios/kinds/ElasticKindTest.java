// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.simulation.Simulated;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A declared kind whose objects run with fewer pods, and give quota back pod by pod. */
@Simulated
class ElasticKindTest {
  private static final String OWN =
      """
      kueue4j:
        jobKinds:
          - framework: ml.example.com/trainingrun
            apiVersion: ml.example.com/v1
            kind: TrainingRun
            suspend: spec.suspend
            podSets:
              - {name: leader, template: spec.leader}
              - forEach: spec.groups
                template: pods
                count: [size]
                minCount: least
                reclaimable: status.groups.*.done
            active: [status.active]
      """;

  private final DeclaredSample sample =
      DeclaredSample.of(
          (DeclaredKind)
              Configuration.parse(
                      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + OWN)
                  .integrations()
                  .managed()
                  .getLast(),
          FromYaml.json(
              """
              {object: {apiVersion: ml.example.com/v1, kind: TrainingRun,
                metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}},
                spec: {suspend: true,
                  leader: {spec: {containers: [
                    {name: main, image: busybox, resources: {requests: {cpu: 1}}}]}},
                  groups: {big: {size: 5, least: 2, pods: {spec: {containers: [
                    {name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}}}},
               running: {active: 4, groups: {big: {done: 0}}},
               partly: {active: 2, groups: {big: {done: 2}}},
               odd: {active: 4, groups: {big: {done: many}}},
               once: {active: 0, groups: {big: {done: 1}}},
               stopped: {active: 0}}
              """));

  @Test
  void itIsAdmittedWithFewerPodsAndRestored() {
    try (TestCluster cluster = sample.cluster("default=4")) {
      cluster.startCore(OWN);
      cluster.apply(sample.object());
      JsonElement written = sample.spec(cluster);
      cluster.awaitThat("it runs", world -> !sample.suspended(world));

      assertThat(size(cluster)).as("with what there is quota for").isEqualTo(3);
      sample.patchStatus(cluster, "running");
      cluster.settle();
      assertThat(sample.suspended(cluster)).isFalse();
      Workload admitted = cluster.workloads().getFirst();
      assertThat(admitted.spec().podSets().getLast().minCount()).isEqualTo(2);

      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(admitted),
          TestCluster.merge("{\"spec\": {\"active\": false}}"));
      cluster.awaitThat("it is suspended", sample::suspended);
      sample.patchStatus(cluster, "stopped");
      awaitWorkload(cluster, workload -> !TestCluster.reserved(workload));
      assertThat(sample.spec(cluster)).isEqualTo(written);
    }
  }

  @Test
  void podsThatNeverRunAgainGiveTheirQuotaBack() {
    try (TestCluster cluster = sample.cluster("default=4")) {
      cluster.startCore("integrations: {frameworks: [batch/job]}\n" + OWN);
      cluster.apply(sample.object());
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      sample.patchStatus(cluster, "odd");
      cluster.job("next", 2);
      cluster.workload("next");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();

      sample.patchStatus(cluster, "partly");

      cluster.awaitWorkload("next", TestCluster::admitted);
      assertThat(sample.suspended(cluster)).isFalse();
    }
  }

  /** The count is of all pods, and those that are done need no quota. */
  @Test
  void withPodsThatAreDoneItIsAdmittedWithFewer() {
    try (TestCluster cluster = sample.cluster("default=3")) {
      cluster.apply(sample.object());
      sample.patchStatus(cluster, "once");
      cluster.startCore(OWN);
      // Its first reservation may meet the report of what is done, and is tried again a moment
      // later.
      cluster.passUntil("it runs", world -> !sample.suspended(world));

      assertThat(size(cluster)).as("two that run, and one that is done").isEqualTo(3);
      cluster.settle();
      assertThat(sample.suspended(cluster)).isFalse();
    }
  }

  private int size(TestCluster cluster) {
    return FieldPath.of("groups", "big", "size").in(sample.spec(cluster)).orElseThrow().getAsInt();
  }

  private static void awaitWorkload(TestCluster cluster, Predicate<Workload> expected) {
    cluster.awaitThat(
        "the Workload is as expected", world -> expected.test(world.workloads().getFirst()));
  }
}
