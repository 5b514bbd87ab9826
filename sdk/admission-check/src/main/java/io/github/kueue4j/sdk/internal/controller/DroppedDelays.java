// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows the checks whose {@code requeueAfterSeconds} the server does not keep: an older API prunes
 * the field silently, and the workload is queued again at once ({@code
 * docs/lifecycle.md#the-deadline}).
 */
final class DroppedDelays {

  private final Set<String> checks = ConcurrentHashMap.newKeySet();
  private final Consumer<String> changed;

  /**
   * A delay that the server has dropped, so that the check has to wait itself.
   *
   * @param length how long the last Retry was to last
   * @param until when that is over
   */
  record OwnDelay(Duration length, Instant until) {}

  /** Calls back with the name of a check when the answer for it changes. */
  DroppedDelays(Consumer<String> changed) {
    this.changed = changed;
  }

  /** Records whether the server kept a delay; an upgraded server keeps the next one. */
  void stored(String check, boolean kept) {
    if (kept ? checks.remove(check) : checks.add(check)) {
      changed.accept(check);
    }
  }

  /**
   * The verdict, or for a server that drops delays a Pending that lasts as long as the last Retry
   * asked for: otherwise the workload would be evicted again and again without a pause.
   */
  Verdict waitInstead(OwnEntry<?> entry, Verdict verdict, Placeholders placeholders, Instant now) {
    @Nullable OwnDelay delay = entry.memory().ownDelay();
    if (!(verdict instanceof Verdict.Retry retry)
        || !entry.isPending()
        || !affect(entry.check())
        || delay == null
        || !delay.until().isAfter(now)) {
      return verdict;
    }
    // Without what is left of it: a message that says so would be written anew each time.
    String message =
        placeholders.of(retry, entry.attempt(), delay.length())
            + " (the delay began with the last Retry and ends at "
            + delay.until().truncatedTo(ChronoUnit.SECONDS)
            + ")";
    return Verdict.pending(message.strip(), Duration.between(now, delay.until()));
  }

  /** Remembers how long a Retry is to last whose delay the server has dropped. */
  void written(OwnEntry<?> entry, Verdict verdict, Instant now) {
    if (verdict instanceof Verdict.Retry retry
        && retry.delay() instanceof Delay.Exact exact
        && affect(entry.check())) {
      entry.memory().ownDelay(new OwnDelay(exact.duration(), now.plus(exact.duration())));
    }
  }

  /** Whether the server drops the delays of this check. */
  boolean affect(String check) {
    return checks.contains(check);
  }
}
