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
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.github.kueue4j.core.job.Alignment;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes of Workloads that the API server didn't take. Asking for the same again at each event
 * would only repeat the refusal; another change, or the same after a while, is worth a try.
 */
final class RefusedChanges {
  private final Map<ObjectKey, Refused> latest = new ConcurrentHashMap<>();

  /** What a Workload was to become, and until when that isn't asked for again. */
  private record Refused(WorkloadSpec spec, Map<String, String> annotations, Instant until) {}

  void add(Alignment.Change change, Instant until) {
    latest.put(
        ObjectKey.of(change.after()),
        new Refused(change.after().spec(), annotations(change.after()), until));
  }

  /** Until when this very change isn't asked for again; empty if it may be. */
  Optional<Instant> rests(Alignment.Change change, Instant now) {
    return Optional.ofNullable(latest.get(ObjectKey.of(change.after())))
        .filter(refused -> now.isBefore(refused.until()))
        .filter(refused -> refused.annotations().equals(annotations(change.after())))
        .filter(refused -> refused.spec().equals(change.after().spec()))
        .map(Refused::until);
  }

  /** Until when the latest change isn't asked for again; empty if nothing was refused. */
  Optional<Instant> until(ObjectKey workload) {
    return Optional.ofNullable(latest.get(workload)).map(Refused::until);
  }

  /** Something was taken, nothing is asked for any more, or the Workload is gone. */
  void forget(ObjectKey workload) {
    latest.remove(workload);
  }

  private static Map<String, String> annotations(Workload workload) {
    return Objects.requireNonNullElse(workload.metadata().getAnnotations(), Map.of());
  }
}
