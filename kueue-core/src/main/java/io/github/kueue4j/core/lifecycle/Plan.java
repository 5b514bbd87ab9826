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

import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The one thing to do next for a Workload: nothing, a patch of its status, or a patch of its spec.
 *
 * <p>A patch never restates what is already there. It is written with the resourceVersion of {@link
 * Write#before}; on a conflict the caller reads from the API and plans again.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Plan {

  /** What has been seen up to now; to be kept whether or not a patch succeeds. */
  Sightings observed();

  /**
   * When to plan again if nothing changes before: never earlier than needed, null for not at all.
   */
  @Nullable Instant wakeAt();

  /** The rule that acted, or null if none did. */
  default @Nullable Rule rule() {
    return this instanceof Write write ? write.rule() : null;
  }

  /** A plan that writes. */
  sealed interface Write extends Plan {
    /** The Workload as it was read. */
    Workload before();

    /** The Workload as it shall be. */
    Workload after();

    @Override
    Rule rule();
  }

  /**
   * Nothing is to be written.
   *
   * @param waiting what the Workload waits for
   */
  record Nothing(Waiting waiting, @Nullable Instant wakeAt, Sightings observed) implements Plan {}

  /**
   * One patch of the status.
   *
   * @param applied the sightings that hold once the patch has succeeded
   * @param events to record once the patch has succeeded
   * @param facts to count once the patch has succeeded
   */
  record PatchStatus(
      Rule rule,
      Workload before,
      Workload after,
      Sightings observed,
      Sightings applied,
      @Nullable Instant wakeAt,
      List<LifecycleEvent> events,
      List<Fact> facts)
      implements Write {
    public PatchStatus {
      events = List.copyOf(events);
      facts = List.copyOf(facts);
    }
  }

  /** One patch of the spec: {@code active} becomes false. */
  record PatchSpec(
      Rule rule, Workload before, Workload after, Sightings observed, @Nullable Instant wakeAt)
      implements Write {}
}
