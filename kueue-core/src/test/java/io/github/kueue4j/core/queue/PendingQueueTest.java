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
  void whatWasTriedInVainIsParkedWithItsEqualsUntilSomethingChanges() {
    queue.put(workload("big-1", 0, 10, 8));
    queue.put(workload("big-2", 0, 11, 8));
    queue.put(workload("small", 0, 12, 1));

    queue.parkShape(head());
    assertThat(head().key().name()).isEqualTo("small");
    assertThat(queue.inadmissible()).isEqualTo(2);

    queue.put(workload("big-3", 0, 9, 8));
    assertThat(head().key().name()).isEqualTo("small");

    assertThat(queue.unpark()).isTrue();
    assertThat(head().key().name()).isEqualTo("big-3");
    assertThat(queue.inadmissible()).isZero();
    assertThat(queue.unpark()).isFalse();
  }

  @Test
  void aStrictQueueParksAsAWhole() {
    queue.put(workload("big", 0, 10, 8));
    queue.put(workload("small", 0, 12, 1));

    queue.parkAll();
    assertThat(queue.head()).isEmpty();
    assertThat(queue.inadmissible()).isEqualTo(2);
    queue.put(workload("late", 0, 13, 1));
    assertThat(queue.head()).isEmpty();

    assertThat(queue.unpark()).isTrue();
    assertThat(drain()).containsExactly("big", "small", "late");
  }

  @Test
  void aStrictQueueTriesANewHead() {
    queue.put(workload("big", 0, 10, 8));
    queue.put(workload("small", 0, 12, 1));
    queue.parkAll();

    queue.put(workload("urgent", 9, 13, 1));
    assertThat(head().key().name()).isEqualTo("urgent");
    queue.parkAll();
    assertThat(queue.head()).isEmpty();

    queue.remove(workload("urgent", 9, 13, 1).key());
    assertThat(head().key().name()).isEqualTo("big");
  }

  /** An operation of the random test: 0 put, 1 remove, 2 park the head, 3 unpark. */
  @Property
  void agreesWithASortedListThatScansEverything(
      @ForAll @Size(max = 60) List<@IntRange(max = 3999) Integer> operations) {
    PendingQueue tested = new PendingQueue();
    Map<ObjectKey, QueuedWorkload> waiting = new HashMap<>();
    Set<Shape> parked = new HashSet<>();
    for (int operation : operations) {
      QueuedWorkload workload =
          workload(
              "w" + operation / 4 % 10, operation / 40 % 3, operation / 120 % 5, operation % 3);
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
                .head()
                .ifPresent(
                    head -> {
                      tested.parkShape(head);
                      parked.add(head.shape());
                    });
        default -> {
          tested.unpark();
          parked.clear();
        }
      }
      parked.removeIf(shape -> waiting.values().stream().noneMatch(w -> w.shape().equals(shape)));
      Optional<QueuedWorkload> expected =
          waiting.values().stream()
              .filter(candidate -> !parked.contains(candidate.shape()))
              .min(Comparator.naturalOrder());
      assertThat(tested.head()).isEqualTo(expected);
      assertThat(tested.size()).isEqualTo(waiting.size());
      assertThat(tested.inadmissible())
          .isEqualTo(
              (int) waiting.values().stream().filter(w -> parked.contains(w.shape())).count());
    }
  }

  private QueuedWorkload head() {
    return queue.head().orElseThrow();
  }

  private List<String> drain() {
    List<String> names = new ArrayList<>();
    while (queue.head().isPresent()) {
      names.add(head().key().name());
      queue.remove(head().key());
    }
    return names;
  }

  private static QueuedWorkload workload(String name, int priority, int second, long cpu) {
    return QueuedWorkload.of(
        new ObjectKey("default", name),
        "uid-" + name,
        "queue",
        priority,
        Instant.ofEpochSecond(second),
        List.of(new PodSetDemand("main", 1, Amounts.of("cpu", cpu), NodeConstraints.none())));
  }
}
