// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.jobs.testing.PodVariants;
import io.github.kueue4j.jobs.testing.PodVariants.Variant;
import io.github.kueue4j.jobs.testing.RealisticPods;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Nightly;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Decisions about a trimmed copy must equal those about the whole object. The test changes every
 * single value of a template in turn: if a decision depended on a trimmed field, the decisions
 * about the two copies would differ. A nightly build changes each in a Workload, a Job and a
 * JobSet, others in one of them.
 */
@Tag("thorough")
class TrimmingTest {
  private static final BatchJob JOBS = new BatchJob();
  private static final JobSetKind JOB_SETS = new JobSetKind();
  private static final JsonObject POD = PodVariants.usual();

  // Read once, not with each of the hundreds of variants.
  private static final ResourceFlavor FLAVOR =
      read(
          ResourceFlavor.class,
          """
          {"metadata": {"name": "spot"}, "spec": {"nodeLabels": {"disk": "ssd", "flavor": "spot"},
            "tolerations": [{"key": "spot", "operator": "Exists"}]}}
          """);
  private static final Admission ADMISSION =
      read(
          Admission.class,
          """
          {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "count": 3,
            "flavors": {"cpu": "spot"}}]}
          """);

  /** The Workload with the default template, whole and trimmed, and the pods of both. */
  private static final Workload USUAL = workload(POD);

  private static final List<PodSet> USUAL_PODS = pods(USUAL);
  private static final Workload USUAL_TRIMMED = trimmed(workload(POD));
  private static final List<PodSet> USUAL_TRIMMED_PODS = pods(USUAL_TRIMMED);

  /** Kinds that keep the same template: a build tries each value with one of them. */
  private static final int KINDS = 3;

  static Stream<Variant> variantsOfWorkloads() {
    return variants(0);
  }

  static Stream<Variant> variantsOfJobs() {
    return variants(1);
  }

  static Stream<Variant> variantsOfJobSets() {
    return variants(2);
  }

  private static Stream<Variant> variants(int kind) {
    List<Variant> all = PodVariants.all().toList();
    return IntStream.range(0, all.size())
        .filter(number -> Nightly.isOn() || number % KINDS == kind)
        .mapToObj(all::get);
  }

  @ParameterizedTest
  @MethodSource("variantsOfWorkloads")
  void decisionsAboutATrimmedWorkloadEqualThoseAboutTheWhole(Variant variant) {
    Workload whole = workload(variant.template());
    Workload trimmed = trimmed(workload(variant.template()));

    assertThat(PodSetAdditions.conflict(trimmed, ADMISSION, TrimmingTest::flavor))
        .isEqualTo(PodSetAdditions.conflict(whole, ADMISSION, TrimmingTest::flavor));
    assertThat(compared(pods(trimmed), USUAL_TRIMMED_PODS))
        .isEqualTo(compared(pods(whole), USUAL_PODS))
        .isEqualTo(compared(pods(trimmed), USUAL_PODS))
        .isEqualTo(compared(pods(whole), USUAL_TRIMMED_PODS));
    assertThat(Equivalence.same(pods(trimmed), pods(whole))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("variantsOfJobs")
  void decisionsAboutATrimmedJobEqualThoseAboutTheWhole(Variant variant) {
    V1Job whole = job(variant.template(), "{}");
    V1Job trimmed = JOBS.trimmed(job(variant.template(), "{}"));
    V1Job started = started(whole);

    assertThat(patch(trimmed, started(trimmed))).isEqualTo(patch(whole, started));
    assertThat(stops(JOBS.trimmed(copy(started)), USUAL_TRIMMED_PODS))
        .isEqualTo(stops(started, USUAL_PODS))
        .hasSize(2);
    assertThat(JOBS.podPriorityClass(trimmed)).isEqualTo(JOBS.podPriorityClass(whole));
    assertThat(Equivalence.same(JOBS.podSets(trimmed), JOBS.podSets(whole))).isTrue();
    assertThat(compared(JOBS.podSets(trimmed), USUAL_TRIMMED_PODS))
        .isEqualTo(compared(JOBS.podSets(whole), USUAL_PODS));
  }

  @ParameterizedTest
  @MethodSource("variantsOfJobSets")
  void decisionsAboutATrimmedJobSetEqualThoseAboutTheWhole(Variant variant) {
    JobSet whole = jobSet(variant.template());
    JobSet trimmed = JOB_SETS.trimmed(jobSet(variant.template()));
    JobSet started = started(whole);

    assertThat(GuardedPatch.between(trimmed, started(trimmed)).patch())
        .isEqualTo(GuardedPatch.between(whole, started).patch());
    JobSet trimmedStarted =
        JOB_SETS.trimmed(KueueJson.fromTree(KueueJson.toTree(started), JobSet.class));
    assertThat(
            JOB_SETS
                .nextStopStep(trimmedStarted, USUAL_TRIMMED_PODS)
                .map(step -> GuardedPatch.between(trimmedStarted, step.after()).patch()))
        .isEqualTo(
            JOB_SETS
                .nextStopStep(started, USUAL_PODS)
                .map(step -> GuardedPatch.between(started, step.after()).patch()))
        .isPresent();
    assertThat(JOB_SETS.podPriorityClass(trimmed)).isEqualTo(JOB_SETS.podPriorityClass(whole));
    assertThat(Equivalence.same(JOB_SETS.podSets(trimmed), JOB_SETS.podSets(whole))).isTrue();
  }

  @Test
  void mostOfATemplateIsTrimmed() {
    JsonObject pod = JsonParser.parseString(RealisticPods.template()).getAsJsonObject();
    String whole = KueueJson.toJson(workload(pod));
    String trimmed = KueueJson.toJson(trimmed(workload(pod)));

    assertThat(trimmed)
        .hasSizeLessThan(whole.length() / 3)
        .doesNotContain("SETTING", "volumeMounts", "livenessProbe", "registry.example.com");
  }

  @Test
  void theFingerprintIsNeverWritten() {
    assertThat(KueueJson.toJson(JOBS.trimmed(job(POD, "{}"))))
        .doesNotContain("whole")
        .doesNotContain("high");
  }

  @Test
  void theKeyOfAnEmptiedAnnotationStaysForPatches() {
    String applied = "{\"kubectl.kubernetes.io/last-applied-configuration\": \"{...}\"}";
    V1Job whole = started(job(POD, applied));
    V1Job trimmed = JOBS.trimmed(started(job(POD, applied)));

    assertThat(KueueJson.toJson(trimmed)).doesNotContain("{...}");
    assertThat(stops(trimmed, pods(trimmed(workload(POD)))))
        .isEqualTo(stops(whole, pods(workload(POD))));
  }

  @Test
  void aWorkloadIsNotCreatedFromTrimmedPods() {
    V1Job job = JOBS.trimmed(job(POD, "{}"));

    assertThatThrownBy(
            () ->
                JobWorkload.create(
                    ObjectKey.of(job),
                    CoreTypes.JOB,
                    job,
                    JOBS.podSets(job),
                    JobWorkload.Priority.none(),
                    new CopiedMetadata(Set.of(), Set.of())))
        .hasMessageContaining("read them whole from the API");
  }

  @Test
  void aTrimmedTemplateWithoutItsMarksEqualsNoOther() {
    V1Job started = started(job(POD, "{}"));
    List<PodSet> whole = JOBS.podSets(started).stream().map(JobWorkload::withoutMarks).toList();
    List<PodSet> trimmed =
        JOBS.podSets(JOBS.trimmed(started)).stream().map(JobWorkload::withoutMarks).toList();

    assertThat(Trimming.whole(whole)).isTrue();
    assertThat(Equivalence.same(trimmed, whole)).isFalse();
    assertThat(Equivalence.same(trimmed, trimmed)).isFalse();
    assertThat(Equivalence.sameRequest(trimmed, whole)).isTrue();
  }

  @Test
  void equalPodsAreKeptOnce() {
    JsonObject other = POD.deepCopy();
    other.getAsJsonObject("metadata").getAsJsonObject("labels").addProperty("app", "other");
    other.getAsJsonObject("spec").addProperty("serviceAccountName", "other");
    List<PodSet> pods = pods(trimmed(workload(POD)));
    List<PodSet> others = pods(trimmed(workload(other)));

    assertThat(others.getFirst().template().getSpec())
        .isSameAs(pods.getFirst().template().getSpec());
    assertThat(Equivalence.same(pods, others)).isFalse();
  }

  @Test
  void trimmingTwiceIsTrimmingOnce() {
    Workload once = trimmed(workload(POD));

    assertThat(trimmed(once)).isEqualTo(once);
    assertThat(Equivalence.same(pods(trimmed(once)), pods(workload(POD)))).isTrue();
    assertThat(
            Equivalence.same(
                JOBS.podSets(JOBS.trimmed(JOBS.trimmed(job(POD, "{}")))), pods(workload(POD))))
        .isTrue();
  }

  /** The results of the comparisons of a Job with its Workload. */
  private static List<Boolean> compared(List<PodSet> job, List<PodSet> workload) {
    return List.of(
        Equivalence.same(job, workload),
        Equivalence.sameRequest(job, workload),
        Equivalence.asAdmitted(job, Map.of(), workload, ADMISSION, true),
        Equivalence.asAdmitted(job, Map.of(), workload, ADMISSION, false));
  }

  /** The patches that stop a Job, one after the other. */
  private static List<Object> stops(V1Job running, List<PodSet> podSets) {
    List<Object> patches = new ArrayList<>();
    V1Job job = running;
    for (int round = 0; round < 5; round++) {
      var step = JOBS.nextStopStep(job, podSets);
      if (step.isEmpty()) {
        return patches;
      }
      patches.add(patch(job, step.get().after()));
      job = step.get().after();
    }
    throw new AssertionError("the Job is never stopped: " + patches);
  }

  private static Object patch(V1Job before, V1Job after) {
    return GuardedPatch.between(before, after).patch();
  }

  private static V1Job started(V1Job job) {
    if (JOBS.start(job, start()) instanceof JobKind.Start.Ready<V1Job> ready) {
      return ready.after();
    }
    // The variant contradicts the flavor.
    V1Job unsuspended = copy(job);
    Objects.requireNonNull(unsuspended.getSpec()).setSuspend(false);
    return unsuspended;
  }

  private static JobSet started(JobSet job) {
    return JOB_SETS.start(job, start()) instanceof JobKind.Start.Ready<JobSet> ready
        ? ready.after()
        : KueueJson.fromTree(KueueJson.toTree(job), JobSet.class).withSuspend(false);
  }

  private static List<PodSetAdditions> start() {
    return PodSetAdditions.of(workload(POD), ADMISSION, TrimmingTest::flavor);
  }

  private static V1Job copy(V1Job job) {
    return KueueJson.fromTree(KueueJson.toTree(job), V1Job.class);
  }

  private static ResourceFlavor flavor(String name) {
    return FLAVOR;
  }

  private static List<PodSet> pods(Workload workload) {
    return workload.spec().podSets();
  }

  /** A name and its object as of a generation, written into the metadata of a Workload. */
  private static Workload version(
      @Nullable String uid, @Nullable Long generation, String queue, String requeued) {
    Workload workload = workload(POD);
    workload.metadata().setUid(uid);
    workload.metadata().setGeneration(generation);
    return workload
        .withSpec(workload.spec().withQueueName(queue))
        .withStatus(
            KueueJson.fromJson(
                "{\"requeueState\": {\"count\": " + requeued + "}}", WorkloadStatus.class));
  }

  @Test
  void aSpecThatHasNotChangedIsTakenFromTheEarlierVersion() {
    Workload earlier = trimmed(version("u", 3L, "lq", "1"));

    Workload next = Trimming.workload(version("u", 3L, "lq", "2"), Optional.of(earlier));

    assertThat(next.spec()).isSameAs(earlier.spec());
    assertThat(next).isEqualTo(trimmed(version("u", 3L, "lq", "2")));
  }

  @Test
  void aSpecOfAnotherGenerationOrObjectIsNotTakenFromTheEarlierVersion() {
    List<Workload> others =
        List.of(
            version("u", 4L, "other", "1"),
            version("v", 3L, "other", "1"),
            version(null, 3L, "other", "1"),
            version("u", null, "other", "1"));

    for (Workload earlier :
        List.of(trimmed(version("u", 3L, "lq", "1")), trimmed(version(null, null, "lq", "1")))) {
      for (Workload other : others) {
        assertThat(Trimming.workload(other, Optional.of(earlier)).spec().queueName())
            .isEqualTo("other");
      }
    }
  }

  private static Workload workload(JsonObject template) {
    JsonObject podSet = new JsonObject();
    podSet.addProperty("name", "main");
    podSet.addProperty("count", 3);
    podSet.add("template", template.deepCopy());
    JsonObject workload =
        JsonParser.parseString(
                """
                {"metadata": {"name": "job-j-1", "namespace": "team", "resourceVersion": "1"},
                 "spec": {"queueName": "lq"}}
                """)
            .getAsJsonObject();
    JsonArray podSets = new JsonArray();
    podSets.add(podSet);
    workload.getAsJsonObject("spec").add("podSets", podSets);
    return KueueJson.fromTree(workload, Workload.class);
  }

  private static V1Job job(JsonObject template, String annotations) {
    JsonObject job =
        JsonParser.parseString(
                """
                {"metadata": {"name": "j", "namespace": "team", "resourceVersion": "1",
                   "annotations": %s},
                 "spec": {"suspend": true, "parallelism": 3, "completions": 3}}
                """
                    .formatted(annotations))
            .getAsJsonObject();
    job.getAsJsonObject("spec").add("template", template.deepCopy());
    return KueueJson.fromTree(job, V1Job.class);
  }

  private static JobSet jobSet(JsonObject template) {
    JsonObject set =
        JsonParser.parseString(
                """
                {"metadata": {"name": "s", "namespace": "team", "resourceVersion": "1"},
                 "spec": {"suspend": true, "replicatedJobs": [{"name": "main", "replicas": 1,
                   "template": {"spec": {"parallelism": 3, "completions": 3}}}]}}
                """)
            .getAsJsonObject();
    set.getAsJsonObject("spec")
        .getAsJsonArray("replicatedJobs")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("template")
        .getAsJsonObject("spec")
        .add("template", template.deepCopy());
    return KueueJson.fromTree(set, JobSet.class);
  }

  private static <T> T read(Class<T> type, String json) {
    return KueueJson.fromJson(json, type);
  }

  /** As a cache keeps it that knows nothing of it yet. */
  private static Workload trimmed(Workload read) {
    return Trimming.workload(read, Optional.empty());
  }
}
