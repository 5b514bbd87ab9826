// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.dependencycheck.Dependencies.Seen;
import io.github.kueue4j.dependencycheck.Dependencies.State;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependenciesTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  private Instant now = START.plusSeconds(100);
  private final Dependencies dependencies = new Dependencies(() -> now);

  /** Of a Job of this name, which its annotation has depend on others. */
  private static Workload of(String job, String annotation) {
    return madeAt(0, job, annotation);
  }

  private static Workload madeAt(int second, String job, String annotation) {
    Workload named = Workload.named("ml", "job-" + job + "-" + second);
    named
        .metadata()
        .creationTimestamp(START.plusSeconds(second).atOffset(ZoneOffset.UTC))
        .putAnnotationsItem(Named.ANNOTATION, annotation)
        .addOwnerReferencesItem(
            new V1OwnerReference()
                .apiVersion("batch/v1")
                .kind("Job")
                .name(job)
                .uid("of " + job)
                .controller(true));
    return named;
  }

  private static Workload ended(Workload workload, String reason) {
    return workload.withStatus(
        WorkloadStatus.empty()
            .withConditions(
                List.of(
                    new Condition("Finished", Condition.TRUE, reason, "the end", START, null))));
  }

  private Set<ObjectKey> see(Workload workload) {
    return dependencies.changed(workload.key(), Optional.of(workload));
  }

  private Set<ObjectKey> seeGone(Workload workload) {
    return dependencies.changed(workload.key(), Optional.empty());
  }

  /** As the first ones see it. */
  private Optional<State> state(String name) {
    return state(name, 0);
  }

  /** As one sees it that was created then. */
  private Optional<State> state(String name, int created) {
    return find(name, created).map(Seen::state);
  }

  private Optional<Seen> find(String name, int created) {
    String[] parts = name.split("/", -1);
    return dependencies.find(new Named("ml", parts[0], parts[1]), START.plusSeconds(created));
  }

  private static Workload leaving(int second, Workload workload) {
    workload.metadata().deletionTimestamp(START.plusSeconds(second).atOffset(ZoneOffset.UTC));
    return workload;
  }

  private static Workload stopped(Workload workload) {
    return workload.withSpec(WorkloadSpec.empty().withActive(false));
  }

  private List<String> circle(Workload workload) {
    return dependencies.circle(workload.key(), Named.dependencies(workload)).stream()
        .map(Named::toString)
        .toList();
  }

  @Test
  void itIsFoundByEachOfItsNames() {
    see(of("prepare", ""));

    assertThat(state("job/prepare")).contains(State.OPEN);
    assertThat(state("job.batch/prepare")).contains(State.OPEN);
    assertThat(state("workload/job-prepare-0")).contains(State.OPEN);
    assertThat(state("job.example.com/prepare")).isEmpty();
    assertThat(dependencies.find(new Named("other", "job", "prepare"), START)).isEmpty();
  }

  @Test
  void theAnnotationIsReadFromTheWorkloadAndFromItsPods() {
    Workload workload =
        of("train", "Job/prepare, job.batch/load\n workload/a.b")
            .withSpec(
                WorkloadSpec.empty()
                    .withPodSets(
                        List.of(
                            new PodSet(
                                "main",
                                new V1PodTemplateSpec()
                                    .metadata(
                                        new V1ObjectMeta()
                                            .putAnnotationsItem(
                                                Named.ANNOTATION, "pod/p,job/prepare")),
                                1,
                                null))));

    assertThat(Named.dependencies(workload))
        .extracting(Named::toString)
        .containsExactly("job/prepare", "job.batch/load", "workload/a.b", "pod/p");
    assertThat(Named.dependencies(of("train", " ,"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"prepare", "job/", "/prepare", "job/Prepare", "other/job/prepare", "job/p;job/q"})
  void whatCantBeReadIsRefused(String text) {
    Workload workload = of("train", "job/load, " + text);

    assertThatThrownBy(() -> Named.dependencies(workload))
        .hasMessage(
            "The annotation kueue4j.io/depends-on is '"
                + text
                + "': write the kind, a slash and the name, with commas between, as job/prepare,"
                + " job/load, and create the Job anew, or correct the Workload and resume it");
    see(workload);
    assertThat(see(of("load", ""))).isEmpty();
  }

  @Test
  void whatOthersWroteIsCut() {
    assertThatThrownBy(() -> Named.dependencies(of("train", "x".repeat(5000))))
        .hasMessageContaining("is '" + "x".repeat(100) + " ...': write");
  }

  @Test
  void moreThanAHundredAreRefused() {

    assertThatThrownBy(() -> Named.dependencies(of("train", names(101, "job/"))))
        .hasMessageContaining("is '101 names': name at most 100");
  }

  @Test
  void whatEndsWakesThoseThatNameIt() {
    Workload prepare = of("prepare", "");
    Workload train = of("train", "job/prepare");
    see(of("other", "job/load"));
    see(train);

    assertThat(see(prepare)).containsExactly(train.key());
    assertThat(see(prepare)).isEmpty();
    assertThat(see(ended(prepare, "Succeeded"))).containsExactly(train.key());
    assertThat(state("job/prepare")).contains(State.SUCCEEDED);
  }

  @Test
  void onlyTheReasonSucceededIsSuccess() {
    see(ended(of("failed", ""), "Failed"));
    see(ended(of("changed", ""), "OutOfSync"));
    see(ended(of("deleted", ""), "OwnerNotFound"));

    assertThat(state("job/failed")).contains(State.FAILED);
    assertThat(state("job/changed")).contains(State.FAILED);
    assertThat(state("job/deleted")).as("its end is its deletion").isEmpty();
    assertThat(dependencies.find(new Named("ml", "job", "deleted"), START.minusSeconds(1)))
        .map(Seen::state)
        .contains(State.GOES);
  }

  @Test
  void anEndCountsForThoseThatWereThereBeforeItsDeletion() {
    for (String reason : List.of("Succeeded", "Failed")) {
      State end = reason.equals("Succeeded") ? State.SUCCEEDED : State.FAILED;
      Workload prepare = ended(of("prepare", ""), reason);
      see(of("train", "job/prepare"));
      see(prepare);
      assertThat(state("job/prepare", 500)).contains(end);

      see(leaving(60, prepare));
      assertThat(state("job/prepare", 59)).contains(end);
      assertThat(state("job/prepare", 60)).as("that of another run").isEmpty();
      seeGone(prepare);

      assertThat(state("job/prepare", 59)).contains(end);
      assertThat(state("job/prepare", 60)).isEmpty();
      assertThat(state("job.batch/prepare")).as("named by none").isEmpty();
    }
  }

  @Test
  void anEndThatIsGoneAtOnceCountsForThoseThatWereSeenBefore() {
    now = START.minusSeconds(1_000); // This machine's clock decides nothing.
    see(of("train", "job/prepare"));
    see(madeAt(30, "other", "job/prepare"));
    see(ended(of("prepare", ""), "Succeeded"));

    seeGone(of("prepare", ""));

    assertThat(state("job/prepare", 30)).contains(State.SUCCEEDED);
    assertThat(state("job/prepare", 31)).isEmpty();
  }

  @Test
  void itIsForgottenAfterADayUnlessItIsNamed() {
    Workload train = of("train", "job/prepare");
    see(train);
    see(ended(of("prepare", ""), "Succeeded"));
    seeGone(of("prepare", ""));
    for (int day = 0; day < 3; day++) {
      now = now.plus(Duration.ofHours(25));
      see(of("other", "job/some"));
      seeGone(of("other", "job/some"));
      assertThat(state("job/prepare")).contains(State.SUCCEEDED);
    }

    seeGone(train);
    see(train);
    assertThat(state("job/prepare")).as("it was replaced").contains(State.SUCCEEDED);
    seeGone(train);
    now = now.plus(Duration.ofHours(25));
    see(of("other", "job/some"));
    seeGone(of("other", "job/some"));

    assertThat(state("job/prepare")).isEmpty();
  }

  @Test
  void aWorkloadThatReplacesAnotherIsAsOldAsThat() {
    see(of("train", "job/prepare"));
    assertThat(dependencies.created(madeAt(50, "train", ""))).contains(START.plusSeconds(50));

    seeGone(of("train", "job/prepare"));
    assertThat(dependencies.created(madeAt(50, "train", ""))).contains(START);
    see(madeAt(50, "train", "job/prepare"));
    seeGone(madeAt(50, "train", "job/prepare"));

    assertThat(dependencies.created(madeAt(90, "train", ""))).contains(START);
    Workload anew = madeAt(90, "train", "");
    anew.metadata().getOwnerReferences().getFirst().setUid("of a new Job");
    assertThat(dependencies.created(anew)).contains(START.plusSeconds(90));
  }

  @Test
  void anotherOfTheNameCountsInItsPlace() {
    Workload first = ended(of("prepare", ""), "Succeeded");
    see(of("train", "job/prepare"));
    see(first);
    see(madeAt(1, "prepare", ""));
    assertThat(state("job/prepare")).contains(State.OPEN);

    seeGone(first);
    assertThat(state("job/prepare")).contains(State.OPEN);
    seeGone(madeAt(1, "prepare", ""));
    assertThat(state("job/prepare")).contains(State.GOES);
  }

  @Test
  void whatIsDeletedBeforeItsEndIsNotAbsent() {
    Workload prepare = of("prepare", "");
    Workload train = of("train", "job/prepare");
    see(train);
    see(prepare);

    assertThat(see(leaving(60, prepare))).containsExactly(train.key());
    assertThat(state("job/prepare")).contains(State.GOES);
    seeGone(prepare);
    assertThat(state("job/prepare")).contains(State.GOES);
    assertThat(state("job/prepare", 60)).isEmpty();

    see(madeAt(90, "prepare", ""));
    assertThat(state("job/prepare")).contains(State.OPEN);
  }

  /** After a start the objects come in any order. */
  @Test
  void whatIsBeingDeletedCountsForOneThatIsSeenLater() {
    see(leaving(60, ended(of("prepare", ""), "Failed")));
    see(of("train", "job/prepare"));

    assertThat(state("job/prepare")).contains(State.FAILED);
  }

  @Test
  void whatIsStoppedAfterAFailureHasFailed() {
    see(stopped(of("train", "job/load")));
    see(stopped(of("test", "job/train")));
    assertThat(state("job/test")).contains(State.STOPPED);

    assertThat(see(ended(of("load", ""), "Failed")))
        .as("the one behind it isn't told by a change of that")
        .containsExactlyInAnyOrder(of("train", "").key(), of("test", "").key());

    assertThat(find("job/test", 0))
        .contains(find("job/test", 0).orElseThrow().lost())
        .map(Seen::state)
        .contains(State.FAILED);
    see(madeAt(1, "load", ""));
    assertThat(state("job/test")).as("it was created anew").contains(State.STOPPED);
  }

  @Test
  void aCircleIsFoundByItsNames() {
    Workload a = of("a", "job/b");
    Workload b = of("b", "job/c, job/elsewhere");
    Workload c = of("c", "workload/job-a-0");
    see(a);
    see(b);
    assertThat(circle(a)).isEmpty();
    see(c);

    assertThat(circle(a)).containsExactly("job/b", "job/c", "workload/job-a-0");
    assertThat(circle(c)).containsExactly("workload/job-a-0", "job/b", "job/c");
    Workload self = of("self", "job/self");
    see(self);
    assertThat(circle(self)).containsExactly("job/self");
    Workload after = of("after", "job/a");
    see(after);
    assertThat(circle(after)).as("it depends on a circle, and is in none").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"15, 3", "30, 0"})
  void aCircleIsLookedForInALimitedNumberOfSteps(int jobs, int found) {
    for (int job = 0; job < jobs; job++) {
      see(of("j" + job, names(50, "job/of" + job + "-")));
    }
    Workload first = of("first", names(jobs, "job/j"));
    see(first);
    see(of("of0-0", "job/first"));

    assertThat(circle(first)).hasSize(found);
  }

  private static String names(int number, String prefix) {
    return String.join(",", IntStream.range(0, number).mapToObj(i -> prefix + i).toList());
  }

  @Test
  void whatHasStartedIsInNoCircle() {
    Workload a = of("a", "job/b");
    see(a);
    see(
        of("b", "job/a")
            .withStatus(
                WorkloadStatus.empty()
                    .withConditions(
                        List.of(
                            new Condition(
                                "Admitted", Condition.TRUE, "Admitted", "", START, null)))));

    assertThat(circle(a)).isEmpty();
  }
}
