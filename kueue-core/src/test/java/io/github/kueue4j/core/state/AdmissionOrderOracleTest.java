// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.usage.UsagePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * Admission fair sharing (KEP-4136) admits Workloads in the same order as an oracle that keeps
 * plain lists: of all that wait, the one whose queues have used least, including the entry
 * penalties of the Workloads before it. The penalties are half of what is asked for and weights are
 * powers of two, so that nothing is rounded and orders are the same to the last digit.
 */
class AdmissionOrderOracleTest {
  private static final UsagePolicy HALF =
      new UsagePolicy(Duration.ofMinutes(5), Duration.ofMinutes(5), Map.of(), null);

  /** A queue or a Cohort: what it has used, in CPUs. */
  private static final class Node {
    final String name;
    final @Nullable Node parent;
    final int weight;
    double used;

    Node(String name, @Nullable Node parent, int weight, double used) {
      this.name = name;
      this.parent = parent;
      this.weight = weight;
      this.used = used;
    }

    double share() {
      return weight == 0 ? Double.POSITIVE_INFINITY : used / weight;
    }

    void use(double more) {
      used += more;
      if (parent != null) {
        parent.use(more);
      }
    }

    /** From below the scope down to this one. */
    List<Double> path(Node scope) {
      List<Double> path =
          parent == null || parent == scope ? new ArrayList<>() : parent.path(scope);
      path.add(share());
      return path;
    }
  }

  private record Waiting(String name, Node queue, int cpus, int priority, int age) {}

  private final List<Waiting> waiting = new ArrayList<>();

  /** Some worlds count in numbers as large as those of memory. */
  private int unit = 1;

  private final List<Node> localQueues = new ArrayList<>();

  /** All quota is the scope's own, so that every Workload exceeds the quota of what is below. */
  @Property
  void aCohortThatIsTheScopeAdmitsInOneStrictLine(@ForAll long seed) {
    Random random = new Random(seed);
    TeamState team = team(random);
    int quota = unit * (3 + random.nextInt(10));
    String scope = ", admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}";
    team.cohort("org", cpus(quota) + scope);
    Node org = new Node("org", null, 1, 0);
    List<Node> cohorts = new ArrayList<>(List.of(org));
    for (String name : List.of("dept-a", "dept-b", "lab")) {
      Node parent = cohorts.get(random.nextInt(cohorts.size()));
      Node cohort = new Node(name, parent, weight(random), 0);
      cohorts.add(cohort);
      team.cohort(
          name, "parentName: %s, fairSharing: {weight: %d}".formatted(parent.name, cohort.weight));
    }
    for (int number = 0; number < 4; number++) {
      Node cohort = cohorts.get(random.nextInt(cohorts.size()));
      clusterQueue(
          random,
          team,
          cohort,
          "q" + number,
          "cohortName: %s, queueingStrategy: %s, %s"
              .formatted(
                  cohort.name, random.nextBoolean() ? "StrictFIFO" : "BestEffortFIFO", cpus(0)));
    }
    arrivals(random, team);

    team.schedule();

    assertThat(team.reserved()).as(description()).isEqualTo(admitted(org, quota, true));
  }

  @Property
  void aClusterQueueThatIsTheScopeAdmitsByLocalQueue(@ForAll long seed) {
    Random random = new Random(seed);
    TeamState team = team(random);
    int quota = unit * (3 + random.nextInt(10));
    boolean strict = random.nextBoolean();
    Node queue =
        clusterQueue(
            random,
            team,
            null,
            "q",
            "queueingStrategy: %s, %s, %s"
                .formatted(
                    strict ? "StrictFIFO" : "BestEffortFIFO",
                    "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}",
                    cpus(quota)));
    arrivals(random, team);

    team.schedule();

    assertThat(team.reserved()).as(description()).isEqualTo(admitted(queue, quota, strict));
  }

  private TeamState team(Random random) {
    unit = random.nextBoolean() ? 1 : 1 << 24;
    waiting.clear();
    localQueues.clear();
    return new TeamState(HALF, PreemptionSettings.classical());
  }

  private Node clusterQueue(
      Random random, TeamState team, @Nullable Node cohort, String name, String spec) {
    Node queue = new Node(name, cohort, weight(random), 0);
    int used = unit * random.nextInt(9);
    queue.use(used);
    team.clusterQueue(name, used, spec + ", fairSharing: {weight: %d}".formatted(queue.weight));
    for (int number = 0; number < 1 + random.nextInt(3); number++) {
      int own = unit * random.nextInt(9);
      Node local = new Node(name + "-" + number, queue, weight(random), own);
      localQueues.add(local);
      team.state()
          .configObjects()
          .localQueue(
              key(local.name),
              read(
                  LocalQueue.class,
                  """
                  {metadata: {name: %s, namespace: team},
                    spec: {clusterQueue: %s, fairSharing: {weight: %d}},
                    status: {fairSharing: {weightedShare: 0, admissionFairSharingStatus:
                      {consumedResources: {cpu: '%d'}, lastUpdate: '2026-01-05T08:00:00Z'}}}}
                  """
                      .formatted(local.name, name, local.weight, own)),
              NOW);
    }
    return queue;
  }

  private void arrivals(Random random, TeamState team) {
    for (int number = 0; number < 12; number++) {
      Waiting next =
          new Waiting(
              "w" + number,
              localQueues.get(random.nextInt(localQueues.size())),
              unit * (1 + random.nextInt(3)),
              random.nextInt(3),
              number);
      waiting.add(next);
      team.waiting(next.name(), next.queue().name, next.cpus(), next.priority());
    }
  }

  private static int weight(Random random) {
    return List.of(0, 1, 1, 2, 4).get(random.nextInt(5));
  }

  /**
   * The names of those that get in, in that order.
   *
   * @param strict whether nothing passes what doesn't fit
   */
  private List<String> admitted(Node scope, int quota, boolean strict) {
    List<Waiting> rest = new ArrayList<>(waiting);
    List<String> admitted = new ArrayList<>();
    int left = quota;
    while (!rest.isEmpty()) {
      Waiting first = rest.stream().min(order(scope)).orElseThrow();
      rest.remove(first);
      if (first.cpus() <= left) {
        left -= first.cpus();
        admitted.add(first.name());
        first.queue().use(first.cpus() / 2.0);
      } else if (strict) {
        return admitted;
      }
    }
    return admitted;
  }

  private static Comparator<Waiting> order(Node scope) {
    Comparator<Waiting> byUsage =
        (one, other) -> compare(one.queue().path(scope), other.queue().path(scope));
    return byUsage
        .thenComparing(Comparator.comparingInt(Waiting::priority).reversed())
        .thenComparingInt(Waiting::age);
  }

  private static int compare(List<Double> one, List<Double> other) {
    for (int level = 0; level < Math.max(one.size(), other.size()); level++) {
      double mine = level < one.size() ? one.get(level) : 0;
      double theirs = level < other.size() ? other.get(level) : 0;
      if (mine != theirs) {
        return mine < theirs ? -1 : 1;
      }
    }
    return 0;
  }

  private String description() {
    Map<String, String> queues = new HashMap<>();
    for (Node local : localQueues) {
      for (Node node = local; node != null; node = node.parent) {
        queues.put(
            node.name,
            "used %s weight %d in %s"
                .formatted(node.used, node.weight, node.parent == null ? "-" : node.parent.name));
      }
    }
    return "%s %s".formatted(waiting, queues).replace("%", "%%");
  }
}
