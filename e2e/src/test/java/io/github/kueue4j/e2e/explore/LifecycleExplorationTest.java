// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
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
 * real fence. A nightly build ({@code -Pnightly}) explores them all.
 */
class LifecycleExplorationTest {
  private static final int BOUND = Nightly.bound(200, 200_000);

  /** From how many worlds a build follows to their ends. */
  private static final Map<String, Integer> CROWDED =
      Map.of(
          "two checks before quota", 4,
          "in order before quota", 4,
          "one of two, and another", 40,
          "one of three", 40,
          "alternatives come and go", 40,
          "alternatives on some flavors", 40,
          "alternatives after another", 100,
          "another after alternatives", 40,
          "alternatives that never answer", 40,
          "limited alternatives", 100);

  private static final Map<String, Future<Explorer.Report>> EXPLORATIONS = new LinkedHashMap<>();
  private static final Actors EXPLORERS = Actors.onPlatformThreads("exploration");

  @BeforeAll
  static void explore() {
    ExecutorService threads = EXPLORERS.pool(Runtime.getRuntime().availableProcessors());
    for (Rules rules : Worlds.all()) {
      EXPLORATIONS.put(rules.name(), threads.submit(() -> explored(rules)));
    }
  }

  /**
   * From each world that is left by every step, all that follow without trouble are explored as
   * well. With two checks before quota a thousand have 475,000 of them, twenty times as many as
   * elsewhere: so a build takes every step from as many as elsewhere, but follows four to their
   * ends. Of the worlds with alternatives it follows forty or a hundred.
   */
  private static Explorer.Report explored(Rules rules) {
    Integer followed = Nightly.isOn() ? null : CROWDED.get(rules.name());
    if (followed != null) {
      new Explorer(rules).look(BOUND);
      return new Explorer(rules).explore(followed);
    }
    return new Explorer(rules).explore(BOUND);
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
    Explorer.Report report = Objects.requireNonNull(EXPLORATIONS.get(world)).get();
    Notices.nightly(
        "| %s | %d | %,d | %,d | %s | %d ms"
            .formatted(
                report.name(),
                Mutations.in(report.name()).size(),
                report.states(),
                report.transitions(),
                report.complete() ? "all" : "up to the bound",
                report.took().toMillis()));
    assertThat(report.states()).isGreaterThan(1_000);
  }
}
