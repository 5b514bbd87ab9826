// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
import io.github.kueue4j.testdefaults.RandomDelays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every order of events, up to a bound of worlds per exploration, under the real lifecycle and the
 * real fence. A build takes every step from the first worlds, and follows the very first to their
 * ends; a nightly build ({@code -Pnightly}) does both with all worlds.
 */
class LifecycleExplorationTest {
  private static final int BOUND = Nightly.bound(200, 200_000);

  private static final Map<String, Future<Integer>> EXPLORATIONS = new LinkedHashMap<>();
  private static final Actors EXPLORERS = Actors.onPlatformThreads("exploration");

  @BeforeAll
  static void explore() {
    ExecutorService threads = EXPLORERS.pool(Runtime.getRuntime().availableProcessors());
    for (Rules rules : Worlds.all()) {
      EXPLORATIONS.put(
          rules.name(), threads.submit(() -> RandomDelays.without(() -> explored(rules))));
    }
  }

  /** How many worlds it has come to. */
  private static int explored(Rules rules) {
    if (Nightly.isOn()) {
      Explorer.Report report = new Explorer(rules).explore(BOUND);
      Notices.nightly(
          "| %s | %d | %,d | %,d | %s | %d ms"
              .formatted(
                  report.name(),
                  Mutations.in(report.name()).size(),
                  report.states(),
                  report.transitions(),
                  report.complete() ? "all" : "up to the bound",
                  report.took().toMillis()));
      return report.states();
    }
    int followed = followed(rules);
    if (followed > 0) {
      assertThat(new Explorer(rules).explore(followed).states()).isGreaterThan(followed);
    }
    return new Explorer(rules).look(BOUND);
  }

  /** From how many worlds a build follows to their ends. */
  private static int followed(Rules rules) {
    return switch (rules.name()) {
      // The first leads to 13,000 others already, and in order to 6,000.
      case "two checks before quota", "in order before quota" -> 0;
      default -> rules.checks().size() > 2 ? 5 : 20;
    };
  }

  @AfterAll
  static void end() {
    EXPLORERS.close();
  }

  static List<String> worlds() {
    return Worlds.all().stream().map(Rules::name).toList();
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void noInvariantIsViolated(String world) throws Exception {
    assertThat(Objects.requireNonNull(EXPLORATIONS.get(world)).get())
        .isGreaterThan(Nightly.bound(BOUND, 1_000));
  }
}
