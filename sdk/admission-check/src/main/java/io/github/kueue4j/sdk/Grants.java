// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.internal.fence.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The grants of a check that counts a resource, until the watch shows them: between a Ready verdict
 * and the moment when the check sees that Ready in the Workload, a second evaluation would grant
 * the same amount again. Only this gap is bridged from memory; everything else a counting check
 * derives from objects, so a restart forgets nothing.
 *
 * <p>Evaluations run concurrently: hold this object's monitor from looking at {@link #outstanding}
 * until {@link #granted}.
 *
 * <pre>{@code
 * Grants<Integer> grants = new Grants<>(builder.workloads()::get);
 *
 * synchronized (grants) {
 *   int seats = grants.outstanding(evaluation).values().stream().mapToInt(seat -> seat).sum();
 *   if (seats < 10) {
 *     grants.granted(evaluation, 1);
 *   }
 * }
 * }</pre>
 *
 * @param <A> what is granted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Grants<A> {

  /** A verdict that isn't visible by then was dropped; real time, as watches lag in real time. */
  private static final Duration VISIBLE_WITHIN = Duration.ofMinutes(1);

  private record Grant<A>(String check, AnsweredEntry answered, A amount, long sinceNanos) {}

  /** The entry that was answered: once it reads otherwise, the answer is visible or void. */
  private record AnsweredEntry(@Nullable String uid, Instant lastTransitionTime) {}

  // Guarded by this object's monitor.
  private final Map<ObjectKey, List<Grant<A>>> grants = new HashMap<>();
  private final Function<ObjectKey, Optional<Workload>> workloads;
  private final LongSupplier nanos;

  /**
   * No grants yet.
   *
   * @param workloads looks up a workload as the watch shows it
   */
  public Grants(Function<ObjectKey, Optional<Workload>> workloads) {
    this(workloads, System::nanoTime);
  }

  /**
   * The same with a clock of one's own, for tests.
   *
   * @param nanos monotonic, as {@link System#nanoTime}
   */
  public Grants(Function<ObjectKey, Optional<Workload>> workloads, LongSupplier nanos) {
    this.workloads = workloads;
    this.nanos = nanos;
  }

  /**
   * The grants to other workloads that aren't visible yet, by workload.
   *
   * <p>Ask this first, look at the workloads afterwards, and leave out those named here: a verdict
   * may become visible in between, and would count twice. In the other order it would not count at
   * all.
   */
  public synchronized Map<ObjectKey, A> outstanding(Evaluation<?> evaluation) {
    grants.entrySet().removeIf(entry -> settle(entry.getKey(), entry.getValue()));
    Map<ObjectKey, A> amounts = new HashMap<>();
    grants.forEach(
        (key, given) -> {
          for (Grant<A> grant : given) {
            if (grant.check.equals(evaluation.check()) && !key.equals(evaluation.key())) {
              amounts.put(key, grant.amount);
            }
          }
        });
    return amounts;
  }

  /**
   * What was granted to any workload by any check of this controller and isn't visible yet, by
   * workload; the latest grant where several checks gave one.
   *
   * <p>Ask this first and look at the workloads afterwards, as for the other method of this name.
   */
  public synchronized Map<ObjectKey, A> outstanding() {
    grants.entrySet().removeIf(entry -> settle(entry.getKey(), entry.getValue()));
    Map<ObjectKey, A> amounts = new HashMap<>();
    grants.forEach((key, given) -> amounts.put(key, given.getLast().amount));
    return amounts;
  }

  /** Remembers that the evaluation ends in a Ready that grants this. */
  public synchronized void granted(Evaluation<?> evaluation, A amount) {
    Workload workload = evaluation.workload();
    AnsweredEntry answered =
        new AnsweredEntry(workload.metadata().getUid(), evaluation.entry().lastTransitionTime());
    List<Grant<A>> given = grants.computeIfAbsent(evaluation.key(), key -> new ArrayList<>());
    given.removeIf(grant -> grant.check.equals(evaluation.check()));
    given.add(new Grant<>(evaluation.check(), answered, amount, nanos.getAsLong()));
  }

  private boolean settle(ObjectKey key, List<Grant<A>> given) {
    @Nullable Workload workload = workloads.apply(key).orElse(null);
    given.removeIf(grant -> workload == null || settled(grant, workload));
    return given.isEmpty();
  }

  private boolean settled(Grant<?> grant, Workload workload) {
    Optional<AdmissionCheckState> entry = workload.status().admissionCheck(grant.check);
    return entry.isEmpty()
        || !Phase.of(workload).holdsReservation()
        || !entry.get().is(CheckState.PENDING)
        || !Objects.equals(workload.metadata().getUid(), grant.answered.uid)
        || !entry.get().lastTransitionTime().equals(grant.answered.lastTransitionTime)
        || nanos.getAsLong() - grant.sinceNanos > VISIBLE_WITHIN.toNanos();
  }
}
