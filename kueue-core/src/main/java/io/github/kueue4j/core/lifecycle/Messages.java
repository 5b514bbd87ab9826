// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every text that the lifecycle writes: conditions, check entries and events.
 *
 * <p>Texts that other tools match on are those of the API's other implementation; the delays (which
 * check, until when) are appended to them.
 */
final class Messages {
  /** The API's bound on condition and entry messages. */
  private static final int MESSAGE_BYTES = 32_768;

  /** The API's bound on event notes. */
  private static final int NOTE_BYTES = 1_024;

  private static final String CUT = " ...";
  private static final String PREVIOUSLY = ". Previously: ";

  static final String ADMITTED = "The workload is admitted";
  static final String NO_RESERVATION = "The workload has no reservation";
  static final String CHECKS_NOT_READY = "The workload has not all checks ready";
  static final String BACKOFF_FINISHED = "The workload backoff was finished";
  static final String REACTIVATED = "The workload was reactivated";
  static final String CLUSTER_QUEUE_STOPPED = "The ClusterQueue is stopped";
  static final String LOCAL_QUEUE_STOPPED = "The LocalQueue is stopped";
  static final String CLUSTER_QUEUE_RESTARTED =
      "The ClusterQueue was restarted after being stopped";
  static final String LOCAL_QUEUE_RESTARTED = "The LocalQueue was restarted after being stopped";
  static final String DEACTIVATED = "The workload is deactivated";
  static final String PENDING_EVALUATION = "Workload is pending evaluation in the scheduling queue";
  static final String PODS_READY = "All pods reached readiness and the workload is running";
  static final String PODS_NOT_READY = "Not all pods are ready or succeeded";
  static final String PODS_RECOVERING = "At least one pod has failed, waiting for recovery";
  static final String ASSIGNMENT_LOST = "The workload is admitted without an assignment";

  static final String STRAY_REQUEUE_AT =
      "requeueState.requeueAt was set although nothing delays the workload";

  static final String MINIMUM_DELAY = ", the minimumRetryDelay";
  static final String MAXIMUM_DELAY = ", cut to maximumRetryDelay";
  static final String LIMITED_DELAY = ", cut to retryLimits.maxDelay";

  private Messages() {}

  static String quotaReserved(String clusterQueue) {
    return "Quota reserved in ClusterQueue " + clusterQueue;
  }

  static String previously(String message) {
    return cut("Previously: " + message);
  }

  /**
   * The checks that evict, by name: {@code Evicted due to AdmissionCheck in Retry state: "a"
   * (why)}.
   */
  static String inRetry(List<AdmissionCheckState> retries) {
    return "Evicted due to " + inState(retries, "Retry");
  }

  /** The checks that reject, by name: {@code AdmissionCheck in Rejected state: "a" (why)}. */
  static String inRejected(List<AdmissionCheckState> rejected) {
    return inState(rejected, "Rejected");
  }

  private static String inState(List<AdmissionCheckState> entries, String state) {
    return (entries.size() == 1 ? "AdmissionCheck" : "AdmissionChecks")
        + " in "
        + state
        + " state: "
        + entries.stream().map(Messages::quoted).collect(Collectors.joining("; "));
  }

  private static String quoted(AdmissionCheckState entry) {
    String name = '"' + entry.name() + '"';
    return entry.message().isEmpty() ? name : name + " (" + entry.message() + ")";
  }

  /**
   * {@code what}, followed by the checks that delay the requeue and until when, if there are any. A
   * second for a check that asked for no more isn't worth a word.
   */
  static String delayed(String what, Deadline deadline) {
    List<Deadline.Delay> delays =
        deadline.delays().values().stream()
            .filter(Deadline.Delay::noticeable)
            // Another alternative may say yes before these end.
            .filter(delay -> deadline.at() != null && !delay.until().isAfter(deadline.at()))
            .toList();
    if (delays.isEmpty()) {
      return cut(what);
    }
    List<String> delayers = new ArrayList<>();
    for (Deadline.Delay delay : delays) {
      delayers.add(
          '"'
              + delay.check()
              + "\" until "
              + delay.until()
              + " ("
              + goDuration(delay.duration())
              + (delay.computed() ? ", by its retry policy" : "")
              + delay.bound()
              + ")");
    }
    String when =
        "Requeued not before " + deadline.at() + ", delayed by " + String.join(", ", delayers);
    // The delays must survive the cut.
    int bytesForWhat = MESSAGE_BYTES - when.length() - 2 - CUT.length();
    return cut(cut(what, Math.max(bytesForWhat, 0)) + ". " + when);
  }

  static String stillDelayed(List<AdmissionCheckState> retries, Deadline deadline) {
    return delayed(inState(retries, "Retry"), deadline);
  }

  /** The message of an entry that was reset, with the last reason kept. */
  static String reset(AdmissionCheckState entry, String why) {
    String last = entry.message();
    int kept = last.indexOf(PREVIOUSLY);
    if (last.startsWith("Reset ") && kept >= 0) {
      // The check answered without a message: keep one "Reset ..." prefix instead of nesting them.
      last = last.substring(kept + PREVIOUSLY.length());
      int state = last.indexOf(": ");
      last = state < 0 ? "" : last.substring(state + 2);
    }
    return cut(
        "Reset " + why + PREVIOUSLY + entry.state().value() + (last.isEmpty() ? "" : ": " + last));
  }

  static String timedOut(Duration timeout) {
    return "No answer within the check's pending timeout of " + goDuration(timeout);
  }

  /** The pods-ready timeout and until when it delays the requeue. */
  static String podsNotReady(Workload workload, Duration timeout, Instant requeueAt) {
    return "Exceeded the PodsReady timeout "
        + workload.metadata().getNamespace()
        + "/"
        + workload.metadata().getName()
        + ". Not all pods were ready within "
        + goDuration(timeout)
        + ", requeued not before "
        + requeueAt;
  }

  static String deactivatedDueTo(String cause) {
    return cut("The workload is deactivated due to " + cause);
  }

  static String rejectedEvent(List<AdmissionCheckState> rejected) {
    return "Deactivated due to " + inRejected(rejected);
  }

  static String queueStopped(String kind, String name) {
    return kind + " " + name + " is stopped";
  }

  static String waitsBeforeQuota(Set<String> checks) {
    return "Waits for "
        + (checks.size() == 1 ? "AdmissionCheck " : "AdmissionChecks ")
        + String.join(", ", checks)
        + " before quota";
  }

  static String queueGone(String kind, String name) {
    return kind + " " + name + " is terminating or missing";
  }

  /** Cuts an event's note to 1024 bytes of UTF-8. */
  static String cutNote(String note) {
    return cut(note, NOTE_BYTES);
  }

  /** Cuts a condition's or an entry's message to 32768 bytes of UTF-8. */
  static String cut(String message) {
    return cut(message, MESSAGE_BYTES);
  }

  private static String cut(String text, int bytes) {
    if (text.length() <= bytes / 4) {
      return text;
    }
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    if (encoded.length <= bytes) {
      return text;
    }
    int end = Math.max(0, bytes - CUT.length());
    while (end > 0 && (encoded[end] & 0xC0) == 0x80) {
      end--; // not within a multi-byte character
    }
    return new String(encoded, 0, end, StandardCharsets.UTF_8) + CUT;
  }

  /** {@code 90 s} as {@code 1m30s}. */
  private static String goDuration(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    append(text, seconds / 3600, 'h');
    append(text, seconds / 60 % 60, 'm');
    append(text, seconds % 60, 's');
    return text.toString();
  }

  private static void append(StringBuilder text, long amount, char unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }
}
