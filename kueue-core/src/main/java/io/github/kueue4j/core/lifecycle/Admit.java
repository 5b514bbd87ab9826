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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * R2, Reserved → Admitted: every required check is Ready. It waits until no victim of a deferred
 * preemption holds quota.
 *
 * <p>A check that became required while the others were running has no entry yet. Admitting without
 * it would break invariant 4, waiting for it without an entry would wait for ever, so its entry is
 * added first. A check added after the admission is left alone: it never evicts.
 */
final class Admit {
  private Admit() {}

  static @Nullable Decision decide(View view) {
    if (view.phase() != Phase.RESERVED || view.situation().victimsHoldQuota()) {
      return null;
    }
    Reading reading = view.reading();
    for (String check : view.required()) {
      AdmissionCheckState entry = Entries.find(reading.entries(), check);
      if (entry == null || !entry.is(CheckState.READY)) {
        return null;
      }
    }
    Instant since = reading.quotaReservedSince();
    return new StatusDraft(view)
        .condition(WorkloadConditions.ADMITTED, true, Reasons.ADMITTED, Messages.ADMITTED)
        .awaitPods()
        .entries(Entries.succeeded(reading.entries()))
        .fact(new Fact.Admitted(reading.clusterQueue(), Stamps.between(since, view.now())))
        .as(Rule.ADMIT);
  }

  /** Adds the entries of required checks that have none, as Pending. */
  static @Nullable Decision addChecks(View view) {
    if (view.phase() != Phase.RESERVED || view.required().size() > Entries.LIMIT) {
      return null;
    }
    List<AdmissionCheckState> entries = new ArrayList<>(view.reading().entries());
    for (String check : view.required()) {
      if (Entries.find(entries, check) == null) {
        entries.add(AdmissionCheckState.pending(check, view.stamp()));
      }
    }
    return new StatusDraft(view).entries(entries).as(Rule.ADD_CHECK);
  }
}
