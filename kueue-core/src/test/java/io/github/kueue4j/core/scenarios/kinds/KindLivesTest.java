// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The long life of an object of each kind that is declared and built in, all at once in one
 * cluster; each has a queue of its own. The test plays their controllers.
 */
@Simulated
class KindLivesTest {
  /**
   * The object of a kind.
   *
   * @param name of the kind's file, and in the names of what is made for it
   */
  private record Life(TestCluster cluster, String name, DeclaredSample sample) {
    String object() {
      return sample.object().replace("\"lq\"", "\"" + name + "\"");
    }

    Workload workload() {
      return cluster.workloads().stream()
          .filter(each -> each.metadata().getName().startsWith(name + "-train-"))
          .findFirst()
          .orElseThrow();
    }

    boolean reserved() {
      return cluster.workloads().stream()
          .anyMatch(
              each ->
                  each.metadata().getName().startsWith(name + "-train-")
                      && TestCluster.reserved(each));
    }

    boolean runs() {
      return !sample.suspended(cluster);
    }

    void status(String status) {
      sample.patchStatus(cluster, status);
    }

    void retry(int seconds) {
      cluster.answerBare(workload().metadata().getName(), CHECK, CheckState.RETRY, seconds);
    }

    /** The check is content, and adds to the pods. */
    void ready() {
      List<PodSet> podSets = workload().spec().podSets();
      cluster.writeEntry(
          this::workload,
          CHECK,
          entry ->
              entry
                  .withState(CheckState.READY)
                  .withLastTransitionTime(cluster.time.instant())
                  .withPodSetUpdates(
                      podSets.stream()
                          .map(
                              podSet ->
                                  new PodSetUpdate(
                                      podSet.name(),
                                      Map.of("by-check", "l"),
                                      Map.of("by-check", "a"),
                                      Map.of("by-check", "n"),
                                      List.of(new V1Toleration().key("spot").operator("Exists"))))
                          .toList()));
    }

    boolean hasUpdates() {
      return sample.templates(cluster).stream()
          .map(JsonElement::toString)
          .allMatch(
              template ->
                  template.contains("\"by-check\":\"l\"")
                      && template.contains("\"by-check\":\"a\"")
                      && template.contains("\"by-check\":\"n\"")
                      && template.contains("\"spot\""));
    }

    String urgent() {
      return "urgent-" + name;
    }

    String leftPod() {
      return "left-" + name;
    }
  }

  private static final String CHECK = "budget";
  private static final int CPUS = 20;

  private static void await(
      TestCluster cluster, String what, List<Life> lives, Predicate<Life> is) {
    cluster.passUntil(what + ": " + BuiltInKinds.FILES, world -> lives.stream().allMatch(is));
  }

  private static void queue(TestCluster cluster, String name) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec:
          namespaceSelector: {}
          preemption: {withinClusterQueue: LowerPriority}
          admissionChecksStrategy: {admissionChecks: [{name: %2$s}]}
          resourceGroups: [{coveredResources: [cpu], flavors: [{name: default,
            resources: [{name: cpu, nominalQuota: %3$s}]}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: team}
        spec: {clusterQueue: %1$s}
        """
            .formatted(name, CHECK, CPUS));
  }

  @Test
  void delayedEditedUpdatedPreemptedRequeuedAndDeleted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check(CHECK);
      cluster.flavor("default");
      cluster.apply(
          "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
              + " metadata: {name: high}, value: 100}");
      List<Life> lives =
          BuiltInKinds.FILES.stream()
              .map(name -> new Life(cluster, name, DeclaredSample.read(name)))
              .toList();
      Consumer<Consumer<Life>> each = lives::forEach;
      each.accept(life -> queue(cluster, life.name()));
      each.accept(life -> life.sample().install(cluster));
      cluster.startCore(
          lives.stream()
              .map(life -> life.sample().kind().framework())
              .collect(
                  Collectors.joining(
                      ", ",
                      "resources: {excludeResourcePrefixes: [memory]}\n"
                          + "integrations: {frameworks: [batch/job, ",
                      "]}")));

      each.accept(life -> cluster.apply(life.object()));
      await(cluster, "reserved", lives, Life::reserved);
      assertThat(lives).as("the check has not answered").noneMatch(Life::runs);

      each.accept(life -> life.retry(600));
      await(cluster, "released", lives, life -> !life.reserved());
      each.accept(life -> cluster.apply(life.object().replace("busybox", "busybox:2")));
      Map<String, JsonElement> written =
          lives.stream().collect(Collectors.toMap(Life::name, life -> life.sample().spec(cluster)));
      cluster.pass(Duration.ofSeconds(590));
      assertThat(lives).as("the delay isn't over").noneMatch(Life::reserved);
      await(cluster, "reserved after the delay", lives, Life::reserved);
      assertThat(lives)
          .as("the Workload follows what is edited while it waits")
          .allMatch(life -> life.workload().spec().toString().contains("busybox:2"));

      each.accept(Life::ready);
      await(cluster, "started", lives, Life::runs);
      assertThat(lives).as("pods have what the check adds").allMatch(Life::hasUpdates);
      each.accept(life -> life.status("running"));

      each.accept(
          life ->
              cluster.apply(
                  TestJob.named(life.urgent())
                      .queue(life.name())
                      .priority("high")
                      .cpus(CPUS)
                      .yaml()));
      await(cluster, "preempted", lives, life -> !life.runs());
      cluster.settle();
      assertThat(lives)
          .allSatisfy(
              life ->
                  assertThat(life.sample().spec(cluster))
                      .as("%s is restored", life.name())
                      .isEqualTo(written.get(life.name())));
      Predicate<Life> urgent = life -> TestCluster.reserved(cluster.workload(life.urgent()));
      assertThat(lives).as("pods still run").noneMatch(urgent);
      each.accept(life -> life.status("stopped"));
      await(cluster, "its quota is given on", lives, urgent);

      each.accept(life -> cluster.delete(life.urgent()));
      await(cluster, "requeued", lives, Life::reserved);
      each.accept(Life::ready);
      await(cluster, "runs again", lives, Life::runs);
      each.accept(life -> life.status("running"));

      each.accept(KindLivesTest::leavePod);
      cluster.settle();
      each.accept(
          life ->
              cluster.api.delete(
                  life.sample().type(), DeclaredSample.KEY, DeleteOptions.background()));
      cluster.pass(Duration.ofSeconds(20));
      assertThat(lives).as("quota is kept for a pod that is left").allMatch(Life::reserved);
      each.accept(
          life ->
              cluster.api.patchStatus(
                  CoreTypes.POD,
                  TestCluster.key(life.leftPod()),
                  TestCluster.merge("{\"status\": {\"phase\": \"Succeeded\"}}")));
      cluster.passUntil("Workloads are gone", world -> world.workloads().isEmpty());
    }
  }

  private static void leavePod(Life life) {
    life.cluster()
        .apply(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/job-uid: %s}}
            spec: {nodeName: n, containers: [{name: main, image: busybox}]}
            status: {phase: Running}
            """
                .formatted(
                    life.leftPod(), life.sample().read(life.cluster()).getMetadata().getUid()));
  }
}
