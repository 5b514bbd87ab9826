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
      "KEP-993, AdmissionCheck.status",
      "patch status.conditions of the AdmissionCheck: Active=True with a reason once "
          + "the controller works for it, Active=False with the reason if something is "
          + "missing",
      Passage.ACTIVE),
  ANSWERS(
      2,
      "answers a Workload that holds quota and asks it",
      "KEP-993, the flow",
      "watch Workloads and AdmissionChecks; where QuotaReserved is True and the entry "
          + "of your check is Pending, patch that entry; look at all Workloads again when a "
          + "new AdmissionCheck of yours appears",
      Passage.EVALUATION),
  FOREIGN_CHECK(
      3,
      "leaves AdmissionChecks of other controllers, and their entries, alone",
      "KEP-993, controllerName",
      "act only for AdmissionChecks whose spec.controllerName is yours, and only on "
          + "entries with their names",
      Passage.EVALUATION),
  NOT_LISTED(
      4,
      "adds no entry where it isn't asked",
      "lifecycle, what you can rely on, 7",
      "replace an entry that exists, and begin the patch with a test of its name; "
          + "where status.admissionChecks has none of yours, the Workload does not ask you",
      Passage.PERMISSION),
  NOT_RESERVED(
      5,
      "doesn't answer while no quota is reserved",
      "lifecycle, the side of the checks",
      "before you answer, require the condition QuotaReserved to be True",
      Passage.PERMISSION),
  EVICTING(
      6,
      "doesn't begin to judge a Workload that is being evicted",
      "lifecycle, the side of the checks",
      "begin no evaluation while the condition Evicted is True; await the next reservation",
      Passage.PERMISSION),
  FINISHED(
      7,
      "leaves finished Workloads alone",
      "lifecycle, the side of the checks",
      "skip Workloads whose condition Finished is True",
      Passage.PERMISSION),
  INACTIVE(
      8,
      "leaves deactivated Workloads alone",
      "lifecycle, the side of the checks",
      "skip Workloads with spec.active: false",
      Passage.PERMISSION),
  DELETING(
      9,
      "leaves Workloads alone that are being deleted",
      "lifecycle, the side of the checks",
      "skip Workloads that have a metadata.deletionTimestamp",
      Passage.PERMISSION),
  OWN_ENTRY(
      10,
      "changes no other check's entry",
      "lifecycle, what you can rely on, 7",
      "patch the fields of your entry by its index (a JSON patch), not the list "
          + "status.admissionChecks as a whole",
      Passage.PERMISSION),
  OTHER_FIELDS(
      11,
      "changes nothing of a Workload but its own entry (annotations and finalizers are its own)",
      "lifecycle, what you can rely on, 7",
      "patch fields below /status/admissionChecks/INDEX alone: conditions, admission, "
          + "requeueState, spec and labels belong to the queue controller and to users",
      Passage.PERMISSION),
  TRANSITION_TIME(
      12,
      "moves lastTransitionTime when the state changes, and only then",
      "lifecycle, dates",
      "write lastTransitionTime in the same patch as a new state, and leave it when "
          + "only the message changes",
      Passage.FIELDS),
  RETRY_COUNT(
      13,
      "leaves retryCount to the queue controller",
      "KEP-3258, retryCount",
      "do not write retryCount: the queue controller counts; read it as the number of "
          + "the attempt",
      Passage.FIELDS),
  DELAY(
      14,
      "says requeueAfterSeconds with Retry only, 0 or more",
      "KEP-3258, requeueAfterSeconds",
      "write requeueAfterSeconds together with state Retry only, as seconds, 0 or more",
      Passage.FIELDS),
  MESSAGE(
      15,
      "says why in a message whenever it doesn't say Ready",
      "KEP-993, the entry",
      "give every Retry and Rejected a message, of at most 32768 characters",
      Passage.FIELDS),
  POD_SET_UPDATES(
      16,
      "updates pod sets that exist, once each, only with Ready, with valid labels",
      "KEP-993, podSetUpdates",
      "write podSetUpdates with Ready only, at most one per pod set, with the names "
          + "of spec.podSets and with valid label keys and values",
      Passage.FIELDS),
  NO_NEEDLESS_WRITES(
      17,
      "writes nothing when nothing has changed",
      "lifecycle, the side of the checks",
      "compare what you would write with what is there, and send nothing if it is the "
          + "same; an event of a watch is no reason to write",
      Passage.PATTERNS),
  ADMITTED_LEFT_ALONE(
      18,
      "takes a Ready back from an admitted Workload only when something has changed, by Retry or"
          + " Rejected",
      "KEP-993, the flow",
      "do not judge anew because of an admission or an event; take a Ready back when "
          + "what the check looks at has changed, by Retry or Rejected, never by Pending",
      Passage.AFTER_READY),
  ANSWERS_AGAIN(
      19,
      "answers every new reservation",
      "lifecycle, what you can rely on, 4",
      "do not remember a Workload as done: it asks again with each reservation; "
          + "remember the date of QuotaReserved and the state, date and retryCount of your "
          + "entry",
      Passage.EVALUATION),
  RECOVERS(
      20,
      "finds what it missed while the server was out of reach",
      "Kubernetes API, watches",
      "when a watch ends, list again and look at every object of the list, then watch "
          + "from the version of the list",
      Passage.WATCHES),
  LATE_WRITE(
      21,
      "drops an answer that is overtaken by the release of the quota",
      "lifecycle, the side of the checks",
      "put the resourceVersion that you read into the patch; on 409 read again, and "
          + "drop the answer unless the Workload still asks the same",
      Passage.PERMISSION),
  OTHER_RESERVATION(
      22,
      "gives no answer about a former reservation to the next one",
      "lifecycle, the side of the checks",
      "remember the date of QuotaReserved with the question; if it is another one "
          + "when you come to write, drop the answer and evaluate anew",
      Passage.PERMISSION),
  CONCURRENT_WRITES(
      23,
      "doesn't undo what others write at the same time",
      "Kubernetes API, resourceVersion",
      "put the resourceVersion that you read into the patch; on 409 read the object "
          + "again and make a new patch from it, never the old one with the new version",
      Passage.EVALUATION),
  RESTART(
      24,
      "answers after a restart what was asked meanwhile",
      "lifecycle, what you can rely on, 8",
      "at the start list all Workloads and look at each as if it had just changed",
      Passage.WATCHES);

  private final int number;
  private final String demand;
  private final String source;
  private final String remedy;
  private final Passage passage;

  Rule(int number, String demand, String source, String remedy, Passage passage) {
    this.number = number;
    this.demand = demand;
    this.source = source;
    this.remedy = remedy;
    this.passage = passage;
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

  /** What the author of a controller that breaks it does about it, in one line. */
  public String remedy() {
    return remedy;
  }

  /** Where that is explained: a page and its anchor, relative to the project's root. */
  public String passage() {
    return passage.link();
  }
}
