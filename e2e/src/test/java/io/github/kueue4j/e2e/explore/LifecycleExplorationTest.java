/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every order of events, up to a bound, under the real lifecycle and the real fence. With {@code
 * -Dexplore.states=N} the bound is N worlds per exploration instead of the one that fits into a
 * build; CONTRIBUTING.md has the whole command.
 */
class LifecycleExplorationTest {
  private static final int BOUND = Integer.getInteger("explore.states", 1_500);

  private static final Map<String, Future<Explorer.Report>> EXPLORATIONS = new LinkedHashMap<>();
  private static final ExecutorService THREADS =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  @BeforeAll
  static void explore() {
    for (Rules rules : Worlds.all()) {
      EXPLORATIONS.put(rules.name(), THREADS.submit(() -> new Explorer(rules).explore(BOUND)));
    }
  }

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  static List<String> worlds() {
    return Worlds.all().stream().map(Rules::name).toList();
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void noInvariantIsViolated(String world) throws Exception {
    Explorer.Report report = Objects.requireNonNull(EXPLORATIONS.get(world)).get();
    System.out.printf(
        "explored %s: %d states, %d transitions, %s, %d ms%n",
        report.name(),
        report.states(),
        report.transitions(),
        report.complete() ? "complete" : "cut off",
        report.took().toMillis());
    assertThat(report.states()).isGreaterThan(1_000);
  }
}
