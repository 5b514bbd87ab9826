// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadFileTest {
  private static final String ONE =
      """
      cohorts:
        - name: c
          count: 2
          queues:
            - name: q
              count: 3
              nominalQuota: 4
              workloads:
                - {name: w, count: 10, every: 100ms, cpu: 500m, runtime: 2s, priority: 7}
      """;

  @Test
  void theBaselineIsTheOneOfTheGoals() {
    Load baseline = LoadFile.baseline();

    assertThat(baseline.size()).isEqualTo(15_000);
    assertThat(BenchQueue.of(baseline)).hasSize(30);
    assertThat(QuotaBound.of(baseline)).isEqualTo(Duration.ofSeconds(66));
    assertThat(Arrival.of(baseline)).hasSize(15_000);
  }

  @Test
  void theLoadThatIsMostlyPreemptionsHasAName() {
    Load preemptions = LoadFile.load(Path.of(LoadFile.PREEMPTIONS));

    assertThat(preemptions.size()).isEqualTo(3_000);
    assertThat(BenchQueue.of(preemptions)).hasSize(10);
  }

  @Test
  void arrivalsComeInTheirOrder() {
    List<Arrival> arrivals = Arrival.of(LoadFile.parse(ONE));

    assertThat(arrivals).hasSize(60).isSortedAccordingTo((a, b) -> a.after().compareTo(b.after()));
    assertThat(arrivals.getFirst().after()).isEqualTo(Duration.ofMillis(100));
    assertThat(arrivals.getLast().after()).isEqualTo(Duration.ofSeconds(1));
    assertThat(arrivals.stream().map(Arrival::name)).doesNotHaveDuplicates();
  }

  @Test
  void eachClassOfAQueueIsARowInItsOrder() {
    List<Arrival> arrivals = Arrival.of(LoadFile.parse(ONE));

    Collection<List<Arrival>> rows = Arrival.rows(arrivals);

    assertThat(rows).hasSize(6).allSatisfy(row -> assertThat(row).hasSize(10));
    for (List<Arrival> row : rows) {
      assertThat(row.stream().map(Arrival::queue).distinct()).hasSize(1);
      assertThat(row).isSortedAccordingTo((a, b) -> a.after().compareTo(b.after()));
    }
    assertThat(rows.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(arrivals);
  }

  @Test
  void theBoundIsQuotaOrTheLastArrival() {
    // 10 x 0.5 CPU x 2 s on 4 CPUs are 2.5 s; the last comes after 1 s and runs for 2 s.
    assertThat(QuotaBound.of(LoadFile.parse(ONE))).isEqualTo(Duration.ofSeconds(3));
    assertThat(QuotaBound.of(LoadFile.parse(ONE.replace("cpu: 500m", "cpu: 4"))))
        .isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void scalingKeepsOneOfEachKind() {
    assertThat(LoadFile.parse(ONE).scaled(0.5).size()).isEqualTo(30);
    assertThat(LoadFile.parse(ONE).scaled(0.001).size()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count: 10|count: 0|cohorts[0].queues[0].workloads[0].count is 0; at least 1 is needed",
        "count: 10|count: ten|cohorts[0].queues[0].workloads[0].count must be a whole number",
        "every: 100ms|every: often|cohorts[0].queues[0].workloads[0].every: ",
        "cpu: 500m|cpu: many|cohorts[0].queues[0].workloads[0].cpu: ",
        "priority: 7|prio: 7|workloads[0].prio is unknown; known are name, count, every, cpu",
        "nominalQuota: 4|reclaimWithinCohort: Any|cohorts[0].queues[0].nominalQuota is missing",
        "nominalQuota: 4|withinClusterQueue: Always|nominalQuota is missing",
        "name: q|name: Q|cohorts[0].queues[0].name is \"Q\"; write at most 22 lower case letters",
        "cohorts:|cohort:|cohorts is missing"
      })
  void whatCannotBeUsedIsNamed(String what, String instead, String message) {
    assertThatThrownBy(() -> LoadFile.parse(ONE.replace(what, instead)))
        .isInstanceOf(InvalidLoadException.class)
        .hasMessageContaining(message);
  }

  @Test
  void filesThatAreNone() {
    assertThatThrownBy(() -> LoadFile.load(Path.of("missing.yaml")))
        .hasMessage("missing.yaml: there is no such file");
    assertThatThrownBy(() -> LoadFile.parse("[")).hasMessageContaining("not valid YAML");
    assertThatThrownBy(() -> LoadFile.parse("7")).hasMessageContaining("must be a mapping");
  }
}
