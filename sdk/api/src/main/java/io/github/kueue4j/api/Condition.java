// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One observation about an object ({@code metav1.Condition}).
 *
 * @param type what is observed; the key among the conditions of an object
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason a CamelCase word, for programs
 * @param message text for people, may be empty
 * @param lastTransitionTime when the status last changed; whole seconds, a fraction is cut off; the
 *     epoch when absent
 * @param observedGeneration the generation of the object that was observed; absent when unknown
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Condition(
    @Required String type,
    @Required String status,
    @Required String reason,
    @Required String message,
    @Required Instant lastTransitionTime,
    @Nullable Long observedGeneration) {

  /** The status {@code True}. */
  public static final String TRUE = "True";

  /** The status {@code False}. */
  public static final String FALSE = "False";

  /** The status {@code Unknown}. */
  public static final String UNKNOWN = "Unknown";

  public Condition {
    type = Lenient.text(type);
    status = Lenient.text(status);
    reason = Lenient.text(reason);
    message = Lenient.text(message);
    lastTransitionTime = Lenient.secondsOrEpoch(lastTransitionTime);
  }

  /** A condition that holds since {@code since}. */
  public static Condition isTrue(String type, String reason, String message, Instant since) {
    return new Condition(type, TRUE, reason, message, since, null);
  }

  /** A condition that does not hold since {@code since}. */
  public static Condition isFalse(String type, String reason, String message, Instant since) {
    return new Condition(type, FALSE, reason, message, since, null);
  }

  /** Whether the status is {@code True}. */
  public boolean isTrue() {
    return status.equals(TRUE);
  }

  /** Whether the status is {@code False}. */
  public boolean isFalse() {
    return status.equals(FALSE);
  }

  /** A copy with another {@code lastTransitionTime}. */
  public Condition withLastTransitionTime(Instant since) {
    return new Condition(type, status, reason, message, since, observedGeneration);
  }

  /** A copy with another {@code observedGeneration}. */
  public Condition withObservedGeneration(@Nullable Long generation) {
    return new Condition(type, status, reason, message, lastTransitionTime, generation);
  }
}
