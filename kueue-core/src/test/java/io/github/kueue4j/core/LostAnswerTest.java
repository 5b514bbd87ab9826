// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import static io.github.kueue4j.core.testing.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A reservation is written, its answer is lost on the way, and the watch is late: the quota is used
 * all the same.
 */
class LostAnswerTest {
  private static final RequestMatcher OF_THE_CORE =
      request -> request.userAgent().contains("kueue-core");

  @Test
  void quotaIsNotGivenTwice() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitWorkload("first", workload -> true);
      cluster.pass(Duration.ofSeconds(2)); // Among Workloads of the same second, names decide.
      cluster.job("second", 1);
      cluster.awaitWorkload("second", workload -> true);
      cluster.settle();
      cluster.silence("workloads");
      String first = cluster.workload("first").metadata().getName();
      AtomicBoolean once = new AtomicBoolean(true);
      Fault lost =
          cluster
              .server
              .faults()
              .cutAnswers(
                  1,
                  OF_THE_CORE
                      .and(RequestMatcher.verbs("patch"))
                      .and(RequestMatcher.object(TestCluster.NAMESPACE, first))
                      .and(request -> once.getAndSet(false)),
                  new Random());

      cluster.queue("", "default=1");
      await().until(() -> lost.hits() == 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      // The next try finds out, once the error backoff is over.
      cluster.pass(Duration.ofMinutes(1));
      cluster.settle();

      assertThat(TestCluster.reserved(cluster.workload("first"))).isTrue();
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();
    }
  }
}
