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
package io.github.kueue4j.runtime;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * When a key is to be reconciled again although nothing changed.
 *
 * <p>A timer belongs to its key and is replaced by the next reconcile's answer: {@link #never()}
 * also cancels an earlier timer, since a reconcile decides from the whole object anew.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Requeue {

  /** Only when something changes. */
  static Requeue never() {
    return Never.NEVER;
  }

  /** After {@code delay}; zero or less means at once. */
  static Requeue after(Duration delay) {
    return new After(delay);
  }

  /** At {@code when}, never before; at once if that is past. */
  static Requeue at(Instant when) {
    return new At(when);
  }

  /** Only when something changes. */
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
}
