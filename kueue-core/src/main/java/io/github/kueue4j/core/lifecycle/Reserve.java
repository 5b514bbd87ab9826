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

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * R1, Queued → Reserved or Admitted: the scheduler found quota.
 *
 * <p>Every reservation has a time of its own, at least a second after the one before, so that a
 * verdict can name the reservation it was made for.
 */
final class Reserve {
  private Reserve() {}

  /** Queued, both queues run, nothing in Retry or Rejected, and the entries fit into the status. */
  static boolean possible(View view, Collection<CheckPolicy> checks) {
    return view.phase() == Phase.QUEUED
        && view.reading().rejected().isEmpty()
        && view.reading().retries(names(checks)).isEmpty()
        && view.situation().localQueue().runs()
        && view.situation().clusterQueue().runs()
        && checks.size() <= Entries.LIMIT;
  }

  static @Nullable Decision decide(
      View view, Admission admission, Collection<CheckPolicy> requiredChecks) {
    Set<String> required = names(requiredChecks);
    Instant previous = view.reading().quotaReservedSince();
    Instant at =
        Stamps.later(Stamps.floor(view.now()), previous == null ? null : previous.plusSeconds(1));
    StatusDraft draft =
        new StatusDraft(view, at)
            .admission(admission)
            .withoutResourceRequests()
            .condition(
                WorkloadConditions.QUOTA_RESERVED,
                true,
                Reasons.QUOTA_RESERVED,
                Messages.quotaReserved(admission.clusterQueue()))
            .overcome(WorkloadConditions.EVICTED)
            .overcome(WorkloadConditions.PREEMPTED)
            .entries(Entries.forReservation(view.reading().entries(), required, at))
            .requeueAt(null)
            .endSightings()
            .fact(new Fact.QuotaReserved(admission.clusterQueue()));
    if (required.isEmpty() && !view.situation().victimsHoldQuota()) {
      draft
          .condition(WorkloadConditions.ADMITTED, true, Reasons.ADMITTED, Messages.ADMITTED)
          .awaitPods()
          .fact(new Fact.Admitted(admission.clusterQueue(), Duration.ZERO));
    } else {
      draft.condition(
          WorkloadConditions.ADMITTED,
          false,
          Reasons.UNSATISFIED_ADMISSION_CHECKS,
          Messages.CHECKS_NOT_READY);
    }
    // The entries are exactly what this assignment requires, not what the queue does.
    return draft.asIs(Rule.RESERVE);
  }

  private static Set<String> names(Collection<CheckPolicy> checks) {
    return checks.stream().map(CheckPolicy::name).collect(Collectors.toUnmodifiableSet());
  }
}
