// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * R12: checks in the mode Observe. Their Retry and Rejected become records before any other rule
 * sees them, so that they evict and deactivate nothing, now or once the check is enforced. A record
 * is a Ready with the answer in its message. It is no answer of a check that is enforced: before
 * the admission it becomes Pending, and the check is asked again; after it, nothing happens.
 */
final class Observe {
  private Observe() {}

  static @Nullable ProposedWrite decide(SituationView view) {
    StatusDraft draft = new StatusDraft(view);
    List<AdmissionCheckState> entries = new ArrayList<>();
    for (AdmissionCheckState entry : view.entries()) {
      AdmissionCheckState after = edited(view, entry);
      entries.add(after);
      if (after.is(CheckState.READY) && !after.equals(entry)) {
        draft.event(
            LifecycleEvent.normal(
                "AdmissionCheckObserved",
                "AdmissionCheck " + after.name() + ": " + after.message()));
      }
    }
    return draft.observe(entries).toWrite(Rule.OBSERVE);
  }

  private static AdmissionCheckState edited(SituationView view, AdmissionCheckState entry) {
    if (view.observed().contains(entry.name())) {
      return entry.is(CheckState.RETRY) || (entry.is(CheckState.REJECTED) && !hasDeactivated(view))
          ? recorded(view, entry)
          : entry;
    }
    return view.phase() == Phase.RESERVED && ObservedAnswer.of(entry).isPresent()
        ? Entries.askedAgain(entry, view.stamp())
        : entry;
  }

  /** Whether R8 is between its steps: the second one needs the Rejected, which is the cause. */
  private static boolean hasDeactivated(SituationView view) {
    return view.phase() == Phase.DEACTIVATED && !view.conditions().heldForDeactivation();
  }

  /** Without a reservation, or when it ends, there is nothing that the answer would be about. */
  private static AdmissionCheckState recorded(SituationView view, AdmissionCheckState entry) {
    return view.phase() == Phase.RESERVED || view.phase() == Phase.ADMITTED
        ? Entries.observed(entry, view.stamp())
        : Entries.unobserved(entry, view.stamp());
  }
}
