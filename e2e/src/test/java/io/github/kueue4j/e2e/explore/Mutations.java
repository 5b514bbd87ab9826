// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static io.github.kueue4j.e2e.explore.Mutation.ofFence;
import static io.github.kueue4j.e2e.explore.Mutation.ofLifecycle;

import java.util.List;
import java.util.stream.Stream;

/**
 * Mistakes that the exploration must find.
 *
 * <p>Left out because no world can tell them from the real code: a fence that doesn't compare the
 * reservation (every reservation dates its entries anew, so the entry differs already; it matters
 * only with queue controllers that keep entries), one that doesn't compare the entry while the
 * reservation is the same (the core resets no entry without ending the reservation), one that takes
 * Evicting for Admitted (whatever was admitted is Ready already, so a late Ready changes nothing),
 * an R13 that makes an entry again without a later date (another spec is another question anyway),
 * and an R1 that doesn't end the observed entries (an entry that it resets is no Retry, and the
 * next look forgets the observation before a check could repeat an old date).
 */
final class Mutations {
  private Mutations() {}

  static List<Mutation> all() {
    return Stream.concat(ofTheLifecycle().stream(), ofTheFence().stream()).toList();
  }

  /** Those that show in a world. */
  static List<Mutation> in(String world) {
    return all().stream().filter(mutation -> mutation.world().equals(world)).toList();
  }

  static List<Mutation> ofTheLifecycle() {
    return List.of(
        ofLifecycle(
            "R1 reserves on a queue that doesn't run",
            "queues",
            "Reserve",
            "        && view.situation().clusterQueue().runs()\n",
            ""),
        ofLifecycle(
            "R1 dates two reservations alike",
            "a round",
            "Reserve",
            "previous.plusSeconds(1)",
            "previous"),
        ofLifecycle(
            "R1 keeps verdicts",
            "queues",
            "Entries",
            "pending(entry, countKept(entry, beforeQuota), reservedAt, \"for a new reservation\")",
            "entry"),
        ofLifecycle(
            "R1 keeps Evicted",
            "a round",
            "Reserve",
            "            .setFalseKeepingMessage(WorkloadConditions.EVICTED)\n",
            ""),
        ofLifecycle(
            "R2 doesn't wait for victims",
            "assignment",
            "Admit",
            " || view.situation().victimsHoldQuota()",
            ""),
        ofLifecycle(
            "R2 keeps retry counts", "a round", "Admit", "Entries.succeeded(agreed)", "agreed"),
        ofLifecycle(
            "the entry of a new check is not added",
            "checks come and go",
            "Lifecycle",
            "        Admit::addChecks,\n",
            ""),
        ofLifecycle(
            "R2 comes before withdraw",
            "assignment",
            "Lifecycle",
            "        QueueRules::withdraw,\n        PodsReadyRules::observe,\n        Admit::addChecks,\n        Admit::decide, // R2\n",
            "        Admit::addChecks,\n        Admit::decide, // R2\n        QueueRules::withdraw,\n"),
        ofLifecycle(
            "R3 leaves requeueAt to R5",
            "a round",
            "EvictForRetry",
            "            .requeueAt(view.deadline().at())\n",
            ""),
        ofLifecycle(
            "R3 doesn't record from when a delay counts",
            "late looks",
            "EvictForRetry",
            "            .recordDelays();\n",
            ";\n"),
        ofLifecycle(
            "R3 keeps quota",
            "a round",
            "EvictForRetry",
            "    return draft\n        .releaseUnlessRunning()\n",
            "    return draft\n"),
        ofLifecycle(
            "quota is released while the owner runs",
            "a round",
            "StatusDraft",
            "    return conditions().admitted() && !view.situation().owner().stopped() ? this : release();",
            "    return release();"),
        ofLifecycle(
            "an eviction keeps quota that nothing runs on",
            "a round",
            "StatusDraft",
            "    return conditions().admitted() && !view.situation().owner().stopped() ? this : release();",
            "    return conditions().admitted() ? this : release();"),
        ofLifecycle(
            "R4 doesn't wait for the owner",
            "a round",
            "Evict",
            " || !view.situation().owner().stopped()",
            ""),
        ofLifecycle(
            "R5 is gone", "a round", "Lifecycle", "        Backoff::followDeadline, // R5\n", ""),
        ofLifecycle(
            "R5 lowers requeueAt after a pods-ready timeout",
            "pods-ready timeouts",
            "StatusDraft",
            "        ? ApiSeconds.laterOrNull(status.requeueAt(), deadline.at())\n",
            "        ? deadline.at()\n"),
        ofLifecycle(
            "the pods are not looked at",
            "pods come and go",
            "Lifecycle",
            "        PodsReadyRules::observe,\n",
            ""),
        ofLifecycle(
            "PodsReady outlives its reservation",
            "pods come and go",
            "StatusDraft",
            "    resetPodsReady();\n",
            ""),
        ofLifecycle(
            "Ready outlives its reservation",
            "preemption and pods",
            "StatusDraft",
            "    entries(Entries.afterReservation(status.admissionChecks(), stamp));\n",
            ""),
        ofLifecycle(
            "the release of the quota resets a Retry",
            "preemption and pods",
            "Entries",
            "            entry.is(CheckState.READY)\n",
            "            !entry.is(CheckState.PENDING)\n"),
        ofLifecycle(
            "R6 doesn't wait",
            "a round",
            "Backoff",
            "    if (due != null && view.now().isBefore(due)) {\n      return null;\n    }\n",
            ""),
        ofLifecycle(
            "R6 doesn't wait after a pods-ready timeout",
            "pods-ready timeouts",
            "Backoff",
            "        ? ApiSeconds.laterOrNull(view.deadline().at(), view.requeueAt())\n",
            "        ? view.deadline().at()\n"),
        ofLifecycle(
            "R6 keeps requeueAt",
            "a round",
            "Backoff",
            "countRetries().requeueAt(null);",
            "countRetries();"),
        ofLifecycle(
            "R6 doesn't count",
            "a round",
            "Entries",
            "count == Integer.MAX_VALUE ? count : count + 1",
            "count"),
        ofLifecycle(
            "R6 leaves Ready entries",
            "a round",
            "Entries",
            "            entry.is(CheckState.PENDING)\n                ? entry\n"
                + "                : pending(entry, countOfNextAttempt(entry, beforeQuota)",
            "            !entry.is(CheckState.RETRY)\n                ? entry\n"
                + "                : pending(entry, countOfNextAttempt(entry, beforeQuota)"),
        ofLifecycle(
            "R6 doesn't end the observed entries",
            "old dates",
            "StatusDraft",
            "view.beforeQuota(), stamp))\n        .forgetObservedRetries()",
            "view.beforeQuota(), stamp))"),
        ofLifecycle(
            "a check may retry for ever",
            "limited retries",
            "Lifecycle",
            "        RetryLimits::exceeded,\n",
            ""),
        ofLifecycle(
            "R7 is gone",
            "a round",
            "Lifecycle",
            "        Backoff::holdForStrayRetry, // R7\n",
            ""),
        ofLifecycle(
            "R8 patches the status first",
            "rejections",
            "Deactivation",
            "    if (view.active()) {\n      return ProposedWrite.deactivate(Rule.REJECT, view);\n    }\n",
            ""),
        ofLifecycle(
            "R8 is gone", "rejections", "Lifecycle", "        Deactivation::reject, // R8\n", ""),
        ofLifecycle(
            "R11 comes before R8",
            "rejections",
            "Lifecycle",
            "        Deactivation::reject, // R8\n        Deactivation::deactivate, // R11\n",
            "        Deactivation::deactivate, // R11\n        Deactivation::reject, // R8\n"),
        ofLifecycle(
            "R8 and R11 keep requeueAt",
            "a restless user",
            "Deactivation",
            "        .requeueAt(null)\n",
            ""),
        ofLifecycle(
            "R11 keeps DeactivationTarget",
            "limit",
            "Deactivation",
            "        .withoutCondition(WorkloadConditions.DEACTIVATION_TARGET)\n",
            ""),
        ofLifecycle(
            "R11 keeps quota",
            "a restless user",
            "Deactivation",
            "        .edit(status -> status.withAccumulatedPastExecutionTimeSeconds(null))\n"
                + "        .releaseUnlessRunning();",
            "        .edit(status -> status.withAccumulatedPastExecutionTimeSeconds(null));"),
        ofLifecycle(
            "R9 keeps what was written while inactive",
            "a restless user",
            "Deactivation",
            ".clearEntries(\"when the workload was reactivated\")",
            ""),
        ofLifecycle(
            "R9 knows one reason only",
            "rejections",
            "Deactivation",
            "|| !view.conditions().heldForDeactivation()",
            "|| view.conditions().heldFor().filter(\"Deactivated\"::equals).isEmpty()"),
        ofLifecycle(
            "R10 never comes",
            "checks that never answer",
            "EvictForRetry",
            "timeout != null && !view.now().isBefore(timeout)",
            "timeout != null && view.now().isBefore(Instant.MIN)"),
        ofLifecycle(
            "a drained queue keeps what is admitted",
            "queues",
            "Lifecycle",
            "        QueueRules::drain,\n",
            ""),
        ofLifecycle(
            "nothing is withdrawn", "queues", "Lifecycle", "        QueueRules::withdraw,\n", ""),
        ofLifecycle(
            "a held workload isn't queued when its queue restarts",
            "queues",
            "Lifecycle",
            "        QueueRules::restart,\n",
            ""),
        ofLifecycle(
            "a Retry entry alone is no backoff",
            "a round",
            "Phase",
            "        || !Entries.retries(workload.status().admissionChecks(), required).isEmpty()) {",
            "        ) {"),
        ofLifecycle(
            "dates don't heed the reservation's",
            "a round",
            "SituationView",
            "ApiSeconds.later(ApiSeconds.floor(now), quotaReservedSince())",
            "ApiSeconds.floor(now)"),
        ofLifecycle(
            "the earliest deadline counts",
            "three checks",
            "Deadline",
            "latest = ApiSeconds.laterOrNull(until, latest);",
            "latest = ApiSeconds.earlierOrNull(until, latest);"),
        ofLifecycle(
            "deadlines are rounded down",
            "fractional cap",
            "Deadline",
            "return ApiSeconds.ceil(base.plus(duration));",
            "return ApiSeconds.floor(base.plus(duration));"),
        ofLifecycle(
            "a delay of 0 is taken for none",
            "retry policies",
            "Deadline",
            "    if (asked != null) {",
            "    if (asked != null && asked > 0) {"),
        ofLifecycle(
            "the shortest delay doesn't count",
            "shortest delays",
            "Deadline",
            "duration.compareTo(shortest) < 0",
            "duration.isNegative()"),
        ofLifecycle(
            "a date in the past is always believed",
            "clocks that are off",
            "Observation",
            "        !written.isBefore(now.minus(TRUSTED_LAG))\n",
            "        true\n"),
        ofLifecycle(
            "a date in the future is believed",
            "clocks that are off",
            "Observation",
            "            && !written.isAfter(now)\n",
            ""),
        ofLifecycle(
            "the core's own recording is a new sighting",
            "late looks",
            "StatusDraft",
            "                  retries.put(\n"
                + "                      entry.name(),\n"
                + "                      new ObservedEntries.Retry("
                + "recorded.lastTransitionTime(), delay.base()));\n",
            ""),
        ofLifecycle(
            "R5 looks at requeueAt only",
            "late looks",
            "StatusDraft",
            "                  return date.equals(ApiSeconds.later(date, view.quotaReservedSince()))\n",
            "                  return true\n"),
        ofLifecycle(
            "a delay counts from before its reservation",
            "late looks",
            "Observation",
            "    Instant base = ahead ? ",
            "    Instant base = !ahead ? "),
        ofLifecycle(
            "a recording whose answer was lost is a new sighting",
            "lost answers",
            "ObservedEntries",
            "            either.merge(entry, Set.of(retry), ObservedEntries::union);\n",
            ""),
        ofLifecycle(
            "a recording is kept that can't be written any more",
            "refused patches",
            "ObservedEntries",
            "    undecided.keySet().retainAll(unchanged);\n",
            ""),
        ofLifecycle(
            "a date that was recorded is one that was seen",
            "lost answers",
            "ObservedEntries",
            "      if (recorded.identity().equals(lastTransitionTime)) {",
            "      if (true) {"),
        ofLifecycle(
            "R12 comes after R8",
            "a naive check is observed",
            "Lifecycle",
            "        Observe::decide, // R12\n        Deactivation::reject, // R8\n",
            "        Deactivation::reject, // R8\n        Observe::decide, // R12\n"),
        ofLifecycle(
            "R12 is gone",
            "a naive check is observed",
            "Lifecycle",
            "        Observe::decide, // R12\n",
            ""),
        ofLifecycle(
            "R12 takes a record for an answer",
            "observed from time to time",
            "Observe",
            "view.phase() == Phase.RESERVED && ObservedAnswer",
            "view.phase() == Phase.QUEUED && ObservedAnswer"),
        ofLifecycle(
            "R12 asks again about what is admitted",
            "observed from time to time",
            "Observe",
            "view.phase() == Phase.RESERVED && ObservedAnswer",
            "ObservedAnswer"),
        ofLifecycle(
            "R2 waits for a check that only observes",
            "observed from time to time",
            "CheckGroups",
            "observed.contains(check) || isReady(check, entries)",
            "isReady(check, entries)"),
        ofLifecycle(
            "a check that only observes times out",
            "only an observed check",
            "EvictForRetry",
            "        || view.observed().contains(entry.name())\n",
            ""),
        ofLifecycle(
            "R1 doesn't wait for a check before quota",
            "asked before quota",
            "Reserve",
            "        && BeforeQuota.open(view.workload(), view.beforeQuota())\n",
            ""),
        ofLifecycle(
            "a Ready before quota about a former spec counts",
            "asked before quota",
            "BeforeQuota",
            "    return !specChanged(workload);",
            "    return true;"),
        ofLifecycle(
            "a Ready before quota about a former spec stays",
            "asked before quota",
            "BeforeQuota",
            "    if (specChanged(view.workload())) {",
            "    if (false) {"),
        ofLifecycle(
            "a Ready outlives its stage",
            "a queue goes before quota",
            "BeforeQuota",
            "!view.beforeQuota().contains(entry.name())) {",
            "false) {"),
        ofLifecycle(
            "a Ready before quota never becomes too old",
            "asked before quota",
            "BeforeQuota",
            "    return due == null || view.now().isBefore(due) ? null",
            "    return due == null || true ? null"),
        ofLifecycle(
            "R13 doesn't date a question anew",
            "asked before quota",
            "Entries",
            "    return pending(entry, entry.retryCount(), after, why);",
            "    return pending(entry, entry.retryCount(), entry.lastTransitionTime(), why);"),
        ofLifecycle(
            "R13 takes a record for an answer",
            "before quota on a restless queue",
            "CheckSequence",
            "entry.is(CheckState.READY) && ObservedAnswer.of(entry).isEmpty();",
            "entry.is(CheckState.READY);"),
        ofLifecycle(
            "R13 asks about no entry that is missing",
            "asked before quota",
            "BeforeQuota",
            "        entries.add(withheld.asked(check, view.stamp()));\n",
            ""),
        ofLifecycle(
            "a Ready before quota ends a count",
            "asked before quota",
            "Entries",
            "    return entry.is(CheckState.READY) && !beforeQuota.contains(entry.name())\n",
            "    return entry.is(CheckState.READY)\n"),
        ofLifecycle(
            "R1 asks all checks at once",
            "in order",
            "CheckSequence",
            "      if (before(entry.name()).isEmpty()) {\n",
            "      if (true) {\n"),
        ofLifecycle(
            "a check is asked whatever those before it have said",
            "in order",
            "CheckSequence",
            "groups.isReady(other, entries)",
            "Entries.find(entries, other) != null"),
        ofLifecycle(
            "a check that only observes holds up another",
            "an order that comes and goes",
            "CheckSequence",
            "    enforced.removeAll(observed);\n",
            ""),
        ofLifecycle(
            "the count of a check that is withheld is forgotten",
            "in order",
            "CheckSequence",
            "        withheld.withhold(entry);\n",
            "        withheld.withhold(entry.name());\n"),
        ofLifecycle(
            "the admission remembers checks that were withheld",
            "in order",
            "WithheldChecks",
            "    Integer count = retryCounts.remove(check);",
            "    Integer count = retryCounts.get(check);"),
        ofLifecycle(
            "a deactivation keeps the count of a check that is withheld",
            "in order, with timeouts",
            "StatusDraft",
            "stamp, why))\n        .withoutCondition(WorkloadConditions.WITHHELD_CHECKS)\n",
            "stamp, why))\n"),
        ofLifecycle(
            "R13 asks in no order",
            "in order before quota",
            "BeforeQuota",
            "      boolean due = sequence(view).isDue(check, view.entries());\n",
            "      boolean due = true;\n"),
        ofLifecycle(
            "R13 asks about another spec in no order",
            "in order before quota",
            "BeforeQuota",
            "      boolean put = specChanged(view.workload()) || !view.entries().contains(entry);\n",
            "      boolean put = false;\n"),
        ofLifecycle(
            "every alternative has to be Ready",
            "one of two",
            "CheckGroups",
            "observed.contains(check) || isReady(check, entries)",
            "observed.contains(check) || CheckSequence.isReady(Entries.find(entries, check))"),
        ofLifecycle(
            "the admission keeps what other alternatives said",
            "one of two",
            "CheckGroups",
            "    return members(entry.name()).size() == 1\n",
            "    return true\n"),
        ofLifecycle(
            "a Retry counts while an alternative may say yes",
            "one of two",
            "CheckGroups",
            "        .filter(entry -> counts(entry, entries))\n",
            ""),
        ofLifecycle(
            "a Rejected is final while an alternative may say yes",
            "one of two",
            "CheckGroups",
            "                counts(entry, entries)\n                    && answers(",
            "                true || answers("),
        ofLifecycle(
            "a Rejected that a Workload runs on waits for an entry that is Pending",
            "alternatives come and go",
            "CheckGroups",
            "    return refused(entry) || (admitted && !CheckSequence.isReady(entry));\n",
            "    return refused(entry);\n"),
        ofLifecycle(
            "what is Pending outlives the eviction for a Retry of an alternative",
            "alternatives come and go",
            "CheckGroups",
            "        : answers(entry.name(), entries).stream().noneMatch(CheckGroups::refused);\n",
            "        : true;\n"),
        ofLifecycle(
            "no refusal of an alternative outlives the reservation",
            "one of two",
            "CheckGroups",
            "        ? counts(entry, entries)\n",
            "        ? counts(entry, entries) && members(entry.name()).size() == 1\n"),
        ofLifecycle(
            "R14 is gone",
            "one of two, and another",
            "Lifecycle",
            "        Alternatives::setAside, // R14\n",
            ""),
        ofLifecycle(
            "what is set aside isn't counted",
            "one of two, and another",
            "Entries",
            "withRetryCount(countOfNextAttempt(counted, Set.of()))",
            "withRetryCount(counted.retryCount())"),
        ofLifecycle(
            "the latest of alternatives counts",
            "one of two",
            "Deadline",
            "earliest = ApiSeconds.earlierOrNull(earliest, delay.until());",
            "earliest = ApiSeconds.laterOrNull(earliest, delay.until());"),
        ofLifecycle(
            "an alternative without a delay doesn't count",
            "one of two",
            "Deadline",
            "      if (delay == null) {\n        return null;\n      }\n      earliest",
            "      if (delay == null) {\n        continue;\n      }\n      earliest"),
        ofLifecycle(
            "a check that only observes is an alternative",
            "alternatives come and go",
            "CheckGroups",
            "policy == null || alone.contains(check) ? null",
            "policy == null ? null"),
        ofLifecycle(
            "the wait for alternatives ends with the first timeout",
            "alternatives that never answer",
            "EvictForRetry",
            "        if (timeout == null) {\n          return null;\n        }\n        last",
            "        if (timeout == null) {\n          continue;\n        }\n        last"),
        ofLifecycle(
            "a limit deactivates though an alternative may go on",
            "limited alternatives",
            "RetryLimits",
            "              .allMatch(answer -> isExhausted(view, answer))) {",
            "              .anyMatch(answer -> isExhausted(view, answer))) {"),
        ofLifecycle(
            "an alternative is asked without what another comes after",
            "alternatives after another",
            "CheckSequence",
            "    for (String member : groups.members(check)) {",
            "    for (String member : Set.of(check)) {"),
        ofLifecycle(
            "what comes after alternatives waits for a certain one",
            "another after alternatives",
            "CheckSequence",
            "other -> groups.isReady(other, entries)",
            "other -> isReady(Entries.find(entries, other))"));
  }

  static List<Mutation> ofTheFence() {
    return List.of(
        ofFence(
            "another workload of the same name will do",
            "made anew",
            "Fence",
            "newest == null || !token.uid().equals(newest.metadata().getUid())",
            "newest == null"),
        ofFence(
            "deactivated workloads get verdicts",
            "a restless user",
            "Phase",
            "    if (!workload.spec().active()) {\n      return DEACTIVATED;\n    }\n",
            ""),
        ofFence(
            "finished workloads get verdicts",
            "finish",
            "Phase",
            """
                if (conditions.finished()) {
                  return FINISHED;
                }
            """,
            ""),
        ofFence(
            "a Ready is written while the workload is being evicted",
            "late verdicts",
            "Fence",
            "      case Verdict.Ready ready -> new Decision.Drop(Cause.EVICTED);",
            "      case Verdict.Ready ready ->\n"
                + "          write(entry, answered(entry, CheckState.READY, \"\", null, stamp));"),
        ofFence(
            "a woken check judges an entry that was reset",
            "wake-ups",
            "Fence",
            "    if (!token.entry().equals(Token.Entry.of(entry))) {",
            "    if (!token.entry().equals(Token.Entry.of(entry)) && entry.is(CheckState.READY)) {"),
        ofFence(
            "a woken check says Ready in backoff",
            "wake-ups",
            "Fence",
            "entry.withMessage(cut(why)).withRequeueAfterSeconds(0)",
            "entry.withMessage(cut(why)).withState(CheckState.READY)"),
        ofFence(
            "verdicts don't heed the reservation's date",
            "a round",
            "Fence",
            "return second.isAfter(since) ? second : since;",
            "return second;"),
        ofFence(
            "a Pending moves its date",
            "a round",
            "Fence",
            "entry.is(state) ? entry.lastTransitionTime() : stamp.time()",
            "stamp.time()"),
        ofFence(
            "a verdict resets retryCount",
            "a round",
            "Fence",
            "        .withState(state)\n",
            "        .withState(state)\n        .withRetryCount(null)\n"),
        ofFence(
            "a Retry loses its delay",
            "a round",
            "Fence",
            "case Delay.Exact exact -> wholeSeconds(exact.duration());",
            "case Delay.Exact exact -> null;"),
        ofFence(
            "an answer from before the admission ends it",
            "a round",
            "Fence",
            "phase == Phase.ADMITTED && !overAdmission && takesBack(entry, verdict)",
            "false"),
        ofFence(
            "a Pending takes back the record of what is admitted",
            "observed from time to time",
            "Fence",
            "(waits && ObservedAnswer.of(entry).isPresent())",
            "ObservedAnswer.of(entry).isPresent()"),
        ofFence(
            "a Ready is written while nothing is asked",
            "asked before quota",
            "Fence",
            "        && CheckStage.asks(newest)\n",
            ""),
        ofFence(
            "before quota an answer about a former spec is written",
            "two checks before quota",
            "Fence",
            "        ? same || token.reservation().quotaReserved()\n",
            "        ? true\n"));
  }
}
