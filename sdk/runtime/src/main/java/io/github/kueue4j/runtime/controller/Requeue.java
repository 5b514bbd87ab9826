// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The result of a reconcile: when to reconcile the key again if nothing changes.
 *
 * <p>Each key has one such timer, which the next reconcile's result replaces: {@link #never()} also
 * cancels an earlier timer, because a reconcile decides from the whole object.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Requeue {

  /** Only when an object changes. */
  static Requeue never() {
    return Never.NEVER;
  }

  /** After {@code delay}; zero or less means at once. */
  static Requeue after(Duration delay) {
    return new After(delay);
  }

  /** At {@code when}, never earlier; at once if that is in the past. */
  static Requeue at(Instant when) {
    return new At(when);
  }

  /**
   * At an instant of {@link io.github.kueue4j.api.time.TimeSource#steady}, for the end of an
   * interval that began in an earlier reconcile: it comes when it would have if the clock is set
   * meanwhile.
   */
  static Requeue atSteady(Instant when) {
    return new AtSteady(when);
  }

  /** Only when an object changes. */
  enum Never implements Requeue {
    /** The only value. */
    NEVER
  }

  /**
   * After a delay from the end of the reconcile.
   *
   * @param delay how long; zero or less means at once
   */
  record After(Duration delay) implements Requeue {}

  /**
   * At an instant of the host's time source.
   *
   * @param when not before this
   */
  record At(Instant when) implements Requeue {}

  /**
   * At an instant of the host's steady time source.
   *
   * @param when not before this
   */
  record AtSteady(Instant when) implements Requeue {}
}
