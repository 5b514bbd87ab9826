// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import java.time.Duration;

/** When the kit may believe that the controller writes nothing more. */
interface Silence {

  /**
   * Waits until the controller has seen what there is and has written what it has to say about it.
   *
   * @param quiet how long nothing must happen where nothing more is known of the controller
   */
  void await(Duration quiet) throws InterruptedException;

  /** Whether it is certain that the controller writes nothing until something changes. */
  boolean isCertain();

  /** The silence of a controller about which nothing is known but what it writes. */
  static Silence believed() {
    return new Silence() {
      @Override
      public void await(Duration quiet) throws InterruptedException {
        Thread.sleep(quiet);
      }

      @Override
      public boolean isCertain() {
        return false;
      }
    };
  }
}
