// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * R13: checks that are asked before quota (the stage {@link CheckStage#BEFORE_QUOTA}). A Workload
 * is offered to the scheduler only while each of them says Ready about its present spec.
 *
 * <p>A question is opened by QuotaReserved=False with the reason {@link
 * CheckStage#WAITING_FOR_CHECKS} and the generation that is asked about; checks on the SDK answer
 * only then. Each question dates the entries that it is about anew, so that a late answer to an
 * earlier one finds another entry. The Ready is only about being offered: R1 asks again, about the
 * reservation.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BeforeQuota {
  private BeforeQuota() {}

  /**
   * Whether a Workload that waits may be offered to the scheduler.
   *
   * @param checks that are asked before quota
   */
  public static boolean open(Workload workload, Set<String> checks) {
    if (checks.isEmpty()) {
      return true;
    }
    for (String check : checks) {
      AdmissionCheckState entry = Entries.find(workload.status().admissionChecks(), check);
      if (!CheckSequence.isReady(entry)) {
        return false;
      }
    }
    return !specChanged(workload);
  }

  /**
   * R13 while the Workload waits: a Ready is none once it is about a former spec or too old, or its
   * check is no longer asked before quota.
   */
  static @Nullable ProposedWrite reset(SituationView view) {
    if (!mayBeReady(view)) {
      return null;
    }
    List<AdmissionCheckState> entries =
        Entries.map(
            view.entries(),
            entry -> {
              String why = CheckSequence.isReady(entry) ? over(view, entry) : null;
              return why == null ? entry : Entries.askedBeforeQuota(entry, view.stamp(), why);
            });
    if (entries.equals(view.entries())) {
      return null;
    }
    WithheldChecks withheld = WithheldChecks.of(view.workload().status());
    List<AdmissionCheckState> asked = new ArrayList<>(entries);
    for (AdmissionCheckState entry : entries) {
      // Put anew by this patch: reset, or asked about another spec than before.
      boolean put = specChanged(view.workload()) || !view.entries().contains(entry);
      if (put
          && view.beforeQuota().contains(entry.name())
          && !CheckSequence.isReady(entry)
          && !sequence(view).isDue(entry.name(), entries)) {
        asked.remove(entry);
        withheld.withholdUntilAfter(entry);
      }
    }
    StatusDraft draft = new StatusDraft(view).entries(asked).withheld(withheld);
    // About the present spec from now on: another answer isn't about the former one.
    view.conditions()
        .notReserved()
        .ifPresent(
            said ->
                draft.condition(
                    WorkloadConditions.QUOTA_RESERVED, false, said.reason(), said.message()));
    return draft.toWrite(Rule.ASK);
  }

  /** When a Ready becomes too old; null if none does. */
  static @Nullable Instant due(SituationView view) {
    Instant due = null;
    if (mayBeReady(view)) {
      for (AdmissionCheckState entry : view.entries()) {
        due = ApiSeconds.earlierOrNull(due, CheckSequence.isReady(entry) ? due(view, entry) : null);
      }
    }
    return due;
  }

  private static boolean mayBeReady(SituationView view) {
    return view.phase() == Phase.QUEUED || view.phase() == Phase.HELD;
  }

  private static @Nullable Instant due(SituationView view, AdmissionCheckState entry) {
    ObservedEntries.Wait given = view.seen().wait(entry.name());
    Duration readyFor = view.situation().checks().beforeQuota().get(entry.name());
    return given == null || readyFor == null ? null : given.since().plus(readyFor);
  }

  /** Why a Ready counts no more; null if it does, or was never one before quota. */
  private static @Nullable String over(SituationView view, AdmissionCheckState entry) {
    if (specChanged(view.workload())) {
      return "since the spec has changed";
    }
    if (view.seen().wait(entry.name()) != null && !view.beforeQuota().contains(entry.name())) {
      return "since its check is no longer asked before quota";
    }
    Instant due = due(view, entry);
    return due == null || view.now().isBefore(due) ? null : "since it had become too old";
  }

  /**
   * R13 while nothing else keeps the Workload from being offered: asks the checks that don't say
   * Ready.
   */
  static @Nullable ProposedWrite ask(SituationView view) {
    if (!asksNow(view)) {
      return null;
    }
    boolean opens = !CheckStage.asks(view.workload());
    WithheldChecks withheld = WithheldChecks.of(view.workload().status());
    List<AdmissionCheckState> entries =
        new ArrayList<>(
            Entries.map(
                Entries.withoutUnrequired(view.entries(), view.required()), withheld::found));
    Set<String> waiting = new TreeSet<>();
    for (String check : view.beforeQuota()) {
      AdmissionCheckState entry = Entries.find(entries, check);
      boolean due = sequence(view).isDue(check, view.entries());
      boolean asked = entry != null && !opens && !entry.is(CheckState.READY);
      if (CheckSequence.isReady(entry)) {
        continue;
      }
      if (due || asked) {
        waiting.add(check);
      }
      if (entry == null && due) {
        entries.add(withheld.asked(check, view.stamp()));
      } else if (entry == null) {
        withheld.withhold(check);
      } else if (due && !asked) {
        entries.set(
            entries.indexOf(entry), Entries.askedBeforeQuota(entry, view.stamp(), "before quota"));
      } else if (!asked) {
        entries.remove(entry);
        withheld.withholdUntilAfter(entry);
      }
    }
    if (waiting.isEmpty()) {
      return null;
    }
    for (int last = entries.size() - 1; entries.size() > Entries.LIMIT; last--) {
      if (!view.beforeQuota().contains(entries.get(last).name())) {
        // Of the flavors that it had before; R1 makes it anew.
        entries.remove(last);
      }
    }
    return new StatusDraft(view)
        .condition(
            WorkloadConditions.QUOTA_RESERVED,
            false,
            CheckStage.WAITING_FOR_CHECKS,
            Messages.waitsBeforeQuota(waiting))
        .condition(
            WorkloadConditions.ADMITTED, false, Reasons.NO_RESERVATION, Messages.NO_RESERVATION)
        .entries(entries)
        .withheld(withheld)
        .toWrite(Rule.ASK);
  }

  /** Whether the Workload waits for such a check, and for nothing else. */
  static boolean waits(SituationView view) {
    return asksNow(view) && !open(view.workload(), view.beforeQuota());
  }

  private static boolean asksNow(SituationView view) {
    return view.phase() == Phase.QUEUED
        && view.situation().localQueue().runs()
        && view.situation().clusterQueue().runs();
  }

  /** The order within the stage. */
  private static CheckSequence sequence(SituationView view) {
    return new CheckSequence(view.groups(), view.beforeQuota());
  }

  /** Where the condition names no generation nothing is known. */
  private static boolean specChanged(Workload workload) {
    Long generation = workload.metadata().getGeneration();
    return workload
        .conditions()
        .notReserved()
        .map(Condition::observedGeneration)
        .filter(asked -> generation != null && !Objects.equals(asked, generation))
        .isPresent();
  }
}
