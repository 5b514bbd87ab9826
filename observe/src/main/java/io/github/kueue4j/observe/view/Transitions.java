// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.observe.view.Transition.TransitionKind;
import io.github.kueue4j.runtime.informer.Change;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The latest transitions of Workloads that this process has seen, at most {@value #KEPT}: older
 * ones are forgotten. Thread-safe.
 */
final class Transitions {
  static final int KEPT = 5_000;

  private final InstantSource clock;

  /** Distinguishes the numbers of this process from those of another replica. */
  private final String epoch = UUID.randomUUID().toString().substring(0, 8);

  // Guarded by this.
  private final Deque<Transition> kept = new ArrayDeque<>();
  private long last;

  Transitions(InstantSource clock) {
    this.clock = clock;
  }

  /** What numbers of this process are prefixed with. */
  String epoch() {
    return epoch;
  }

  /** Takes in a change of a Workload, as an informer reports it. */
  void seen(Change<Workload> change) {
    if (change instanceof Change.Updated<Workload>(Workload before, Workload now)) {
      compare(before, now);
    }
  }

  private void compare(Workload before, Workload now) {
    became(before, now, WorkloadConditions.QUOTA_RESERVED, TransitionKind.QUOTA_RESERVED);
    became(before, now, WorkloadConditions.ADMITTED, TransitionKind.ADMITTED);
    Condition evicted = newly(before, now, WorkloadConditions.EVICTED);
    if (evicted != null) {
      boolean preempted = evicted.reason().equals(EvictionReasons.PREEMPTED);
      add(now, preempted ? TransitionKind.PREEMPTED : TransitionKind.EVICTED, evicted, null);
    }
    became(before, now, WorkloadConditions.REQUEUED, TransitionKind.REQUEUED);
    became(before, now, WorkloadConditions.FINISHED, TransitionKind.FINISHED);
    if (!before.status().admissionChecks().equals(now.status().admissionChecks())) {
      Map<String, AdmissionCheckState> earlier = new HashMap<>();
      before.status().admissionChecks().forEach(entry -> earlier.put(entry.name(), entry));
      for (AdmissionCheckState entry : now.status().admissionChecks()) {
        AdmissionCheckState was = earlier.get(entry.name());
        if (was == null
            || !was.state().equals(entry.state())
            || !Objects.equals(was.retryCount(), entry.retryCount())) {
          add(now, TransitionKind.CHECK, null, entry);
        }
      }
    }
  }

  private void became(Workload before, Workload now, String type, TransitionKind kind) {
    Condition condition = newly(before, now, type);
    if (condition != null) {
      add(now, kind, condition, null);
    }
  }

  /** The condition if it is true now and was not, or has become so again. */
  private static @Nullable Condition newly(Workload before, Workload now, String type) {
    Condition condition = now.conditions().findTrue(type).orElse(null);
    return condition == null
            || before
                .conditions()
                .findTrue(type)
                .filter(was -> was.lastTransitionTime().equals(condition.lastTransitionTime()))
                .isPresent()
        ? null
        : condition;
  }

  private synchronized void add(
      Workload workload,
      TransitionKind kind,
      @Nullable Condition condition,
      @Nullable AdmissionCheckState check) {
    ObjectKey key = ObjectKey.of(workload);
    var admission = workload.status().admission();
    last++;
    kept.addLast(
        new Transition(
            last,
            clock.instant(),
            kind,
            key.namespace(),
            key.name(),
            admission == null ? "" : admission.clusterQueue(),
            condition == null ? "" : condition.reason(),
            condition != null ? condition.message() : check == null ? "" : check.message(),
            check == null ? "" : check.name(),
            check == null ? "" : String.valueOf(check.state()),
            check == null ? 0 : 1 + Objects.requireNonNullElse(check.retryCount(), 0)));
    if (kept.size() > KEPT) {
      kept.removeFirst();
    }
    notifyAll();
  }

  /** The number of the latest transition; 0 if there was none. */
  synchronized long last() {
    return last;
  }

  /** Whether all transitions after this one are still known. */
  synchronized boolean hasAllAfter(long number) {
    return number <= last
        && (kept.isEmpty() ? number == last : kept.getFirst().number() <= number + 1);
  }

  /** The transitions after this number, the oldest first. */
  synchronized List<Transition> after(long number) {
    // From the end: a stream asks for the latest few each time.
    Deque<Transition> found = new ArrayDeque<>();
    Iterator<Transition> latestFirst = kept.descendingIterator();
    while (latestFirst.hasNext()) {
      Transition each = latestFirst.next();
      if (each.number() <= number) {
        break;
      }
      found.addFirst(each);
    }
    return List.copyOf(found);
  }

  /** The transitions of a check by Workload, the oldest first. */
  synchronized Map<ObjectKey, List<Transition>> ofCheck(String check) {
    return kept.stream()
        .filter(each -> each.check().equals(check))
        .collect(Collectors.groupingBy(Transition::key));
  }

  /** The transitions of a Workload, the oldest first. */
  synchronized List<Transition> of(ObjectKey workload) {
    return kept.stream().filter(each -> each.key().equals(workload)).toList();
  }

  /**
   * Waits until there are transitions after this number, or the time is over.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  synchronized void await(long number, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (last <= number) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }
}
