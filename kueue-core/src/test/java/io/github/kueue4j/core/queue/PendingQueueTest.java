// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PendingQueueTest {
  private final PendingQueue queue = new PendingQueue();

  @Test
  void servesByPriorityThenAgeThenUid() {
    queue.put(workload("young", 0, 20, 1));
    queue.put(workload("old", 0, 10, 2));
    queue.put(workload("important", 5, 30, 1));
    queue.put(workload("ancient", 0, 10, 1));

    assertThat(drain()).containsExactly("important", "ancient", "old", "young");
  }

  @Test
  void aRefusedShapeIsInadmissibleUntilUnparked() {
    queue.put(workload("big-1", 0, 10, 8));
    queue.put(workload("big-2", 0, 11, 8));
    queue.put(workload("small", 0, 12, 1));

    queue.markInadmissible(head());
    assertThat(head().key().name()).isEqualTo("small");
    assertThat(queue.inadmissible()).isEqualTo(2);

    queue.put(workload("big-3", 0, 9, 8));
    assertThat(head().key().name()).isEqualTo("small");

    assertThat(queue.retryAll()).isTrue();
    assertThat(head().key().name()).isEqualTo("big-3");
    assertThat(queue.inadmissible()).isZero();
    assertThat(queue.retryAll()).isFalse();
  }

  @Test
  void theFirstOfARefusedShapeCanBeTriedAgain() {
    queue.put(workload("old", 0, 10, 8));
    queue.put(workload("young", 0, 11, 8));
    queue.put(workload("small", 0, 12, 1));
    queue.markInadmissible(head());

    queue.retryIfFirst(workload("young", 0, 11, 8));
    assertThat(head().key().name()).isEqualTo("small");

    queue.retryIfFirst(workload("old", 0, 10, 8));
    assertThat(head().key().name()).isEqualTo("old");
    assertThat(queue.inadmissible()).isZero();
  }

  @Test
  void aRefusedHeadBlocksAStrictQueue() {
    queue.put(workload("big", 0, 10, 8));
    queue.put(workload("small", 0, 12, 1));

    queue.blockAt(head());
    assertThat(queue.head(localQueue -> 0)).isEmpty();
    assertThat(queue.inadmissible()).isEqualTo(2);
    queue.put(workload("late", 0, 13, 1));
    assertThat(queue.head(localQueue -> 0)).isEmpty();

    assertThat(queue.retryAll()).isTrue();
    assertThat(drain()).containsExactly("big", "small", "late");
  }

  @Test
  void aStrictQueueTriesANewHead() {
    queue.put(workload("big", 0, 10, 8));
    queue.put(workload("small", 0, 12, 1));
    queue.blockAt(head());

    queue.put(workload("urgent", 9, 13, 1));
    assertThat(head().key().name()).isEqualTo("urgent");
    queue.blockAt(head());
    assertThat(queue.head(localQueue -> 0)).isEmpty();

    queue.remove(workload("urgent", 9, 13, 1).key());
    assertThat(head().key().name()).isEqualTo("big");
  }

  @Test
  void theLocalQueueWithTheLeastUsageComesFirstWhateverThePriority() {
    Map<ObjectKey, Double> usage = new HashMap<>();
    queue.serveByLocalQueue(true);
    queue.put(workload("a-1", "a", 9, 10, 1));
    queue.put(workload("a-2", "a", 0, 10, 2));
    queue.put(workload("b-1", "b", 0, 30, 1));
    queue.put(workload("b-2", "b", 5, 40, 1));
    usage.put(new ObjectKey("default", "a"), 2.0);
    usage.put(new ObjectKey("default", "b"), 1.0);

    assertThat(queue.head(usage::get)).map(w -> w.key().name()).hasValue("b-2");
    usage.put(new ObjectKey("default", "b"), 3.0);
    assertThat(queue.head(usage::get)).map(w -> w.key().name()).hasValue("a-1");
    usage.put(new ObjectKey("default", "a"), 3.0);
    assertThat(queue.head(usage::get)).map(w -> w.key().name()).hasValue("a-1");
    usage.put(new ObjectKey("default", "a"), Double.POSITIVE_INFINITY);
    assertThat(queue.head(usage::get)).map(w -> w.key().name()).hasValue("b-2");

    queue.serveByLocalQueue(false);
    assertThat(drain()).containsExactly("a-1", "b-2", "a-2", "b-1");
  }

  @Test
  void aShapeIsInadmissibleInTheLanesOfAllLocalQueues() {
    queue.serveByLocalQueue(true);
    queue.put(workload("a", "a", 0, 10, 8));
    queue.put(workload("b", "b", 0, 11, 8));
    queue.put(workload("small", "b", 0, 12, 1));

    queue.markInadmissible(head());

    assertThat(head().key().name()).isEqualTo("small");
    assertThat(queue.inadmissible()).isEqualTo(2);
    queue.retryAll();
    assertThat(drain()).containsExactly("a", "b", "small");
  }

  @Test
  void aStrictQueueTriesTheHeadOfAnotherLocalQueueOnceThatHasLessUsage() {
    Map<ObjectKey, Double> usage = new HashMap<>();
    queue.serveByLocalQueue(true);
    queue.put(workload("a", "a", 0, 10, 8));
    queue.put(workload("b", "b", 0, 11, 8));
    usage.put(new ObjectKey("default", "a"), 1.0);
    usage.put(new ObjectKey("default", "b"), 2.0);
    queue.blockAt(queue.head(usage::get).orElseThrow());
    assertThat(queue.head(usage::get)).isEmpty();

    usage.put(new ObjectKey("default", "a"), 3.0);

    assertThat(queue.head(usage::get)).map(w -> w.key().name()).hasValue("b");
    queue.blockAt(queue.head(usage::get).orElseThrow());
    assertThat(queue.head(usage::get)).isEmpty();
  }

  /** An operation of the random test: 0 put, 1 remove, 2 park the head, 3 unpark. */
  @Property
  void agreesWithASortedListThatScansEverything(
      @ForAll @Size(max = 60) List<@IntRange(max = 3999) Integer> operations,
      @ForAll boolean apart,
      @ForAll @Size(min = 3, max = 3) List<@IntRange(max = 2) Integer> usage) {
    PendingQueue tested = new PendingQueue();
    tested.serveByLocalQueue(apart);
    ToDoubleFunction<ObjectKey> used =
        queue -> apart ? usage.get(Integer.parseInt(queue.name())) : 0;
    Comparator<QueuedWorkload> order =
        Comparator.<QueuedWorkload>comparingDouble(
                waits -> used.applyAsDouble(waits.localQueueKey()))
            .thenComparing(Comparator.naturalOrder());
    Map<ObjectKey, QueuedWorkload> waiting = new HashMap<>();
    Set<SchedulingEquivalence> parked = new HashSet<>();
    for (int operation : operations) {
      QueuedWorkload workload =
          workload(
              "w" + operation / 4 % 10,
              String.valueOf(operation / 600 % 3),
              operation / 40 % 3,
              operation / 120 % 5,
              operation % 3);
      switch (operation % 4) {
        case 0 -> {
          tested.put(workload);
          waiting.put(workload.key(), workload);
        }
        case 1 ->
            assertThat(tested.remove(workload.key()))
                .isEqualTo(waiting.remove(workload.key()) != null);
        case 2 ->
            tested
                .head(used)
                .ifPresent(
                    head -> {
                      tested.markInadmissible(head);
                      parked.add(head.equivalence());
                    });
        default -> {
          tested.retryAll();
          parked.clear();
        }
      }
      parked.removeIf(
          schedulingEquivalence ->
              waiting.values().stream()
                  .noneMatch(w -> w.equivalence().equals(schedulingEquivalence)));
      Optional<QueuedWorkload> expected =
          waiting.values().stream()
              .filter(candidate -> !parked.contains(candidate.equivalence()))
              .min(order);
      assertThat(tested.head(used)).isEqualTo(expected);
      assertThat(tested.size()).isEqualTo(waiting.size());
      assertThat(tested.inadmissible())
          .isEqualTo(
              (int)
                  waiting.values().stream().filter(w -> parked.contains(w.equivalence())).count());
    }
  }

  private QueuedWorkload head() {
    return queue.head(localQueue -> 0).orElseThrow();
  }

  private List<String> drain() {
    List<String> names = new ArrayList<>();
    while (queue.head(localQueue -> 0).isPresent()) {
      names.add(head().key().name());
      queue.remove(head().key());
    }
    return names;
  }

  private static QueuedWorkload workload(String name, int priority, int second, long cpu) {
    return workload(name, "queue", priority, second, cpu);
  }

  private static QueuedWorkload workload(
      String name, String localQueue, int priority, int second, long cpu) {
    return QueuedWorkload.of(
        new ObjectKey("default", name),
        "uid-" + name,
        localQueue,
        priority,
        Instant.ofEpochSecond(second),
        List.of(PodSetDemands.of("main", 1, Amounts.of("cpu", cpu))));
  }
}
