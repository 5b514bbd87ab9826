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
package io.github.kueue4j.api;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One observation about an object ({@code metav1.Condition}).
 *
 * @param type what is observed; the key among the conditions of an object
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason the cause in CamelCase, for programs
 * @param message the cause in words, may be empty
 * @param lastTransitionTime when the status last changed; whole seconds, a fraction is cut off; the
 *     epoch when absent
 * @param observedGeneration the generation of the object that was looked at; absent when unsaid
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

  /** A copy with another reason and message; the status and its time stay. */
  public Condition withReason(String newReason, String newMessage) {
    return new Condition(
        type, status, newReason, newMessage, lastTransitionTime, observedGeneration);
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
