// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.quota.Amounts;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PartialAdmissionTest {
  @Property
  void findsTheMostThatFit(
      @ForAll @IntRange(max = 60) int count,
      @ForAll @IntRange(max = 60) int minCount,
      @ForAll @IntRange(max = 70) int room) {
    List<PodSetDemand> podSets = List.of(pods("main", count, minCount));

    Optional<Integer> most =
        PartialAdmission.most(
            podSets,
            reduced -> Optional.of(reduced.getFirst().count()).filter(pods -> pods <= room));

    boolean possible = Math.min(minCount, count) <= room && minCount < count;
    assertThat(most)
        .isEqualTo(possible ? Optional.of(Math.min(room, count - 1)) : Optional.empty());
    assertThat(PartialAdmission.possible(podSets)).isEqualTo(minCount < count);
  }

  @Test
  void podSetsAreReducedInProportionToTheirSparePods() {
    List<PodSetDemand> podSets =
        List.of(pods("driver", 1, 1), pods("few", 4, 2), pods("many", 12, 4));

    assertThat(
            PartialAdmission.most(
                podSets,
                reduced ->
                    Optional.of(reduced)
                        .filter(sets -> sets.stream().mapToInt(PodSetDemand::count).sum() <= 12)))
        .hasValueSatisfying(
            reduced ->
                assertThat(reduced).extracting(PodSetDemand::count).containsExactly(1, 3, 8));
  }

  @Test
  void hugeCountsDoNotOverflow() {
    List<PodSetDemand> podSets = Collections.nCopies(8, pods("a", Integer.MAX_VALUE, 1));

    assertThat(
            PartialAdmission.most(
                podSets,
                reduced ->
                    Optional.of(reduced.getFirst().count()).filter(pods -> pods <= 1_000_000)))
        .contains(1_000_000);
  }

  private static PodSetDemand pods(String name, int count, int minCount) {
    return new PodSetDemand(
        name, count, minCount, Amounts.of("cpu", 1000L), PodSetDemands.ANY_NODE);
  }
}
