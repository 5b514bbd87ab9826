// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * TrainJobs of Kubeflow Trainer: their pods are those of the JobSet that Trainer makes by the same
 * name, and resumes and suspends with them. A start doesn't write into its templates, which Trainer
 * would write over, but into the entry of {@code spec.runtimePatches} that is the core's, and
 * Trainer merges that into the JobSet.
 *
 * <p>Trainer refuses a change of {@code runtimePatches} while a Job of the JobSet is active, and
 * before Trainer 2.3 one that ends the suspension, too. So a start and a stop are two writes each.
 */
final class TrainJobKind implements JobKind<TrainJob> {
  private static final JobSetKind JOB_SETS = new JobSetKind();

  /** The core's entry: no other manager writes it, and the core writes no other. */
  private static final String MANAGER = "kueue.x-k8s.io/manager";

  private static final FieldPath SUSPEND = FieldPath.parse("spec.suspend");
  private static final FieldPath MANAGED_BY = FieldPath.parse("spec.managedBy");
  private static final FieldPath PATCHES = FieldPath.parse("spec.runtimePatches");

  /** In an entry, what it adds to the groups of Jobs of the JobSet. */
  private static final FieldPath GROUPS =
      FieldPath.parse("trainingRuntimeSpec.template.spec.replicatedJobs");

  private static final List<FieldPath> KEPT =
      Stream.of("apiVersion", "kind", "status.conditions", "status.jobsStatus")
          .map(FieldPath::parse)
          .toList();

  @Override
  public String framework() {
    return "trainer.kubeflow.org/trainjob";
  }

  @Override
  public ResourceType<TrainJob> type() {
    return TrainJob.TYPE;
  }

  @Override
  public Optional<ResourceType<? extends KubernetesObject>> podsIn() {
    return Optional.of(JobSet.TYPE);
  }

  @Override
  public TrainJob completed(
      TrainJob job,
      Function<ResourceType<? extends KubernetesObject>, Optional<? extends KubernetesObject>>
          read) {
    return new TrainJob(
        job.metadata(),
        job.body(),
        read.apply(JobSet.TYPE).map(JobSet.class::cast).filter(found -> isMadeFor(job, found)));
  }

  private static boolean isMadeFor(TrainJob job, JobSet found) {
    return Metadata.owners(found).stream()
        .anyMatch(
            owner ->
                Boolean.TRUE.equals(owner.getController()) && Uids.of(job).equals(owner.getUid()));
  }

  @Override
  public Optional<String> unknownPods(TrainJob job) {
    if (job.jobSet().isEmpty()) {
      return Optional.of(
          "its JobSet %s doesn't exist yet, in which its pods are; Trainer 2.2 or later makes it, unless"
                  .formatted(ObjectKey.of(job).name())
              + " the runtime that spec.runtimeRef names is missing or another JobSet has that name");
    }
    // What a start has added is no part of what its user asks for.
    return Optional.of(
            "its JobSet %s isn't suspended, or has what an earlier start has added to its pods;"
                    .formatted(ObjectKey.of(job).name())
                + " Trainer is about to restore it")
        .filter(
            behind ->
                suspended(job)
                    && (!JOB_SETS.suspended(job.jobSet().get())
                        || podSets(job).stream()
                            .anyMatch(podSet -> PodTemplates.marked(podSet.template()))));
  }

  @Override
  public TrainJob trimmed(TrainJob read) {
    Trimming.metadata(read.metadata());
    // An entry of another manager is kept whole, since a patch may replace the list.
    List<FieldPath> kept =
        Stream.concat(KEPT.stream(), Stream.of(SUSPEND, MANAGED_BY, PATCHES)).toList();
    return read.withBody(FieldPath.kept(read.body(), kept).getAsJsonObject());
  }

  @Override
  public List<PodSet> podSets(TrainJob job) {
    return job.jobSet().map(JOB_SETS::podSets).orElseGet(List::of);
  }

  @Override
  public Optional<String> podPriorityClass(TrainJob job) {
    return job.jobSet().flatMap(JOB_SETS::podPriorityClass);
  }

  @Override
  public Optional<String> managedBy(TrainJob job) {
    return MANAGED_BY.textIn(job.body());
  }

  /** A start can't take a gate off, since Trainer merges what it writes. */
  @Override
  public Optional<String> refusal(TrainJob job) {
    return podSets(job).stream()
        .flatMap(
            podSet ->
                Optional.ofNullable(podSet.template().getSpec())
                    .map(V1PodSpec::getSchedulingGates)
                    .orElseGet(List::of)
                    .stream()
                    .filter(gate -> Unsupported.GATES.contains(gate.getName()))
                    .map(
                        gate ->
                            "the pods of %s in its JobSet have the scheduling gate \"%s\", which would never be removed; take it out of the runtime, or of spec.runtimePatches"
                                .formatted(podSet.name(), gate.getName())))
        .findFirst();
  }

  @Override
  public Optional<FinishedOwner> finished(TrainJob job) {
    return JobSetKind.finished(
        FieldPath.parse("status.conditions.*").allIn(job.body()).stream()
            .map(condition -> KueueJson.fromTree(condition, V1Condition.class))
            .toList(),
        "Complete");
  }

  @Override
  public boolean suspended(TrainJob job) {
    return SUSPEND.isTrueIn(job.body());
  }

  @Override
  public boolean stopped(TrainJob job) {
    return suspended(job) && idle(job);
  }

  /** Whether no Job runs, nor is about to. */
  private static boolean idle(TrainJob job) {
    return job.jobSet()
        .map(JOB_SETS::stopped)
        .orElseGet(
            () ->
                FieldPath.parse("status.jobsStatus.*.active").allIn(job.body()).stream()
                    .allMatch(new JsonPrimitive(0)::equals));
  }

  @Override
  public boolean podsReady(TrainJob job) {
    return job.jobSet().filter(JOB_SETS::podsReady).isPresent();
  }

  @Override
  public JobProgress progress(TrainJob job) {
    return job.jobSet()
        .map(JOB_SETS::progress)
        .orElseGet(() -> new JobProgress("Jobs", 0, null, null));
  }

  @Override
  public String podSelector(TrainJob job) {
    return podSelector(Uids.of(job));
  }

  @Override
  public String podSelector(String uid) {
    return Keys.JOB_UID + "=" + uid;
  }

  /** The JobSet is deleted at a deadline, and its pods take their time to end. */
  @Override
  public boolean leavesPods() {
    return true;
  }

  @Override
  public Map<String, Integer> reclaimablePods(TrainJob job) {
    return job.jobSet().map(JOB_SETS::reclaimablePods).orElseGet(Map::of);
  }

  @Override
  public boolean createsJobs() {
    return true;
  }

  /** Its pods are those of the JobSet of its name, however many that has. */
  @Override
  public boolean creates(TrainJob job, ChildJob child) {
    return child.type().equals(JobSet.TYPE) && child.name().equals(ObjectKey.of(job).name());
  }

  @Override
  public Optional<String> children(TrainJob job) {
    return job.jobSet().flatMap(JOB_SETS::children);
  }

  @Override
  public String ownerOfChildren(TrainJob job) {
    return job.jobSet().map(Uids::of).orElse("");
  }

  @Override
  public Optional<V1Job> beforeResumption(TrainJob resumed, V1Job child) {
    return resumed.jobSet().flatMap(jobSet -> JOB_SETS.beforeResumption(jobSet, child));
  }

  @Override
  public Start<TrainJob> start(TrainJob job, List<PodSetAdditions> podSets) {
    Optional<String> unknown = unknownPods(job);
    if (unknown.isPresent()) {
      return new Start.Impossible<>(unknown.get());
    }
    return switch (JOB_SETS.start(job.jobSet().orElseThrow(), podSets)) {
      case Start.Impossible<JobSet> impossible -> new Start.Impossible<>(impossible.why());
      case Start.ResetFirst<JobSet> reset -> throw new IllegalStateException("of a Job: " + reset);
      case Start.Ready<JobSet> started ->
          new Start.Ready<>(withEntry(job, JOB_SETS.podSets(started.after()), podSets));
    };
  }

  /**
   * The TrainJob with the core's entry, also in place of an earlier one; no later one overrides it.
   */
  private static TrainJob withEntry(
      TrainJob job, List<PodSet> started, List<PodSetAdditions> podSets) {
    JsonObject body = job.body().deepCopy();
    JsonArray patches = patches(body);
    int place = place(patches);
    JsonObject entry = new JsonObject();
    if (place < patches.size()) {
      entry = patches.remove(place).getAsJsonObject();
    } else {
      entry.addProperty("manager", MANAGER);
    }
    patches.add(entry);
    JsonArray groups = new JsonArray();
    for (PodSet podSet : started) {
      podSets.stream()
          .filter(additions -> additions.name().equals(podSet.name()))
          .map(additions -> group(additions, podSet.template(), Uids.of(job)))
          .forEach(groups::add);
    }
    GROUPS.set(entry, groups);
    PATCHES.set(body, patches);
    return job.withBody(body);
  }

  private static JsonObject group(
      PodSetAdditions additions, V1PodTemplateSpec started, String uid) {
    JsonObject labels = PodSetAdditions.json(additions.labels());
    labels.addProperty(Keys.JOB_UID, uid);
    JsonObject group = new JsonObject();
    group.addProperty("name", additions.name());
    set(group, "metadata.labels", labels);
    set(group, "metadata.annotations", PodSetAdditions.json(additions.annotations()));
    set(group, "spec.nodeSelector", PodSetAdditions.json(additions.nodeSelector()));
    if (!additions.tolerations().isEmpty()) {
      // This list isn't merged: it replaces that of the runtime.
      JsonElement all =
          KueueJson.toTree(Objects.requireNonNull(started.getSpec()).getTolerations());
      set(group, "spec.tolerations", all);
    }
    return group;
  }

  private static void set(JsonObject group, String field, JsonElement value) {
    if (!value.equals(new JsonObject())) {
      FieldPath.parse(field).below(FieldPath.parse("template.spec.template")).set(group, value);
    }
  }

  private static JsonArray patches(JsonObject body) {
    return PATCHES.in(body).orElse(null) instanceof JsonArray there ? there : new JsonArray();
  }

  /** The index of the core's entry; that of the next one if there is none. */
  private static int place(JsonArray patches) {
    return IntStream.range(0, patches.size())
        .filter(
            i -> FieldPath.of("manager").textIn(patches.get(i)).filter(MANAGER::equals).isPresent())
        .findFirst()
        .orElse(patches.size());
  }

  /** The additions of a start; empty if there are none, as in an entry that Kueue makes. */
  private static Optional<JsonArray> additions(TrainJob job) {
    JsonArray patches = patches(job.body());
    int place = place(patches);
    return place < patches.size()
        ? GROUPS
            .in(patches.get(place))
            .filter(groups -> groups instanceof JsonArray list && !list.isEmpty())
            .map(JsonElement::getAsJsonArray)
        : Optional.empty();
  }

  @Override
  public Optional<TrainJob> resumption(TrainJob prepared) {
    return Optional.of(withSuspend(prepared, false));
  }

  private static TrainJob withSuspend(TrainJob job, boolean suspend) {
    JsonObject body = job.body().deepCopy();
    SUSPEND.set(body, new JsonPrimitive(suspend));
    return job.withBody(body);
  }

  @Override
  public Optional<StopStep<TrainJob>> nextStopStep(TrainJob job, List<PodSet> podSets) {
    if (!suspended(job)) {
      return Optional.of(new StopStep<>(withSuspend(job, true), StopWrite.OBJECT, true));
    }
    return additions(job)
        .map(there -> new StopStep<>(withoutAdditions(job), StopWrite.OBJECT, idle(job)));
  }

  /** The entry stays: Kueue only starts a TrainJob that has it, for those who go back. */
  private static TrainJob withoutAdditions(TrainJob job) {
    JsonObject body = job.body().deepCopy();
    JsonArray patches = patches(body);
    GROUPS.remove(patches.get(place(patches)).getAsJsonObject());
    return job.withBody(body);
  }

  @Override
  public Optional<FieldPath> dropped(TrainJob before, TrainJob sent, TrainJob stored) {
    return additions(sent).equals(additions(stored)) ? Optional.empty() : Optional.of(PATCHES);
  }
}
