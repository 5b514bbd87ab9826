// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.PodSetAdditions;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A life of an object of each kind that is declared and built in; the test plays its controller.
 */
@Simulated
@ExpectedLog(
    logger = "StoppedPods",
    message = "Released quota although pods on lost nodes may still run")
class DeclaredKindsTest {
  static List<String> kinds() {
    return BuiltInKinds.FILES;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isQueuedStartedStoppedRestoredAndFinished(String name) {
    DeclaredSample sample = DeclaredSample.read(name);
    try (TestCluster cluster = sample.cluster("default=20")) {
      cluster.startCore(sample.configuration());
      cluster.apply(sample.object());
      JsonElement written = sample.spec(cluster);

      Workload admitted = await(cluster, TestCluster::admitted);

      assertThat(counts(admitted)).isEqualTo(sample.podSets());
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      assertThat(sample.templates(cluster))
          .isNotEmpty()
          .allSatisfy(
              template -> {
                assertThat(at(template, "spec", "nodeSelector", "flavor")).isEqualTo("default");
                assertThat(at(template, "metadata", "labels", "kueue.x-k8s.io/job-uid"))
                    .isEqualTo(sample.read(cluster).getMetadata().getUid());
              });
      assertThat(patches(cluster, sample)).as("one write starts it").isEqualTo(1);
      sample.patchStatus(cluster, "running");
      await(cluster, workload -> TestCluster.isTrue(workload, WorkloadConditions.PODS_READY));

      activate(cluster, admitted, false);
      cluster.awaitThat("it is suspended", sample::suspended);
      cluster.settle();
      assertThat(sample.spec(cluster)).as("restored as it was written").isEqualTo(written);
      sample.patchStatus(cluster, "stopped");
      await(cluster, workload -> !TestCluster.reserved(workload));
      assertThat(patches(cluster, sample)).as("one write stops it").isEqualTo(2);

      activate(cluster, admitted, true);
      cluster.awaitThat("it runs again", world -> !sample.suspended(world));
      if (sample.ends()) {
        sample.patchStatus(cluster, "finished");
        Workload finished =
            await(cluster, workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
        assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED))
            .satisfies(
                condition -> {
                  assertThat(condition.reason()).isEqualTo("Succeeded");
                  assertThat(condition.message()).isEqualTo("all done");
                });
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void createdUnsuspendedItIsStoppedAndQueued(String name) {
    DeclaredSample sample = DeclaredSample.read(name);
    try (TestCluster cluster = sample.cluster("default=1")) {
      cluster.apply(sample.unsuspended());
      cluster.startCore(sample.configuration());

      cluster.awaitThat("it is suspended", sample::suspended);
      Workload queued = await(cluster, workload -> true);
      cluster.settle();
      assertThat(TestCluster.reserved(queued)).as("the quota is too small").isFalse();
      assertThat(sample.suspended(cluster)).isTrue();

      cluster.api.delete(sample.type(), DeclaredSample.KEY, DeleteOptions.background());
      cluster.awaitThat("its Workload is gone", world -> world.workloads().isEmpty());
    }
  }

  /** What is edited while it waits is what gets admitted. */
  @Test
  void editedWhileItWaitsTheWorkloadFollows() {
    DeclaredSample sample = DeclaredSample.read("raycluster");
    try (TestCluster cluster = sample.cluster("default=1")) {
      cluster.startCore(sample.configuration());
      cluster.apply(sample.object());
      await(cluster, workload -> counts(workload).get("small") == 2);

      cluster.api.patch(
          sample.type(),
          DeclaredSample.KEY,
          TestCluster.merge("{\"spec\": {\"workerGroupSpecs\": []}}"));

      await(cluster, workload -> counts(workload).equals(Map.of("head", 1)));
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
    }
  }

  /** What a cache keeps is a part of the object; a start or a stop by it writes the same. */
  @ParameterizedTest
  @MethodSource("kinds")
  void asCachesKeepItItSaysAndWritesTheSame(String name) {
    DeclaredSample sample = DeclaredSample.read(name);
    JobKind<DeclaredJob> kind = sample.kind();
    for (String status : List.of("none", "running", "stopped", "finished")) {
      DeclaredJob whole = sample.stored(status);
      DeclaredJob kept = kind.trimmed(sample.stored(status));

      assertThat(KueueJson.toJson(kept).length()).isLessThan(KueueJson.toJson(whole).length());
      assertThat(Equivalence.same(kind.podSets(whole), kind.podSets(kept))).isTrue();
      List<Function<DeclaredJob, Object>> answers =
          List.of(
              kind::podPriorityClass,
              kind::managedBy,
              kind::refusal,
              kind::finished,
              kind::suspended,
              kind::stopped,
              kind::podsReady,
              kind::progress,
              kind::reclaimablePods);
      answers.forEach(answer -> assertThat(answer.apply(kept)).isEqualTo(answer.apply(whole)));
      assertThat(started(kind, kept)).isEqualTo(started(kind, whole));
      DeclaredJob runs = after(kind, whole);
      assertThat(stopped(kind, kind.trimmed(runs), whole))
          .as("a stop by the cache")
          .isEqualTo(stopped(kind, after(kind, whole), whole))
          .isNotEmpty();
    }
  }

  private static DeclaredJob after(JobKind<DeclaredJob> kind, DeclaredJob job) {
    List<PodSetAdditions> additions =
        kind.podSets(job).stream()
            .map(
                podSet ->
                    new PodSetAdditions(
                        podSet.name(),
                        podSet.count(),
                        Map.of("kueue.x-k8s.io/podset", by("core", podSet.name())),
                        Map.of("kueue.x-k8s.io/workload", by("core", "w")),
                        Map.of("flavor", by("flavor", "default")),
                        List.of(new V1Toleration().key("spot").operator("Exists")),
                        null))
            .toList();
    return switch (kind.start(job, additions)) {
      case JobKind.Start.Ready<DeclaredJob> ready -> ready.after();
      case JobKind.Start<DeclaredJob> other -> throw new AssertionError("not started: " + other);
    };
  }

  private static PodSetAdditions.Addition by(String source, String value) {
    return new PodSetAdditions.Addition(value, source);
  }

  private static Set<String> started(JobKind<DeclaredJob> kind, DeclaredJob job) {
    return writes(job, after(kind, job));
  }

  private static Set<String> stopped(
      JobKind<DeclaredJob> kind, DeclaredJob running, DeclaredJob original) {
    return kind.nextStopStep(running, kind.podSets(original))
        .map(step -> writes(running, step.after()))
        .orElse(Set.of());
  }

  /** In any order, which is that of the fields. */
  private static Set<String> writes(DeclaredJob before, DeclaredJob after) {
    return switch (GuardedPatch.between(before, after).patch()) {
      case JsonPatch json ->
          json.operations().stream().map(String::valueOf).collect(Collectors.toSet());
      case MergePatch merge -> Set.of(merge.toString());
    };
  }

  /**
   * An object that can't be queued.
   *
   * @param name of the object; there is one for each row
   * @param change of the sample, as YAML
   * @param told a part of what is told
   */
  private record Unqueueable(String name, DeclaredSample sample, String change, String told) {
    void create(TestCluster cluster) {
      cluster.apply(
          sample.unsuspended().replace("\"name\":\"train\"", "\"name\":\"" + name + "\""));
      cluster.api.patch(
          sample.type(), TestCluster.key(name), TestCluster.merge(FromYaml.json(change)));
    }

    boolean isTold(TestCluster cluster) {
      return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
          .anyMatch(
              event ->
                  "NotSupported".equals(event.getReason())
                      && name.equals(event.getRegarding().getName())
                      && String.valueOf(event.getNote()).contains(told));
    }
  }

  /** What no fixed quota can cover is told on the object, and runs no more. */
  @Test
  void whatCannotBeQueuedIsStoppedAndTold() {
    String[][] rows = {
      {"rayjob", "{spec: {shutdownAfterJobFinishes: false}}", "shutdownAfterJobFinishes"},
      {
        "pytorchjob",
        "{spec: {runPolicy: {managedBy: kueue.x-k8s.io/multikueue, suspend: true}}}",
        "spec.runPolicy.managedBy"
      },
      {"rayjob", "{spec: {clusterSelector: {a: b}}}", "clusterSelector"},
      {"rayjob", "{spec: {submissionMode: SidecarMode}}", "submissionMode"},
      {
        "rayjob",
        "{spec: {rayClusterSpec: {enableInTreeAutoscaling: true}}}",
        "enableInTreeAutoscaling"
      },
      {
        "rayservice",
        "{spec: {rayClusterConfig: {enableInTreeAutoscaling: true}}}",
        "enableInTreeAutoscaling"
      },
      {"rayservice", "{spec: {upgradeStrategy: {type: NewCluster}}}", "upgradeStrategy.type isn"},
      {
        "raycluster",
        "{spec: {workerGroupSpecs: [{groupName: a, replicas: -1, template: {}}]}}",
        "spec.workerGroupSpecs.0.replicas is -1"
      },
      {
        "raycluster",
        "{spec: {workerGroupSpecs: [{groupName: Head, template: {}}]}}",
        "second pod set"
      },
      {
        "raycluster",
        "{spec: {workerGroupSpecs: [{groupName: a b, template: {}}]}}",
        "name a pod set"
      },
      {
        "raycluster",
        "{spec: {headGroupSpec: {template: 3}}}",
        "template is 3; write a pod template"
      },
      {
        "raycluster",
        "{spec: {headGroupSpec: head}}",
        "spec.headGroupSpec is \"head\"; write an object or list, for spec.headGroupSpec.template"
      },
      {
        "raycluster",
        "{spec: {workerGroupSpecs: small}}",
        "spec.workerGroupSpecs is \"small\"; write"
      },
      {
        "raycluster",
        "{spec: {workerGroupSpecs: [small]}}",
        "spec.workerGroupSpecs.0 is \"small\"; write"
      },
      {
        "pytorchjob",
        "{spec: {pytorchReplicaSpecs: {Master: 2}}}",
        "spec.pytorchReplicaSpecs.Master is 2;"
      },
    };
    List<Unqueueable> objects =
        IntStream.range(0, rows.length)
            .mapToObj(
                i ->
                    new Unqueueable(
                        "train-" + i, DeclaredSample.read(rows[i][0]), rows[i][1], rows[i][2]))
            .toList();
    Map<String, DeclaredSample> kinds =
        objects.stream()
            .map(Unqueueable::sample)
            .collect(
                Collectors.toMap(
                    sample -> sample.kind().framework(), sample -> sample, (one, same) -> one));
    try (TestCluster cluster = new TestCluster()) {
      kinds
          .values()
          .forEach(kind -> cluster.server.applyCrds(List.of(kind.definitionOfAnything())));
      cluster.queue("", "default=20");
      objects.forEach(each -> each.create(cluster));
      cluster.startCore(
          "integrations: {frameworks: [%s]}\n".formatted(String.join(", ", kinds.keySet())));

      for (Unqueueable each : objects) {
        cluster.awaitThat(
            each + " is suspended", world -> each.sample().suspended(world, each.name()));
        cluster.awaitThat(each + " is told", each::isTold);
      }
      cluster.settle();
      assertThat(cluster.workloads()).isEmpty();
    }
  }

  /** What is absent, and what is a text where fields are expected, is told and never a failure. */
  @ParameterizedTest
  @MethodSource("kinds")
  void anObjectWithoutASpecIsRefused(String name) {
    JobKind<DeclaredJob> kind = DeclaredSample.read(name).kind();

    for (String object :
        List.of("{}", "{spec: {}}", "{spec: all}", "{spec: []}", "{spec: {runPolicy: all}}")) {
      DeclaredJob job = FromYaml.read(DeclaredJob.class, object);
      DeclaredJob kept = kind.trimmed(FromYaml.read(DeclaredJob.class, object));
      assertThat(kind.refusal(job)).isPresent().isEqualTo(kind.refusal(kept));
      assertThat(kind.start(job, List.of())).isInstanceOf(JobKind.Start.Impossible.class);
      assertThat(kind.stopped(job)).isFalse();
      boolean suspends =
          kind.suspendField().orElseThrow().obstacleIn(KueueJson.toTree(job)).isEmpty();
      assertThat(kind.nextStopStep(job, List.of()).isPresent()).isEqualTo(suspends);
    }
    assertThat(kind.refusal(FromYaml.read(DeclaredJob.class, "{spec: all}")).orElseThrow())
        .startsWith("spec is \"all\"; write an object, for spec.")
        .endsWith("suspend");
  }

  /** Its webhook is asked, which isn't there; the condition for that names no absent field. */
  @ParameterizedTest
  @CsvSource({"pytorchjob", "rayjob"})
  void theWebhookIsAskedAboutAnObjectWithoutASpec(String name) {
    DeclaredSample sample = DeclaredSample.read(name);
    ObjectKey service = new ObjectKey("kueue-system", "kueue-webhook-service");
    try (TestCluster cluster = sample.cluster("default=1")) {
      cluster.apply(
          KueueJson.toJson(
              new WebhookRegistration(
                      service,
                      WebhookRegistration.allNamespacesBut(service.namespace()),
                      Integrations.of(List.of(sample.kind().framework())),
                      null)
                  .mutating()));
      DeclaredJob bare =
          FromYaml.read(
              DeclaredJob.class,
              """
              {apiVersion: %s, kind: %s, metadata: {name: train, namespace: team,
                labels: {kueue.x-k8s.io/queue-name: lq}}}
              """
                  .formatted(sample.type().apiVersion(), sample.type().kind()));

      assertThatThrownBy(() -> cluster.api.create(sample.type(), bare))
          .hasMessageContaining("failed calling webhook");
    }
  }

  @Test
  void aRayServiceThatASecondClusterWouldUpgradeIsRefused() {
    JobKind<DeclaredJob> kind = DeclaredSample.read("rayservice").kind();

    assertThat(kind.refusal(FromYaml.read(DeclaredJob.class, "{spec: {}}")).orElseThrow())
        .contains("set it to None");
  }

  /**
   * The cluster of a RayJob or RayService runs on the quota of that; one that only says so needs
   * its own, and so does one that is larger.
   */
  @ParameterizedTest
  @CsvSource({
    "rayjob, train-abc, 2, false",
    "rayjob, train-xyz, 2, true",
    "rayjob, train-abc, 3, true",
    "rayservice, train-abc, 2, false",
    "rayservice, train-xyz, 2, true"
  })
  void theClusterThatAnObjectMakesRunsOnItsQuota(
      String owner, String child, int replicas, boolean queued) {
    DeclaredSample sample = DeclaredSample.read(owner);
    DeclaredSample ray = DeclaredSample.read("raycluster");
    try (TestCluster cluster = sample.cluster("default=6")) {
      ray.install(cluster);
      cluster.startCore(sample.configurationWith(ray));
      cluster.apply(sample.object());
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      sample.patchStatus(cluster, "running");

      cluster.apply(
          ray.object(
              child,
              "{metadata: {ownerReferences: [{apiVersion: ray.io/v1, kind: "
                  + sample.type().kind()
                  + ", name: train, controller: true, uid: "
                  + sample.read(cluster).getMetadata().getUid()
                  + "}]}, spec: {suspend: false}}",
              replicas));

      if (queued) {
        cluster.awaitThat("it has a Workload", world -> world.workloads().size() == 2);
        cluster.awaitThat("it is suspended", world -> ray.suspended(world, child));
      } else {
        cluster.settle();
        assertThat(cluster.workloads()).hasSize(1);
        assertThat(ray.suspended(cluster, child)).isFalse();
      }
    }
  }

  /**
   * KubeRay runs at least minReplicas and at most maxReplicas of a group, without any autoscaler.
   */
  @ParameterizedTest
  @CsvSource({
    "'replicas: 0, minReplicas: 3, maxReplicas: 9', 3",
    "'replicas: 5, minReplicas: 0, maxReplicas: 2, numOfHosts: 2', 4",
    "'replicas: 5, minReplicas: 4, maxReplicas: 2', 4",
    "'replicas: 5', 5",
    "'numOfHosts: 3', 3"
  })
  void aGroupOfRayHasAsManyPodsAsKubeRayMakes(String group, int pods) {
    DeclaredSample sample = DeclaredSample.read("raycluster");
    DeclaredJob job =
        FromYaml.read(
            DeclaredJob.class,
            "{spec: {headGroupSpec: {template: {spec: {containers: []}}}, workerGroupSpecs: [{"
                + "groupName: a, template: {spec: {containers: []}}, "
                + group
                + "}]}}");

    assertThat(sample.kind().podSets(job)).extracting(PodSet::count).containsExactly(1, pods);
    assertThat(sample.kind().podSets(sample.kind().trimmed(job)))
        .extracting(PodSet::count)
        .containsExactly(1, pods);
  }

  /** While no webhook answers, an object may become one that can't be queued. */
  @Test
  void whatBecomesOneThatCannotBeQueuedLosesItsWorkload() {
    DeclaredSample sample = DeclaredSample.read("rayjob");
    for (String quota : List.of("default=1", "default=20")) {
      try (TestCluster cluster = sample.cluster(quota)) {
        cluster.startCore(sample.configuration());
        cluster.apply(sample.object());
        await(cluster, workload -> true);
        cluster.settle();

        cluster.api.patch(
            sample.type(),
            DeclaredSample.KEY,
            TestCluster.merge(
                "{\"spec\": {\"rayClusterSpec\": {\"enableInTreeAutoscaling\": true}},"
                    + " \"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}}"));

        cluster.awaitThat(
            "it has no Workload and is suspended",
            world -> world.workloads().isEmpty() && sample.suspended(world));
      }
    }
  }

  /** As the workers of an MPIJob, which its operator leaves with cleanPodPolicy None. */
  @Test
  void podsThatAreLeftAtTheEndKeepTheQuota() {
    DeclaredSample sample = DeclaredSample.read("mpijob");
    try (TestCluster cluster = sample.cluster("default=20")) {
      cluster.startCore(sample.configuration());
      cluster.apply(sample.object());
      Workload admitted = await(cluster, TestCluster::admitted);
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      cluster.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: left, namespace: team, labels: {kueue.x-k8s.io/job-uid: %s}}
          spec: {nodeName: n, containers: [{name: main, image: busybox}]}
          status: {phase: Running}
          """
              .formatted(sample.read(cluster).getMetadata().getUid()));

      sample.patchStatus(cluster, "finished");
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workloads().getFirst())).isTrue();
      assertThat(TestCluster.isTrue(cluster.workloads().getFirst(), WorkloadConditions.FINISHED))
          .isFalse();

      cluster.api.delete(CoreTypes.POD, TestCluster.key("left"), DeleteOptions.background());
      cluster.passUntil(
          "it is finished",
          world -> TestCluster.isTrue(world.workloads().getFirst(), WorkloadConditions.FINISHED));
      assertThat(ObjectKey.of(admitted)).isEqualTo(ObjectKey.of(cluster.workloads().getFirst()));
    }
  }

  /** The creator of a Job writes its owner reference, which therefore proves nothing. */
  @Test
  void aChildIsConfirmedByKindNamePodSetAndSize() {
    DeclaredSample sample = DeclaredSample.read("mpijob");
    DeclaredJob job = sample.stored("running");
    V1PodTemplateSpec template = sample.kind().podSets(job).getFirst().template();
    PodSet launcher = new PodSet("main", template, 1, null);
    PodSet many = new PodSet("main", template, 3, null);
    ChildJob real = new ChildJob(CoreTypes.JOB, "train-launcher", List.of(launcher), true);

    assertThat(sample.kind().creates(job, real)).isTrue();
    assertThat(
            List.of(
                new ChildJob(CoreTypes.JOB, "train-launcher-2", List.of(launcher), true),
                new ChildJob(JobSet.TYPE, "train-launcher", List.of(launcher), true),
                new ChildJob(CoreTypes.JOB, "train-launcher", List.of(launcher), false),
                // As many as there are workers, each as large as one of them.
                new ChildJob(CoreTypes.JOB, "train-launcher", List.of(many), true)))
        .noneMatch(forged -> sample.kind().creates(job, forged));
  }

  @Test
  void morePodsThanCanBeCountedAreRefused() {
    DeclaredSample sample = DeclaredSample.read("raycluster");
    try (TestCluster cluster = sample.cluster("default=20")) {
      cluster.apply(sample.object());
      cluster.api.patch(
          sample.type(),
          DeclaredSample.KEY,
          TestCluster.merge(
              "{\"spec\": {\"workerGroupSpecs\": [{\"groupName\": \"a\","
                  + " \"replicas\": 2000000000, \"numOfHosts\": 9, \"template\": {}}]}}"));

      assertThat(sample.kind().refusal(sample.read(cluster)))
          .contains(
              "spec.workerGroupSpecs.0.replicas * spec.workerGroupSpecs.0.numOfHosts is more pods"
                  + " than there can be; write smaller numbers");
    }
  }

  private static Map<String, Integer> counts(Workload workload) {
    return workload.spec().podSets().stream()
        .collect(Collectors.toMap(PodSet::name, PodSet::count));
  }

  private static String at(JsonObject template, String outer, String middle, String name) {
    return template.getAsJsonObject(outer).getAsJsonObject(middle).get(name).getAsString();
  }

  static void activate(TestCluster cluster, Workload workload, boolean active) {
    cluster.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(workload),
        TestCluster.merge("{\"spec\": {\"active\": " + active + "}}"));
  }

  private static long patches(TestCluster cluster, DeclaredSample sample) {
    return cluster
        .server
        .requests()
        .count(
            RequestMatcher.verbs("patch")
                .and(RequestMatcher.resource(sample.type().plural()))
                .and(RequestMatcher.subresource("status").negate()));
  }

  static Workload await(TestCluster cluster, Predicate<Workload> expected) {
    cluster.awaitThat(
        "the Workload is as expected",
        world -> world.workloads().size() == 1 && expected.test(world.workloads().getFirst()));
    return cluster.workloads().getFirst();
  }
}
