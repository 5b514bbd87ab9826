// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.simulation.Simulation;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.github.kueue4j.testdefaults.SimulatedClasses;
import java.util.List;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.slf4j.event.Level;

/**
 * Scripts that a nightly build ({@code -Pnightly}) draws anew, each in a simulation of which the
 * dice are the seed. A failure prints the script and the dice; what has found something joins
 * {@link KnownScriptsTest}.
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
class RandomScriptsPropertyTest {
  @Tag("nightly")
  @Property(
      tries = 100, // each runs a cluster for some minutes of its time
      shrinking = ShrinkingMode.BOUNDED,
      afterFailure = AfterFailureMode.RANDOM_SEED)
  void everyRandomScriptKeepsThePromisesAndFinishes(
      @ForAll("scripts") List<Step> script, @ForAll long dice) throws Exception {
    if (SimulatedClasses.whyUnavailable().isPresent()) {
      Scripts.playToItsEnd(script, dice);
      return;
    }
    try (Simulation simulation = Simulation.of(dice)) {
      simulation.run(
          "script",
          () -> {
            Scripts.playToItsEnd(script, dice);
            return script;
          });
    }
  }

  @Provide
  Arbitrary<List<Step>> scripts() {
    return Scripts.any();
  }
}
