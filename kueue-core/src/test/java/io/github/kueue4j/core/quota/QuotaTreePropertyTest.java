// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Compares the tree with a naive implementation of the definitions, by plain recursion over the
 * specs and the reservations and without any state between queries.
 */
class QuotaTreePropertyTest {
  private static final List<FlavorResource> KEYS =
      List.of(new FlavorResource("a", "cpu"), new FlavorResource("b", "cpu"));
  private static final List<String> COHORTS = List.of("c0", "c1", "c2", "c3", "implicit");
  private static final List<String> QUEUES = List.of("q0", "q1", "q2", "q3", "q4");

  /** One reservation, or its release when it is drawn again. */
  record Step(String queue, FlavorResource key, long amount) {
    Amounts<FlavorResource> amounts() {
      return Amounts.of(key, amount);
    }
  }

  record World(List<CohortQuotas> cohorts, List<QueueQuotas> queues) {}

  @Property
  void answersAsTheDefinitionsSay(
      @ForAll("worlds") World world, @ForAll("steps") List<Step> steps) {
    QuotaTree tree = QuotaTree.of(world.cohorts, world.queues);
    QuotaTree.Trial trial = tree.trial();
    Naive naive = new Naive(world);
    List<Step> held = new ArrayList<>();
    for (Step step : steps) {
      if (held.remove(step)) {
        tree = tree.release(step.queue, step.amounts());
        trial.release(step.queue, step.amounts());
        naive.use(step, -step.amount);
      } else {
        held.add(step);
        tree = tree.reserve(step.queue, step.amounts());
        trial.reserve(step.queue, step.amounts());
        naive.use(step, step.amount);
      }
    }
    assertSame(tree, naive);
    assertSame(trial, naive);
    trial.reset();
    assertSame(trial, new Naive(world));
  }

  @Property
  void keepsTheUsageWhenSpecsChange(
      @ForAll("worlds") World before,
      @ForAll("worlds") World after,
      @ForAll("steps") List<Step> steps) {
    QuotaTree tree = QuotaTree.of(before.cohorts, before.queues);
    Naive naive = new Naive(after);
    for (Step step : steps) {
      tree = tree.reserve(step.queue, step.amounts());
      naive.use(step, step.amount);
    }
    assertSame(tree.withQuotas(after.cohorts, after.queues), naive);
    assertSame(
        tree.withQuotas(List.of(), List.of()).withQuotas(after.cohorts, after.queues), naive);
  }

  @Property
  void anEarlierTreeIsNotChanged(@ForAll("worlds") World world, @ForAll("steps") List<Step> steps) {
    QuotaTree first = QuotaTree.of(world.cohorts, world.queues);
    QuotaTree tree = first;
    for (Step step : steps) {
      tree = tree.reserve(step.queue, step.amounts());
      tree.trial().reserve(step.queue, step.amounts());
    }
    assertSame(first, new Naive(world));
  }

  @Property
  void whatFitsByItselfNeverExceedsTheWholeTree(
      @ForAll("worlds") World world, @ForAll("steps") List<Step> steps) {
    QuotaTree tree = QuotaTree.of(world.cohorts, world.queues);
    for (Step step : steps) {
      if (tree.fits(step.queue, step.amounts())) {
        tree = tree.reserve(step.queue, step.amounts());
      }
    }
    for (String queue : QUEUES) {
      NodeId root = tree.rootOf(queue);
      for (FlavorResource key : KEYS) {
        assertThat(tree.usage(root, key)).isLessThanOrEqualTo(tree.subtreeQuota(root, key));
        assertThat(tree.available(queue, key)).isNotNegative();
      }
      assertThat(tree.exceeded(queue)).isFalse();
    }
  }

  @Property
  void hugeNumbersSaturateAndNeverTurnNegative(
      @ForAll("hugeWorlds") World world, @ForAll("hugeSteps") List<Step> steps) {
    QuotaTree tree = QuotaTree.of(world.cohorts, world.queues);
    for (Step step : steps) {
      tree = tree.reserve(step.queue, step.amounts());
    }
    for (String queue : QUEUES) {
      for (FlavorResource key : KEYS) {
        assertThat(tree.usage(NodeId.queue(queue), key)).isNotNegative();
        assertThat(tree.usage(tree.rootOf(queue), key)).isNotNegative();
        assertThat(tree.potentialAvailable(queue, key)).isNotNegative();
        assertThat(tree.available(queue, key))
            .isLessThanOrEqualTo(tree.potentialAvailable(queue, key));
        assertThat(tree.dominantShare(NodeId.queue(queue)).weighted()).isNotNaN().isNotNegative();
      }
    }
    for (String queue : QUEUES) {
      tree = tree.withUsage(queue, Amounts.none());
    }
    assertSame(tree, new Naive(world));
  }

  private static void assertSame(QuotaView tree, Naive naive) {
    for (String queue : QUEUES) {
      for (FlavorResource key : KEYS) {
        String what = queue + " " + key;
        assertThat(tree.available(queue, key)).as(what).isEqualTo(naive.available(queue, key));
        assertThat(tree.potentialAvailable(queue, key))
            .as(what)
            .isEqualTo(naive.potential(queue, key));
        assertThat(tree.usage(NodeId.queue(queue), key))
            .as(what)
            .isEqualTo(naive.usage(NodeId.queue(queue), key));
        assertThat(tree.borrowing(NodeId.queue(queue), key))
            .as(what)
            .isEqualTo(
                naive.usage(NodeId.queue(queue), key) > naive.subtree(NodeId.queue(queue), key));
        for (long amount : List.of(0L, 1L, 7L, 40L)) {
          assertThat(tree.borrowLevel(queue, key, amount))
              .as(what)
              .isEqualTo(naive.borrowLevel(queue, key, amount));
        }
      }
    }
    for (String cohort : COHORTS) {
      for (FlavorResource key : KEYS) {
        assertThat(tree.usage(NodeId.cohort(cohort), key))
            .as(cohort)
            .isEqualTo(naive.usage(NodeId.cohort(cohort), key));
        assertThat(tree.subtreeQuota(NodeId.cohort(cohort), key))
            .as(cohort)
            .isEqualTo(naive.subtree(NodeId.cohort(cohort), key));
      }
    }
    assertThat(tree.cycles()).isEqualTo(naive.cycles());
  }

  // Worlds.

  @Provide
  Arbitrary<World> worlds() {
    return worlds(Arbitraries.longs().between(0, 20));
  }

  @Provide
  Arbitrary<World> hugeWorlds() {
    return worlds(
        Arbitraries.of(0L, 1L, 1_000_000_000_000_000_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE));
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return steps(Arbitraries.longs().between(1, 12)).list().ofMaxSize(25);
  }

  @Provide
  Arbitrary<List<Step>> hugeSteps() {
    return steps(Arbitraries.of(1L, 1_000_000_000_000_000_000L, Long.MAX_VALUE))
        .list()
        .ofMaxSize(9);
  }

  private static Arbitrary<Step> steps(Arbitrary<Long> amounts) {
    return Combinators.combine(Arbitraries.of(QUEUES), Arbitraries.of(KEYS), amounts).as(Step::new);
  }

  private static Arbitrary<World> worlds(Arbitrary<Long> amounts) {
    Arbitrary<Map<FlavorResource, Quota>> quotas =
        Arbitraries.maps(
                Arbitraries.of(KEYS),
                Combinators.combine(amounts, amounts.injectNull(0.5), amounts.injectNull(0.5))
                    .as(Quota::new))
            .ofMaxSize(KEYS.size());
    Arbitrary<String> parents = Arbitraries.of(COHORTS).injectNull(0.3);
    Arbitrary<List<CohortQuotas>> cohorts =
        Combinators.combine(
                Stream.of("c0", "c1", "c2", "c3")
                    .map(
                        name ->
                            Combinators.combine(parents, quotas)
                                .as((parent, own) -> new CohortQuotas(name, parent, own, 1)))
                    .toList())
            .as(list -> list);
    Arbitrary<List<QueueQuotas>> queues =
        Combinators.combine(
                QUEUES.stream()
                    .map(
                        name ->
                            Combinators.combine(parents, quotas)
                                .as((cohort, own) -> new QueueQuotas(name, cohort, own, 1)))
                    .toList())
            .as(list -> list);
    return Combinators.combine(cohorts, queues).as(World::new);
  }

  /** The definitions, implemented literally. */
  private static final class Naive {
    private final Map<NodeId, Map<FlavorResource, Quota>> quotas = new HashMap<>();
    private final Map<NodeId, NodeId> parents = new HashMap<>();
    private final Map<String, Map<FlavorResource, Long>> reserved = new HashMap<>();

    Naive(World world) {
      for (CohortQuotas cohort : world.cohorts) {
        quotas.put(NodeId.cohort(cohort.name()), cohort.quotas());
        if (cohort.parent() != null) {
          parents.put(NodeId.cohort(cohort.name()), NodeId.cohort(cohort.parent()));
        }
      }
      for (QueueQuotas queue : world.queues) {
        quotas.put(NodeId.queue(queue.name()), queue.quotas());
        if (queue.cohort() != null) {
          parents.put(NodeId.queue(queue.name()), NodeId.cohort(queue.cohort()));
        }
      }
    }

    void use(Step step, long amount) {
      reserved
          .computeIfAbsent(step.queue, queue -> new HashMap<>())
          .merge(step.key, amount, Long::sum);
    }

    Set<String> cycles() {
      Set<String> cyclic = new HashSet<>();
      for (String cohort : COHORTS) {
        NodeId start = NodeId.cohort(cohort);
        NodeId current = parents.get(start);
        for (int step = 0; step <= COHORTS.size() && current != null; step++) {
          if (current.equals(start)) {
            cyclic.add(cohort);
          }
          current = parents.get(current);
        }
      }
      return cyclic;
    }

    @Nullable NodeId parent(NodeId node) {
      return node.isCohort() && cycles().contains(node.name()) ? null : parents.get(node);
    }

    List<NodeId> children(NodeId node) {
      return parents.keySet().stream().filter(child -> node.equals(parent(child))).toList();
    }

    Quota quota(NodeId node, FlavorResource key) {
      return quotas.getOrDefault(node, Map.of()).getOrDefault(key, Quota.ZERO);
    }

    long subtree(NodeId node, FlavorResource key) {
      long all = quota(node, key).nominal();
      for (NodeId child : children(node)) {
        all = Amounts.add(all, subtree(child, key) - local(child, key));
      }
      return all;
    }

    long local(NodeId node, FlavorResource key) {
      Long lendingLimit = quota(node, key).lendingLimit();
      return lendingLimit == null ? 0 : Math.max(0, subtree(node, key) - lendingLimit);
    }

    long usage(NodeId node, FlavorResource key) {
      if (!node.isCohort()) {
        return reserved.getOrDefault(node.name(), Map.of()).getOrDefault(key, 0L);
      }
      long all = 0;
      for (NodeId child : children(node)) {
        all += Math.max(0, usage(child, key) - local(child, key));
      }
      return all;
    }

    long available(String queue, FlavorResource key) {
      return available(NodeId.queue(queue), key);
    }

    private long available(NodeId node, FlavorResource key) {
      NodeId above = parent(node);
      if (above == null) {
        return subtree(node, key) - usage(node, key);
      }
      long ofParent = available(above, key);
      Long borrowingLimit = quota(node, key).borrowingLimit();
      if (borrowingLimit != null) {
        long lent = subtree(node, key) - local(node, key);
        long usedAbove = Math.max(0, usage(node, key) - local(node, key));
        ofParent = Math.min(ofParent, Amounts.add(lent - usedAbove, borrowingLimit));
      }
      return Amounts.add(Math.max(0, local(node, key) - usage(node, key)), ofParent);
    }

    long potential(String queue, FlavorResource key) {
      return potential(NodeId.queue(queue), key);
    }

    private long potential(NodeId node, FlavorResource key) {
      NodeId above = parent(node);
      if (above == null) {
        return subtree(node, key);
      }
      long all = Amounts.add(local(node, key), potential(above, key));
      Long borrowingLimit = quota(node, key).borrowingLimit();
      return borrowingLimit == null
          ? all
          : Math.min(all, Amounts.add(subtree(node, key), borrowingLimit));
    }

    /** Adds the amount to the usage and finds the lowest subtree whose quota covers it. */
    int borrowLevel(String queue, FlavorResource key, long amount) {
      use(new Step(queue, key, amount), amount);
      NodeId node = NodeId.queue(queue);
      NodeId above = parent(node);
      while (above != null && usage(node, key) > subtree(node, key)) {
        node = above;
        above = parent(node);
      }
      use(new Step(queue, key, amount), -amount);
      return height(node);
    }

    private int height(NodeId node) {
      return children(node).stream().mapToInt(child -> 1 + height(child)).max().orElse(0);
    }
  }
}
