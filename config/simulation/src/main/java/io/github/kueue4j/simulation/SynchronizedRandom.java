// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A generator for several threads; which of them draws first, their order decides. */
final class SynchronizedRandom implements RandomGenerator {
  private final SplittableRandom source;

  SynchronizedRandom(SplittableRandom source) {
    this.source = source;
  }

  @Override
  public synchronized long nextLong() {
    return source.nextLong();
  }
}
