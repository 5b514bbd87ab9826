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

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the core remembers of one Workload's entries between two plans: since when it knows a Retry,
 * on its own clock, and since when a Pending entry has been waiting. An immutable value; the caller
 * keeps it per Workload uid and loses it at a restart without harm.
 *
 * <p>It exists because a check's clock may be wrong: a delay counts from the entry's
 * lastTransitionTime only if that lies within two seconds before the moment the core first saw it.
 *
 * @param restarted whether nothing of this Workload was seen before: only then does a stored
 *     requeueAt prove that a Retry had been recorded by an earlier process
 * @param retries by entry name
 * @param waits by entry name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Sightings(
    boolean restarted, SortedMap<String, Retry> retries, SortedMap<String, Wait> waits) {

  private static final Sightings NONE = new Sightings(true, new TreeMap<>(), new TreeMap<>());

  /**
   * A Retry that was seen.
   *
   * @param identity the entry's lastTransitionTime, which tells one Retry from the next; the one
   *     that the core wrote in its place once it has: its own recording is not a new sighting, and
   *     the date that it replaced may be that of another Retry
   * @param base the instant from which the delay counts, in whole seconds
   */
  public record Retry(Instant identity, Instant base) {
    boolean matches(Instant lastTransitionTime) {
      return lastTransitionTime.equals(identity);
    }

    Retry recordedAs(Instant lastTransitionTime) {
      return new Retry(lastTransitionTime, base);
    }
  }

  /**
   * A Pending entry that was seen while quota was reserved.
   *
   * @param identity the instant of the object from which it would count
   * @param since that instant, or the first sight of it if that was earlier: an entry dated into
   *     the future can't postpone its timeout for ever
   */
  public record Wait(Instant identity, Instant since) {}

  public Sightings {
    retries = Collections.unmodifiableSortedMap(new TreeMap<>(retries));
    waits = Collections.unmodifiableSortedMap(new TreeMap<>(waits));
  }

  /** Nothing seen yet, as after a restart. */
  public static Sightings none() {
    return NONE;
  }

  @Nullable Retry retry(String entry) {
    return retries.get(entry);
  }

  @Nullable Wait wait(String entry) {
    return waits.get(entry);
  }

  /** The sightings after a patch that reset every entry to Pending. */
  Sightings ended() {
    return new Sightings(false, new TreeMap<>(), new TreeMap<>());
  }

  Sightings with(Map<String, Retry> retries, Map<String, Wait> waits) {
    return new Sightings(false, new TreeMap<>(retries), new TreeMap<>(waits));
  }
}
