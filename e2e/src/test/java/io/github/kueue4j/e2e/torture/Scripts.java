// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.testdefaults.Notices;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Whatever users, administrators, checks, machines and networks do, in whatever order: no promise
 * is broken on the way, and once the disturbances end everything is admitted and finishes.
 */
final class Scripts {
  /** Of the server's time, as the next one. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private Scripts() {}

  static void playToItsEnd(List<Step> script, long dice) throws InterruptedException {
    NaiveCheck.Style style =
        new NaiveCheck.Style(2, 3, Duration.ofSeconds(30), Duration.ofSeconds(8), 0.1);
    Storm.Setup setup = new Storm.Setup(Play.QUOTA, style, true, dice);
    try (AcceleratedServer server = AcceleratedServer.start();
        Storm storm =
            Storm.start(Storm.Cast.here(server.target(), server.time()), server.time(), setup)) {
      Play play = new Play(storm, server.time(), server.faults(), dice);
      for (Step step : script) {
        play.play(step);
      }
      play.makePeace();
      await()
          .atMost(server.waiting(PATIENCE))
          .pollInterval(server.waiting(LOOK_EVERY))
          .untilAsserted(() -> assertThat(play.unfinished()).isEmpty());
      Report report = play.audit().of(storm.frames());
      Notices.nightly(
          "script of %d steps, dice %d: %s, %d kills, %d violations"
              .formatted(
                  script.size(), dice, report.tally(), storm.kills(), report.violations().size()));
      assertThat(report.violations()).isEmpty();
    }
  }

  /** Something to do first, then anything. */
  static Arbitrary<List<Step>> any() {
    Arbitrary<List<Step>> work = create().list().ofMinSize(2).ofMaxSize(5);
    Arbitrary<List<Step>> rest = anything().list().ofMinSize(5).ofMaxSize(25);
    return Combinators.combine(work, rest)
        .as((first, then) -> Stream.concat(first.stream(), then.stream()).toList());
  }

  private static Arbitrary<Step> anything() {
    Arbitrary<Integer> which = Arbitraries.integers().between(0, 20);
    return Arbitraries.frequencyOf(
        Tuple.of(4, create()),
        Tuple.of(2, Combinators.combine(which, Arbitraries.of(true, false)).as(Step.Activate::new)),
        Tuple.of(1, which.map(Step.Delete::new)),
        Tuple.of(
            1,
            Combinators.combine(which, Arbitraries.integers().between(0, 5))
                .as(Step.Prioritize::new)),
        Tuple.of(
            2,
            Arbitraries.of(StopPolicy.NONE, StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN)
                .map(Step.Stop::new)),
        Tuple.of(1, Arbitraries.integers().between(1, Play.QUOTA).map(Step.Quota::new)),
        Tuple.of(1, Arbitraries.of(true, false).map(Step.Ask::new)),
        Tuple.of(2, Arbitraries.just(new Step.Kill())),
        Tuple.of(1, Arbitraries.just(new Step.Restart())),
        Tuple.of(
            4,
            Combinators.combine(Arbitraries.of(Trouble.values()), seconds(1, 15))
                .as(Step.Disturb::new)),
        Tuple.of(5, seconds(0, 10).map(Step.Pass::new)));
  }

  private static Arbitrary<Step> create() {
    return Combinators.combine(Arbitraries.integers().between(1, 2), Arbitraries.of(true, false))
        .as(Step.Create::new);
  }

  private static Arbitrary<Duration> seconds(int least, int most) {
    return Arbitraries.integers().between(least, most).map(Duration::ofSeconds);
  }
}
