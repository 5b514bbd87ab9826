// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A Workload that isn't tried because nothing has changed for it would get nothing if it were
 * tried: when the scheduler rests, trying everything once more admits no Workload. The scheduler
 * always comes to rest.
 */
class NoLostWakeupPropertyTest {
  private static final List<String> QUEUES = List.of("a", "b", "c");

  @Property(seed = "20261121")
  void noWorkloadWaitsForFreeQuota(@ForAll long seed) {
    story(new Random(seed), new TeamState(null, PreemptionSettings.classical()), true);
  }

  /** Where a Cohort is the scope, past usage decides too; only coming to rest is checked there. */
  @Property(seed = "20261121")
  void scopesComeToRest(@ForAll long seed) {
    Random random = new Random(seed);
    TeamState team =
        new TeamState(
            TeamState.LASTING,
            random.nextBoolean()
                ? PreemptionSettings.classical()
                : PreemptionSettings.fairSharing(
                    FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE));
    team.cohort("tree", "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}");
    story(random, team, false);
  }

  private static void story(Random random, TeamState team, boolean triedAgain) {
    List<String> story = new ArrayList<>();
    for (String queue : QUEUES) {
      String spec =
          "cohortName: tree, queueingStrategy: %s, preemption: {reclaimWithinCohort: %s, withinClusterQueue: %s}, %s"
              .formatted(
                  one(random, "StrictFIFO", "BestEffortFIFO"),
                  one(random, "Never", "Never", "LowerPriority", "Any"),
                  one(random, "Never", "Never", "LowerPriority"),
                  cpus(random.nextInt(5)));
      story.add(queue + " " + spec);
      team.clusterQueue(queue, spec);
      team.localQueue("lq-" + queue, queue, 0);
      team.localQueue("second-" + queue, queue, 0);
    }
    int version = 0;
    for (int step = 0; step < 30; step++) {
      String name = "w" + random.nextInt(8);
      if (random.nextInt(3) == 0) {
        story.add(name + " gone");
        team.state().workloads().deleted(key(name), NOW);
      } else {
        // As it was before, where it has quota by now.
        if (!held(team, name)) {
          String queue = QUEUES.get(random.nextInt(3));
          int cpu = 1 + random.nextInt(4);
          int priority = random.nextInt(3);
          story.add("%s in %s %d priority %d".formatted(name, queue, cpu, priority));
          String localQueue = triedAgain ? "lq-" : one(random, "lq-", "second-");
          team.waiting(name, localQueue + queue, cpu, priority);
        }
      }
      comeToRest(team, story);
      List<String> before = team.reserved();
      team.state().configObjects().namespace("team", Map.of("version", "v" + version++));
      comeToRest(team, story);
      if (triedAgain) {
        assertThat(team.reserved()).as("%s %s", story, team.decided()).isEqualTo(before);
      }
    }
  }

  private static boolean held(TeamState team, String name) {
    return team.outbox().reservation(key(name)) != null;
  }

  private static void comeToRest(TeamState team, List<String> story) {
    int turns = 0;
    while (!team.state().schedule(NOW)) {
      assertThat(turns++).as("%s", story).isLessThan(3);
    }
  }

  private static String one(Random random, String... values) {
    return values[random.nextInt(values.length)];
  }
}
