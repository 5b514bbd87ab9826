// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Deterministic random numbers for jitter. */
final class Jitter {
  private Jitter() {}

  /**
   * A number from 0 (inclusive) to 1 (exclusive), always the same for the same attempt of the same
   * Workload: the lifecycle stays pure, and a restarted process computes the same delay.
   *
   * @param what the number is for, such as the name of a check
   */
  static double fraction(Situation situation, String what, int attempt) {
    String uid = String.valueOf(situation.workload().metadata().getUid());
    CRC32 crc = new CRC32();
    crc.update(
        (situation.settings().jitterSeed() + "/" + uid + "/" + what + "/" + attempt)
            .getBytes(StandardCharsets.UTF_8));
    return new SplittableRandom(crc.getValue()).nextDouble();
  }
}
