// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.badinput;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.testdefaults.Nightly;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of what should never be written, as merge patches of a Workload's status in YAML. */
final class BadInputs {
  /** Long past and far away; a nightly build takes more. */
  private static final List<String> FAR_YEARS =
      Nightly.isOn() ? List.of("0001", "1970", "2100", "9999") : List.of("0001", "9999");

  private static final List<String> LATER_YEARS =
      Nightly.isOn() ? List.of("1970", "2100", "9999") : List.of("1970", "9999");

  private BadInputs() {}

  /** Where the Workload stands when the input comes. */
  enum From {
    /** Without quota. */
    WAITING,
    /** Quota is reserved, both checks are Pending. */
    RESERVED,
    /** The Job runs. */
    ADMITTED
  }

  /** Where it must get. */
  enum To {
    ADMITTED,
    DEACTIVATED,
    FAILED_TO_START
  }

  /**
   * A row.
   *
   * @param status merge patch of the status; {@code $now} is the current time, {@code $queue} the
   *     name of its ClusterQueue
   * @param expected what must be seen soon, before any time passes
   * @param event reason of an event that must be there; empty for none
   */
  record Healed(From from, String status, Expected expected, String event, To to) {}

  /** What the Workload must become. */
  @FunctionalInterface
  interface Expected {
    boolean test(Workload workload, Instant now);
  }

  /** What the schema refuses. */
  static Map<String, String> refused() {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("a negative delay", entry("state: Retry", "requeueAfterSeconds: -1"));
    rows.put("a delay beyond 32 bits", entry("state: Retry", "requeueAfterSeconds: 4294967296"));
    rows.put("a fraction of a second", entry("state: Retry", "requeueAfterSeconds: 1.5"));
    rows.put("a delay in words", entry("state: Retry", "requeueAfterSeconds: 1h"));
    rows.put("a state that doesn't exist", entry("state: Maybe", "retryCount: 0"));
    rows.put("a state in other letters", entry("state: retry", "retryCount: 0"));
    rows.put("a negative count", entry("state: Retry", "retryCount: -1"));
    rows.put(
        "no state", "{admissionChecks: [{name: budget, lastTransitionTime: $now, message: ''}]}");
    rows.put("no time", "{admissionChecks: [{name: budget, state: Ready, message: ''}]}");
    rows.put(
        "a time that isn't one",
        "{admissionChecks: [{name: budget, state: Ready, lastTransitionTime: soon, message: ''}]}");
    rows.put(
        "the same check twice",
        "{admissionChecks: [{name: budget, state: Ready, lastTransitionTime: $now, message: ''},"
            + " {name: budget, state: Retry, lastTransitionTime: $now, message: ''}]}");
    rows.put(
        "nine entries",
        IntStream.rangeClosed(1, 9)
            .mapToObj(
                n -> "{name: c" + n + ", state: Ready, lastTransitionTime: $now, message: ''}")
            .collect(Collectors.joining(", ", "{admissionChecks: [", "]}")));
    rows.put(
        "a message of 32 KiB and one byte",
        entry("state: Retry", "message: '" + "x".repeat(32_769) + "'"));
    rows.put(
        "a nameless check",
        "{admissionChecks: [{name: '', state: Ready, lastTransitionTime:"
            + " $now, message: ''}]}");
    rows.put("a negative requeue count", "{requeueState: {count: -1}}");
    rows.put("a requeueAt that isn't a time", "{requeueState: {requeueAt: never}}");
    rows.put(
        "a condition without reason",
        "{conditions: [{type: Evicted, status: 'True', message: '', lastTransitionTime: $now}]}");
    return rows;
  }

  /** What the core puts in order. */
  static Map<String, Healed> healed() {
    Map<String, Healed> rows = new LinkedHashMap<>();
    delays(rows);
    entries(rows);
    contradictions(rows);
    return rows;
  }

  private static void delays(Map<String, Healed> rows) {
    rows.put(
        "a delay of 68 years is cut to a day",
        backoff(
            entry("state: Retry", "requeueAfterSeconds: 2147483647"),
            (workload, now) ->
                now.plus(Duration.ofDays(1)).equals(requeueAt(workload))
                    && message(workload, WorkloadConditions.EVICTED)
                        .contains("cut to maximumRetryDelay")));
    for (String year : FAR_YEARS) {
      rows.put(
          "a Retry of the year " + year + " counts from now",
          backoff(
              "{admissionChecks: [{name: budget, state: Retry, lastTransitionTime: '%s-01-01T00:00:00Z', message: '', requeueAfterSeconds: 60}]}"
                  .formatted(year),
              (workload, now) -> now.plusSeconds(60).equals(requeueAt(workload))));
      rows.put(
          "a Pending of the year " + year,
          new Healed(
              From.RESERVED,
              "{admissionChecks: [{name: budget, state: Pending, lastTransitionTime: '%s-01-01T00:00:00Z', message: ''}]}"
                  .formatted(year),
              (workload, now) -> workload.status().admissionChecks().size() == 2,
              "",
              To.ADMITTED));
      rows.put(
          "a reservation of the year " + year,
          new Healed(
              From.RESERVED,
              conditions("QuotaReserved=True:QuotaReserved")
                  .replace("$now", "'" + year + "-01-01T00:00:00Z'"),
              (workload, now) -> TestCluster.reserved(workload),
              "",
              To.ADMITTED));
    }
    rows.put(
        "the highest count there is",
        backoff(
            entry("state: Retry", "retryCount: 2147483647"),
            (workload, now) -> !TestCluster.reserved(workload) || again(workload)));
    rows.put(
        "a message of 32 KiB",
        backoff(
            entry(
                "state: Retry", "requeueAfterSeconds: 60", "message: '" + "x".repeat(32_768) + "'"),
            (workload, now) -> bytes(message(workload, WorkloadConditions.EVICTED)) <= 32_768));
    rows.put(
        "two messages of 128 KiB of UTF-8",
        backoff(
            "{admissionChecks: [%s, %s]}"
                .formatted(
                    "{name: budget, state: Retry, lastTransitionTime: $now, requeueAfterSeconds: 60, message: '"
                        + "𝄞".repeat(32_768)
                        + "'}",
                    "{name: license, state: Retry, lastTransitionTime: $now, requeueAfterSeconds: 61, message: '"
                        + "𝄞".repeat(32_768)
                        + "'}"),
            (workload, now) ->
                bytes(message(workload, WorkloadConditions.EVICTED)) <= 32_768
                    && message(workload, WorkloadConditions.EVICTED)
                        .contains("\"license\" until")));
  }

  private static void entries(Map<String, Healed> rows) {
    rows.put(
        "two Retries at once: the later deadline counts",
        backoff(
            "{admissionChecks: [{name: budget, state: Retry, lastTransitionTime: $now, message: '',"
                + " requeueAfterSeconds: 60}, {name: license, state: Retry, lastTransitionTime:"
                + " $now, message: '', requeueAfterSeconds: 600}]}",
            (workload, now) -> now.plusSeconds(600).equals(requeueAt(workload))));
    rows.put(
        "a Ready and a Rejected at once: the rejection counts",
        new Healed(
            From.RESERVED,
            "{admissionChecks: [{name: budget, state: Ready, lastTransitionTime: $now, message: ''},"
                + " {name: license, state: Rejected, lastTransitionTime: $now, message: ''}]}",
            (workload, now) -> !workload.spec().active() && !TestCluster.reserved(workload),
            "AdmissionCheckRejected",
            To.DEACTIVATED));
    rows.put(
        "entries that were removed come back",
        new Healed(
            From.RESERVED,
            "{admissionChecks: null}",
            (workload, now) -> workload.status().admissionChecks().size() == 2,
            "",
            To.ADMITTED));
    for (String state : List.of("Pending", "Ready", "Retry")) {
      rows.put(
          state + " of a check that isn't configured counts for nothing",
          new Healed(
              From.RESERVED,
              "{admissionChecks: [{name: stranger, state: "
                  + state
                  + ", lastTransitionTime: $now,"
                  + " message: '', requeueAfterSeconds: 600}]}",
              (workload, now) ->
                  TestCluster.reserved(workload)
                      && workload.status().admissionCheck("budget").isPresent()
                      && workload.status().admissionCheck("stranger").isEmpty(),
              "",
              To.ADMITTED));
    }
    rows.put(
        "Rejected of a check that isn't configured",
        new Healed(
            From.RESERVED,
            "{admissionChecks: [{name: stranger, state: Rejected, lastTransitionTime: $now,"
                + " message: ''}]}",
            (workload, now) -> !workload.spec().active() && !TestCluster.reserved(workload),
            "AdmissionCheckRejected",
            To.DEACTIVATED));
    rows.put(
        "an update of a pod set that doesn't exist",
        new Healed(
            From.RESERVED,
            ready("podSetUpdates: [{name: other, labels: {a: b}}]", "podSetUpdates: []"),
            (workload, now) -> TestCluster.admitted(workload),
            "",
            To.ADMITTED));
    rows.put(
        "two checks that ask for different labels",
        new Healed(
            From.RESERVED,
            ready(
                "podSetUpdates: [{name: main, labels: {team: red}}]",
                "podSetUpdates: [{name: main, labels: {team: blue}}]"),
            (workload, now) ->
                message(workload, WorkloadConditions.FINISHED)
                    .equals(
                        "pod set main: label team is \"red\" for AdmissionCheck \"budget\", but"
                            + " \"blue\" for AdmissionCheck \"license\""),
            "FailedToStart",
            To.FAILED_TO_START));
  }

  private static void contradictions(Map<String, Healed> rows) {
    rows.put(
        "reserved without an admission",
        new Healed(
            From.WAITING,
            conditions("QuotaReserved=True:QuotaReserved"),
            (workload, now) -> !TestCluster.reserved(workload),
            "Misconfigured",
            To.ADMITTED));
    rows.put(
        "reserved and admitted without an admission",
        new Healed(
            From.WAITING,
            conditions("QuotaReserved=True:QuotaReserved", "Admitted=True:Admitted"),
            (workload, now) -> !TestCluster.reserved(workload) && !TestCluster.admitted(workload),
            "StatusMended",
            To.ADMITTED));
    rows.put(
        "an admission without reservation",
        new Healed(
            From.WAITING,
            admission("$queue", "default", "main", "1", ""),
            (workload, now) -> workload.status().admission() == null,
            "StatusMended",
            To.ADMITTED));
    rows.put(
        "admitted without reservation",
        new Healed(
            From.WAITING,
            conditions("Admitted=True:Admitted"),
            (workload, now) -> !TestCluster.admitted(workload),
            "StatusMended",
            To.ADMITTED));
    rows.put(
        "reserved beyond the quota",
        new Healed(
            From.WAITING,
            admission("$queue", "default", "main", "100", "QuotaReserved=True:QuotaReserved"),
            (workload, now) -> !TestCluster.reserved(workload),
            "WaitingForQuota",
            To.ADMITTED));
    rows.put(
        "reserved with less than nothing",
        new Healed(
            From.WAITING,
            admission("$queue", "default", "main", "-100", "QuotaReserved=True:QuotaReserved"),
            (workload, now) -> TestCluster.reserved(workload),
            "",
            To.ADMITTED));
    rows.put(
        "reserved on a flavor that doesn't exist",
        new Healed(
            From.WAITING,
            admission("$queue", "phantom", "main", "1", "QuotaReserved=True:QuotaReserved"),
            (workload, now) -> !TestCluster.reserved(workload),
            "NoMatchingFlavor",
            To.ADMITTED));
    rows.put(
        "reserved in a ClusterQueue that doesn't exist",
        new Healed(
            From.WAITING,
            admission("phantom", "default", "main", "1", "QuotaReserved=True:QuotaReserved"),
            (workload, now) -> !TestCluster.reserved(workload),
            "Misconfigured",
            To.ADMITTED));
    rows.put(
        "reserved nowhere",
        new Healed(
            From.WAITING,
            admission("", "default", "main", "1", "QuotaReserved=True:QuotaReserved")
                .replace("clusterQueue: '', ", ""),
            (workload, now) -> !TestCluster.reserved(workload),
            "Misconfigured",
            To.ADMITTED));
    rows.put(
        "reserved for a pod set that doesn't exist",
        new Healed(
            From.WAITING,
            admission("$queue", "default", "other", "1", "QuotaReserved=True:QuotaReserved"),
            (workload, now) -> !TestCluster.reserved(workload),
            "Misconfigured",
            To.ADMITTED));
    rows.put(
        "a Retry without reservation, with a delay",
        new Healed(
            From.WAITING,
            entry("state: Retry", "requeueAfterSeconds: 60"),
            (workload, now) -> now.plusSeconds(60).equals(requeueAt(workload)),
            "AdmissionCheckRetry",
            To.ADMITTED));
    rows.put(
        "a Retry without reservation or delay",
        new Healed(
            From.WAITING,
            entry("state: Retry", "retryCount: 3"),
            (workload, now) -> now.plusSeconds(1).equals(requeueAt(workload)),
            "AdmissionCheckRetry",
            To.ADMITTED));
    rows.put(
        "a rejection without reservation",
        new Healed(
            From.WAITING,
            entry("state: Rejected", "retryCount: 3"),
            (workload, now) -> !workload.spec().active(),
            "AdmissionCheckRejected",
            To.DEACTIVATED));
    for (String reason : List.of("AdmissionCheck", "Preempted", "Whatever")) {
      rows.put(
          "evicted for " + reason + " while never reserved",
          new Healed(
              From.WAITING,
              conditions("Evicted=True:" + reason),
              (workload, now) -> !TestCluster.reserved(workload),
              "",
              To.ADMITTED));
    }
    for (String year : LATER_YEARS) {
      rows.put(
          "a requeueAt in " + year + " without a delayed check",
          new Healed(
              From.WAITING,
              "{requeueState: {requeueAt: '" + year + "-01-01T00:00:00Z'}}",
              (workload, now) -> requeueAt(workload) == null,
              "StatusMended",
              To.ADMITTED));
      rows.put(
          "held for checks until " + year + ", although none asks for it",
          new Healed(
              From.WAITING,
              "{requeueState: {requeueAt: '%s-01-01T00:00:00Z'}, %s"
                  .formatted(year, conditions("Requeued=False:AdmissionCheck").substring(1)),
              (workload, now) ->
                  requeueAt(workload) == null
                      && TestCluster.isTrue(workload, WorkloadConditions.REQUEUED),
              "",
              To.ADMITTED));
    }
    for (String reason : List.of("Whatever", "ClusterQueueStopped", "LocalQueueStopped")) {
      rows.put(
          "held for " + reason + " while the queues run",
          new Healed(
              From.WAITING,
              conditions("Requeued=False:" + reason),
              (workload, now) -> TestCluster.isTrue(workload, WorkloadConditions.REQUEUED),
              "",
              To.ADMITTED));
    }
    rows.put(
        "held for pods that were never ready",
        new Healed(
            From.WAITING,
            conditions("Requeued=False:PodsReadyTimeout"),
            (workload, now) -> TestCluster.isTrue(workload, WorkloadConditions.REQUEUED),
            "",
            To.ADMITTED));
    rows.put(
        "a status that was wiped while the checks ran",
        new Healed(
            From.RESERVED,
            "{conditions: null, admission: null, admissionChecks: null, schedulingStats: null}",
            (workload, now) -> again(workload),
            "",
            To.ADMITTED));
    rows.put(
        "a status that was wiped while the Job ran",
        new Healed(
            From.ADMITTED,
            "{conditions: null, admission: null, admissionChecks: null, schedulingStats: null}",
            (workload, now) -> again(workload),
            "",
            To.ADMITTED));
    rows.put(
        "an admission that was taken away from a running Job",
        new Healed(
            From.ADMITTED,
            "{admission: null}",
            (workload, now) -> again(workload),
            "StatusMended",
            To.ADMITTED));
    rows.put(
        "conditions that were taken away from a running Job",
        new Healed(
            From.ADMITTED,
            "{conditions: null}",
            (workload, now) -> again(workload),
            "",
            To.ADMITTED));
    rows.put(
        "unknown instead of true",
        new Healed(
            From.ADMITTED,
            conditions("QuotaReserved=Unknown:What", "Admitted=Unknown:What"),
            (workload, now) -> again(workload),
            "",
            To.ADMITTED));
    rows.put(
        "evicted by hand for an unknown reason",
        new Healed(
            From.ADMITTED,
            conditions(
                "QuotaReserved=True:QuotaReserved",
                "Admitted=True:Admitted",
                "Evicted=True:Whatever"),
            (workload, now) -> again(workload),
            "",
            To.ADMITTED));
  }

  private static Healed backoff(String status, Expected expected) {
    return new Healed(From.RESERVED, status, expected, "EvictedDueToAdmissionCheck", To.ADMITTED);
  }

  private static String entry(String... fields) {
    String joined = String.join(", ", fields);
    return "{admissionChecks: [{name: budget, lastTransitionTime: $now, %s%s}]}"
        .formatted(joined.contains("message:") ? "" : "message: '', ", joined);
  }

  private static String ready(String budget, String license) {
    return "{admissionChecks: [{name: budget, state: Ready, lastTransitionTime: $now, message: '', %s}, {name: license, state: Ready, lastTransitionTime: $now, message: '', %s}]}"
        .formatted(budget, license);
  }

  /** Conditions such as {@code Evicted=True:Preempted}. */
  private static String conditions(String... conditions) {
    return Stream.of(conditions)
        .map(
            condition -> {
              String[] parts = condition.split("[=:]", -1);
              return "{type: %s, status: '%s', reason: %s, message: by hand, lastTransitionTime: $now}"
                  .formatted(parts[0], parts[1], parts[2]);
            })
        .collect(Collectors.joining(", ", "{conditions: [", "]}"));
  }

  private static String admission(
      String clusterQueue, String flavor, String podSet, String cpus, String condition) {
    String more = condition.isEmpty() ? "}" : ", " + conditions(condition).substring(1);
    return "{admission: {clusterQueue: '%s', podSetAssignments: [{name: %s, flavors: {cpu: %s}, resourceUsage: {cpu: '%s'}, count: 1}]}%s"
        .formatted(clusterQueue, podSet, flavor, cpus, more);
  }

  /** Whether it is on its way to its next admission. */
  private static boolean again(Workload workload) {
    return TestCluster.reserved(workload)
        && !TestCluster.admitted(workload)
        && workload.status().admissionChecks().stream()
            .allMatch(entry -> entry.is(CheckState.PENDING));
  }

  private static @Nullable Instant requeueAt(Workload workload) {
    return Optional.ofNullable(workload.status().requeueState())
        .map(RequeueState::requeueAt)
        .orElse(null);
  }

  private static String message(Workload workload, String condition) {
    return Conditions.find(workload.status().conditions(), condition)
        .map(Condition::message)
        .orElse("");
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
