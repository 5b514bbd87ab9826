// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class AdmittedUsageTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          all pods needed             | 4 | 4    | '10' | []                         | 10000
          one of four needed no more  | 4 | 4    | '10' | [{name: main, count: 1}]   | 7500
          of another pod set          | 4 | 4    | '10' | [{name: other, count: 1}]  | 10000
          all of them                 | 4 | 4    | '10' | [{name: main, count: 4}]   | 0
          more than there are         | 4 | 4    | '10' | [{name: main, count: 9}]   | 0
          less than nothing           | 4 | 4    | '10' | [{name: main, count: -3}]  | 10000
          the larger of two entries   | 4 | 4    | '10' | [{name: main, count: 1}, {name: main, count: 2}] | 5000
          nothing assigned            | 4 | 0    | '10' | [{name: main, count: 1}]   | 10000
          no count, so that of the spec | 4 | null | '10' | [{name: main, count: 1}] | 7500
          no whole share each         | 3 | 3    | '10' | [{name: main, count: 1}]   | 6668
          reserved when two were gone | 4 | 2    | '5'  | [{name: main, count: 2}]   | 5000
          one more since              | 4 | 2    | '5'  | [{name: main, count: 3}]   | 2500
          the two came back           | 4 | 2    | '5'  | []                         | 5000
          partially, none gone        | 4 | 3    | '9'  | []                         | 9000
          partially, one that isn't missed gone | 4 | 3 | '9' | [{name: main, count: 1}] | 9000
          partially, two gone         | 4 | 3    | '9'  | [{name: main, count: 2}]   | 6000
          """)
  void isLessByWhatIsNeededNoMore(
      String name, int pods, String count, String cpu, String reclaimable, long expected) {
    Object tree =
        new Yaml()
            .load(
                """
                {metadata: {name: w}, spec: {podSets: [{name: main, count: %d}]}, status: {reclaimablePods: %s, admission: {
                  clusterQueue: cq, podSetAssignments: [{name: main, flavors: {cpu: f},
                    resourceUsage: {cpu: %s}, count: %s}]}}}
                """
                    .formatted(pods, reclaimable, cpu, count));
    Workload workload = KueueJson.fromTree(KueueJson.toTree(tree), Workload.class);

    assertThat(AdmittedUsage.of(workload).get(new FlavorResource("f", "cpu"))).isEqualTo(expected);
  }
}
