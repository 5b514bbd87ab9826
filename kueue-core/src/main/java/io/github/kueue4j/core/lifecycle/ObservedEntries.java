// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * When the core first saw the entries of one Workload, on its own clock: each Retry, and each
 * Pending entry while quota is reserved, and each Ready before quota. An immutable value that the
 * caller keeps per Workload uid between two plans; losing it at a restart is safe.
 *
 * <p>It exists because a check's clock may be wrong: a delay counts from the entry's
 * lastTransitionTime only if that lies within two seconds before the moment the core first saw it.
 *
 * @param restarted whether this process hasn't seen this Workload before: only then does a stored
 *     requeueAt prove that an earlier process recorded a Retry
 * @param retries by check name
 * @param waits by check name
 * @param unconfirmed by check name, the Retries as patches recorded them that were not answered
 *     with success. Each may have been written, as long as the entry wasn't seen to change: patches
 *     are guarded by the resourceVersion
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObservedEntries(
    boolean restarted,
    SortedMap<String, Retry> retries,
    SortedMap<String, Wait> waits,
    SortedMap<String, Set<Retry>> unconfirmed) {

  /** Attempts of some hours, once they are minutes apart. */
  private static final int MOST_UNCONFIRMED = 64;

  private static final ObservedEntries NONE = nothing(true);

  /** This process has seen the Workload, but no entry that matters. */
  private static final ObservedEntries NONE_THAT_MATTERS = nothing(false);

  private static ObservedEntries nothing(boolean restarted) {
    return new ObservedEntries(
        restarted,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        Collections.emptySortedMap());
  }

  /**
   * A Retry that was seen.
   *
   * @param identity the entry's lastTransitionTime, which distinguishes one Retry from the next.
   *     Once the core has replaced that time, its replacement: the core's own write is not a new
   *     Retry, and the replaced time may be that of another Retry
   * @param base the instant from which the delay counts, in whole seconds
   */
  public record Retry(Instant identity, Instant base) {}

  /**
   * A Pending entry that was seen while quota was reserved, or one that was Ready before quota.
   *
   * @param identity the later of the entry's lastTransitionTime and the reservation's; before
   *     quota, its lastTransitionTime
   * @param since the identity, or the time of the first sight if that was earlier: a date in the
   *     future can't postpone the timeout for ever. Before quota, the time of the first sight, so
   *     that a check whose clock is behind isn't asked again and again; but after a restart the
   *     identity
   */
  public record Wait(Instant identity, Instant since) {}

  public ObservedEntries {
    retries = SortedCopy.of(retries);
    waits = SortedCopy.of(waits);
    if (!unconfirmed.isEmpty()) {
      SortedMap<String, Set<Retry>> recorded = new TreeMap<>(unconfirmed);
      recorded.replaceAll((entry, retriesOfIt) -> Set.copyOf(retriesOfIt));
      unconfirmed = recorded;
    }
    unconfirmed = SortedCopy.of(unconfirmed);
  }

  /** Nothing seen yet, as after a restart. */
  public static ObservedEntries none() {
    return NONE;
  }

  /**
   * The entries to keep until a patch is answered: it may be written although its answer is lost,
   * and although a conflict is the answer, if the connection failed and the request was sent again.
   *
   * @param applied what to keep once it is known to be written
   */
  public ObservedEntries orApplied(ObservedEntries applied) {
    SortedMap<String, Set<Retry>> either = new TreeMap<>(unconfirmed);
    applied.retries.forEach(
        (entry, retry) -> {
          if (!retry.equals(retries.get(entry))) {
            either.merge(entry, Set.of(retry), ObservedEntries::union);
          }
        });
    return new ObservedEntries(restarted, retries, waits, either);
  }

  private static Set<Retry> union(Set<Retry> recorded, Set<Retry> later) {
    Set<Retry> all = new HashSet<>(recorded);
    all.addAll(later);
    if (all.size() > MOST_UNCONFIRMED) {
      all.remove(Collections.min(all, Comparator.comparing(Retry::identity)));
    }
    return all;
  }

  /** The Retry of this entry that has this date, if it was seen or may have been recorded. */
  @Nullable Retry retry(String entry, Instant lastTransitionTime) {
    Retry seen = retries.get(entry);
    if (seen != null && seen.identity().equals(lastTransitionTime)) {
      return seen;
    }
    for (Retry recorded : unconfirmed.getOrDefault(entry, Set.of())) {
      if (recorded.identity().equals(lastTransitionTime)) {
        return recorded;
      }
    }
    return null;
  }

  @Nullable Retry retry(String entry) {
    return retries.get(entry);
  }

  @Nullable Wait wait(String entry) {
    return waits.get(entry);
  }

  /** The observed entries after a patch that reset every entry to Pending. */
  ObservedEntries ended() {
    return NONE_THAT_MATTERS;
  }

  /** The observed entries after a patch that is known to be written. */
  ObservedEntries confirmed() {
    return unconfirmed.isEmpty()
        ? this
        : new ObservedEntries(restarted, retries, waits, Collections.emptySortedMap());
  }

  /**
   * The observed entries of a version that was read.
   *
   * @param unchanged the entries that are as they were before
   */
  ObservedEntries with(Map<String, Retry> retries, Map<String, Wait> waits, Set<String> unchanged) {
    if (retries.isEmpty() && waits.isEmpty() && unconfirmed.isEmpty()) {
      return NONE_THAT_MATTERS;
    }
    SortedMap<String, Set<Retry>> undecided = new TreeMap<>(unconfirmed);
    undecided.keySet().retainAll(unchanged);
    return new ObservedEntries(false, new TreeMap<>(retries), new TreeMap<>(waits), undecided);
  }
}
