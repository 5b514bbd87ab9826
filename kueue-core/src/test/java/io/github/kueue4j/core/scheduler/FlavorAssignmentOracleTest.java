// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.queue.NodeConstraints;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.PreemptionOracle.Possibility;
import io.github.kueue4j.core.scheduler.PreemptionOracle.Simulation;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * Compares the assignment of flavors with a naive implementation of the rules: every flavor is
 * judged, then the list of judgements is truncated and sorted.
 */
class FlavorAssignmentOracleTest {
  private static final List<String> FLAVORS = List.of("f0", "f1", "f2", "f3");

  @Property
  void assignsAccordingToTheRules(@ForAll long seed) {
    World world = new World(new Random(seed));

    Assignment assignment =
        new FlavorAssigner("cq", world.spec, world.tree, world.flavors)
            .withPreemption(world::simulate, world.fairSharing)
            .assign(world.podSets);

    assertThat(summary(assignment)).as("%s", world).isEqualTo(world.expected(Map.of()));
  }

  /** With one pod set and one group, so that there is only one order of the search. */
  @Property
  void continuesUntilAFlavorIsUseful(@ForAll long seed) {
    World world = new World(new Random(seed));
    world.keepOne();
    List<Outcome> expected = new ArrayList<>();
    Map<String, Integer> from = new HashMap<>();
    Outcome first = world.expected(from);
    @Nullable Outcome answer = null;
    while (answer == null) {
      Outcome next = world.expected(from);
      expected.add(next);
      if (world.useful(next)) {
        answer = next;
      } else if (world.stoppedAt.isEmpty()) {
        answer = first;
      }
      from = Map.copyOf(world.stoppedAt);
    }
    List<Outcome> tried = new ArrayList<>();

    Assignment assignment =
        new FlavorAssigner("cq", world.spec, world.tree, world.flavors)
            .withPreemption(world::simulate, world.fairSharing)
            .assign(
                world.podSets,
                candidate -> {
                  tried.add(summary(candidate));
                  return world.useful(summary(candidate));
                });

    assertThat(tried).as("%s", world).isEqualTo(expected);
    assertThat(summary(assignment)).as("%s", world).isEqualTo(answer);
  }

  /**
   * The compared part of an assignment.
   *
   * @param kind fits, preempts, reclaims, or why it doesn't fit
   * @param flavors by pod set and resource; empty if it doesn't fit
   * @param usage the quota that is taken, or waited for
   */
  private record Outcome(
      String kind,
      List<Map<String, String>> flavors,
      Map<FlavorResource, Long> usage,
      Set<FlavorResource> contested,
      int borrowLevel) {}

  private static Outcome summary(Assignment assignment) {
    return switch (assignment) {
      case Assignment.Fits fits ->
          new Outcome(
              "fits",
              fits.podSets().stream().map(podSet -> podSet.flavors()).toList(),
              fits.usage().asMap(),
              Set.of(),
              fits.borrowLevel());
      case Assignment.Preempts preempts ->
          new Outcome(
              preempts.reclaims() ? "reclaims" : "preempts",
              preempts.podSets().stream().map(podSet -> podSet.flavors()).toList(),
              preempts.usage().asMap(),
              preempts.contested(),
              preempts.borrowLevel());
      case Assignment.NoFit noFit ->
          new Outcome(
              noFit.reason().conditionReason(),
              List.of(),
              noFit.awaitedQuota().asMap(),
              Set.of(),
              noFit.borrowLevel());
    };
  }

  /**
   * How a flavor satisfies the request of one pod set.
   *
   * @param rank 0 not at all, 1 no candidates for preemption, 2 preemption, 3 reclaiming, 4 it fits
   * @param why 0 others use the quota, 1 it exceeds the maximum, 2 the flavor doesn't match
   */
  private record Judgement(int position, String flavor, int rank, int level, int why) {}

  /** A queue, alone or in a cohort, with flavors, pods and some usage. */
  private static final class World {
    private static final List<String> WHY =
        List.of("WaitingForQuota", "ExceedsMaxQuota", "NoMatchingFlavor");
    private final Random random;
    private final Map<FlavorResource, Simulation> simulations = new HashMap<>();
    private final List<List<String>> resourcesOfGroup = new ArrayList<>();
    private final List<List<String>> flavorsOfGroup = new ArrayList<>();
    private final Map<String, Boolean> tainted = new TreeMap<>();
    private final List<Boolean> tolerates = new ArrayList<>();
    private final List<@Nullable String> zones = new ArrayList<>();
    private final Map<String, String> zoneOfFlavor = new TreeMap<>();
    private final String whenCanBorrow;
    private final String whenCanPreempt;
    private final String preference;
    private final boolean borrowWithinCohort;
    private final boolean reclaims;
    final boolean fairSharing;
    final Map<String, ResourceFlavor> flavors = new TreeMap<>();
    List<PodSetDemand> podSets = new ArrayList<>();
    ClusterQueueSpec spec;
    final QuotaTree tree;

    /** Where the search for the pod set and group stopped before the end, as the next to try. */
    Map<String, Integer> stoppedAt = new HashMap<>();

    World(Random random) {
      this.random = random;
      whenCanBorrow = random.nextBoolean() ? "MayStopSearch" : "TryNextFlavor";
      whenCanPreempt = random.nextBoolean() ? "MayStopSearch" : "TryNextFlavor";
      preference =
          List.of("", "BorrowingOverPreemption", "PreemptionOverBorrowing").get(random.nextInt(3));
      borrowWithinCohort = random.nextInt(3) == 0;
      reclaims = borrowWithinCohort || random.nextBoolean();
      fairSharing = random.nextBoolean();
      for (String flavor : FLAVORS) {
        tainted.put(flavor, random.nextInt(5) == 0);
        zoneOfFlavor.put(flavor, random.nextInt(3) == 0 ? "" : random.nextBoolean() ? "a" : "b");
        if (random.nextInt(12) > 0) {
          flavors.put(flavor, flavor(flavor));
        }
      }
      resourcesOfGroup.add(random.nextBoolean() ? List.of("cpu", "memory") : List.of("cpu"));
      flavorsOfGroup.add(FLAVORS.subList(0, 1 + random.nextInt(3)));
      if (random.nextBoolean()) {
        resourcesOfGroup.add(List.of("gpu"));
        flavorsOfGroup.add(List.of("f3", "f0").subList(0, 1 + random.nextInt(2)));
      }
      spec = spec();
      QuotaTree empty =
          QuotaTree.of(
              List.of(
                  new CohortQuotas("team", random.nextBoolean() ? "company" : null, quotas(), 1),
                  new CohortQuotas("company", null, quotas(), 1)),
              List.of(
                  new QueueQuotas("cq", random.nextInt(4) == 0 ? null : "team", own(), 1),
                  new QueueQuotas("other", "team", quotas(), 1)));
      QuotaTree used = empty;
      for (Map.Entry<FlavorResource, Long> entry : usages().entrySet()) {
        used =
            used.reserve(
                random.nextBoolean() ? "cq" : "other",
                Amounts.of(entry.getKey(), entry.getValue()));
      }
      tree = used;
      for (int number = 0; number < 1 + random.nextInt(2); number++) {
        podSets.add(pods("ps" + number));
      }
    }

    void keepOne() {
      podSets = List.of(podSets.getFirst());
      resourcesOfGroup.subList(1, resourcesOfGroup.size()).clear();
      flavorsOfGroup.subList(1, flavorsOfGroup.size()).clear();
      spec = spec();
    }

    private ResourceFlavor flavor(String name) {
      String zone = Objects.requireNonNull(zoneOfFlavor.get(name));
      return read(
          ResourceFlavor.class,
          "{metadata: {name: %s}, spec: {nodeLabels: {%s}, nodeTaints: [%s]}}"
              .formatted(
                  name,
                  zone.isEmpty() ? "" : "zone: " + zone,
                  Boolean.TRUE.equals(tainted.get(name)) ? "{key: t, effect: NoSchedule}" : ""));
    }

    private ClusterQueueSpec spec() {
      List<String> groups = new ArrayList<>();
      for (int group = 0; group < resourcesOfGroup.size(); group++) {
        List<String> resources = resourcesOfGroup.get(group);
        groups.add(
            "{coveredResources: %s, flavors: [%s]}"
                .formatted(
                    resources,
                    String.join(
                        ", ",
                        flavorsOfGroup.get(group).stream()
                            .map(
                                flavor ->
                                    "{name: %s, resources: [%s]}"
                                        .formatted(
                                            flavor,
                                            String.join(
                                                ", ",
                                                resources.stream()
                                                    .map(
                                                        resource ->
                                                            "{name: "
                                                                + resource
                                                                + ", nominalQuota: 0}")
                                                    .toList())))
                            .toList())));
      }
      return read(
          ClusterQueueSpec.class,
          """
          {resourceGroups: [%s],
            flavorFungibility: {whenCanBorrow: %s, whenCanPreempt: %s%s},
            preemption: {reclaimWithinCohort: %s, withinClusterQueue: Never,
              borrowWithinCohort: {policy: %s}}}
          """
              .formatted(
                  String.join(", ", groups),
                  whenCanBorrow,
                  whenCanPreempt,
                  preference.isEmpty() ? "" : ", preference: " + preference,
                  reclaims ? "Any" : "Never",
                  borrowWithinCohort ? "LowerPriority" : "Never"));
    }

    private Map<FlavorResource, Quota> own() {
      Map<FlavorResource, Quota> quotas = new HashMap<>();
      keys().forEach(key -> quotas.put(key, quota()));
      return quotas;
    }

    private Map<FlavorResource, Quota> quotas() {
      Map<FlavorResource, Quota> quotas = new HashMap<>();
      for (FlavorResource key : keys()) {
        if (random.nextBoolean()) {
          quotas.put(key, quota());
        }
      }
      return quotas;
    }

    private Quota quota() {
      return new Quota(
          random.nextInt(8),
          random.nextInt(3) == 0 ? (long) random.nextInt(6) : null,
          random.nextInt(3) == 0 ? (long) random.nextInt(6) : null);
    }

    private Map<FlavorResource, Long> usages() {
      Map<FlavorResource, Long> usages = new TreeMap<>();
      for (FlavorResource key : keys()) {
        if (random.nextBoolean()) {
          usages.put(key, 1L + random.nextInt(8));
        }
      }
      return usages;
    }

    private List<FlavorResource> keys() {
      List<FlavorResource> keys = new ArrayList<>();
      for (int group = 0; group < resourcesOfGroup.size(); group++) {
        for (String flavor : flavorsOfGroup.get(group)) {
          for (String resource : resourcesOfGroup.get(group)) {
            keys.add(new FlavorResource(flavor, resource));
          }
        }
      }
      return keys;
    }

    private PodSetDemand pods(String name) {
      boolean tolerating = random.nextBoolean();
      String zone = random.nextInt(3) > 0 ? null : random.nextBoolean() ? "a" : "b";
      boolean byAffinity = random.nextBoolean();
      tolerates.add(tolerating);
      zones.add(zone);
      Map<String, Long> perPod = new TreeMap<>();
      perPod.put("cpu", 1L + random.nextInt(4));
      if (random.nextBoolean()) {
        perPod.put(random.nextInt(5) == 0 ? "never" : "memory", 1L + random.nextInt(4));
      }
      if (resourcesOfGroup.size() > 1 && random.nextBoolean()) {
        perPod.put("gpu", 1L);
      }
      String selector = zone == null || byAffinity ? "" : "nodeSelector: {zone: " + zone + "},";
      String affinity =
          zone == null || !byAffinity
              ? ""
              : """
                affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{matchExpressions: [
                    {key: zone, operator: In, values: [%s]}]}]}}},
                """
                  .formatted(zone);
      V1PodSpec pod =
          read(
              V1PodSpec.class,
              "{%s %s tolerations: [%s]}"
                  .formatted(selector, affinity, tolerating ? "{key: t, operator: Exists}" : ""));
      return new PodSetDemand(
          name,
          1 + random.nextInt(2),
          1 + random.nextInt(2),
          Amounts.of(perPod),
          NodeConstraints.of(pod));
    }

    /** The simulated preemption, drawn once for each flavor and resource. */
    Simulation simulate(FlavorResource key, long amount) {
      return simulations.computeIfAbsent(
          key,
          drawn -> {
            Random own = new Random(drawn.hashCode() * 31L + podSets.size());
            return new Simulation(
                List.of(Possibility.values()).get(own.nextInt(3)), own.nextInt(3));
          });
    }

    /** Whether an assignment leads to a result; for preemption it depends on the flavor. */
    boolean useful(Outcome outcome) {
      return switch (outcome.kind()) {
        case "fits" -> true;
        case "preempts", "reclaims" -> outcome.contested().stream().noneMatch(this::hopeless);
        default -> false;
      };
    }

    private boolean hopeless(FlavorResource key) {
      return key.flavor().hashCode() % 2 == 0;
    }

    // The rules.

    Outcome expected(Map<String, Integer> from) {
      stoppedAt = new HashMap<>();
      List<Map<String, String>> assigned = new ArrayList<>();
      Map<FlavorResource, Long> taken = new TreeMap<>();
      Set<FlavorResource> contested = new HashSet<>();
      int rank = 4;
      int level = 0;
      int why = -1;
      for (int number = 0; number < podSets.size(); number++) {
        Map<String, Long> requests = new TreeMap<>();
        PodSetDemand podSet = podSets.get(number);
        podSet.perPod().asMap().forEach((r, amount) -> requests.put(r, amount * podSet.count()));
        int podSetWhy = -1;
        Map<String, String> chosen = new TreeMap<>();
        for (String resource : requests.keySet()) {
          if (resourcesOfGroup.stream().noneMatch(group -> group.contains(resource))) {
            podSetWhy = 2;
          }
        }
        for (int group = 0; group < resourcesOfGroup.size(); group++) {
          Map<String, Long> asked = new TreeMap<>(requests);
          asked.keySet().retainAll(resourcesOfGroup.get(group));
          if (asked.isEmpty()) {
            continue;
          }
          List<Judgement> judged = judged(number, group, asked, taken, from);
          Judgement best = best(judged);
          if (best.rank() == 0) {
            int mildest = judged.stream().mapToInt(Judgement::why).min().orElse(2);
            podSetWhy = Math.max(podSetWhy, mildest);
            continue;
          }
          rank = Math.min(rank, best.rank());
          level = Math.max(level, best.level());
          asked.keySet().forEach(resource -> chosen.put(resource, best.flavor()));
        }
        if (podSetWhy >= 0) {
          rank = 0;
          why = Math.max(why, podSetWhy);
          continue;
        }
        assigned.add(chosen);
        chosen.forEach(
            (resource, flavor) -> {
              FlavorResource key = new FlavorResource(flavor, resource);
              taken.merge(key, Objects.requireNonNull(requests.get(resource)), Long::sum);
              if (Objects.requireNonNull(taken.get(key)) > tree.available("cq", key)) {
                contested.add(key);
              }
            });
      }
      return switch (rank) {
        case 4 -> new Outcome("fits", assigned, taken, Set.of(), level);
        case 3 -> new Outcome("reclaims", assigned, taken, contested, level);
        case 2 -> new Outcome("preempts", assigned, taken, contested, level);
        case 1 -> new Outcome("WaitingForQuota", List.of(), taken, Set.of(), level);
        default -> new Outcome(WHY.get(why), List.of(), Map.of(), Set.of(), 0);
      };
    }

    /** The flavors that are examined: up to the first that may stop the search. */
    private List<Judgement> judged(
        int podSet,
        int group,
        Map<String, Long> asked,
        Map<FlavorResource, Long> taken,
        Map<String, Integer> from) {
      List<Judgement> judged = new ArrayList<>();
      List<String> offers = flavorsOfGroup.get(group);
      String place = podSet + "/" + group;
      for (int i = from.getOrDefault(place, 0); i < offers.size(); i++) {
        Judgement judgement = judge(i, offers.get(i), podSet, asked, taken);
        judged.add(judgement);
        boolean good = judgement.rank() >= 2;
        boolean passed =
            (judgement.rank() < 4 && whenCanPreempt.equals("TryNextFlavor"))
                || (judgement.level() > 0 && whenCanBorrow.equals("TryNextFlavor"));
        if (good && !passed) {
          if (i + 1 < offers.size()) {
            stoppedAt.put(place, i + 1);
          }
          // The flavor that stops the search is taken, whatever came before it.
          return List.of(judgement);
        }
      }
      return judged;
    }

    private Judgement judge(
        int position,
        String flavor,
        int podSet,
        Map<String, Long> asked,
        Map<FlavorResource, Long> taken) {
      String zone = zones.get(podSet);
      String zoneThere = Objects.requireNonNull(zoneOfFlavor.get(flavor));
      boolean suits =
          flavors.containsKey(flavor)
              && (!Boolean.TRUE.equals(tainted.get(flavor)) || tolerates.get(podSet))
              && (zone == null || zoneThere.isEmpty() || zone.equals(zoneThere));
      if (!suits) {
        return new Judgement(position, flavor, 0, 0, 2);
      }
      int rank = 4;
      int level = 0;
      int why = 0;
      for (Map.Entry<String, Long> entry : asked.entrySet()) {
        FlavorResource key = new FlavorResource(flavor, entry.getKey());
        long needed = entry.getValue() + taken.getOrDefault(key, 0L);
        if (needed > tree.potentialAvailable("cq", key)) {
          rank = 0;
          why = 1;
        } else if (needed <= tree.available("cq", key)) {
          level = Math.max(level, tree.borrowLevel("cq", key, needed));
        } else if (maySimulate(key, needed)) {
          Simulation simulation = simulate(key, needed);
          rank =
              Math.min(
                  rank,
                  switch (simulation.possibility()) {
                    case NO_CANDIDATES -> 1;
                    case PREEMPT -> 2;
                    case RECLAIM -> 3;
                  });
          level = Math.max(level, simulation.borrowLevel());
        } else {
          rank = 0;
        }
      }
      return rank == 0
          ? new Judgement(position, flavor, 0, 0, why)
          : new Judgement(position, flavor, rank, level, 0);
    }

    private boolean maySimulate(FlavorResource key, long needed) {
      return tree.fitsBelowRoot("cq", key, needed)
          || needed <= tree.subtreeQuota(NodeId.queue("cq"), key)
          || borrowWithinCohort
          || (fairSharing && reclaims);
    }

    private Judgement best(List<Judgement> judged) {
      Judgement best = judged.getFirst();
      for (Judgement other : judged) {
        if (beats(other, best)) {
          best = other;
        }
      }
      return best;
    }

    private boolean beats(Judgement one, Judgement other) {
      int prospect = Math.min(one.rank(), 2) - Math.min(other.rank(), 2);
      if (prospect != 0) {
        return prospect > 0;
      }
      int closer = other.level() - one.level();
      int better = one.rank() - other.rank();
      return preference.equals("PreemptionOverBorrowing")
          ? (closer != 0 ? closer > 0 : better > 0)
          : (better != 0 ? better > 0 : closer > 0);
    }

    @Override
    public String toString() {
      return "%s\n%s\n%s".formatted(spec, podSets, simulations).replace("%", "%%");
    }
  }
}
