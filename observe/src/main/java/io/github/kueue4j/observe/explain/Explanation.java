// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Why a Workload isn't running.
 *
 * @param subject the Workload; the Job if that has no Workload
 * @param reason the one reason that has to be resolved first
 * @param summary the reason with its names and numbers, as one or two sentences
 * @param evidence the facts behind it, the most important first; never empty
 * @param whoActs the actor and the action needed
 * @param nextWake when it continues without any action; null if that doesn't depend on time. May be
 *     in the past
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Explanation(
    ObjectKey subject,
    Reason reason,
    String summary,
    List<Evidence> evidence,
    WhoActs whoActs,
    @Nullable Instant nextWake) {
  public Explanation {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(summary, "summary");
    Objects.requireNonNull(whoActs, "whoActs");
    evidence = List.copyOf(evidence);
    if (evidence.isEmpty()) {
      throw new IllegalArgumentException("an explanation needs evidence: " + summary);
    }
  }

  /** A copy with more evidence after the first. */
  Explanation and(List<Evidence> more) {
    List<Evidence> all = new ArrayList<>(evidence);
    all.addAll(more);
    return new Explanation(subject, reason, summary, all, whoActs, nextWake);
  }
}
