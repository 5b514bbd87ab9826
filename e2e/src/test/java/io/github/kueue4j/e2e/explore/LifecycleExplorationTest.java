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
import java.util.Set;
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
  private static final int FOLLOWED = Nightly.bound(20, BOUND);

  /** Of these, the first leads to 6,000 and 13,000 others already. */
  private static final Set<String> CROWDED =
      Set.of("two checks before quota", "in order before quota");

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
   * A build takes every step from the first worlds. All that follow without trouble are many times
   * as many: it explores them from few.
   */
  private static Explorer.Report explored(Rules rules) {
    if (Nightly.isOn()) {
      return new Explorer(rules).explore(BOUND);
    }
    assertThat(new Explorer(rules).look(BOUND)).isGreaterThan(BOUND);
    return new Explorer(rules).explore(CROWDED.contains(rules.name()) ? 1 : FOLLOWED);
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
    assertThat(report.states()).isGreaterThan(Nightly.bound(100, 1_000));
  }
}
