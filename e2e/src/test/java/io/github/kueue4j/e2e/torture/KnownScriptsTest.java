// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.util.List;
import java.util.Random;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/**
 * The same scripts in every build, so that it only fails because of a change; a nightly build draws
 * new ones, too ({@link RandomScriptsPropertyTest}). They are no properties of jqwik, because those
 * would run before all other tests instead of beside them.
 */
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "requests, watches and reconciles fail under the disturbances")
@PossibleLog(
    level = Level.ERROR,
    logger = "HostRun",
    message = "Lost the lease",
    because = "a disturbance may last longer than a lease")
@Simulated
class KnownScriptsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void allIsWellThatEndsWell(long seed) throws InterruptedException {
    Scripts.playToItsEnd(script(seed), seed);
  }

  private static List<Step> script(long seed) {
    JqwikSession.start();
    try {
      return Scripts.any().generator(1_000, true).next(new Random(seed)).value();
    } finally {
      JqwikSession.finish();
    }
  }
}
