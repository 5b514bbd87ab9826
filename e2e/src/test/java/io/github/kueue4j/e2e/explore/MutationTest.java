// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
import io.github.kueue4j.testdefaults.RandomDelays;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the exploration itself: it must find mistakes that are made in the production code. */
@Tag("landing")
class MutationTest {
  /** Worlds per exploration; most mistakes show after a few hundred. */
  private static final int BOUND = 20_000;

  private static final int BOUND_UNCHANGED = 500;

  private static final Map<Mutation, Future<String>> TRIALS = new LinkedHashMap<>();
  private static final Actors EXPLORERS = Actors.onPlatformThreads("mutation");

  @BeforeAll
  static void explore() {
    Path root = Checkout.root();
    ExecutorService threads = EXPLORERS.pool(Runtime.getRuntime().availableProcessors());
    for (Mutation mutation : mutations()) {
      TRIALS.put(
          mutation,
          threads.submit(
              () ->
                  RandomDelays.without(
                      () -> Mutant.of(root, mutation).explore(mutation.world(), BOUND))));
    }
  }

  @AfterAll
  static void end() {
    EXPLORERS.close();
  }

  /** Every twelfth before a landing, all of them in a nightly build. */
  static List<Mutation> mutations() {
    List<Mutation> all = Mutations.all();
    int step = Nightly.bound(12, 1);
    return IntStream.range(0, all.size())
        .filter(number -> number % step == 0)
        .mapToObj(all::get)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void isCaught(Mutation mutation) throws Exception {
    String violation = Objects.requireNonNull(TRIALS.get(mutation)).get();
    Notices.nightly(
        "| %s | %s | %s |"
            .formatted(
                mutation.mistake(), mutation.world(), violation.lines().findFirst().orElse("")));
    assertThat(violation)
        .as("what the exploration of '%s' says of: %s", mutation.world(), mutation.mistake())
        .isNotEmpty()
        .doesNotContain("Exception: ");
  }

  /** The counter-test: the unchanged code must pass by the same way. */
  @Test
  void theCodeAsItIsPassesByTheSameWay() throws Exception {
    Mutation any = Mutations.ofTheLifecycle().getFirst();
    assertThat(Mutant.unchanged(Checkout.root(), any).explore(any.world(), BOUND_UNCHANGED))
        .isEmpty();
  }
}
