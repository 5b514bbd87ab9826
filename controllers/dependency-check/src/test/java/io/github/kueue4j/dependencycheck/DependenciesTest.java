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
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DependenciesTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  private final Dependencies dependencies = new Dependencies();

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
            new V1OwnerReference().apiVersion("batch/v1").kind("Job").name(job).controller(true));
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

  private Optional<State> state(String name) {
    String[] parts = name.split("/", -1);
    return dependencies.find(new Named("ml", parts[0], parts[1])).map(Seen::state);
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
    assertThat(dependencies.find(new Named("other", "job", "prepare"))).isEmpty();
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
  void moreThanAHundredAreRefused() {
    String names = String.join(",", IntStream.range(0, 101).mapToObj(i -> "job/" + i).toList());

    assertThatThrownBy(() -> Named.dependencies(of("train", names)))
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
    assertThat(state("job/deleted")).isEmpty();
  }

  @Test
  void aSuccessIsRememberedForAsLongAsItIsNamed() {
    Workload prepare = ended(of("prepare", ""), "Succeeded");
    Workload train = of("train", "job/prepare");
    see(prepare);
    see(train);

    seeGone(prepare);
    assertThat(state("job/prepare")).contains(State.SUCCEEDED);
    assertThat(state("job.batch/prepare")).isEmpty();

    seeGone(train);
    assertThat(state("job/prepare")).isEmpty();
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
    assertThat(state("job/prepare")).isEmpty();
  }

  @Test
  void whatIsBeingDeletedUnfinishedIsAbsent() {
    Workload prepare = of("prepare", "");
    Workload train = of("train", "job/prepare");
    see(train);
    see(prepare);
    Workload going = of("prepare", "");
    going.metadata().deletionTimestamp(START.atOffset(ZoneOffset.UTC));

    assertThat(see(going)).containsExactly(train.key());
    assertThat(state("job/prepare")).isEmpty();
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
