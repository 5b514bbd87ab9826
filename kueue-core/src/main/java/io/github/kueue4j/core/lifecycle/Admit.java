// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * R2, Reserved → Admitted: every required check is Ready, or an alternative to it, or only
 * observes. It waits until no victim of a deferred preemption holds quota. Of alternatives the one
 * that the Workload is admitted with keeps its entry, and the others lose theirs: what they say
 * from now on can't matter.
 *
 * <p>A check that became required while the others were running has no entry yet. Admitting without
 * it would break invariant 4, and a check without an entry never gets Ready, so its entry is added
 * first. So are those of checks that come after others, once these are Ready. A check that is added
 * after the admission is ignored: it never evicts.
 */
final class Admit {
  private Admit() {}

  static @Nullable ProposedWrite decide(SituationView view) {
    if (view.phase() != Phase.RESERVED
        || view.situation().victimsHoldQuota()
        || !view.groups().agree(view.observed(), view.entries())) {
      return null;
    }
    List<AdmissionCheckState> agreed =
        view.entries().stream()
            .filter(entry -> view.groups().isChosen(entry, view.entries()))
            .toList();
    Instant since = view.quotaReservedSince();
    return new StatusDraft(view)
        .condition(WorkloadConditions.ADMITTED, true, Reasons.ADMITTED, Messages.ADMITTED)
        .awaitPods()
        .entries(Entries.succeeded(agreed))
        .withoutCondition(WorkloadConditions.WITHHELD_CHECKS)
        .metric(
            new LifecycleMetric.Admitted(
                view.clusterQueue(), ApiSeconds.between(since, view.now())))
        .toWrite(Rule.ADMIT);
  }

  /** Adds the entries of required checks that are due, as Pending; remembers those that aren't. */
  static @Nullable ProposedWrite addChecks(SituationView view) {
    if (view.phase() != Phase.RESERVED || view.required().size() > Entries.LIMIT) {
      return null;
    }
    CheckSequence sequence = CheckSequence.among(view.groups(), view.observed());
    WithheldChecks withheld = WithheldChecks.of(view.workload().status());
    withheld.retain(view.required());
    List<AdmissionCheckState> entries =
        new ArrayList<>(Entries.map(view.entries(), withheld::found));
    for (String check : view.required()) {
      if (Entries.find(entries, check) != null) {
        continue;
      }
      if (sequence.isDue(check, view.entries())) {
        entries.add(withheld.asked(check, view.stamp()));
      } else {
        withheld.withhold(check);
      }
    }
    return new StatusDraft(view).entries(entries).withheld(withheld).toWrite(Rule.ADD_CHECK);
  }
}
