// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * From which object, in which version, and since when each check decides. The condition {@code
 * ParametersApplied} of the AdmissionCheck keeps it, so that a controller that starts, or begins to
 * lead, finds out whether the parameters were edited while none looked: a delay that a check wrote
 * before that time was decided from other parameters.
 *
 * <p>The time is that of the condition, which counts as another one for other parameters. Since
 * delays are held against it and not ticked off, it may be written before or after they have ended,
 * and a controller that is killed in between loses nothing. That they are counted as ended only
 * when all are, by a condition of the parameters object, was rejected: a workload that waits for
 * another check for days would keep it open, and controllers that share the object would hide edits
 * from each other.
 */
final class AppliedParameters {

  static final String TYPE = "ParametersApplied";

  /** There were no others, as far as is known. */
  private static final String FIRST = "First";

  private static final String CHANGED = "Changed";

  private final InstantSource time;
  private final Map<String, Applied> byCheck = new ConcurrentHashMap<>();

  /**
   * Knows of no check.
   *
   * @param time the clock by which verdicts are written
   */
  AppliedParameters(InstantSource time) {
    this.time = time;
  }

  /**
   * The parameters that a check decides from.
   *
   * @param changed since when it does; absent: as long as is known
   */
  private record Applied(Resolution.Found<?> parameters, @Nullable Instant changed) {}

  /**
   * The AdmissionCheck has these parameters now.
   *
   * @return since when it decides from them; empty if there were no others, as far as is known
   */
  Optional<Instant> see(AdmissionCheck check, Resolution.Found<?> now) {
    Applied applied =
        byCheck.compute(
            check.key().name(),
            (name, before) -> {
              if (before == null) {
                return new Applied(now, kept(check, now));
              }
              return new Applied(
                  now, before.parameters.readsAs(now) ? before.changed : time.instant());
            });
    return Optional.ofNullable(applied.changed);
  }

  /** The time that an earlier controller has left behind. */
  private @Nullable Instant kept(AdmissionCheck check, Resolution.Found<?> now) {
    @Nullable Condition condition = Conditions.find(check.status().conditions(), TYPE).orElse(null);
    if (condition == null) {
      return null;
    }
    if (!condition.message().equals(message(now))) {
      return time.instant();
    }
    return condition.reason().equals(CHANGED) ? condition.lastTransitionTime() : null;
  }

  /** The check is gone. */
  void forget(String check) {
    byCheck.remove(check);
  }

  /** These conditions with that of a check; as they are while it has no parameters of an object. */
  List<Condition> conditions(AdmissionCheck check, List<Condition> before) {
    @Nullable Applied applied = byCheck.get(check.key().name());
    if (applied == null || applied.parameters.origin().isEmpty()) {
      return before;
    }
    Condition condition = condition(check, applied, before);
    if (before.contains(condition)) {
      return before;
    }
    // Not as an update: a change of what it is about is a transition, too.
    return Stream.concat(Conditions.remove(before, TYPE).stream(), Stream.of(condition)).toList();
  }

  private Condition condition(AdmissionCheck check, Applied applied, List<Condition> before) {
    @Nullable Instant changed = applied.changed;
    return new Condition(
        TYPE,
        Condition.TRUE,
        changed == null ? FIRST : CHANGED,
        message(applied.parameters),
        changed == null
            ? Conditions.find(before, TYPE)
                .map(Condition::lastTransitionTime)
                .orElse(time.instant())
            : changed,
        check.metadata().getGeneration());
  }

  private static String message(Resolution.Found<?> parameters) {
    return "Decides from the " + parameters.origin();
  }
}
