// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.PreemptionOracle.Possibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which of the flavors one, two and three is chosen. The queue owns 4 CPUs of each; a test sets the
 * usage of each flavor and the quota that its Cohorts (company above team) add.
 */
class FlavorFungibilityTest {
  private final List<FlavorResource> asked = new ArrayList<>();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the first that fits                     | MayStopSearch | TryNextFlavor | -    | fit, fit, fit                        | one
          borrowing is taken where it may be      | MayStopSearch | TryNextFlavor | -    | borrow, fit, fit                     | one
          borrowing leads on                      | TryNextFlavor | TryNextFlavor | -    | borrow, fit, fit                     | two
          borrowing if nothing better comes       | TryNextFlavor | TryNextFlavor | -    | borrow, full, full                   | one
          nearer borrowing                        | TryNextFlavor | TryNextFlavor | -    | far, borrow, full                    | two
          a flavor that is full is passed         | MayStopSearch | TryNextFlavor | -    | full, fit, fit                       | two
          preemption leads on by default          | MayStopSearch | TryNextFlavor | -    | preempt, fit, fit                    | two
          preemption may stop the search          | MayStopSearch | MayStopSearch | -    | preempt, fit, fit                    | one
          without candidates it always goes on    | MayStopSearch | MayStopSearch | -    | waits, preempt, fit                  | two
          reclaiming beats preempting             | MayStopSearch | TryNextFlavor | -    | preempt, reclaim, full               | two
          viable beats without candidates         | MayStopSearch | TryNextFlavor | -    | waits, preempt, full                 | two
          rather borrow, unless said otherwise    | TryNextFlavor | TryNextFlavor | -    | preempt, borrow, full                | two
          rather borrow                           | TryNextFlavor | TryNextFlavor | BorrowingOverPreemption | preempt, borrow, full | two
          rather preempt                          | TryNextFlavor | TryNextFlavor | PreemptionOverBorrowing | borrow, preempt, full | two
          rather preempt, far borrowing last      | TryNextFlavor | TryNextFlavor | PreemptionOverBorrowing | far, borrow, reclaim  | three
          """)
  void takes(
      String name,
      String whenCanBorrow,
      String whenCanPreempt,
      String preference,
      String states,
      String expected) {
    World world = new World(whenCanBorrow, whenCanPreempt, preference, states.split(", *"));

    assertThat(flavor(world.assigner().assign(world.pods(3000)))).isEqualTo(expected);
  }

  @Test
  void continuesWithTheOtherFlavorsIfOneIsOfNoUse() {
    World world = new World("MayStopSearch", "MayStopSearch", "-", "preempt", "preempt", "fit");
    List<String> tried = new ArrayList<>();

    Assignment assignment =
        world
            .assigner()
            .assign(
                world.pods(3000),
                candidate -> {
                  tried.add(flavor(candidate));
                  return candidate instanceof Assignment.Fits;
                });

    assertThat(tried).containsExactly("one", "two", "three");
    assertThat(flavor(assignment)).isEqualTo("three");
  }

  @Test
  void ifNoFlavorIsOfUseTheFirstIsReturned() {
    World world = new World("MayStopSearch", "MayStopSearch", "-", "preempt", "reclaim", "waits");

    Assignment assignment = world.assigner().assign(world.pods(3000), candidate -> false);

    assertThat(flavor(assignment)).isEqualTo("one");
  }

  @Test
  void preemptionIsNotSimulatedWhereItIsNeverPermitted() {
    World world = new World("MayStopSearch", "TryNextFlavor", "-", "full", "full", "full");

    Assignment assignment = world.assigner().assign(world.pods(3000));

    assertThat(assignment)
        .isInstanceOfSatisfying(
            Assignment.NoFit.class,
            noFit -> {
              assertThat(noFit.reason()).isEqualTo(NoFitReason.WAITING_FOR_QUOTA);
              assertThat(noFit.awaitedQuota()).isEqualTo(Amounts.none());
            });
    assertThat(asked).isEmpty();
  }

  @Test
  void contestedQuotaIsReportedWithTheWholeUsage() {
    World world = new World("MayStopSearch", "TryNextFlavor", "-", "preempt", "full", "full");

    Assignment assignment = world.assigner().assign(world.pods(1000, 2000));

    assertThat(assignment)
        .isInstanceOfSatisfying(
            Assignment.Preempts.class,
            preempts -> {
              assertThat(preempts.usage()).isEqualTo(Amounts.of(cpu("one"), 3000));
              assertThat(preempts.contested()).containsExactly(cpu("one"));
              assertThat(preempts.reclaims()).isFalse();
              assertThat(preempts.message())
                  .startsWith("couldn't assign flavors to pod set p0: insufficient unused quota");
            });
  }

  private static String flavor(Assignment assignment) {
    return switch (assignment) {
      case Assignment.Fits fits -> fits.podSets().getFirst().flavors().getOrDefault("cpu", "");
      case Assignment.Preempts preempts ->
          preempts.podSets().getFirst().flavors().getOrDefault("cpu", "");
      case Assignment.NoFit noFit -> "none: " + noFit.message();
    };
  }

  private static FlavorResource cpu(String flavor) {
    return new FlavorResource(flavor, "cpu");
  }

  /** Puts each flavor into the given state by quota, usage and an oracle. */
  private final class World {
    private static final List<String> NAMES = List.of("one", "two", "three");

    private final List<String> states;
    private final ClusterQueueSpec spec;

    World(String whenCanBorrow, String whenCanPreempt, String preference, String... states) {
      this.states = List.of(states);
      String flavors =
          NAMES.stream()
              .map(
                  name ->
                      "{name: "
                          + name
                          + ", resources: [{name: cpu, nominalQuota: "
                          + (state(name).equals("full") ? 0 : 4)
                          + "}]}")
              .collect(Collectors.joining(", "));
      this.spec =
          read(
              ClusterQueueSpec.class,
              """
              {cohortName: team, flavorFungibility: {whenCanBorrow: %s, whenCanPreempt: %s%s},
                resourceGroups: [{coveredResources: [cpu], flavors: [%s]}]}
              """
                  .formatted(
                      whenCanBorrow,
                      whenCanPreempt,
                      preference.equals("-") ? "" : ", preference: " + preference,
                      flavors));
    }

    private String state(String flavor) {
      return states.get(NAMES.indexOf(flavor));
    }

    FlavorAssigner assigner() {
      Map<String, ResourceFlavor> flavors =
          NAMES.stream()
              .collect(
                  Collectors.toMap(
                      name -> name,
                      name -> read(ResourceFlavor.class, "{metadata: {name: " + name + "}}")));
      return new FlavorAssigner("cq", spec, quota(), flavors)
          .withPreemption(
              (key, amount) -> {
                asked.add(key);
                return new PreemptionOracle.Simulation(
                    switch (state(key.flavor())) {
                      case "preempt" -> Possibility.PREEMPT;
                      case "reclaim" -> Possibility.RECLAIM;
                      default -> Possibility.NO_CANDIDATES;
                    },
                    0);
              },
              false);
    }

    /** Of each flavor a Cohort owns 4: for the state "borrow" the team, otherwise the company. */
    private QuotaTree quota() {
      QuotaTree tree =
          QuotaTree.of(
              List.of(
                  new CohortQuotas("company", null, owned("far", "full"), 1),
                  new CohortQuotas("team", "company", owned("borrow"), 1)),
              List.of(
                  QueueQuotas.of("cq", spec),
                  new QueueQuotas("other", "team", Map.of(), 1),
                  new QueueQuotas("stranger", "company", Map.of(), 1)));
      for (String name : NAMES) {
        String whose =
            switch (state(name)) {
              case "fit" -> "";
              case "full" -> "stranger";
              case "borrow", "far" -> "cq";
              default -> "other";
            };
        if (!whose.isEmpty()) {
          tree = tree.reserve(whose, Amounts.of(cpu(name), 4000));
        }
      }
      return tree;
    }

    private Map<FlavorResource, Quota> owned(String... inStates) {
      return NAMES.stream()
          .filter(name -> List.of(inStates).contains(state(name)))
          .collect(Collectors.toMap(name -> cpu(name), name -> new Quota(4000, null, null)));
    }

    List<PodSetDemand> pods(long... milliCpus) {
      return Stream.iterate(0, number -> number < milliCpus.length, number -> number + 1)
          .map(number -> PodSetDemands.of("p" + number, 1, Amounts.of("cpu", milliCpus[number])))
          .toList();
    }
  }
}
