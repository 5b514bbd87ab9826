// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Nightly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answer of {@link Packing} on small random worlds, held against one that tries everything. */
class OracleTest {

  private static final String GPU = "nvidia.com/gpu";
  private static final int WORLDS = Nightly.bound(1_000, 20_000);

  @Test
  void whatIsPlacedFitsAndWhatNeverFitsFitsNowhere() {
    Random random = new Random(16);
    int fits = 0;
    int missed = 0;
    for (int i = 0; i < WORLDS; i++) {
      World world = World.random(random);
      Rooms rooms = world.rooms();
      Optional<List<Place>> found = new Packing(rooms, List.of(GPU)).place(world.groups);
      boolean exists = world.fits();
      found.ifPresent(places -> world.requireValid(places));
      assertThat(found.isEmpty() || exists)
          .as("a placement that doesn't exist: %s", world)
          .isTrue();
      fits += exists ? 1 : 0;
      if (found.isEmpty()) {
        missed += exists ? 1 : 0;
        Shortage shortage = Shortage.of(rooms, world.groups, List.of(GPU));
        if (shortage.isForGood()) {
          assertThat(world.emptied().fits()).as("%s: %s", shortage, world).isFalse();
        }
        if (world.groups.stream().filter(group -> group.count() > 0).count() == 1) {
          assertThat(exists).as("a pod set alone is placed exactly: %s", world).isFalse();
        }
      }
    }
    assertThat(missed).as("missed, of %d placements", fits).isLessThan(fits / 50);
    assertThat(fits).isBetween(WORLDS / 10, WORLDS * 9 / 10);
  }

  /** Whether all pods share a domain, or only those of each pod set. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsPlacedInDomainsFitsThere(boolean ofEach) {
    Random random = new Random(33);
    int fits = 0;
    int missed = 0;
    for (int i = 0; i < WORLDS; i++) {
      World world = World.random(random).withoutEmptySets();
      Domains domains = new Domains(world.rooms(), List.of(GPU), "zone", ofEach);
      Optional<Domains.Chosen> found = domains.place(world.groups);
      boolean exists = world.inDomains(ofEach).anyMatch(World::fits);
      found.ifPresent(
          chosen -> {
            world.with(chosen.groups()).requireValid(chosen.places());
            world.requireInDomains(chosen, ofEach);
          });
      assertThat(found.isEmpty() || exists).as("in no domain: %s", world).isTrue();
      fits += exists ? 1 : 0;
      if (found.isEmpty()) {
        missed += exists ? 1 : 0;
        Shortage shortage = domains.shortage(world.groups);
        if (shortage.isForGood()) {
          assertThat(world.emptied().inDomains(ofEach).anyMatch(World::fits))
              .as("%s: %s", shortage, world)
              .isFalse();
        }
        if (world.groups.size() == 1) {
          assertThat(exists).as("a pod set alone is placed exactly: %s", world).isFalse();
        }
      }
    }
    assertThat(missed).as("missed, of %d placements", fits).isLessThan(fits / 50);
    assertThat(fits).isBetween(WORLDS / 10, WORLDS * 9 / 10);
  }

  private record World(
      List<NodeFacts> nodes, List<Map<String, Long>> taken, List<PodGroup> groups) {

    static World random(Random random) {
      List<NodeFacts> nodes = new ArrayList<>();
      List<Map<String, Long>> taken = new ArrayList<>();
      int count = 1 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        long gpus = random.nextInt(5);
        long cpu = random.nextInt(9);
        nodes.add(
            new NodeFacts(
                "n" + i,
                random.nextInt(8) == 0
                    ? Map.of()
                    : Map.of("zone", random.nextBoolean() ? "a" : "b"),
                random.nextInt(4) == 0
                    ? List.of(new NodeFacts.Taint("gpu", "", "NoSchedule"))
                    : List.of(),
                random.nextInt(10) > 0,
                random.nextInt(10) > 0,
                new Amounts(Map.of(GPU, gpus, "example.com/cpu", cpu)),
                Amounts.NONE));
        taken.add(
            Map.of(
                GPU,
                gpus == 0 ? 0 : (long) random.nextInt((int) gpus + 1),
                "example.com/cpu",
                (long) random.nextInt(3)));
      }
      List<PodGroup> groups = new ArrayList<>();
      int sets = 1 + random.nextInt(3);
      for (int i = 0; i < sets; i++) {
        Constraints constraints =
            new Constraints(
                random.nextInt(3) == 0 ? Map.of("zone", "a") : Map.of(),
                Optional.empty(),
                random.nextBoolean()
                    ? Set.of(new Constraints.Toleration("gpu", "Exists", "", ""))
                    : Set.of());
        groups.add(
            new PodGroup(
                "set" + i,
                new PodNeeds(
                    new Amounts(
                        Map.of(
                            GPU,
                            (long) random.nextInt(3),
                            "example.com/cpu",
                            (long) random.nextInt(4))),
                    constraints,
                    separation(random)),
                random.nextInt(4)));
      }
      return new World(nodes, taken, groups);
    }

    /** In half of the pod sets, pods that must not be together with others. */
    private static Separation separation(Random random) {
      Map<String, String> labels = Map.of("app", random.nextBoolean() ? "x" : "y");
      List<Separation.AntiAffinity> apart =
          random.nextInt(3) > 0
              ? List.of()
              : List.of(
                  new Separation.AntiAffinity(
                      random.nextBoolean() ? "kubernetes.io/hostname" : "zone",
                      List.of(
                          new Constraints.Requirement(
                              "app", "In", List.of(random.nextBoolean() ? "x" : "y")))));
      Set<Separation.Port> ports =
          random.nextInt(4) > 0
              ? Set.of()
              : Set.of(new Separation.Port("", "TCP", 80 + random.nextInt(2)));
      return new Separation(labels, apart, ports);
    }

    /** Told pod by pod: may a pod be on the node while the other is on its node? */
    private static boolean mayBe(PodNeeds pod, NodeFacts here, PodNeeds other, NodeFacts there) {
      boolean sameNode = here.name().equals(there.name());
      String zone = here.labels().getOrDefault("zone", "none");
      boolean sameZone = !zone.equals("none") && zone.equals(there.labels().get("zone"));
      for (Separation.Port port : pod.separation().ports()) {
        if (sameNode && other.separation().ports().contains(port)) {
          return false;
        }
      }
      return !isKeptAway(pod, other, sameNode, sameZone)
          && !isKeptAway(other, pod, sameNode, sameZone);
    }

    private static boolean isKeptAway(
        PodNeeds by, PodNeeds other, boolean sameNode, boolean sameZone) {
      for (Separation.AntiAffinity term : by.separation().apart()) {
        String app = term.selected().getFirst().values().getFirst();
        boolean together = term.topologyKey().equals("zone") ? sameZone : sameNode;
        if (together && app.equals(other.separation().labels().get("app"))) {
          return true;
        }
      }
      return false;
    }

    World withoutEmptySets() {
      return with(groups.stream().filter(group -> group.count() > 0).toList());
    }

    World with(List<PodGroup> other) {
      return new World(nodes, taken, other);
    }

    /** The worlds in which the pods are bound to domains in one of all ways. */
    Stream<World> inDomains(boolean ofEach) {
      List<List<PodGroup>> ways = List.of(List.of());
      for (PodGroup group : groups) {
        List<List<PodGroup>> longer = new ArrayList<>();
        for (List<PodGroup> way : ways) {
          for (String zone : List.of("a", "b")) {
            List<PodGroup> bound = new ArrayList<>(way);
            bound.add(group.withNeeds(group.needs().in("zone", zone)));
            boolean allowed =
                zone.equals(group.needs().constraints().selector().getOrDefault("zone", zone));
            if (allowed && (ofEach || zones(bound) == 1)) {
              longer.add(bound);
            }
          }
        }
        ways = longer;
      }
      return ways.stream().map(this::with);
    }

    private static long zones(List<PodGroup> bound) {
      return bound.stream()
          .map(group -> group.needs().constraints().selector().get("zone"))
          .distinct()
          .count();
    }

    void requireInDomains(Domains.Chosen chosen, boolean ofEach) {
      assertThat(chosen.groups())
          .extracting(PodGroup::name)
          .containsExactlyInAnyOrderElementsOf(groups.stream().map(PodGroup::name).toList());
      assertThat(zones(chosen.groups())).isLessThanOrEqualTo(ofEach ? chosen.groups().size() : 1);
      for (Place place : chosen.places()) {
        NodeFacts node =
            nodes.stream().filter(one -> one.name().equals(place.node())).findFirst().orElseThrow();
        assertThat(node.labels().get("zone"))
            .isNotNull()
            .isEqualTo(place.needs().constraints().selector().get("zone"));
      }
    }

    World emptied() {
      return new World(
          nodes.stream()
              .map(
                  node ->
                      new NodeFacts(
                          node.name(),
                          node.labels(),
                          node.taints(),
                          true,
                          true,
                          node.allocatable(),
                          node.devices()))
              .toList(),
          nodes.stream().map(node -> Map.<String, Long>of()).toList(),
          groups);
    }

    Rooms rooms() {
      Rooms rooms = new Rooms();
      nodes.forEach(rooms::put);
      for (int i = 0; i < nodes.size(); i++) {
        rooms.take(nodes.get(i).name(), new Amounts(taken.get(i)), 1);
      }
      return rooms;
    }

    /** Tries each pod on each node. */
    boolean fits() {
      List<PodNeeds> pods = new ArrayList<>();
      groups.forEach(
          group -> {
            for (int i = 0; i < group.count(); i++) {
              pods.add(group.needs());
            }
          });
      long[][] free = new long[nodes.size()][];
      for (int i = 0; i < free.length; i++) {
        free[i] = new long[] {free(i, GPU), free(i, "example.com/cpu")};
      }
      return fits(pods, new ArrayList<>(), free);
    }

    private long free(int node, String resource) {
      return nodes.get(node).allocatable().of(resource)
          - taken.get(node).getOrDefault(resource, 0L);
    }

    /**
     * Tries each node for the next pod.
     *
     * @param placed the nodes of those before it
     */
    private boolean fits(List<PodNeeds> pods, List<NodeFacts> placed, long[][] free) {
      int next = placed.size();
      if (next == pods.size()) {
        return true;
      }
      PodNeeds pod = pods.get(next);
      long gpus = pod.requests().of(GPU);
      long cpu = pod.requests().of("example.com/cpu");
      for (int i = 0; i < free.length; i++) {
        if (mayTake(nodes.get(i), pod)
            && mayBeBeside(nodes.get(i), pods, placed)
            && (gpus == 0 || free[i][0] >= gpus)
            && (cpu == 0 || free[i][1] >= cpu)) {
          free[i][0] -= gpus;
          free[i][1] -= cpu;
          placed.add(nodes.get(i));
          boolean rest = fits(pods, placed, free);
          placed.removeLast();
          free[i][0] += gpus;
          free[i][1] += cpu;
          if (rest) {
            return true;
          }
        }
      }
      return false;
    }

    private static boolean mayBeBeside(
        NodeFacts node, List<PodNeeds> pods, List<NodeFacts> placed) {
      PodNeeds pod = pods.get(placed.size());
      for (int i = 0; i < placed.size(); i++) {
        if (!mayBe(pod, node, pods.get(i), placed.get(i))) {
          return false;
        }
      }
      return true;
    }

    private static boolean mayTake(NodeFacts node, PodNeeds pod) {
      Constraints constraints = pod.constraints();
      String zone = constraints.selector().getOrDefault("zone", "");
      return node.ready()
          && node.schedulable()
          && (zone.isEmpty() || zone.equals(node.labels().get("zone")))
          && (node.taints().isEmpty() || !constraints.tolerations().isEmpty());
    }

    private void requireApart(List<Place> places) {
      List<PodNeeds> pods = new ArrayList<>();
      List<NodeFacts> placed = new ArrayList<>();
      for (Place place : places) {
        for (int i = 0; i < place.count(); i++) {
          NodeFacts node =
              nodes.stream()
                  .filter(one -> one.name().equals(place.node()))
                  .findFirst()
                  .orElseThrow();
          pods.add(place.needs());
          assertThat(mayBeBeside(node, pods, placed)).as("%s: %s", places, this).isTrue();
          placed.add(node);
        }
      }
    }

    void requireValid(List<Place> places) {
      Map<String, long[]> used = new HashMap<>();
      Map<PodNeeds, Integer> placed = new HashMap<>();
      for (Place place : places) {
        long[] there = used.computeIfAbsent(place.node(), name -> new long[2]);
        there[0] += place.needs().requests().of(GPU) * place.count();
        there[1] += place.needs().requests().of("example.com/cpu") * place.count();
        placed.merge(place.needs(), place.count(), Integer::sum);
      }
      requireApart(places);
      Map<PodNeeds, Integer> wanted = new HashMap<>();
      groups.stream()
          .filter(group -> group.count() > 0)
          .forEach(group -> wanted.merge(group.needs(), group.count(), Integer::sum));
      assertThat(placed).as("%s", this).isEqualTo(wanted);
      for (int i = 0; i < nodes.size(); i++) {
        long[] there = used.getOrDefault(nodes.get(i).name(), new long[2]);
        assertThat(there[0] == 0 || there[0] <= free(i, GPU)).as("%s", this).isTrue();
        assertThat(there[1] == 0 || there[1] <= free(i, "example.com/cpu")).as("%s", this).isTrue();
      }
    }
  }
}
