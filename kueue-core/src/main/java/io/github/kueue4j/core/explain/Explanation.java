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
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Why a Workload isn't running.
 *
 * @param subject the Workload; the Job while it has none
 * @param reason the one reason that has to go first
 * @param summary the reason with its names and numbers, as one or two sentences
 * @param evidence the facts behind it, the most telling first; never empty
 * @param whoActs who has to do what
 * @param nextWake when it goes on by itself; null if that isn't a matter of time. May have passed
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
      throw new IllegalArgumentException("an explanation without evidence is a guess: " + summary);
    }
  }

  /** A copy with more evidence behind the first. */
  Explanation and(List<Evidence> more) {
    List<Evidence> all = new ArrayList<>(evidence);
    all.addAll(more);
    return new Explanation(subject, reason, summary, all, whoActs, nextWake);
  }
}
