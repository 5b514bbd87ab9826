// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.sdk.internal.DelayText;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a {@link Check} about one reserved workload. Each outcome says who acts next:
 *
 * <ul>
 *   <li>{@link Ready}: the workload may start as far as this check is concerned;
 *   <li>{@link Pending}: the check itself asks again; the quota stays reserved meanwhile;
 *   <li>{@link Retry}: "no for now": the queue controller evicts the workload, gives its quota to
 *       others and queues it again after the delay (KEP-3258);
 *   <li>{@link Rejected}: "never": the workload is deactivated until a person reactivates it;
 *   <li>{@link Unchanged}: the check couldn't ask: what it last said still stands.
 * </ul>
 *
 * <p>Expected outcomes are verdicts; an exception from {@code evaluate} means an unexpected failure
 * and keeps the workload Pending. Messages are shown to people in the Workload; those longer than
 * the API's 32768 characters are cut.
 *
 * <p>A delay that a Retry asked for may end early: {@link DelayEndingCheck}.
 *
 * @see Check
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Verdict {

  /**
   * The workload may start.
   *
   * @param updates what the check adds to the pods of each pod set, at most one per pod set
   * @param message for people; may be empty
   */
  record Ready(List<PodSetUpdate> updates, String message) implements Verdict {
    /** Keeps a copy of the updates. */
    public Ready {
      updates = List.copyOf(updates);
    }
  }

  /**
   * Not known yet; the quota stays reserved while the check waits. Answer {@link Retry} instead
   * where the wait may be long: a waiting workload holds quota that others could use.
   *
   * @param message for people; may be empty
   * @param recheckIn positive: when to evaluate again; absent: when something that the check
   *     watches changes, at the latest after the controller's own recheck interval
   * @param preemptionRequested whether the workloads to be preempted should be evicted now, where
   *     the AdmissionCheck's {@code preemptionPolicy} lets them run until this check has passed
   *     (KEP-993); asked for once, it holds for the whole reservation. A server that doesn't know
   *     the field drops it
   */
  record Pending(String message, @Nullable Duration recheckIn, boolean preemptionRequested)
      implements Verdict {
    /** Without asking for preemption. */
    public Pending(String message, @Nullable Duration recheckIn) {
      this(message, recheckIn, false);
    }

    /**
     * @throws IllegalArgumentException if {@code recheckIn} is zero or negative
     */
    public Pending {
      if (recheckIn != null && !recheckIn.isPositive()) {
        throw new IllegalArgumentException("recheckIn must be positive: " + recheckIn);
      }
    }
  }

  /**
   * Not now: the workload is evicted, its quota is free for others, and it is queued again after
   * the delay.
   *
   * <p>The message can announce the delay: {@code {delay}} stands for the delay that is written,
   * with its jitter, as people read it ({@code 45 s}, {@code 4 min}, {@code 14 h 20 min}; rounded
   * up), and {@code {attempt}} for {@link Evaluation#attempt}. {@code "No license is free. Asking
   * again in {delay} (attempt {attempt})."} becomes {@code No license is free. Asking again in 4
   * min (attempt 3).}
   *
   * @param reason for machines
   * @param message for people
   * @param delay how long the workload stays out of its queue; what lasts longer than {@code
   *     longestDelay} of the controller's guards, 24 h by default, is cut to that
   */
  record Retry(Reason reason, String message, Delay delay) implements Verdict {
    private static final String DELAY = "{delay}";
    private static final String ATTEMPT = "{attempt}";

    /**
     * @throws IllegalArgumentException if the message announces a delay and there is none
     */
    public Retry {
      if (message.contains(DELAY) && delay instanceof Delay.None) {
        throw new IllegalArgumentException(
            "the message '"
                + message
                + "' announces a delay, and Delay.none() has none: leave out {delay}, or name a"
                + " delay");
      }
    }

    /**
     * The message with its placeholders filled.
     *
     * @param attempt the entry's {@code retryCount}
     * @param announced the delay that it announces
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String message(int attempt, Duration announced) {
      return message
          .replace(DELAY, DelayText.of(announced))
          .replace(ATTEMPT, Integer.toString(attempt));
    }
  }

  /**
   * Never: the workload is deactivated.
   *
   * @param reason for machines
   * @param message for people
   */
  record Rejected(Reason reason, String message) implements Verdict {}

  /**
   * Nothing is new, or the check did not ask: the entry keeps its state. While that is Pending, the
   * message tells people why, and the quota stays reserved without an end. Throw a {@link
   * BackendUnavailableException} where the backend can't answer, and a {@link NotAskedException}
   * where the check asks no more often: both end in a Retry.
   *
   * @param why for people
   */
  record Unchanged(String why) implements Verdict {}

  /** The workload may start; its pods are left as they are. */
  static Verdict ready(String message) {
    return new Ready(List.of(), message);
  }

  /** The workload may start, with these additions to its pods. */
  static Verdict ready(String message, List<PodSetUpdate> updates) {
    return new Ready(updates, message);
  }

  /** Not known yet: evaluate again when something watched changes. */
  static Verdict pending(String message) {
    return new Pending(message, null);
  }

  /** Not known yet: evaluate again after this positive duration. */
  static Verdict pending(String message, Duration recheckIn) {
    return new Pending(message, recheckIn);
  }

  /**
   * Not known yet, and the check can't go on before the preempted workloads have been evicted: asks
   * for the preemption that was deferred for it (KEP-993, {@code preemptionPolicy:
   * AfterCheckPassedOrOnDemand}). Where nothing was deferred it means the same as {@link
   * #pending(String)}.
   */
  static Verdict pendingPreemption(String message) {
    return new Pending(message, null, true);
  }

  /** The same, to be evaluated again after this positive duration. */
  static Verdict pendingPreemption(String message, Duration recheckIn) {
    return new Pending(message, recheckIn, true);
  }

  /** Not now: give the quota back and queue the workload again after the delay. */
  static Verdict retry(Reason reason, String message, Delay delay) {
    return new Retry(reason, message, delay);
  }

  /** Not now: give the quota back and queue the workload again as the backoff says. */
  static Verdict retry(Reason reason, String message, Backoff backoff) {
    return new Retry(reason, message, Delay.from(backoff));
  }

  /** Never: deactivate the workload. */
  static Verdict rejected(Reason reason, String message) {
    return new Rejected(reason, message);
  }

  /** Couldn't ask: the previous state stands. */
  static Verdict unchanged(String why) {
    return new Unchanged(why);
  }
}
