// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check on an API server, in virtual time. */
@KueueTest(start = "2026-03-02T10:00:00Z")
class DependencyCheckScenarioTest {
  private static final int MANY = Nightly.bound(40, 200);

  private RunningController controller;

  @BeforeEach
  void start(KueueCluster cluster) {
    DependencyCheck.crds().forEach(cluster::apply);
    parameters(cluster, "recheckEvery: 4h");
    cluster.admissionCheck(
        "after", DependencyCheck.CONTROLLER_NAME, "checks.kueue4j.io", "DependencyCheck", "after");
    controller =
        cluster.run(
            CheckStarter.of(
                environment ->
                    DependencyCheck.controller(environment, DependencyCheck.CONTROLLER_NAME)));
  }

  private static void parameters(KueueCluster cluster, String fields) {
    cluster.apply(
        """
        {apiVersion: checks.kueue4j.io/v1alpha1, kind: DependencyCheck, metadata: {name: after}, spec: {%s}}
        """
            .formatted(fields));
  }

  /** Changes the parameters, and waits until they are in force: that ends every delay. */
  private static void change(KueueCluster cluster, String fields) {
    PlayedWorkload waiting = waits(after(cluster, "waiting", "nothing"));
    parameters(cluster, fields);
    waiting.awaitDelayEnded("after");
  }

  private static PlayedWorkload after(KueueCluster cluster, String name, String... others) {
    return cluster.workload(
        name,
        shape ->
            shape.annotation(
                Named.ANNOTATION,
                String.join(
                    ", ", List.of(others).stream().map(other -> "workload/" + other).toList())));
  }

  private static PlayedWorkload waits(PlayedWorkload workload) {
    return workload.reserve().awaitState("after", CheckState.RETRY).backOff();
  }

  private static void starts(PlayedWorkload workload) {
    workload.awaitDelayEnded("after");
    workload.requeueAtOnce().reserve().awaitState("after", CheckState.READY);
  }

  private static void people(KueueCluster cluster, Consumer<KubernetesApi> deed) {
    try (ClusterConnection connection =
        ClusterConnection.builder("people").url(cluster.uri()).connect()) {
      deed.accept(connection.api());
    }
  }

  /** Without the finalizers that a core would take away. */
  private static void remove(KueueCluster cluster, PlayedWorkload workload) {
    people(
        cluster,
        api -> {
          api.patch(
              KueueTypes.WORKLOAD,
              workload.key(),
              new MergePatch(
                  JsonParser.parseString("{'metadata': {'finalizers': null}}").getAsJsonObject()));
          api.delete(KueueTypes.WORKLOAD, workload.key(), DeleteOptions.background());
        });
  }

  /**
   * What the controller has asked about Workloads. A write that comes upon a conflict is made
   * again.
   */
  private static long requests(KueueCluster cluster) {
    return cluster
        .server()
        .requests()
        .count(
            RequestMatcher.resource(KueueTypes.WORKLOAD.plural())
                .and(RequestMatcher.userAgent("check-controller")));
  }

  private static String message(PlayedWorkload workload) {
    return workload.entry("after").message();
  }

  @Test
  void itWaitsWithoutQuotaUntilTheOtherHasSucceeded(KueueCluster cluster) {
    PlayedWorkload prepare = cluster.workload("prepare");
    PlayedWorkload train = after(cluster, "train", "prepare").reserve();

    AdmissionCheckState entry = train.awaitState("after", CheckState.RETRY).entry("after");
    assertThat(entry.requeueAfterSeconds()).isBetween(4 * 3600 * 4 / 5 - 1, 4 * 3600);
    assertThat(entry.message())
        .matches(
            "It waits for the success of workload/prepare\\."
                + " It is asked about again in [34] h[0-9 min]* at the latest\\.");
    train.backOff();
    prepare.reserve().awaitState("after", CheckState.READY).admit();
    assertThat(message(prepare)).startsWith("It depends on no other: neither the Workload nor");
    prepare.finish();

    starts(train);
    assertThat(message(train)).isEqualTo("workload/prepare succeeded.");
  }

  @Test
  void itStartsWhenAllHaveSucceededInWhateverOrder(KueueCluster cluster) {
    PlayedWorkload train = waits(after(cluster, "train", "prepare", "load"));
    assertThat(message(train))
        .startsWith(
            "It waits for the success of workload/prepare, workload/load."
                + " At 2026-03-02T10:00:00Z there was no workload/prepare, workload/load."
                + " If that is still so, create it; if the name is wrong, create this Job anew. It is");
    PlayedWorkload load = cluster.workload("load").reserve();
    load.admit().finish();
    PlayedWorkload marker = waits(after(cluster, "marker", "load", "prepare"));
    assertThat(message(marker)).contains("the success of workload/prepare. At");
    assertThat(train.entry("after").requeueAfterSeconds()).isPositive();

    cluster.workload("prepare").reserve().admit().finish();

    starts(train);
    starts(marker);
  }

  @Test
  void aFailureRejectsOrIsWaitedOut(KueueCluster cluster) {
    PlayedWorkload train = waits(after(cluster, "train", "prepare"));
    PlayedWorkload prepare = cluster.workload("prepare").reserveWith("Finished", "Failed");

    train.awaitDelayEnded("after");
    train.requeueAtOnce().reserve().awaitState("after", CheckState.REJECTED);
    assertThat(message(train))
        .isEqualTo(
            "workload/prepare has failed: Set by the script. It was to start after that."
                + " Create that anew, and then this Job, or resume its Workload.");
    change(cluster, "whenFailed: Retry");
    PlayedWorkload other = after(cluster, "other", "prepare").reserve();
    other.awaitState("after", CheckState.RETRY).backOff();
    assertThat(message(other)).contains("workload/prepare has failed: Set by the script. It is");

    remove(cluster, prepare);
    cluster.workload("prepare").reserve().admit().finish();

    starts(other);
  }

  @Test
  void whatIsAbsentIsWaitedForOrCountsAsTheParametersSay(KueueCluster cluster) {
    PlayedWorkload train = after(cluster, "train", "prepare").reserve();
    train.awaitState("after", CheckState.RETRY).backOff();

    parameters(cluster, "whenAbsent: Ready");
    train.awaitDelayEnded("after");
    train.requeueAtOnce().reserve().awaitState("after", CheckState.RETRY);
    assertThat(train.entry("after").requeueAfterSeconds()).as("it is young").isBetween(1, 121);
    train.backOff();
    cluster.advance(Duration.ofMinutes(2));
    train.requeue().reserve().awaitState("after", CheckState.READY);
    assertThat(message(train))
        .isEqualTo("There is no workload/prepare, which counts as success here.");
    PlayedWorkload strict = after(cluster, "strict", "prepare");
    change(cluster, "whenAbsent: Rejected");
    cluster.advance(Duration.ofMinutes(2));
    strict.reserve().awaitState("after", CheckState.REJECTED);
    assertThat(message(strict))
        .isEqualTo(
            "It was to start after workload/prepare, and there is none. Create that, and then this"
                + " Job anew, or resume its Workload.");
  }

  /** It may be created anew at once, as by a person who corrects it. */
  @Test
  void whatIsDeletedBeforeItsEndIsNotAbsent(KueueCluster cluster) {
    change(cluster, "whenAbsent: Rejected");
    PlayedWorkload prepare = cluster.workload("prepare").reserve();
    PlayedWorkload train = waits(after(cluster, "train", "prepare"));
    cluster.advance(Duration.ofMinutes(5));

    remove(cluster, prepare);
    train.awaitDelayEnded("after");
    waits(train.requeueAtOnce());
    assertThat(message(train))
        .contains("workload/prepare was deleted before it had ended; create it anew.");
    cluster.workload("prepare").reserve().admit().finish();

    starts(train);
  }

  /** After a start it isn't known for how long something was absent. */
  @Test
  void absenceCountsAMinuteAfterAStart(KueueCluster cluster) {
    change(cluster, "whenAbsent: Rejected");
    PlayedWorkload train = after(cluster, "train", "prepare");
    cluster.advance(Duration.ofMinutes(5));
    controller.stop();
    train.reserve();
    controller.start();

    train.awaitState("after", CheckState.RETRY).backOff();
    cluster.advance(Duration.ofMinutes(2));
    train.requeue().reserve().awaitState("after", CheckState.REJECTED);
  }

  /** It was told to wait for long, and nothing comes that would wake it. */
  @Test
  void oneThatWaitedBeforeAStartIsAskedAMinuteAfterIt(KueueCluster cluster) {
    change(cluster, "whenAbsent: Ready");
    PlayedWorkload prepare = cluster.workload("prepare");
    PlayedWorkload train = waits(after(cluster, "train", "prepare"));
    cluster.advance(Duration.ofMinutes(5));
    controller.stop();
    remove(cluster, prepare);
    controller.start();

    train.awaitDelayEnded("after");
    waits(train.requeueAtOnce());
    cluster.advance(Duration.ofMinutes(2));
    train.requeue().reserve().awaitState("after", CheckState.READY);
  }

  @Test
  void theNextRunOfTheSameNamesWaitsForItsOwn(KueueCluster cluster) {
    for (String end : List.of("Succeeded", "Failed")) {
      PlayedWorkload prepare = cluster.workload("prepare");
      PlayedWorkload train = waits(after(cluster, "train", "prepare"));
      cluster.advance(Duration.ofMinutes(5));
      prepare.reserveWith("Finished", end);
      train.awaitDelayEnded("after");
      remove(cluster, prepare);
      cluster.advance(Duration.ofMinutes(5));
      remove(cluster, train);

      PlayedWorkload next = waits(after(cluster, "train", "prepare"));
      assertThat(message(next)).contains("there was no workload/prepare.");
      PlayedWorkload again = cluster.workload("prepare").reserve().admit().finish();

      starts(next);
      remove(cluster, again);
      remove(cluster, next);
    }
  }

  @Test
  void whatSucceededAndIsDeletedCountsOn(KueueCluster cluster) {
    PlayedWorkload train = waits(after(cluster, "train", "prepare", "load"));
    PlayedWorkload prepare = cluster.workload("prepare").reserve().admit().finish();
    cluster.advance(Duration.ofMinutes(5));
    remove(cluster, prepare);

    cluster.workload("load").reserve().admit().finish();

    starts(train);
    assertThat(message(train)).isEqualTo("workload/prepare, workload/load succeeded.");
  }

  @Test
  void aCircleAndAStopAreTold(KueueCluster cluster) {
    waits(after(cluster, "first", "second"));
    PlayedWorkload second = waits(after(cluster, "second", "first", "third"));
    assertThat(message(second))
        .contains(
            "It depends on itself: workload/second after workload/first after workload/second.");
    PlayedWorkload third = cluster.workload("third");

    third.deactivate();

    second.awaitDelayEnded("after");
    waits(second.requeueAtOnce());
    assertThat(message(second)).contains("workload/third is stopped.");
  }

  @Test
  void aBadAnnotationRejectsUntilItIsCorrected(KueueCluster cluster) {
    PlayedWorkload train =
        cluster.workload("train", shape -> shape.annotation(Named.ANNOTATION, "prepare")).reserve();

    train.awaitState("after", CheckState.REJECTED);
    assertThat(message(train))
        .startsWith("The annotation kueue4j.io/depends-on is 'prepare': write the kind, a slash");
  }

  @Test
  void anAnnotationThatIsTakenAwayEndsTheWait(KueueCluster cluster) {
    PlayedWorkload train = waits(after(cluster, "train", "prepare"));

    people(
        cluster,
        api ->
            api.patch(
                KueueTypes.WORKLOAD,
                train.key(),
                new MergePatch(
                    JsonParser.parseString(
                            "{'metadata': {'annotations': {'kueue4j.io/depends-on': null}}}")
                        .getAsJsonObject())));

    starts(train);
  }

  @Test
  void aRestartAtEachStepForgetsNothingThatIsThere(KueueCluster cluster) {
    PlayedWorkload train = after(cluster, "train", "prepare");
    controller.stop();
    train.reserve();
    controller.start();
    train.awaitState("after", CheckState.RETRY);
    controller.stop();
    train.backOff();
    cluster.workload("prepare").reserveWith("Finished", "Succeeded");
    controller.start();
    train.awaitDelayEnded("after");
    controller.stop();
    train.requeueAtOnce().reserve();
    controller.start();
    train.awaitState("after", CheckState.READY);
  }

  /** The end of the delay of each, one patch; besides conflicts and lists, nothing is read. */
  @Test
  void manyThatDependOnOneCostNothingButTheirAnswers(KueueCluster cluster) {
    PlayedWorkload prepare = cluster.workload("prepare");
    List<PlayedWorkload> many = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      many.add(after(cluster, "train-" + i, "prepare"));
    }
    many.forEach(PlayedWorkload::reserve);
    many.forEach(one -> one.awaitState("after", CheckState.RETRY).backOff());
    cluster.server().requests().reset();

    prepare.reserve().admit().finish();

    many.forEach(one -> one.awaitDelayEnded("after"));
    assertThat(requests(cluster)).isBetween((long) MANY, MANY + 100L);
  }
}
