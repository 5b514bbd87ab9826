// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.internal.fence.Token;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the last evaluation of one workload by one check. It only says when to evaluate
 * again: losing it in a restart costs one more evaluation, nothing else.
 *
 * @param basis what was judged; for anything else nothing is known
 * @param decided whether a verdict was written that the informer is yet to show
 * @param next when to evaluate again; absent: when something changes
 * @param failures evaluations that failed in a row
 * @param failingSince when the first of them failed
 * @param busySince since when the check could not be asked, because too many evaluations run;
 *     absent: it was asked, or need not have been
 * @param doubt what the check said last against a workload that it let through; absent: nothing
 */
record Progress(
    Basis basis,
    boolean decided,
    @Nullable Instant next,
    int failures,
    @Nullable Instant failingSince,
    @Nullable Instant busySince,
    Revocations.@Nullable Doubt doubt) {

  /**
   * The facts that make an evaluation's answer one for this workload, as it is now.
   *
   * @param token the reservation and the entry
   * @param generation of the workload's spec
   * @param parameters of the check; those that read the same are the same, whatever their version:
   *     a status that is written often is no reason to ask again
   * @param observes whether the answer is only recorded
   */
  record Basis(Token token, long generation, Resolution<?> parameters, boolean observes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Basis that
          && generation == that.generation
          && observes == that.observes
          && token.equals(that.token)
          && parameters.readsAs(that.parameters);
    }

    @Override
    public int hashCode() {
      return Objects.hash(token, generation);
    }
  }

  /** The check answered; evaluate again then, or never while nothing changes. */
  static Progress answered(Basis basis, @Nullable Instant next) {
    return new Progress(basis, false, next, 0, null, null, null);
  }

  /**
   * A verdict that ends this basis was written; evaluate again then if the informer still shows the
   * basis.
   */
  static Progress decided(Basis basis, Instant next) {
    return new Progress(basis, true, next, 0, null, null, null);
  }

  /** The check spoke against a workload that it let through, and is asked again then. */
  static Progress doubting(Basis basis, Revocations.Doubt doubt, Instant next) {
    return new Progress(basis, false, next, 0, null, null, doubt);
  }

  /** Another failure in a row; evaluate again then. */
  static Progress failed(Basis basis, @Nullable Progress before, Instant now, Instant next) {
    if (before == null || before.failingSince == null || !before.basis.equals(basis)) {
      return new Progress(basis, false, next, 1, now, null, null);
    }
    return new Progress(basis, false, next, before.failures + 1, before.failingSince, null, null);
  }

  /** The same progress with another time of the next evaluation. */
  Progress withNext(Instant other) {
    return new Progress(basis, decided, other, failures, failingSince, busySince, doubt);
  }

  /** The check could not be asked; what came of earlier evaluations of this basis still counts. */
  static Progress busy(Basis basis, @Nullable Progress before, Instant now, Instant next) {
    if (before == null || !before.basis.equals(basis)) {
      return new Progress(basis, false, next, 0, null, now, null);
    }
    return new Progress(
        basis,
        before.decided,
        next,
        before.failures,
        before.failingSince,
        before.busySince == null ? now : before.busySince,
        before.doubt);
  }

  /** Whether the last evaluation gave no answer that could be written. */
  boolean isUnanswered() {
    return failures > 0 || busySince != null || doubt != null;
  }

  /** Since when there is no answer: since a failure, or since the check could not be asked. */
  Optional<Instant> unansweredSince() {
    return Stream.of(failingSince, busySince)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .min(Comparator.naturalOrder());
  }
}
