// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.TrainJob;
import io.github.kueue4j.jobs.testing.FromYaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Kubeflow Trainer and the controller of JobSets, as far as their public API tells, for the
 * TrainJob {@code train}. Both act only when the test has them do so.
 */
final class PlayedTrainer {
  static final ObjectKey KEY = TestCluster.key("train");
  static final String FRAMEWORKS =
      """
      waitForPodsReady: {timeout: 1h}
      integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset, trainer.kubeflow.org/trainjob]}
      """;

  /** As its user writes it: another manager has its own patch of the runtime. */
  static final String OBJECT =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        runtimeRef: {name: torch}
        trainer: {image: busybox}
        suspend: true
        runtimePatches:
          - manager: example.com/team
            time: "2026-01-05T08:00:00Z"
            trainingRuntimeSpec: {template: {spec: {replicatedJobs: [{name: node,
              template: {spec: {template: {metadata: {labels: {team: a}}}}}}]}}}
      """;

  /** The groups of Jobs of the runtime; a part of the template may be changed by a test. */
  private static final String RUNTIME =
      """
      - name: initializer
        replicas: 1
        template: {spec: {template: {spec: {restartPolicy: Never, containers: [
          {name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}}
      - name: node
        replicas: 1
        template: {spec: {parallelism: 3, completions: 3, template: {
          metadata: {labels: {app: mine}, annotations: {note: kept}},
          spec: {restartPolicy: Never, nodeSelector: {zone: ZONE}, tolerations: [{key: own, operator: Exists}],
            containers: [{name: main, image: busybox, env: [{name: A, value: b}],
              resources: {requests: {cpu: 1}}}]}}}}
      """;

  /**
   * Trainer's webhook demands this of changes; before 2.3, also of one that ends the suspension.
   */
  private static final String RULE =
      """
      (has(object.spec.runtimePatches) ? object.spec.runtimePatches : []) == \
      (has(oldObject.spec.runtimePatches) ? oldObject.spec.runtimePatches : []) || (object.spec.suspend && \
      (!has(oldObject.status) || !has(oldObject.status.jobsStatus) || \
      oldObject.status.jobsStatus.all(j, j.active == 0)))""";

  private static final String DENIED =
      "admission webhook \"validator.trainjob.trainer.kubeflow.org\" denied the request: ";

  private final TestCluster cluster;

  /** Whether pods end as soon as they are told to. */
  boolean podsEnd = true;

  /** The node selector of a group, which JobSet's webhook lets change while it is suspended. */
  String zone = "a";

  /** An annotation of the pods of a group. */
  String annotation = "note: kept";

  /** Labels that the runtime has for the JobSet. */
  String labels = "";

  private String applied = "";

  PlayedTrainer(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** With a core, and the TrainJob created. */
  static PlayedTrainer besideCore(TestCluster cluster) {
    PlayedTrainer trainer = new PlayedTrainer(cluster);
    cluster.startCore(FRAMEWORKS);
    cluster.apply(OBJECT);
    return trainer;
  }

  /** Installs the definition of TrainJobs, with what Trainer's webhook refuses. */
  static void install(TestCluster cluster) {
    install(cluster, tree(resource("schemas/trainjob.yaml")));
    demandUsual(cluster);
  }

  /** Trainer's webhook refuses changes with 403 from now on unless this holds. */
  static void demand(TestCluster cluster, String rule, String message) {
    demand(cluster, rule, "Forbidden", message);
  }

  /**
   * Changes are refused from now on unless this holds.
   *
   * @param reason {@code Forbidden} for 403, {@code Invalid} for 422
   */
  static void demand(TestCluster cluster, String rule, String reason, String message) {
    cluster.apply(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: trainer}
        spec:
          matchConstraints: {resourceRules: [{apiGroups: [trainer.kubeflow.org], apiVersions: [v1alpha1],
            operations: [UPDATE], resources: [trainjobs]}]}
          validations:
            - expression: '%s'
              reason: %s
              message: '%s'
        """
            .formatted(rule, reason, DENIED + message));
    cluster.apply(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: trainer}
        spec: {policyName: trainer, validationActions: [Deny]}
        """);
  }

  /** Trainer's webhook refuses only what it always does. */
  static void demandUsual(TestCluster cluster) {
    demand(cluster, RULE, "spec.runtimePatches: Forbidden: a Job is active");
  }

  /** As that of Trainer before 2.2, which lacks {@code runtimePatches}. */
  static void installOld(TestCluster cluster) {
    JsonObject schema = tree(resource("schemas/trainjob.yaml"));
    schema
        .getAsJsonObject("properties")
        .getAsJsonObject("spec")
        .getAsJsonObject("properties")
        .remove("runtimePatches");
    install(cluster, schema);
  }

  private static void install(TestCluster cluster, JsonObject schema) {
    cluster.server.applyCrds(
        List.of(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: trainjobs.trainer.kubeflow.org}
            spec:
              group: trainer.kubeflow.org
              names: {kind: TrainJob, listKind: TrainJobList, plural: trainjobs, singular: trainjob}
              scope: Namespaced
              versions: [{name: v1alpha1, served: true, storage: true, subresources: {status: {}},
                schema: {openAPIV3Schema: %s}}]
            """
                .formatted(schema)));
  }

  private static String resource(String name) {
    try (InputStream file = PlayedTrainer.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  private static JsonObject tree(String yaml) {
    return JsonParser.parseString(FromYaml.json(yaml)).getAsJsonObject();
  }

  TrainJob read() {
    return cluster.api.get(TrainJob.TYPE, KEY).orElseThrow();
  }

  JsonObject spec() {
    return read().body().getAsJsonObject("spec");
  }

  /** The spec but for an entry of Kueue's manager that adds nothing. */
  JsonObject withoutEmptyEntry() {
    JsonElement empty =
        JsonParser.parseString(
            "{\"manager\": \"kueue.x-k8s.io/manager\","
                + " \"trainingRuntimeSpec\": {\"template\": {\"spec\": {}}}}");
    JsonObject spec = spec();
    spec.getAsJsonArray("runtimePatches").remove(empty);
    return spec;
  }

  boolean suspended() {
    return spec().get("suspend").getAsBoolean();
  }

  Optional<JobSet> jobSet() {
    return cluster.api.get(JobSet.TYPE, KEY);
  }

  /** The pod template of a group, as JobSet's controller gives it to pods. */
  JsonObject template(String group) {
    return jobSet().orElseThrow().spec().replicatedJobs().stream()
        .filter(each -> each.name().equals(group))
        .map(each -> KueueJson.toTree(each.template()).getAsJsonObject())
        .map(job -> job.getAsJsonObject("spec").getAsJsonObject("template"))
        .findFirst()
        .orElseThrow();
  }

  /** Waits for something while both controllers act. */
  void await(String what, BooleanSupplier expected) {
    cluster.awaitThat(what, acting(expected));
  }

  /** Lets time pass until something holds, while both controllers act. */
  void passUntil(String what, BooleanSupplier expected) {
    cluster.passUntil(what, acting(expected));
  }

  private Predicate<TestCluster> acting(BooleanSupplier expected) {
    return world -> {
      act();
      return expected.getAsBoolean();
    };
  }

  /** The core and both controllers have nothing to do any more. */
  void settle() {
    for (int i = 0; i < 5; i++) {
      cluster.settle();
      act();
    }
    cluster.settle();
  }

  /** Each of both controllers looks at its objects once. */
  void act() {
    cluster.api.get(TrainJob.TYPE, KEY).ifPresent(this::act);
  }

  private void act(TrainJob job) {
    boolean suspend = suspended();
    Optional<JobSet> there = jobSet();
    boolean runs =
        there.filter(jobSet -> !Boolean.TRUE.equals(jobSet.spec().suspend())).isPresent();
    String wanted = made(job, suspend);
    if (!(runs && !suspend) && (!wanted.equals(applied) || there.isEmpty() || runs == suspend)) {
      cluster.apply(wanted);
      applied = wanted;
    }
    boolean active = !suspend || (runs && !podsEnd) || (!podsEnd && active());
    status(active ? 1 : 0, suspend ? 0 : 1, "");
  }

  private boolean active() {
    return jobSet().orElseThrow().status().replicatedJobsStatus().stream()
        .anyMatch(group -> group.active() > 0);
  }

  /** Both have seen that all Jobs are complete. */
  void complete() {
    status(
        0,
        0,
        """
        , "conditions": [{"type": "%s", "status": "True", "reason": "AllJobsCompleted",
          "message": "all done", "lastTransitionTime": "2026-01-05T08:00:00Z"}]""");
  }

  private void status(int active, int ready, String conditions) {
    String group =
        """
        {"name": "%%s", "active": %d, "ready": %d, "succeeded": 0, "failed": 0, "suspended": 0}"""
            .formatted(active, ready);
    String groups = group.formatted("initializer") + ", " + group.formatted("node");
    String ofJobSet = "{\"replicatedJobsStatus\": [" + groups + "]" + conditions + "}";
    String ofTrainJob = "{\"jobsStatus\": [" + groups + "]" + conditions + "}";
    cluster.api.patchStatus(
        JobSet.TYPE,
        KEY,
        TestCluster.merge("{\"status\": " + ofJobSet.formatted("Completed") + "}"));
    cluster.api.patchStatus(
        TrainJob.TYPE,
        KEY,
        TestCluster.merge("{\"status\": " + ofTrainJob.formatted("Complete") + "}"));
  }

  /** The JobSet that Trainer makes of the runtime and of what {@code runtimePatches} say. */
  private String made(TrainJob job, boolean suspend) {
    JsonArray groups =
        JsonParser.parseString(
                FromYaml.json(RUNTIME.replace("ZONE", zone).replace("note: kept", annotation)))
            .getAsJsonArray();
    if (spec().get("runtimePatches") instanceof JsonArray patches) {
      for (JsonElement patch : patches) {
        JsonElement found = patch;
        for (String step : List.of("trainingRuntimeSpec", "template", "spec", "replicatedJobs")) {
          found = found instanceof JsonObject object ? object.get(step) : null;
        }
        if (found instanceof JsonArray list) {
          list.forEach(each -> patch(groups, each.getAsJsonObject()));
        }
      }
    }
    JsonObject spec = new JsonObject();
    spec.addProperty("suspend", suspend);
    spec.add("replicatedJobs", groups);
    return """
        {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "train",
          "namespace": "team", "labels": {%s}, "ownerReferences": [{"apiVersion": "trainer.kubeflow.org/v1alpha1",
          "kind": "TrainJob", "name": "train", "uid": "%s", "controller": true}]}, "spec": %s}
        """
        .formatted(labels, job.metadata().getUid(), spec);
  }

  private static void patch(JsonArray groups, JsonObject patch) {
    for (JsonElement group : groups) {
      if (group.getAsJsonObject().get("name").equals(patch.get("name"))) {
        merge(group.getAsJsonObject(), patch);
      }
    }
  }

  private static void merge(JsonObject into, JsonObject patch) {
    patch
        .asMap()
        .forEach(
            (name, value) -> {
              if (value instanceof JsonObject inner && into.get(name) instanceof JsonObject known) {
                merge(known, inner);
              } else {
                into.add(name, value.deepCopy());
              }
            });
  }
}
