// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that wait in one ClusterQueue. Not thread-safe: it belongs to the State's thread.
 *
 * <p>Waiting Workloads are grouped by {@link SchedulingEquivalence}. If one of them is refused, its
 * whole shape is inadmissible. So finding the head, and marking shapes, take time in proportion to
 * the number of shapes, not of Workloads. In a StrictFIFO queue a refused head blocks the whole
 * queue, so that no Workload passes it.
 *
 * <p>With admission fair sharing each LocalQueue has its own lane, and the head is the first
 * Workload of the LocalQueue with the least usage. Usage changes continuously, so lanes are
 * compared whenever a head is requested, instead of being kept in a sorted collection. That takes
 * time in proportion to the number of LocalQueues.
 */
@API(status = API.Status.INTERNAL)
public final class PendingQueue {
  private final Map<ObjectKey, QueuedWorkload> byKey = new HashMap<>();
  private final Lanes lanes = new Lanes();

  /** Called after every change that may have led to another head. */
  private final Runnable onChange;

  /** The refused head of a StrictFIFO queue: no Workload is tried while it is the head. */
  private @Nullable QueuedWorkload blockedBy;

  /**
   * The refused Workload among those that exceed the queue's own quota: no other of these is tried
   * while it is the first.
   */
  private @Nullable QueuedWorkload scopeBlockedBy;

  /** The preempting Workloads, which precede all others while their victims stop. */
  private final Set<ObjectKey> preemptors = new HashSet<>();

  /** An empty queue of which only its owner knows whether it has changed. */
  public PendingQueue() {
    this(() -> {});
  }

  /**
   * An empty queue.
   *
   * @param onChange called after every change that may have led to another head
   */
  public PendingQueue(Runnable onChange) {
    this.onChange = onChange;
  }

  /**
   * Switches between one lane for all Workloads and one for each LocalQueue.
   *
   * @param separate whether each LocalQueue has a lane of its own
   */
  public void serveByLocalQueue(boolean separate) {
    if (lanes.byLocalQueue() != separate) {
      lanes.rebuild(separate, byKey.values());
      onChange.run();
    }
  }

  public boolean servesByLocalQueue() {
    return lanes.byLocalQueue();
  }

  /**
   * Adds a Workload, or updates it. If only its position changes, it keeps the place of its shape,
   * because nothing has changed for its admission.
   */
  public void put(QueuedWorkload added) {
    QueuedWorkload workload = lanes.sharingShape(added);
    QueuedWorkload previous = byKey.put(workload.key(), workload);
    if (workload.equals(previous)) {
      return;
    }
    if (previous == null) {
      lanes.add(workload);
    } else {
      lanes.replace(previous, workload);
    }
    onChange.run();
  }

  /** Removes a Workload; false if it wasn't in this queue. */
  public boolean remove(ObjectKey key) {
    clearPriority(key);
    QueuedWorkload workload = byKey.remove(key);
    if (workload != null) {
      lanes.remove(workload);
    }
    onChange.run();
    return workload != null;
  }

  /**
   * The Workload to try next; empty if all waiting Workloads are inadmissible.
   *
   * @param usage of a LocalQueue, never NaN; called only if each LocalQueue has its own lane
   */
  public Optional<QueuedWorkload> head(ToDoubleFunction<ObjectKey> usage) {
    return first(usage).filter(first -> !first.equals(blockedBy));
  }

  /** The first Workload that isn't inadmissible; in a StrictFIFO queue all others wait for it. */
  public Optional<QueuedWorkload> first(ToDoubleFunction<ObjectKey> usage) {
    return first(usage, EnumSet.of(Standing.UNTRIED, Standing.EXCEEDS_NOMINAL));
  }

  /** The first Workload that isn't known to exceed the queue's own quota. */
  public Optional<QueuedWorkload> firstUntried(ToDoubleFunction<ObjectKey> usage) {
    return first(usage, EnumSet.of(Standing.UNTRIED));
  }

  /** Whether there is another Workload that isn't known to exceed the queue's own quota. */
  public boolean hasUntriedBeside(QueuedWorkload head) {
    return lanes.anyBeside(head, Standing.UNTRIED);
  }

  /** The first Workload that exceeds the queue's own quota. */
  public Optional<QueuedWorkload> firstExceedingNominal(ToDoubleFunction<ObjectKey> usage) {
    return first(usage, EnumSet.of(Standing.EXCEEDS_NOMINAL));
  }

  private Optional<QueuedWorkload> first(ToDoubleFunction<ObjectKey> usage, Set<Standing> among) {
    List<QueuedWorkload> preempting =
        preemptors.isEmpty() ? List.of() : preemptors.stream().map(byKey::get).toList();
    return Optional.ofNullable(lanes.first(among, preempting, usage));
  }

  /**
   * Lets a preempting Workload precede all others (of LocalQueues with equal usage) until it is
   * removed or {@link #clearPriority}. Otherwise another Workload could take the quota that its
   * victims release, and further ones would be evicted.
   */
  public void prioritize(QueuedWorkload workload) {
    if (byKey.containsKey(workload.key()) && preemptors.add(workload.key())) {
      onChange.run();
    }
  }

  /**
   * The refused Workloads that others must not pass: the blocking head of a StrictFIFO queue, and
   * the refused first of those that exceed the queue's own quota.
   */
  public List<QueuedWorkload> blockingHeads() {
    List<QueuedWorkload> standing = new ArrayList<>();
    for (QueuedWorkload workload : Arrays.asList(blockedBy, scopeBlockedBy)) {
      if (workload != null
          && workload.equals(byKey.get(workload.key()))
          && !standing.contains(workload)) {
        standing.add(workload);
      }
    }
    return standing;
  }

  /** Reverts {@link #blockAt} and {@link #blockScopeAt} for this Workload: others may pass it. */
  public void stopBlocking(QueuedWorkload workload) {
    if (workload.equals(blockedBy)) {
      blockedBy = null;
    }
    if (workload.equals(scopeBlockedBy)) {
      scopeBlockedBy = null;
    }
    onChange.run();
  }

  /** Reverts {@link #prioritize} for this Workload. */
  public void clearPriority(ObjectKey key) {
    if (preemptors.remove(key)) {
      onChange.run();
    }
  }

  /** Marks the shape of {@code workload} as inadmissible until {@link #retryAll}. */
  public void markInadmissible(QueuedWorkload workload) {
    lanes.move(workload.equivalence(), Standing.INADMISSIBLE);
  }

  /**
   * Marks the shape of {@code workload} as exceeding the queue's own quota, until {@link
   * #retryAll}.
   */
  public void markExceedsNominal(QueuedWorkload workload) {
    lanes.move(workload.equivalence(), Standing.EXCEEDS_NOMINAL);
  }

  /**
   * Lets the shape of {@code workload} be tried again if that is the first of it: the first may
   * preempt Workloads that are older than those which were refused.
   */
  public void retryIfFirst(QueuedWorkload workload) {
    if (lanes.isFirstOfShape(workload)) {
      lanes.move(workload.equivalence(), Standing.UNTRIED);
      onChange.run();
    }
  }

  public boolean exceedsNominal(QueuedWorkload workload) {
    return lanes.standing(workload.equivalence()) == Standing.EXCEEDS_NOMINAL;
  }

  /**
   * Blocks a StrictFIFO queue, for present and future Workloads, until {@link #retryAll} or until
   * another Workload is the head.
   *
   * @param head the refused head
   */
  public void blockAt(QueuedWorkload head) {
    blockedBy = head;
    onChange.run();
  }

  /** Whether this is the refused head that blocks a StrictFIFO queue. */
  public boolean isBlockedBy(QueuedWorkload workload) {
    return workload.equals(blockedBy);
  }

  /**
   * Blocks the Workloads that exceed the queue's own quota until {@link #retryAll}, because the
   * first of them was refused.
   */
  public void blockScopeAt(QueuedWorkload workload) {
    scopeBlockedBy = workload;
  }

  /** Whether this is the refused Workload that blocks those that exceed the queue's own quota. */
  public boolean isScopeBlockedBy(QueuedWorkload workload) {
    return workload.equals(scopeBlockedBy);
  }

  /** Makes all Workloads candidates to be tried again; false if they all were already. */
  public boolean retryAll() {
    boolean blocked = blockedBy != null || scopeBlockedBy != null;
    blockedBy = null;
    scopeBlockedBy = null;
    boolean changed = lanes.reset();
    onChange.run();
    return changed || blocked;
  }

  public @Nullable QueuedWorkload get(ObjectKey key) {
    return byKey.get(key);
  }

  public Collection<QueuedWorkload> workloads() {
    return byKey.values();
  }

  /**
   * The Workloads of equal shape, {@code workload} included; a lazy stream to be read before the
   * queue changes.
   */
  public Stream<QueuedWorkload> equivalentTo(QueuedWorkload workload) {
    return lanes.ofShape(workload.equivalence());
  }

  public int size() {
    return byKey.size();
  }

  /** All waiting Workloads, for other threads. */
  public WaitingWorkloads waiting() {
    return new WaitingWorkloads(lanes.byLocalQueue(), preemptors, List.copyOf(byKey.values()));
  }

  /** The sum of all requests; takes time in proportion to the number of shapes. */
  public Amounts<String> requests() {
    return lanes.requests();
  }

  /** The number of inadmissible Workloads: those of a refused shape, or all of a blocked queue. */
  public int inadmissible() {
    return blocked() ? byKey.size() : lanes.count(Standing.INADMISSIBLE);
  }

  /** The Workloads that exceed the queue's own quota and wait for their turn within the cohort. */
  public Stream<QueuedWorkload> exceedingNominal() {
    return byKey.values().stream().filter(this::exceedsNominal);
  }

  private boolean blocked() {
    return blockedBy != null && blockedBy.equals(byKey.get(blockedBy.key()));
  }
}
