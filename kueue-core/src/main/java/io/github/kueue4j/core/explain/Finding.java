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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An explanation while its parts are put together. */
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

  Explanation by(Party party, String action) {
    return new Explanation(
        subject, reason, summary, evidence, new WhoActs(party, action), nextWake);
  }
}
