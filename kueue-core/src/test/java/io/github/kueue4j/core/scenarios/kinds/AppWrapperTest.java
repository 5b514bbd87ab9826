// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.PodSetAdditions;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The objects in an AppWrapper; the test plays its controller, which creates them. */
@Simulated
class AppWrapperTest {
  private static final String POD = "{spec: {containers: [{name: a}]}}";

  private final DeclaredSample sample = DeclaredSample.read("appwrapper");
  private final JobKind<DeclaredJob> kind = sample.kind();

  /** A component as a user writes it, with a name for what it wraps. */
  private static DeclaredJob wrapper(String name, String components) {
    return FromYaml.read(
        DeclaredJob.class,
        "{metadata: {name: %s, uid: u}, spec: {suspend: true, components: [%s]}}"
            .formatted(name, components.replace("POD", POD)));
  }

  /** What can't be found is told with its field and a remedy, whatever the user wrote. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                        | spec.components.0.template.spec.a.spec.containers are of no pod set; write one into spec.components.0.podSets",
        "[{}]                      | spec.components.0.podSets.0.path is \"\", which leads to no pod template; write its path",
        "[{path: 3}]               | podSets.0.path is \"3\", which leads to no",
        "[{path: [template]}]      | podSets.0.path is \"\", which leads to no",
        "[{path: podSetInfos}]     | podSets.0.path is \"podSetInfos\", which leads to no",
        "[{path: other}]           | podSets.0.path is \"other\", which leads to no",
        "[{path: template}]        | podSets.0.path is \"template\", which leads to no",
        "[{path: template.spec.b}] | podSets.0.path is \"template.spec.b\", which leads to no",
        "[{path: template.spec.*}] | podSets.0.path is \"template.spec.*\", which leads to no",
        "[{path: template.spec.a.}] | podSets.0.path is \"template.spec.a.\", which leads to no",
        "[{path: template.spec..a}]        | podSets.0.path is \"template.spec..a\", which leads to no",
        "[{path: 'template.spec.a[0]'}]    | podSets.0.path is \"template.spec.a[0]\", which leads to no",
        "[{path: 'template.spec.l[1]'}]    | podSets.0.path is \"template.spec.l[1]\", which leads to no",
        "[{path: 'template.spec.l[-1]'}]   | podSets.0.path is \"template.spec.l[-1]\", which leads to no",
        "[{path: 'template.spec.l[99999999999]'}] | podSets.0.path is \"template.spec.l[99999999999]\", which",
        "[{path: 'template.spec.l.0'}]     | podSets.0.path is \"template.spec.l.0\", which leads to no",
        "[{path: 'template.spec.l[0'}]     | podSets.0.path is \"template.spec.l[0\", which leads to no",
        "[{path: template.spec.a, replicas: -1}] | spec.components.0.podSets.0.replicas is -1; write a whole number",
        "[{path: template.spec.a}, {path: template.spec.a}] | spec.components.0.template.spec.a is a part of a second pod set",
        "all                       | spec.components.0.podSets is \"all\"; write an object or list",
      })
  void aPodSetThatCannotBeFoundIsRefused(String podSets, String told) {
    String component =
        "{podSets: %s, other: POD, template: {apiVersion: a/v1, kind: Own, metadata: {name: n},"
            + " spec: {a: POD, l: [{spec: {}}]}}}";

    DeclaredJob job = wrapper("w", component.formatted(podSets));

    assertThat(kind.refusal(job).orElseThrow()).contains(told);
    assertThat(kind.refusal(kind.trimmed(wrapper("w", component.formatted(podSets)))))
        .isEqualTo(kind.refusal(job));
    assertThat(kind.start(job, List.of())).isInstanceOf(JobKind.Start.Impossible.class);
  }

  /**
   * The components after these aren't read. A search that called itself for each of twenty thousand
   * would overflow the stack.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1   | 19    | 0   | {apiVersion: a/v1, kind: Own, metadata: {name: n}, spec: {template: POD}}",
        "1   | 20000 | 0   | {apiVersion: a/v1, kind: Own, metadata: {name: n}, spec: {template: POD}}",
        "300 | 1     | 0   | {apiVersion: a/v1, kind: Own, metadata: {name: n}, spec: {template: POD}}",
        "300 | 0     | 0   | {apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {template: POD}}",
        "1   | 0     | 300 | {apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: n}, spec: {workerGroupSpecs: [WORKERS]}}",
      })
  void moreThanAWorkloadHasIsToldOnce(int components, int podSets, int workers, String object) {
    isToldOnce(components, podSets, workers, object);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9000  | 1 | 0     | {apiVersion: a/v1, kind: Own, metadata: {name: n}, spec: {template: POD}}",
        "20000 | 0 | 0     | {apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {template: POD}}",
        "1     | 0 | 20000 | {apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: n}, spec: {workerGroupSpecs: [WORKERS]}}",
      })
  void soAreThousandsOfComponentsAndWorkers(
      int components, int podSets, int workers, String object) {
    isToldOnce(components, podSets, workers, object);
  }

  private void isToldOnce(int components, int podSets, int workers, String object) {
    // Copied as JSON: YAML of twenty thousand components takes seconds to read.
    String entries = copies(podSets, FromYaml.json("{path: template.spec.template, replicas: 1}"));
    String component =
        FromYaml.json("{podSets: [ENTRIES], template: %s}".formatted(object).replace("POD", POD))
            .replace("\"ENTRIES\"", entries)
            .replace(
                "\"WORKERS\"", copies(workers, FromYaml.json("{template: %s}".formatted(POD))));
    String last = FromYaml.json("{podSets: [{path: nowhere}], template: {kind: Own}}");
    DeclaredJob job =
        KueueJson.fromJson(
            "{\"metadata\": {\"name\": \"w\", \"uid\": \"u\"}, \"spec\": {\"suspend\": true, \"components\": [%s, %s]}}"
                .formatted(copies(components, component), last),
            DeclaredJob.class);

    assertThat(kind.refusal(job).orElseThrow())
        .isEqualTo(
            "spec.components makes more pod sets than the 18 that a Workload has at most; write"
                + " fewer");
    assertThat(kind.refusal(kind.trimmed(job))).isEqualTo(kind.refusal(job));
    assertThat(kind.podSets(job)).hasSizeLessThan(19);
  }

  private static String copies(int number, String json) {
    return String.join(", ", Collections.nCopies(number, json));
  }

  /** The controller's own webhook may not answer, and this may not end in an exception. */
  @Test
  void twoPodSetsForOneTemplateOfAKnownKindAreRefused() {
    String entry = "{path: template.spec.template, replicas: 3}";
    DeclaredJob job =
        wrapper(
            "w",
            "{podSets: [%1$s, %1$s], template: {apiVersion: batch/v1, kind: Job,".formatted(entry)
                + " metadata: {name: n}, spec: {parallelism: 3, template: POD}}}");

    assertThat(kind.refusal(job).orElseThrow())
        .contains("spec.components.0.template.spec.template is a part of a second pod set");
    assertThat(kind.refusal(kind.trimmed(job))).isEqualTo(kind.refusal(job));
  }

  @Test
  void aPathOfAnyLengthIsToldShort() {
    String path = "template.".repeat(20_000);

    assertThat(
            kind.refusal(
                    wrapper(
                        "w",
                        "{podSets: [{path: '"
                            + path
                            + "'}], template: {apiVersion: a/v1, kind: Own, metadata: {name: n}}}"))
                .orElseThrow())
        .contains("leads to no pod template")
        .hasSizeLessThan(300);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "w   | {apiVersion: v1, kind: ConfigMap, metadata: {name: n}} | it has no pods",
        "w   | {apiVersion: batch/v1, kind: Job, metadata: {generateName: n}, spec: {template: POD}} | spec.components.0.template.metadata.name is absent; write the name",
        "w.x | {apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {template: POD}} | metadata.name: \"w.x-0\" can't name a pod set; write at most 63",
        "w   | {apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: n}, spec: {enableInTreeAutoscaling: true, headGroupSpec: {template: POD}}} | enableInTreeAutoscaling",
        "w   | {apiVersion: ray.io/v1, kind: RayService, metadata: {name: n}, spec: {rayClusterConfig: {enableInTreeAutoscaling: true}}} | enableInTreeAutoscaling of a RayService",
        "w   | {apiVersion: ray.io/v1, kind: RayJob, metadata: {name: n}, spec: {shutdownAfterJobFinishes: true, submissionMode: SidecarMode}} | spec.components.0.template: spec.submissionMode has KubeRay",
        "w   | {apiVersion: ray.io/v1, kind: RayJob, metadata: {name: n}, spec: {}} | spec.components.0.template: spec.shutdownAfterJobFinishes isn't true",
        "w   | {apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {template: {spec: {schedulingGates: [{name: kueue.x-k8s.io/topology}], containers: [{name: a}]}}}} | spec.components.0.template.spec.template.spec.schedulingGates \"kueue.x-k8s.io/topology\" would never",
        "w   | 3 | spec.components.0.template is 3; write an object or list",
        "w   | {apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {template: 3}} | spec.components.0.template.spec.template is 3; write a pod template",
      })
  void whatItWrapsIsRefused(String name, String object, String told) {
    assertThat(kind.refusal(wrapper(name, "{template: " + object + "}")).orElseThrow())
        .contains(told);
  }

  /** Its controller can't give a pod two values of one label, and fails the AppWrapper. */
  @ParameterizedTest
  @CsvSource({"other, false", "u, true"})
  void aLabelThatAStartAddsKeepsItFromStarting(String uid, boolean starts) {
    DeclaredJob job =
        wrapper(
            "w",
            "{template: {apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {template:"
                + " {metadata: {labels: {kueue.x-k8s.io/job-uid: %s}},".formatted(uid)
                + " spec: {containers: [{name: a}]}}}}}");
    PodSetAdditions none =
        new PodSetAdditions("w-0", 1, Map.of(), Map.of(), Map.of(), List.of(), null);

    JobKind.Start<DeclaredJob> start = kind.start(job, List.of(none));

    assertThat(start instanceof JobKind.Start.Ready).isEqualTo(starts);
    if (start instanceof JobKind.Start.Impossible<DeclaredJob> impossible) {
      assertThat(impossible.toString())
          .contains("spec.components.0.template.spec.template", "kueue.x-k8s.io/job-uid");
    }
  }

  /** Quota is for the template that the user wrote, with all of its containers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "containers: [{name: a, resources: {requests: {cpu: 1}}}] | true",
        "initContainers: [{name: i, resources: {requests: {cpu: 9}}}], containers: [{name: a, resources: {requests: {cpu: 1}}}] | false",
        "overhead: {cpu: 9}, containers: [{name: a, resources: {requests: {cpu: 1}}}] | false",
      })
  void aSubmitterIsComparedWithTheTemplateThatItsUserWrote(String spec, boolean confirmed) {
    DeclaredJob job =
        wrapper(
            "w",
            "{template: {apiVersion: ray.io/v1, kind: RayJob, metadata: {name: n},"
                + " spec: {shutdownAfterJobFinishes: true, submitterPodTemplate: {spec: {containers:"
                + " [{name: a, resources: {requests: {cpu: 1}}}]}},"
                + " rayClusterSpec: {headGroupSpec: {template: POD}}}}}");
    PodSet submitter =
        new PodSet(
            "submitter", FromYaml.read(V1PodTemplateSpec.class, "{spec: {" + spec + "}}"), 1, null);
    ChildJob child =
        new ChildJob(DeclaredSample.read("rayjob").type(), "n", List.of(submitter), true);

    assertThat(kind.refusal(job)).isEmpty();
    assertThat(kind.creates(job, child)).isEqualTo(confirmed);
    assertThat(kind.creates(kind.trimmed(job), child)).isEqualTo(confirmed);
  }

  /** The pods were counted without the list, and would get it. */
  @Test
  void infosThatAUserWroteAreRemovedBeforeItIsQueued() {
    String written =
        sample
            .object()
            .replace(
                "{\"podSets\":",
                "{\"podSetInfos\":[{\"nodeSelector\":{\"a\":\"b\"}}],\"podSets\":");
    assertThat(written).contains("podSetInfos");
    try (TestCluster cluster = sample.cluster("default=0")) {
      cluster.startCore(sample.configuration());
      cluster.apply(written);

      cluster.awaitThat("it is queued", world -> world.workloads().size() == 1);
      assertThat(sample.spec(cluster).toString()).doesNotContain("podSetInfos");
    }
  }

  /** As AppWrapper's own webhook has it; where that doesn't answer, quota would be short. */
  @ParameterizedTest
  @CsvSource({"3, true", "2, false"})
  void thePodsOfAKnownKindAreThoseThatItHas(int said, boolean sound) {
    DeclaredJob job =
        wrapper(
            "w",
            "{podSets: [{path: template.spec.template, replicas: "
                + said
                + "}], template: {apiVersion: batch/v1, kind: Job, metadata: {name: n},"
                + " spec: {parallelism: 3, template: POD}}}");

    assertThat(kind.refusal(job).isEmpty()).isEqualTo(sound);
    if (!sound) {
      assertThat(kind.refusal(job).orElseThrow())
          .contains("spec.components.0.podSets has other pods than the object", "; remove it");
    }
  }

  /** The pod sets of each kind that AppWrapper's controller knows, in its order. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v1                    | Pod         | containers: [{name: a}] | 1",
        "apps/v1               | Deployment  | replicas: 4, template: POD | 4",
        "apps/v1               | StatefulSet | template: POD | 1",
        "batch/v1              | Job         | parallelism: 4, completions: 3, template: POD | 3",
        "jobset.x-k8s.io/v1alpha2 | JobSet   | replicatedJobs: [{replicas: 2, template: {spec: {parallelism: 3, completions: 5, template: POD}}}, {template: {spec: {template: POD}}}] | 6 1",
        "kubeflow.org/v1       | PyTorchJob  | pytorchReplicaSpecs: {Worker: {replicas: 4, template: POD}, Master: {template: POD}} | 1 4",
        "ray.io/v1             | RayCluster  | headGroupSpec: {template: POD}, workerGroupSpecs: [{replicas: 2, template: POD}] | 1 2",
        "ray.io/v1             | RayJob      | shutdownAfterJobFinishes: true, rayClusterSpec: {headGroupSpec: {template: POD}, workerGroupSpecs: [{replicas: 2, template: POD}]} | 1 2 1",
        "ray.io/v1             | RayJob      | shutdownAfterJobFinishes: true, submissionMode: HTTPMode, rayClusterSpec: {headGroupSpec: {template: POD}} | 1",
      })
  void thePodSetsOfKnownKindsAreInferred(
      String apiVersion, String known, String spec, String counts) {
    DeclaredJob job =
        wrapper(
            "w",
            "{template: {apiVersion: %s, kind: %s, metadata: {name: n}, spec: {%s}}}"
                .formatted(apiVersion, known, spec));

    assertThat(kind.refusal(job)).isEmpty();
    assertThat(kind.podSets(job)).extracting(PodSet::name).first().isEqualTo("w-0");
    assertThat(kind.podSets(job))
        .extracting(podSet -> String.valueOf(podSet.count()))
        .containsExactly(counts.split(" "));
  }

  /** An owner reference alone proves nothing, since the creator of a Job writes it. */
  @Test
  void aChildIsConfirmedByKindNameAndSize() {
    DeclaredJob job = sample.stored("running");
    List<PodSet> pods = List.of(kind.podSets(job).getFirst());
    PodSet more = new PodSet("main", pods.getFirst().template(), 3, null);
    PodSet other =
        new PodSet(
            "main",
            kind.podSets(
                    wrapper(
                        "w",
                        "{template: {apiVersion: v1,"
                            + " kind: Pod, metadata: {name: n}, spec: {containers: [{name: a}]}}}"))
                .getFirst()
                .template(),
            1,
            null);

    assertThat(kind.creates(job, new ChildJob(CoreTypes.JOB, "job", pods, true))).isTrue();
    assertThat(
            List.of(
                new ChildJob(CoreTypes.JOB, "gang", pods, true),
                new ChildJob(CoreTypes.POD, "job", pods, true),
                new ChildJob(CoreTypes.JOB, "job", pods, false),
                new ChildJob(CoreTypes.JOB, "job", List.of(more), true),
                new ChildJob(CoreTypes.JOB, "job", List.of(other), true),
                new ChildJob(
                    CoreTypes.JOB, "job", List.of(pods.getFirst(), pods.getFirst()), true)))
        .noneMatch(forged -> kind.creates(job, forged));
  }

  /** Its controller deletes the objects of one that failed, which may take long. */
  @ParameterizedTest
  @CsvSource({
    "Failed, True, ''",
    "Failed, False, Failed",
    "Succeeded, True, Succeeded",
    "Succeeded, False, Succeeded",
    "Resetting, False, ''"
  })
  void oneThatFailedHasEndedWhenItsObjectsAreGone(String phase, String deployed, String result) {
    DeclaredJob job =
        FromYaml.read(
            DeclaredJob.class,
            "{status: {phase: %s, conditions: [{type: ResourcesDeployed, status: '%s'}]}}"
                .formatted(phase, deployed));

    assertThat(kind.finished(job).map(FinishedOwner::reason).orElse("")).isEqualTo(result);
  }

  /** As KubeRay and Kubeflow run them, with all of their pods. */
  @ParameterizedTest
  @CsvSource({"rayjob", "raycluster", "pytorchjob"})
  void aJobOfADeclaredKindInItIsConfirmed(String wrapped) {
    DeclaredSample inside = DeclaredSample.read(wrapped);
    DeclaredJob job = wrapper("w", "{template: " + inside.object() + "}");
    ChildJob child = ChildJob.of(inside.kind(), inside.stored("running"));

    assertThat(kind.refusal(job)).isEmpty();
    assertThat(kind.creates(job, child)).isTrue();
    assertThat(kind.creates(kind.trimmed(job), child)).isTrue();
  }

  /** The Job in it would wait for quota that its wrapper has already. */
  @Test
  void aJobInItRunsOnItsQuotaAndStopsWithIt() {
    try (TestCluster cluster = sample.cluster("default=6")) {
      cluster.startCore(
          "manageJobsWithoutQueueName: true\n"
              + sample.configuration().replace("[", "[batch/job, "));
      cluster.apply(sample.object());
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      sample.patchStatus(cluster, "running");

      createJob(cluster, "job");
      cluster.settle();
      assertThat(cluster.workloads()).hasSize(1);
      Workload own = cluster.workloads().getFirst();
      assertThat(suspended(cluster, "job")).isFalse();

      createJob(cluster, "another");
      cluster.awaitThat("it has its own Workload", world -> world.workloads().size() == 2);
      cluster.awaitThat("it has to wait", world -> suspended(world, "another"));

      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(own),
          TestCluster.merge("{\"spec\": {\"active\": false}}"));
      cluster.awaitThat("it is suspended", sample::suspended);
      cluster.api.delete(CoreTypes.JOB, TestCluster.key("job"), DeleteOptions.background());
      createJob(cluster, "job");
      cluster.awaitThat("a Job that is made too late stops", world -> suspended(world, "job"));
      cluster.settle();
      assertThat(cluster.workloads()).hasSize(2);
    }
  }

  /** Its controller never resumes a Job that it has made. */
  @Test
  void aJobInItRunsOnWhileTheCacheLacksTheStart() {
    try (TestCluster cluster = sample.cluster("default=0")) {
      cluster.startCore(
          "manageJobsWithoutQueueName: true\n"
              + sample.configuration().replace("[", "[batch/job, "));
      cluster.apply(sample.object());
      cluster.awaitThat("it is queued", world -> world.workloads().size() == 1);
      cluster.settle();
      cluster.silence("appwrappers");
      cluster.api.patch(
          sample.type(), DeclaredSample.KEY, TestCluster.merge("{\"spec\": {\"suspend\": false}}"));

      createJob(cluster, "job");
      createJob(cluster, "another");
      cluster.awaitThat("the core has seen both", world -> suspended(world, "another"));
      cluster.settle();

      assertThat(suspended(cluster, "job")).isFalse();
    }
  }

  /** As the controller does of the Job in it. */
  private void createJob(TestCluster cluster, String name) {
    JsonObject job =
        PlayedAppWrapper.made(
            sample
                .spec(cluster)
                .getAsJsonObject()
                .getAsJsonArray("components")
                .get(1)
                .getAsJsonObject());
    JsonObject metadata = job.getAsJsonObject("metadata");
    metadata.addProperty("name", name);
    metadata.addProperty("namespace", "team");
    metadata.add(
        "ownerReferences",
        JsonParser.parseString(
            "[{apiVersion: '%s', kind: AppWrapper, name: train, controller: true, uid: '%s'}]"
                .formatted(
                    sample.type().apiVersion(), sample.read(cluster).getMetadata().getUid())));
    cluster.api.create(CoreTypes.JOB, KueueJson.fromTree(job, V1Job.class));
  }

  private static boolean suspended(TestCluster cluster, String name) {
    return Boolean.TRUE.equals(
        cluster.api.get(CoreTypes.JOB, TestCluster.key(name)).orElseThrow().getSpec().getSuspend());
  }
}
