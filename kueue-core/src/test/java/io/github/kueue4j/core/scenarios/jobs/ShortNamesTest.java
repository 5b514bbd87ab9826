/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gate ShortWorkloadNames: names that fit a label, and what is called otherwise already. */
class ShortNamesTest {
  private static final String ON = "featureGates: {ShortWorkloadNames: true}\n";
  private static final String LONG = "a".repeat(62);

  @Test
  void namesFitALabelAndStillTellJobsApart() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(ON);
      cluster.job(LONG, 1);
      cluster.job("a".repeat(61) + "b", 1);
      cluster.awaitThat("both have Workloads", world -> world.workloads().size() == 2);

      assertThat(names(cluster))
          .doesNotHaveDuplicates()
          .allMatch(name -> name.length() == 63)
          .allMatch(name -> name.matches("job-a{53}-[0-9a-f]{5}"));
      cluster.awaitSuspended(LONG, false);
    }
  }

  @Test
  void shortJobsAreCalledTheSameEitherWay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(ON);
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);

      assertThat(names(cluster)).containsExactly(ObjectKey.of(cluster.workload("job")).name());
    }
  }

  @Test
  void aWorkloadThatHasALongNameKeepsItWhenTheGateIsSwitchedOn() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job(LONG, 1);
      cluster.awaitSuspended(LONG, false);
      cluster.podsRun(LONG);
      Workload before = cluster.workload(LONG);
      cluster.settle();
      cluster.crashCore();

      cluster.startCore(ON);
      cluster.settle();

      assertThat(names(cluster)).containsExactly(before.metadata().getName());
      assertThat(cluster.job(LONG).getSpec().getSuspend()).isFalse();
      cluster.jobSucceeds(LONG);
      cluster.awaitWorkload(
          LONG,
          workload ->
              TestCluster.isTrue(workload, io.github.kueue4j.api.WorkloadConditions.FINISHED));
    }
  }

  private static List<String> names(TestCluster cluster) {
    return cluster.workloads().stream().map(workload -> ObjectKey.of(workload).name()).toList();
  }
}
