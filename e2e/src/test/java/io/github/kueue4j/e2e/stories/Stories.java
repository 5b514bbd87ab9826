// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.kubernetes.client.openapi.models.V1Node;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What holds on every cluster. Each story has a namespace and a ClusterQueue of its own; they are
 * told one after the other on one site.
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@ExtendWith(StoryTable.class)
abstract class Stories {
  private static final String GPU = "kueue4j.io/e2e-gpu";

  /** What the site is closed after. */
  Site site;

  /** Opens what the stories are told on. */
  abstract Site open() throws Exception;

  @BeforeAll
  void openTheSite() throws Exception {
    site = open();
  }

  @AfterAll
  void closeTheSite() {
    if (site != null) {
      site.close();
    }
  }

  @Test
  @Order(1)
  @DisplayName("three Jobs, room for two: the third runs when one has finished")
  void quotaIsKeptToTheUnit(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "quota")) {
      world.queue("80m");
      for (int i = 1; i <= 3; i++) {
        world.create(world.job("sort-" + i).cpu("40m").runs(5));
      }
      world.skipUntilComplete("sort-1", "sort-2", "sort-3");

      Instant firstEnd =
          Stream.of("sort-1", "sort-2", "sort-3")
              .map(world::finishedAt)
              .min(Instant::compareTo)
              .orElseThrow();
      Instant lastStart =
          Stream.of("sort-1", "sort-2", "sort-3")
              .map(world::startedAt)
              .max(Instant::compareTo)
              .orElseThrow();
      assertThat(lastStart).isAfterOrEqualTo(firstEnd);
      seen.note("the third began " + seconds(firstEnd, lastStart) + " after an end");
    }
  }

  @Test
  @Order(2)
  @DisplayName("a Retry frees quota at once; another Job runs during the delay")
  void aRetryFreesQuota(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "retry")) {
      world.httpCheck(site.gate());
      world.queue("60m", "e2e-http");
      world.create(world.job("later").cpu("60m").runs(3));
      Instant sentBack = world.sentBack("later");
      world.create(world.job("other").cpu("60m").runs(3));
      world.until("the other one has begun", () -> world.jobs.begun("other"));
      world.skipUntilComplete("later");

      Instant admitted = world.admittedAt("later");
      assertThat(world.startedAt("other")).isBefore(sentBack.plusSeconds(Gate.DELAY_SECONDS));
      assertThat(admitted).isAfterOrEqualTo(sentBack.plusSeconds(Gate.DELAY_SECONDS));
      seen.note("the other began " + seconds(sentBack, world.startedAt("other")) + " after");
      seen.note(
          "admitted " + seconds(sentBack, admitted) + " after, asked " + Gate.DELAY_SECONDS + " s");
    }
  }

  @Test
  @Order(3)
  @DisplayName("two checks, one answers Retry: both are asked again")
  void twoChecks(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "two")) {
      world.httpCheck(site.gate());
      world.budget("100000");
      world.queue("60m", "e2e-http", "e2e-two-budget");
      world.create(world.job("later").cpu("60m").runs(3));
      Instant sentBack = world.sentBack("later");
      world.skipUntilComplete("later");

      Workload workload = world.jobs.workload("later");
      assertThat(workload.status().admissionChecks())
          .extracting(check -> check.name() + " " + check.state().value())
          .containsExactlyInAnyOrder("e2e-http Ready", "e2e-two-budget Ready");
      seen.note("admitted " + seconds(sentBack, world.admittedAt("later")) + " after the Retry");
    }
  }

  @Test
  @Order(4)
  @DisplayName("a budget for one: the second runs on what the first gave back")
  void budget(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "budget")) {
      world.budget("90");
      world.queue("100m", "e2e-budget-budget");
      world.create(world.job("ingest").cpu("50m").runs(40).mayRun(3600));
      world.until("the first runs", () -> world.jobs.ready("ingest", 1));
      world.create(world.job("report").cpu("50m").runs(3).mayRun(3600));
      world.sentBack("report");
      world.skipUntilComplete("report");

      assertThat(world.startedAt("report")).isAfterOrEqualTo(world.finishedAt("ingest"));
      seen.note(
          "the second began "
              + seconds(world.finishedAt("ingest"), world.startedAt("report"))
              + " after the first one's end");
    }
  }

  @Test
  @Order(5)
  @DisplayName("a Job waits for GPUs that a service holds, without holding quota")
  void gpus(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "gpu")) {
      world.gpus(GPU, 2);
      world.create(world.unmanagedJob("inference").cpu("10m").resource(GPU, 2).runs(40));
      world.until("the service runs", () -> world.jobs.ready("inference", 1));
      world.gpuQueue("60m", GPU);
      world.create(world.job("train").cpu("60m").resource(GPU, 1).runs(3));
      world.sentBack("train");
      world.create(world.job("other").cpu("60m").runs(2));
      world.skipUntilComplete("other");
      world.skipUntilCompleteNotBeside("train", "inference");

      seen.note("another Job ran on the quota meanwhile");
    }
  }

  @Test
  @Order(6)
  @DisplayName("a preemptor waits until its victim's pod has ended")
  void preemption(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "preemption")) {
      world.preemptingQueue("60m");
      world.create(world.job("patient").cpu("60m").runs(300).stopsIn(20));
      world.until("its pod runs", () -> world.jobs.ready("patient", 1));
      world.create(world.job("urgent").cpu("60m").runs(3).priority("e2e-urgent"));
      Instant told = world.toldToEnd("patient");
      world.skipUntilCompleteNotBeside("urgent", "patient");

      assertThat(world.startedAt("urgent")).isAfterOrEqualTo(told.plusSeconds(20));
      world.until("the victim runs again", () -> world.jobs.ready("patient", 1));
      seen.note("it began " + seconds(told, world.startedAt("urgent")) + " after the SIGTERM");
    }
  }

  @Test
  @Order(7)
  @DisplayName("an image that can't be pulled: its quota goes to others, then it is given up")
  void podsThatDoNotGetReady(Seen seen) {
    try (StoryWorld world = new StoryWorld(site, "pull")) {
      world.queue("60m");
      world.create(world.job("misspelt").cpu("60m").image("example.invalid/no-such-image:1"));
      world.until("it is admitted", () -> world.isTrue("misspelt", WorkloadConditions.ADMITTED));
      world.create(world.job("next").cpu("60m").runs(2));
      world.skipUntil(
          "it is given up",
          () ->
              world.is(
                  "misspelt",
                  WorkloadConditions.EVICTED,
                  "DeactivatedDueToRequeuingLimitExceeded"));
      world.until("its Job stops", () -> world.jobs.suspended("misspelt"));
      world.skipUntilComplete("next");

      seen.note(
          "the next began "
              + seconds(world.createdAt("misspelt"), world.startedAt("next"))
              + " after, "
              + Site.PODS_READY.toSeconds()
              + " s per try");
    }
  }

  @Test
  @Order(8)
  @DisplayName("a lost node keeps its quota for a time, then others get it")
  void nodeLost(Seen seen) {
    Site.LossOfNode loss = site.lossOfNode().orElseGet(() -> abort("no node may be lost here"));
    try (StoryWorld world = new StoryWorld(site, "node")) {
      world.preemptingQueue("60m");
      world.create(world.job("stranded").cpu("60m").runs(600).on(loss.node()).gracePeriod(5));
      world.until("its pod runs", () -> world.jobs.ready("stranded", 1));
      loss.lose();
      try {
        world.until("the node isn't ready", () -> !isReady(world, loss.node()));
        world.create(world.job("urgent").cpu("60m").runs(3).priority("e2e-urgent"));
        Instant told = world.toldToEnd("stranded");
        world.skipUntilComplete("urgent");
        assertThat(world.startedAt("urgent")).isAfterOrEqualTo(told.plus(Site.LOST_NODE));
        assertThat(world.jobs.pods("stranded")).as("its pod stays").hasSize(1);
        seen.note(
            "the urgent one began "
                + seconds(told, world.startedAt("urgent"))
                + " after, set to "
                + Site.LOST_NODE.toSeconds()
                + " s after the grace period");
      } finally {
        loss.bringBack();
      }
      world.until("the node is ready again", () -> isReady(world, loss.node()));
      world.skipUntil(
          "and the pod of before has ended",
          () ->
              world.jobs.pods("stranded").stream()
                  .allMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null));
    }
  }

  @Test
  @Order(9)
  @DisplayName("the core is killed: what runs goes on, what comes is admitted")
  void coreKilled(Seen seen) throws InterruptedException {
    try (StoryWorld world = new StoryWorld(site, "kill")) {
      world.queue("80m");
      world.create(world.job("before").cpu("40m").runs(30));
      world.until("it runs", () -> world.jobs.ready("before", 1));
      String pod =
          Objects.requireNonNull(world.jobs.pods("before").getFirst().getMetadata().getUid());
      Instant killed = world.now();
      site.killCore();
      world.createWhenServed(world.job("after").cpu("40m").runs(2));
      world.skipUntilComplete("after");
      world.skipUntilComplete("before");

      assertThat(world.jobs.pods("before"))
          .as("the pods of the Job that ran")
          .extracting(each -> each.getMetadata().getUid())
          .containsExactly(pod);
      seen.note("admitted " + seconds(killed, world.admittedAt("after")) + " after");
    }
  }

  private static boolean isReady(StoryWorld world, String node) {
    V1Node found = world.api.get(CoreTypes.NODE, ObjectKey.cluster(node)).orElseThrow();
    return Objects.requireNonNull(found.getStatus().getConditions()).stream()
        .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
  }

  static String seconds(Instant from, Instant to) {
    return Duration.between(from, to).toSeconds() + " s";
  }
}
