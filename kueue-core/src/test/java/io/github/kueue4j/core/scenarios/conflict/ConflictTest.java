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
package io.github.kueue4j.core.scenarios.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Writes that are refused, or that fail, are decided again and never counted twice. */
class ConflictTest {
  @Test
  void aConflictIsReadFromTheServerAndDecidedAgain() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster
          .server
          .faults()
          .failNext(
              3, RequestMatcher.verbs("patch").and(RequestMatcher.resource("workloads")), 409);
      cluster.job("first", 1);

      cluster.awaitWorkload("first", TestCluster::admitted);
      cluster.awaitSuspended("first", false);
      assertThat(
              cluster
                  .server
                  .requests()
                  .count(
                      RequestMatcher.verbs("get")
                          .and(RequestMatcher.resource("workloads"))
                          .and(request -> request.userAgent().contains("kueue-core"))))
          .isEqualTo(3);
    }
  }

  @Test
  void aFailingServerDelaysButTheQuotaStaysConsistent() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster
          .server
          .faults()
          .failNext(
              2, RequestMatcher.verbs("patch").and(RequestMatcher.resource("workloads")), 500);
      cluster.job("first", 1);
      cluster.job("second", 1);
      cluster.workload("first");
      cluster.workload("second");
      for (int i = 0; i < 5; i++) {
        cluster.pass(Duration.ofSeconds(1));
      }

      cluster.awaitThat("exactly one is admitted", ConflictTest::exactlyOneAdmitted);
      cluster.settle();
      assertThat(exactlyOneAdmitted(cluster)).isTrue();
    }
  }

  @Test
  void aConflictOnTheJobDoesNotStopItFromStarting() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster
          .server
          .faults()
          .failNext(2, RequestMatcher.verbs("patch").and(RequestMatcher.resource("jobs")), 409);
      cluster.job("first", 1);

      cluster.awaitSuspended("first", false);
    }
  }

  private static boolean exactlyOneAdmitted(TestCluster cluster) {
    return cluster.workloads().stream().filter(TestCluster::admitted).count() == 1;
  }
}
