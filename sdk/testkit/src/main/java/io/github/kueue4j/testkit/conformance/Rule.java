// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A rule that a check controller must keep. The sources are sections of {@code docs/lifecycle.md},
 * of KEP-993 (two-stage admission) and of KEP-3258 (delayed retries).
 *
 * @see Conformance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Rule {
  ACTIVE(
      1,
      "tells in the condition Active of its AdmissionCheck whether it can work",
      "KEP-993, AdmissionCheck.status"),
  ANSWERS(2, "answers a Workload that holds quota and asks it", "KEP-993, the flow"),
  FOREIGN_CHECK(
      3,
      "leaves AdmissionChecks of other controllers, and their entries, alone",
      "KEP-993, controllerName"),
  NOT_LISTED(4, "adds no entry where it isn't asked", "lifecycle, what you can rely on, 7"),
  NOT_RESERVED(5, "doesn't answer while no quota is reserved", "lifecycle, the side of the checks"),
  EVICTING(
      6,
      "doesn't begin to judge a Workload that is being evicted",
      "lifecycle, the side of the checks"),
  FINISHED(7, "leaves finished Workloads alone", "lifecycle, the side of the checks"),
  INACTIVE(8, "leaves deactivated Workloads alone", "lifecycle, the side of the checks"),
  DELETING(9, "leaves Workloads alone that are being deleted", "lifecycle, the side of the checks"),
  OWN_ENTRY(10, "changes no other check's entry", "lifecycle, what you can rely on, 7"),
  OTHER_FIELDS(
      11,
      "changes nothing of a Workload but its own entry (annotations and finalizers are its own)",
      "lifecycle, what you can rely on, 7"),
  TRANSITION_TIME(
      12, "moves lastTransitionTime when the state changes, and only then", "lifecycle, dates"),
  RETRY_COUNT(13, "leaves retryCount to the queue controller", "KEP-3258, retryCount"),
  DELAY(
      14,
      "says requeueAfterSeconds with Retry only, from 0 to 7 days",
      "KEP-3258, requeueAfterSeconds"),
  MESSAGE(15, "says why in a message whenever it doesn't say Ready", "KEP-993, the entry"),
  POD_SET_UPDATES(
      16,
      "updates pod sets that exist, once each, only with Ready, with valid labels",
      "KEP-993, podSetUpdates"),
  NO_NEEDLESS_WRITES(
      17, "writes nothing when nothing has changed", "lifecycle, the side of the checks"),
  ADMITTED_LEFT_ALONE(
      18,
      "doesn't judge a Workload again that it has let through",
      "lifecycle, what you can rely on, 4"),
  ANSWERS_AGAIN(19, "answers every new reservation", "lifecycle, what you can rely on, 4"),
  RECOVERS(20, "finds what it missed while the server was out of reach", "Kubernetes API, watches"),
  LATE_WRITE(
      21,
      "drops an answer that is overtaken by the release of the quota",
      "lifecycle, the side of the checks"),
  OTHER_RESERVATION(
      22,
      "gives no answer about a former reservation to the next one",
      "lifecycle, the side of the checks"),
  CONCURRENT_WRITES(
      23, "doesn't undo what others write at the same time", "Kubernetes API, resourceVersion"),
  RESTART(
      24, "answers after a restart what was asked meanwhile", "lifecycle, what you can rely on, 8");

  private final int number;
  private final String demand;
  private final String source;

  Rule(int number, String demand, String source) {
    this.number = number;
    this.demand = demand;
    this.source = source;
  }

  /** Its number, from 1; the order in which the report lists it. */
  public int number() {
    return number;
  }

  /** Its name in reports, such as {@code late-write}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What a controller does that keeps to it, in one line. */
  public String demand() {
    return demand;
  }

  /** Where that is written. */
  public String source() {
    return source;
  }
}
