// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A builder of an {@link Explanation}. */
final class Finding {
  private final ObjectKey subject;
  private final Reason reason;
  private final String summary;
  private final List<Evidence> evidence = new ArrayList<>();
  private @Nullable Instant nextWake;

  Finding(ObjectKey subject, Reason reason, String summary) {
    this.subject = subject;
    this.reason = reason;
    this.summary = summary;
  }

  Finding seen(Evidence fact) {
    evidence.add(fact);
    return this;
  }

  Finding seen(List<Evidence> facts) {
    evidence.addAll(facts);
    return this;
  }

  Finding wakes(@Nullable Instant when) {
    nextWake = when;
    return this;
  }

  Explanation by(Actor actor, String action) {
    return new Explanation(
        subject, reason, summary, evidence, new WhoActs(actor, action), nextWake);
  }
}
