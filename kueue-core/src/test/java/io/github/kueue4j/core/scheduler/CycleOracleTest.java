// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * Compares the admissions of one cycle, with up to five heads in a tree of two or three levels and
 * without preemption, with those of a naive implementation that follows the definitions and
 * recomputes everything at each step.
 */
class CycleOracleTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");

  @Property
  void admitsAccordingToTheDefinitions(@ForAll long seed) {
    Random random = new Random(seed);
    World world = new World(random);
    String description = world.toString();
    Snapshot snapshot = world.snapshot();
    List<String> expected = world.admitted();

    List<String> admitted =
        SchedulingCycle.run(snapshot, world.heads()).stream()
            .filter(Decision.ReserveQuota.class::isInstance)
            .map(decision -> decision.workload().key().name())
            .toList();

    assertThat(admitted).as("%s", description).isEqualTo(expected);
  }

  /** A ClusterQueue or a Cohort. */
  private static final class Node {
    final String name;
    final @Nullable Node parent;
    final List<Node> children = new ArrayList<>();
    final Quota quota;
    final int weight;

    /** Of a ClusterQueue. */
    long used;

    Node(String name, @Nullable Node parent, Quota quota, int weight) {
      this.name = name;
      this.parent = parent;
      this.quota = quota;
      this.weight = weight;
      if (parent != null) {
        parent.children.add(this);
      }
    }

    long subtree() {
      return quota.nominal() + children.stream().mapToLong(c -> c.subtree() - c.local()).sum();
    }

    /** The quota that others may not borrow. */
    long local() {
      Long lending = quota.lendingLimit();
      return lending == null ? 0 : Math.max(0, subtree() - lending);
    }

    long usage() {
      return used + children.stream().mapToLong(c -> Math.max(0, c.usage() - c.local())).sum();
    }

    long available() {
      if (parent == null) {
        return subtree() - usage();
      }
      long above = parent.available();
      Long borrowing = quota.borrowingLimit();
      if (borrowing != null) {
        long usedAbove = Math.max(0, usage() - local());
        above = Math.min(above, subtree() - local() - usedAbove + borrowing);
      }
      return Math.max(0, local() - usage()) + above;
    }

    long potential() {
      if (parent == null) {
        return subtree();
      }
      long all = local() + parent.potential();
      Long borrowing = quota.borrowingLimit();
      return borrowing == null ? all : Math.min(all, subtree() + borrowing);
    }

    int height() {
      return children.stream().mapToInt(child -> 1 + child.height()).max().orElse(0);
    }

    /** The lowest node on the path to the root whose quota covers the usage plus {@code more}. */
    Node covering(long more) {
      used += more;
      Node node = this;
      while (node.parent != null && node.usage() > node.subtree()) {
        node = node.parent;
      }
      used -= more;
      return node;
    }

    /** The dominant resource share; there is only one resource. */
    double share() {
      if (parent == null || usage() <= subtree()) {
        return 0;
      }
      double ratio = (usage() - subtree()) * 1000.0 / Math.max(1, parent.potential());
      return ratio / weight;
    }
  }

  /**
   * A head, and whether it fits alone.
   *
   * @param fits whether it fits
   * @param kept the quota that others must not take meanwhile
   */
  private record Entry(
      String name,
      Node queue,
      long cpus,
      int priority,
      int age,
      boolean fits,
      long kept,
      int level) {
    boolean borrowsAt(Node node) {
      queue.used += cpus;
      boolean borrows = node.usage() > node.subtree();
      queue.used -= cpus;
      return borrows;
    }

    double shareAt(Node node) {
      queue.used += cpus;
      double share = node.share();
      queue.used -= cpus;
      return share;
    }
  }

  private static final class World {
    private static final Comparator<Entry> BY_PRIORITY_AND_AGE =
        Comparator.comparingInt(Entry::priority).reversed().thenComparingInt(Entry::age);
    private final boolean fairSharing;
    private final List<Node> cohorts = new ArrayList<>();
    private final List<Node> queues = new ArrayList<>();
    private final Map<String, ClusterQueueSpec> specs = new HashMap<>();
    private final Map<String, Boolean> reclaimsAny = new HashMap<>();
    private final Map<String, Boolean> borrowsAnyway = new HashMap<>();
    private final List<String> policies = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<SchedulingCycle.Head> heads = new ArrayList<>();

    World(Random random) {
      fairSharing = random.nextBoolean();
      Node root = new Node("root", null, quota(random, false), 1);
      cohorts.add(root);
      cohorts.add(new Node("left", root, quota(random, true), 1 + random.nextInt(2)));
      cohorts.add(new Node("right", root, quota(random, true), 1 + random.nextInt(2)));
      for (int number = 0; number < 5; number++) {
        Node queue =
            new Node(
                "q" + number,
                cohorts.get(random.nextInt(3)),
                quota(random, true),
                1 + random.nextInt(2));
        queues.add(queue);
        spec(random, queue);
      }
      for (Node queue : queues) {
        long much = random.nextInt(5);
        if (much <= queue.available()) {
          queue.used = much;
        }
      }
      for (Node queue : queues) {
        if (random.nextInt(5) > 0) {
          head(queue, 1L + random.nextInt(5), random.nextInt(3));
        }
      }
    }

    private static Quota quota(Random random, boolean limits) {
      return new Quota(
          random.nextInt(5),
          limits && random.nextInt(3) == 0 ? (long) random.nextInt(4) : null,
          limits && random.nextInt(3) == 0 ? (long) random.nextInt(4) : null);
    }

    private void spec(Random random, Node queue) {
      String reclaim = List.of("Never", "LowerPriority", "Any").get(random.nextInt(3));
      boolean borrow = !reclaim.equals("Never") && random.nextBoolean();
      reclaimsAny.put(queue.name, reclaim.equals("Any"));
      borrowsAnyway.put(queue.name, borrow || (fairSharing && !reclaim.equals("Never")));
      policies.add(queue.name + " reclaims " + reclaim + (borrow ? " while borrowing" : ""));
      specs.put(
          queue.name,
          read(
              ClusterQueueSpec.class,
              """
              {cohortName: %s, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
                flavors: [{name: default, resources: [
                  {name: cpu, nominalQuota: %dm, borrowingLimit: %s, lendingLimit: %s}]}]}],
                preemption: {reclaimWithinCohort: %s, borrowWithinCohort: {policy: %s}}}
              """
                  .formatted(
                      Objects.requireNonNull(queue.parent).name,
                      queue.quota.nominal(),
                      milli(queue.quota.borrowingLimit()),
                      milli(queue.quota.lendingLimit()),
                      reclaim,
                      borrow ? "LowerPriority" : "Never")));
    }

    private static String milli(@Nullable Long amount) {
      return amount == null ? "null" : amount + "m";
    }

    private void head(Node queue, long cpus, int priority) {
      int age = entries.size();
      String name = "w-" + queue.name;
      heads.add(
          new SchedulingCycle.Head(
              queue.name,
              QueuedWorkload.of(
                  new ObjectKey("team", name),
                  "uid-" + name,
                  "lq",
                  priority,
                  Instant.ofEpochSecond(age),
                  List.of(PodSetDemands.of("main", 1, Amounts.of("cpu", cpus))))));
      Node covering = queue.covering(cpus);
      boolean fits = cpus <= queue.available();
      boolean waits =
          !fits
              && cpus <= queue.potential()
              && (cpus <= queue.quota.nominal()
                  || covering.parent != null
                  || Boolean.TRUE.equals(borrowsAnyway.get(queue.name)));
      long kept = 0;
      if (waits && !Boolean.TRUE.equals(reclaimsAny.get(queue.name))) {
        Long limit = queue.quota.borrowingLimit();
        long most = queue.quota.nominal();
        if (covering != queue) {
          most = limit == null ? Long.MAX_VALUE : most + limit;
        }
        kept = Math.max(0, Math.min(cpus, most - queue.used));
      }
      entries.add(new Entry(name, queue, cpus, priority, age, fits, kept, covering.height()));
    }

    /** Leaves out heads that take no quota, which makes no difference. */
    List<String> admitted() {
      List<String> admitted = new ArrayList<>();
      List<Entry> remaining =
          new ArrayList<>(entries.stream().filter(e -> e.fits() || e.kept() > 0).toList());
      while (!remaining.isEmpty()) {
        Entry next = next(remaining);
        remaining.remove(next);
        // Without preemption, the quota kept for others counts as used.
        if (!next.fits()) {
          next.queue().used += next.kept();
        } else if (next.cpus() <= next.queue().available()) {
          next.queue().used += next.cpus();
          admitted.add(next.name());
        }
      }
      return admitted;
    }

    private Entry next(List<Entry> remaining) {
      if (!fairSharing) {
        return remaining.stream()
            .min(Comparator.comparingInt(Entry::level).thenComparing(BY_PRIORITY_AND_AGE))
            .orElseThrow();
      }
      return winner(cohorts.getFirst(), remaining).orElseThrow();
    }

    private Optional<Entry> winner(Node node, List<Entry> remaining) {
      if (node.children.isEmpty()) {
        return remaining.stream().filter(entry -> entry.queue() == node).findFirst();
      }
      @Nullable Entry best = null;
      @Nullable Node of = null;
      for (Node child : node.children) {
        Entry candidate = winner(child, remaining).orElse(null);
        if (candidate != null
            && (best == null || of == null || beats(candidate, child, best, of))) {
          best = candidate;
          of = child;
        }
      }
      return Optional.ofNullable(best);
    }

    private static boolean beats(Entry one, Node child, Entry other, Node rival) {
      if (one.borrowsAt(child) != other.borrowsAt(rival)) {
        return !one.borrowsAt(child);
      }
      int shares = Double.compare(one.shareAt(child), other.shareAt(rival));
      return shares == 0 ? BY_PRIORITY_AND_AGE.compare(one, other) < 0 : shares < 0;
    }

    List<SchedulingCycle.Head> heads() {
      return heads;
    }

    Snapshot snapshot() {
      QuotaTree tree =
          QuotaTree.of(
              cohorts.stream()
                  .map(
                      cohort ->
                          new CohortQuotas(
                              cohort.name,
                              cohort.parent == null ? null : cohort.parent.name,
                              Map.of(CPU, cohort.quota),
                              cohort.weight))
                  .toList(),
              queues.stream()
                  .map(
                      queue ->
                          new QueueQuotas(
                              queue.name,
                              Objects.requireNonNull(queue.parent).name,
                              Map.of(CPU, queue.quota),
                              queue.weight))
                  .toList());
      for (Node queue : queues) {
        tree = tree.reserve(queue.name, Amounts.of(CPU, queue.used));
      }
      Map<String, Snapshot.Queue> known = new HashMap<>();
      specs.forEach((name, spec) -> known.put(name, new Snapshot.Queue(spec, Set.of())));
      PreemptionSettings settings =
          fairSharing
              ? PreemptionSettings.fairSharing(
                  FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE)
              : PreemptionSettings.classical();
      return Snapshots.of(
          known,
          tree,
          Map.of("default", read(ResourceFlavor.class, "{metadata: {name: default}}")),
          Map.of("team", Map.of()),
          new PreemptionCandidates(queue -> List.of(), settings, localQueue -> 0));
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(fairSharing ? "by shares" : "by borrowing");
      for (Node node : cohorts) {
        text.append("\n  cohort ").append(describe(node));
      }
      for (Node node : queues) {
        text.append("\n  queue ").append(describe(node));
      }
      for (Entry entry : entries) {
        text.append(
            "\n  %s wants %d priority %d level %d %s"
                .formatted(
                    entry.name(),
                    entry.cpus(),
                    entry.priority(),
                    entry.level(),
                    entry.fits() ? "fits" : "keeps " + entry.kept()));
      }
      return text + "\n  " + policies;
    }

    private static String describe(Node node) {
      return "%s in %s: %s used %d weight %d"
          .formatted(
              node.name,
              node.parent == null ? "-" : node.parent.name,
              node.quota,
              node.used,
              node.weight);
    }
  }
}
