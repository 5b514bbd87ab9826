// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * When the core first saw the entries of one Workload, on its own clock: each Retry, and each
 * Pending entry while quota is reserved. An immutable value that the caller keeps per Workload uid
 * between two plans; losing it at a restart is safe.
 *
 * <p>It exists because a check's clock may be wrong: a delay counts from the entry's
 * lastTransitionTime only if that lies within two seconds before the moment the core first saw it.
 *
 * @param restarted whether this process hasn't seen this Workload before: only then does a stored
 *     requeueAt prove that an earlier process recorded a Retry
 * @param retries by check name
 * @param waits by check name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObservedEntries(
    boolean restarted, SortedMap<String, Retry> retries, SortedMap<String, Wait> waits) {

  private static final ObservedEntries NONE =
      new ObservedEntries(true, new TreeMap<>(), new TreeMap<>());

  /**
   * A Retry that was seen.
   *
   * @param identity the entry's lastTransitionTime, which distinguishes one Retry from the next.
   *     Once the core has replaced that time, its replacement: the core's own write is not a new
   *     Retry, and the replaced time may be that of another Retry
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
   * @param identity the later of the entry's lastTransitionTime and the reservation's
   * @param since the identity, or the time of the first sight if that was earlier: a date in the
   *     future can't postpone the timeout for ever
   */
  public record Wait(Instant identity, Instant since) {}

  public ObservedEntries {
    retries = Collections.unmodifiableSortedMap(new TreeMap<>(retries));
    waits = Collections.unmodifiableSortedMap(new TreeMap<>(waits));
  }

  /** Nothing seen yet, as after a restart. */
  public static ObservedEntries none() {
    return NONE;
  }

  @Nullable Retry retry(String entry) {
    return retries.get(entry);
  }

  @Nullable Wait wait(String entry) {
    return waits.get(entry);
  }

  /** The observed entries after a patch that reset every entry to Pending. */
  ObservedEntries ended() {
    return new ObservedEntries(false, new TreeMap<>(), new TreeMap<>());
  }

  ObservedEntries with(Map<String, Retry> retries, Map<String, Wait> waits) {
    return new ObservedEntries(false, new TreeMap<>(retries), new TreeMap<>(waits));
  }
}
