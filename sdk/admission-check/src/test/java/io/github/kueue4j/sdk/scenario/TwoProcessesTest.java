// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Patience;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/**
 * Two controllers answer for the same check, each believing to be alone: without leader election
 * both are asked, and the first verdict stands.
 */
class TwoProcessesTest {

  private static final int WORKLOADS = 10;
  private static final String CONTROLLER = "example.com/twin";

  private final ManualTime time = ManualTime.create();
  private final SimpleMeterRegistry left = new SimpleMeterRegistry();
  private final SimpleMeterRegistry right = new SimpleMeterRegistry();

  @Test
  void theFirstVerdictStandsAndTheOtherIsDropped() throws Exception {
    CyclicBarrier bothAsked = new CyclicBarrier(2);
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection one = kueue.connect("left");
        ClusterConnection other = kueue.connect("right");
        CheckController first = controller(one, left, atOnce(bothAsked, Verdict.ready("left")));
        CheckController second =
            controller(
                other,
                right,
                atOnce(
                    bothAsked,
                    Verdict.retry(
                        Reason.of("Full"), "right", Delay.exactly(Duration.ofMinutes(7)))))) {
      kueue.admissionCheck("twin", CONTROLLER);
      first.start();
      second.start();
      List<AdmissionCheckState> answers = new ArrayList<>();
      for (int i = 0; i < WORKLOADS; i++) {
        ObjectKey job = kueue.workload("job-" + i);
        kueue.reserve(job, "twin");
        int settled = i + 1;
        await().until(() -> verdicts() + dropped() == 2.0 * settled);
        answers.add(kueue.entry(job, "twin"));
      }

      // One of the two each time, whole: no state of one with the message of the other.
      assertThat(answers)
          .allSatisfy(
              entry ->
                  assertThat(entry.message())
                      .isEqualTo(entry.is(CheckState.READY) ? "left" : "right"));
      assertThat(verdicts()).isEqualTo(WORKLOADS);
    }
  }

  /** Both are asked before either answers, however late one of them is. */
  private static Check<NoParameters> atOnce(CyclicBarrier bothAsked, Verdict verdict) {
    return evaluation -> {
      bothAsked.await();
      return verdict;
    };
  }

  private CheckController controller(
      ClusterConnection cluster, SimpleMeterRegistry meters, Check<NoParameters> check) {
    return CheckController.builder(
            CONTROLLER,
            CheckEnvironment.of(cluster, time)
                .withGuards(limits -> limits.withTimeout(Patience.LIMIT)))
        .check(check)
        .meters(meters)
        .build();
  }

  private double verdicts() {
    return count("kueue4j.check.verdicts");
  }

  private double dropped() {
    return count("kueue4j.check.verdicts.dropped");
  }

  private double count(String meter) {
    return left.find(meter).counters().stream().mapToDouble(Counter::count).sum()
        + right.find(meter).counters().stream().mapToDouble(Counter::count).sum();
  }
}
