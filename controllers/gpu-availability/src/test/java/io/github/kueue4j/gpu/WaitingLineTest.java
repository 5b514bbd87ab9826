// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.waiting;
import static io.github.kueue4j.gpu.GpuWorld.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Delays that end early when there is room. */
class WaitingLineTest {

  private final GpuWorld world = new GpuWorld();

  private List<String> triggered() {
    return world.triggered.stream().map(ObjectKey::name).toList();
  }

  @Test
  void theLongestWaitingAreToldFirstAndAsManyAsFit() {
    world.node("n1", 8);
    world.pod("n1", 8, "another");
    for (String name : List.of("a", "b", "c", "d")) {
      world.sendBack(name, name.equals("a") ? 6 : 3);
      world.now = world.now.plusSeconds(1);
    }
    world.offers.offer(world.now);
    assertThat(triggered()).isEmpty();

    world.pod("n1", 2, "another");
    world.offers.offer(world.now);
    assertThat(triggered()).as("no room is left beside it").containsExactly("a");
    assertThat(world.wake("a")).isTrue();
    assertThat(world.wake("b")).isFalse();

    world.now = world.now.plus(WaitingLine.OFFER);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.node("n2", 8);
    world.triggered.clear();
    world.offers.offer(world.now);
    assertThat(triggered()).as("a did not come back").containsExactly("b", "c", "d");
  }

  @Test
  void whoWasSentBackAgainHasNotLostItsPlace() {
    world.node("n1", 2);
    world.pod("n1", 2, "another");
    world.sendBack("a", 2);
    world.now = world.now.plusSeconds(1);
    world.sendBack("b", 2);
    world.now = world.now.plusSeconds(1);
    world.sendBack("a", 2);

    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("a");
  }

  @Test
  void manyDifferentOnesAreTriedInSeveralTurns() {
    world.node("n1", 100);
    world.pod("n1", 100, "another");
    for (int i = 0; i < 30; i++) {
      world.sendBack("large-" + i, 50 + i);
    }
    world.sendBack("small", 1);
    world.pod("n1", 99, "another");

    int turns = 0;
    while (triggered().isEmpty() && turns < 10) {
      world.offers.offer(world.now);
      turns++;
    }
    assertThat(triggered()).containsExactly("small");
    assertThat(turns).isGreaterThan(1);
    assertThat(world.offers.offer(world.now)).as("all were tried").contains(WaitingLine.OFFER);
  }

  @Test
  void allAreTriedInTurnWhileRoomGrows() {
    world.node("n1", 100);
    for (int i = 0; i < 20; i++) {
      world.pod("ending-" + i, "n1", 1, "Running", "another");
    }
    world.pod("n1", 80, "last");
    for (int i = 0; i < 30; i++) {
      world.sendBack("large-" + i, 50 + i);
    }
    world.sendBack("small", 1);

    for (int i = 0; i < 10 && triggered().isEmpty(); i++) {
      world.pods.remove(new ObjectKey("team-a", "ending-" + i));
      world.offers.offer(world.now);
    }
    assertThat(triggered()).containsExactly("small");
  }

  @Test
  void thoseThatWaitForGpusAreNotTriedWhenCpuBecomesFree() {
    world.node("n1", 1);
    world.node("plain", Map.of(), 0, "");
    world.nodes.get(ObjectKey.cluster("plain")).orElseThrow().getStatus().setAllocatable(Map.of());
    world.nodes.put(world.nodes.get(ObjectKey.cluster("plain")).orElseThrow());
    for (int i = 0; i < 20; i++) {
      world.sendBack("train-" + i, 2 + i);
    }
    world.policy = world.policy.withResources(List.of("cpu"));
    world.askOfOthers(Pods.asking("counts-cpu", "{cpu: 1}", ""));
    world.pod("n1", 1, "another");
    world.pod("plain", 0, "another-plain");
    while (world.capacity.hasMoreToOffer()) {
      world.offers.offer(world.now);
    }

    world.pods.remove(new ObjectKey("team-a", "pod-another-plain"));
    world.offers.offer(world.now);

    assertThat(world.capacity.hasMoreToOffer()).as("none is to be tried").isFalse();
  }

  @Test
  void gpusOfAnotherKindDoNotCount() {
    world.node("n1", 4);
    world.pod("n1", 4, "another");
    world.sendBack("train", 4);
    world.node("t4", Map.of("nvidia.com/gpu.product", "Tesla-T4"), 4, "");
    assertThat(world.wake("train")).isFalse();

    world.node("n2", 4);
    assertThat(world.wake("train")).isTrue();
  }

  @Test
  void whatIsPromisedToOthersCountsUntilTheyAreGone() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 6));
    world.sendBack("train", 4);
    assertThat(world.wake("train")).isFalse();

    world.workloads.remove(new ObjectKey("team-a", "first"));
    assertThat(world.wake("train")).isTrue();
  }

  @Test
  void aReservationThatLapsesLeavesRoomForThoseThatWait() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 8));
    world.sendBack("train", 4);
    assertThat(world.offers.offer(world.now)).contains(world.policy.reservationTimeout());

    world.now = world.now.plus(world.policy.reservationTimeout());
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("train");
  }

  @Test
  void aDelayWhoseFlavorsAreNotKnownEndsByItself() {
    world.node("n1", 8);
    world.workloads.put(waiting(workload("of-a-former-process", CheckState.PENDING, 1)));
    assertThat(world.wake("of-a-former-process")).isFalse();

    world.pod("n1", 8, "another");
    world.sendBack("made-anew", 1);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    Workload anew = waiting(workload("made-anew", CheckState.PENDING, 1));
    anew.metadata().setUid("another");
    assertThat(world.delayEnds(anew)).isFalse();
    assertThat(world.wake("made-anew")).isTrue();

    assertThat(world.ask("made-anew", 1)).isInstanceOf(Verdict.Ready.class);
    world.workloads.put(waiting(workload("made-anew", CheckState.PENDING, 1)));
    assertThat(world.wake("made-anew")).as("it waits no more").isFalse();
  }

  @Test
  void afterARestartThoseThatWereSentBackAreWokenInTheirOrder() {
    world.node("n1", 8);
    world.pod("n1", 8, "another");
    for (String name : List.of("first", "second")) {
      world.workloads.put(sentBackAt(world.now, Pods.asking(name, "{nvidia.com/gpu: 6}", "")));
      world.now = world.now.plusSeconds(1);
    }
    world.restart();
    world.offers.offer(world.now);
    assertThat(triggered()).as("to learn what they wait for").contains("first", "second");
    assertThat(world.wake("second")).isFalse();
    assertThat(world.wake("first")).isFalse();
    assertThat(world.lineChanges).isEqualTo(2);

    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.triggered.clear();
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("first");
    assertThat(world.wake("first")).isTrue();
    assertThat(world.wake("second")).isFalse();
  }

  private static Workload sentBackAt(Instant when, Workload workload) {
    Workload waiting = waiting(workload);
    AdmissionCheckState entry = waiting.status().admissionCheck("gpu").orElseThrow();
    return waiting.withStatus(
        waiting.status().withAdmissionChecks(List.of(entry.withLastTransitionTime(when))));
  }

  /** Its queue may be stopped, or it waits for quota that is not there. */
  @Test
  void anOfferThatIsNotTakenInTimePassesToTheNext() {
    world.node("n1", 2);
    world.pod("n1", 2, "another");
    for (String name : List.of("a", "b", "c")) {
      world.sendBack(name, 2);
      world.now = world.now.plusSeconds(1);
    }
    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    assertThat(world.offers.offer(world.now)).contains(WaitingLine.OFFER);
    assertThat(triggered()).containsExactly("a");

    world.now = world.now.plus(WaitingLine.OFFER);
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("a", "b");

    world.now = world.now.plus(WaitingLine.OFFER);
    world.offers.offer(world.now);
    assertThat(triggered()).as("a had its turn").containsExactly("a", "b", "c");

    world.pod("n1", 2, "another");
    world.sendBack("a", 2);
    world.now = world.now.plus(WaitingLine.OFFER);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.offers.offer(world.now);
    assertThat(triggered()).as("it is back, and waits longest").endsWith("a");
  }

  @Test
  void anOfferEndsInTimeThoughTheClockIsSetBack() {
    world.node("n1", 4);
    world.pod("n1", 4, "another");
    for (String name : List.of("a", "b", "c")) {
      world.sendBack(name, 2);
      world.now = world.now.plusSeconds(1);
    }
    world.pod("n1", 2, "another");
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("a");

    world.now = world.now.minusSeconds(30);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("a", "b");

    world.now = world.now.minus(Duration.ofSeconds(45));
    assertThat(world.offers.offer(world.now)).isPresent();
    assertThat(triggered()).as("the offer of a is over").containsExactly("a", "b", "c");
  }

  @Test
  void theRoomOfOneThatIsDecidedAnewAndFindsNoneIsOffered() {
    world.node("n1", 8);
    world.flavor("t4", Map.of("nvidia.com/gpu.product", "Tesla-T4"));
    assertThat(world.ask("first", 8)).isInstanceOf(Verdict.Ready.class);
    world.sendBack("second", 8);
    world.offers.offer(world.now);
    assertThat(triggered()).isEmpty();

    assertThat(world.ask(workload("first", CheckState.PENDING, 1, 8, "t4")))
        .isInstanceOf(Verdict.Retry.class);
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("second");
  }

  @Test
  void aDeactivatedWorkloadLeavesItsOfferToTheNextAtOnce() {
    world.node("n1", 2);
    world.pod("n1", 2, "another");
    world.sendBack("a", 2);
    world.sendBack("b", 2);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("a");

    Workload a = world.workloads.get(new ObjectKey("team-a", "a")).orElseThrow();
    world.workloads.put(a.withSpec(a.spec().withActive(false)));
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("a", "b");
  }

  @Test
  void aDeletedWorkloadWaitsNoMore() {
    world.node("n1", 2);
    world.pod("n1", 2, "another");
    world.sendBack("a", 2);
    world.workloads.remove(new ObjectKey("team-a", "a"));
    world.sendBack("b", 2);
    assertThat(world.capacity.waiting()).isEqualTo(1);

    world.pods.remove(new ObjectKey("team-a", "pod-another"));
    world.offers.offer(world.now);
    assertThat(triggered()).containsExactly("b");
  }

  @Test
  void noDelayEndsEarlyWhereThePolicySaysSo() {
    world.policy = world.policy.withWakeInBackoff(false);
    world.offers.offer(world.now);
    world.node("n1", 2);
    world.pod("n1", 2, "another");
    world.sendBack("a", 2);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));

    assertThat(world.wake("a")).isFalse();
    assertThat(triggered()).isEmpty();
  }

  @Test
  void aPolicyThatNoLongerWantsItEndsNoDelayEarly() {
    world.node("n1", 2);
    world.pod("n1", 2, "another");
    world.sendBack("a", 2);
    world.policy = world.policy.withWakeInBackoff(false);
    world.pods.remove(new ObjectKey("team-a", "pod-another"));

    assertThat(world.wake("a")).isFalse();
  }

  /** What only observes lets it start: it comes back for no offer, and no room is kept for it. */
  @Test
  void aRecordThatThereIsNoRoomLeavesTheLineAndKeepsNone() {
    world.node("n1", 4);
    world.pod("n1", 4, "another");
    Workload observed = workload("observed", CheckState.PENDING, 4);
    assertThat(world.ask(observed)).isInstanceOf(Verdict.Retry.class);
    Workload recorded = recorded(observed, CheckState.RETRY);
    world.workloads.put(recorded);
    world.now = world.now.plusSeconds(1);
    world.sendBack("train", 4);

    world.pods.remove(new ObjectKey("team-a", "pod-another"));

    assertThat(world.wake("train")).as("the offer is not withheld").isTrue();
    assertThat(triggered()).containsExactly("train");
    assertThat(world.ask("train", 4)).as("nothing is kept").isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aRecordThatThereIsRoomAndAnAdmissionKeepIt() {
    for (boolean admitted : List.of(false, true)) {
      GpuWorld another = new GpuWorld();
      another.node("n1", 4);
      Workload pending = workload("observed", CheckState.PENDING, 4);
      another.workloads.put(
          admitted
              ? GpuWorld.with(
                  recorded(pending, CheckState.RETRY),
                  Condition.isTrue("Admitted", "Admitted", "", another.now))
              : recorded(pending, CheckState.READY));

      assertThat(another.ask("train", 4)).isInstanceOf(Verdict.Retry.class);
    }
  }

  private Workload recorded(Workload workload, CheckState answer) {
    AdmissionCheckState entry = workload.status().admissionCheck("gpu").orElseThrow();
    return workload.withStatus(
        workload
            .status()
            .withAdmissionChecks(
                List.of(
                    entry
                        .withState(CheckState.READY)
                        .withMessage(new ObservedAnswer(answer, "", "so").text())
                        .withLastTransitionTime(world.now))));
  }
}
