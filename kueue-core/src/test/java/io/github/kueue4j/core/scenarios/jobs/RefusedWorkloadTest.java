// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Jobs that ask for a Workload that the API server doesn't take, while no webhook looks at them.
 */
@Simulated
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class RefusedWorkloadTest {
  @Test
  void theJobSaysWhyAndItIsTriedAgainNowAndThen() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.apply(TestJob.named("job").queue("Team_A").cpus(1).yaml());
      cluster.awaitThat("the Job says so", world -> !warnings(world).isEmpty());
      cluster.settle();

      assertThat(warnings(cluster))
          .singleElement()
          .asString()
          .startsWith("The API server refuses Workload team/job-job-")
          .contains("spec.queueName", "Team_A", "Change what of the Job");
      long tries = tries(cluster, "create");
      assertThat(tries).as("no hot loop").isBetween(1L, 2L);

      cluster.awaitThat(
          "it is tried again as time goes by",
          world -> later(world, tries(world, "create") > tries));

      queue(cluster, "lq");
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void anEditThatIsRefusedLeavesTheWorkloadWhereItIs() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("holder", 1);
      cluster.awaitWorkload("holder", TestCluster::admitted);
      cluster.job("job", 1);
      cluster.workload("job");
      cluster.settle();

      queue(cluster, "Team_A");
      cluster.awaitThat("the Job says so", world -> !warnings(world).isEmpty());
      cluster.jobSucceeds("holder");
      cluster.settle();

      assertThat(warnings(cluster)).singleElement().asString().contains("Team_A");
      assertThat(TestCluster.reserved(cluster.workload("job")))
          .as("it doesn't run in a queue that it has left")
          .isFalse();
      assertThat(tries(cluster, "patch")).as("no hot loop").isLessThan(10);

      queue(cluster, "lq");
      // A decision that could not be carried out is taken again after a minute.
      cluster.awaitThat(
          "it is admitted", world -> later(world, TestCluster.admitted(world.workload("job"))));
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void aChangeOfAnAdmittedWorkloadThatIsRefusedIsNotAskedForAtEachEvent() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      priorityClass(cluster, "low", 1);
      priorityClass(cluster, "high", 9);
      cluster.startCore();
      cluster.apply(TestJob.named("job").queue("lq").priority("low").cpus(1).yaml());
      cluster.awaitSuspended("job", false);
      cluster.settle();
      RequestMatcher changes =
          RequestMatcher.verbs("patch")
              .and(RequestMatcher.resource("workloads"))
              .and(request -> request.subresource().isEmpty())
              .and(request -> request.userAgent().contains("kueue-core"));
      try (Fault refusal = cluster.server.faults().failNext(1000, changes, 422)) {
        cluster.api.patch(
            CoreTypes.JOB,
            TestCluster.key("job"),
            TestCluster.merge(
                "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/priority-class\": \"high\"}}}"));
        cluster.awaitThat("it is refused", world -> refusal.hits() >= 1);
        // A turn that has begun with an older version of the Workload may have asked, too.
        cluster.settle();
        long asked = refusal.hits();
        for (int i = 0; i < 5; i++) {
          cluster.api.patch(
              KueueTypes.WORKLOAD,
              ObjectKey.of(cluster.workload("job")),
              TestCluster.merge("{\"metadata\": {\"labels\": {\"touched\": \"" + i + "\"}}}"));
          cluster.settle();
        }
        assertThat(refusal.hits()).isEqualTo(asked);
        assertThat(TestCluster.admitted(cluster.workload("job"))).isTrue();
      }

      cluster.pass(Duration.ofSeconds(61));

      cluster.awaitWorkload(
          "job", workload -> Integer.valueOf(9).equals(workload.spec().priority()));
    }
  }

  @Test
  void quotaThatWasFoundForAWorkloadWhoseDemandIsRefusedIsFreeForOthers() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      cluster.job("holder", 2);
      cluster.awaitSuspended("holder", false);
      cluster.apply(TestJob.named("job").queue("lq").pods(2, 2).cpus(1).yaml());
      String first = ObjectKey.of(cluster.workload("job")).name();
      cluster.pass(Duration.ofSeconds(2));
      cluster.job("next", 2);
      cluster.workload("next");
      cluster.settle();
      RequestMatcher demands =
          RequestMatcher.verbs("patch")
              .and(RequestMatcher.resource("workloads"))
              .and(RequestMatcher.subresource("status"))
              .and(RequestMatcher.object("team", first));
      try (Fault refusal = cluster.server.faults().failNext(1000, demands, 422)) {
        cluster.api.patchStatus(
            CoreTypes.JOB,
            TestCluster.key("job"),
            TestCluster.merge("{\"status\": {\"succeeded\": 1}}"));
        cluster.awaitThat("it is refused", world -> refusal.hits() > 0);
        cluster.jobSucceeds("holder");

        cluster.awaitWorkload("next", TestCluster::admitted);
        cluster.settle();
        assertThat(refusal.hits()).as("no hot loop").isLessThan(10);
      }
      cluster.jobSucceeds("next");
      cluster.passUntil(
          "its demand is taken", world -> TestCluster.admitted(world.workload("job")));
    }
  }

  private static void priorityClass(TestCluster cluster, String name, int value) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: %s}
        value: %d
        """
            .formatted(name, value));
  }

  /** Lets time go by unless something holds. */
  private static boolean later(TestCluster cluster, boolean holds) {
    if (!holds) {
      cluster.time.advance(Duration.ofSeconds(20));
    }
    return holds;
  }

  private static void queue(TestCluster cluster, String name) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("job"),
        TestCluster.merge(
            "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"" + name + "\"}}}"));
  }

  private static List<String> warnings(TestCluster cluster) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> "WorkloadRefused".equals(event.getReason()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }

  private static long tries(TestCluster cluster, String verb) {
    return cluster
        .server
        .requests()
        .count(
            RequestMatcher.verbs(verb)
                .and(RequestMatcher.resource("workloads"))
                .and(request -> request.subresource().isEmpty())
                .and(request -> request.userAgent().contains("kueue-core")));
  }
}
