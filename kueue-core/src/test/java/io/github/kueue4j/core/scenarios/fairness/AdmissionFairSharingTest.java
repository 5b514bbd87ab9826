// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.SchedulingStats;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Admission fair sharing as users meet it (the three scenarios of KEP-4136, and the exploit of its
 * section on entry penalties).
 */
@Simulated
class AdmissionFairSharingTest {
  private static final String SHARED =
      "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}";
  private static final String HOURLY =
      """
      admissionFairSharing:
        usageHalfLifeTime: 1h
        usageSamplingInterval: 5m
      """;

  @Test
  void aStrictQueueServesTheLocalQueueThatHasUsedLeastAndNothingPassesItsHead() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(SHARED + ", queueingStrategy: StrictFIFO", "default=4");
      threeQueues(cluster, "cq");
      cluster.startCore(HOURLY);
      usesFor(cluster, "a", Duration.ofMinutes(30));
      usesFor(cluster, "b", Duration.ofMinutes(10));
      submit(cluster, "running", "a", 2);
      awaitReserved(cluster, "running");
      waiting(cluster, "c-big", "c", 4);
      cluster.settle();
      waiting(cluster, "a-late", "a", 1);
      waiting(cluster, "b-late", "b", 1);
      waiting(cluster, "b-big", "b", 4);
      cluster.pass(Duration.ofSeconds(3));
      assertThat(reserved(cluster, "a-late", "b-late", "b-big", "c-big")).isEmpty();

      delete(cluster, "running");
      cluster.awaitThat("c first", c -> TestCluster.reserved(workload(c, "c-big")));
      cluster.settle();
      assertThat(reserved(cluster, "a-late", "b-late", "b-big")).isEmpty();

      delete(cluster, "c-big");
      cluster.awaitThat("then b", c -> TestCluster.reserved(workload(c, "b-late")));
      cluster.settle();
      assertThat(reserved(cluster, "a-late", "b-big")).isEmpty();
    }
  }

  @Test
  void aBestEffortQueueLetsOthersPassAHeadThatDoesNotFit() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(SHARED, "default=4");
      threeQueues(cluster, "cq");
      cluster.startCore(HOURLY);
      usesFor(cluster, "a", Duration.ofMinutes(30));
      usesFor(cluster, "b", Duration.ofMinutes(10));
      submit(cluster, "running", "a", 4);
      cluster.awaitThat("running", c -> TestCluster.reserved(workload(c, "running")));
      waiting(cluster, "a-1", "a", 1);
      waiting(cluster, "b-3", "b", 3);
      waiting(cluster, "c-8", "c", 8);
      waiting(cluster, "b-2", "b", 2);
      cluster.settle();

      delete(cluster, "running");

      // c comes first and can't ever fit; then b in the order of age; then what is left for a.
      cluster.awaitThat("b passes", c -> TestCluster.reserved(workload(c, "b-3")));
      cluster.awaitThat("a passes", c -> TestCluster.reserved(workload(c, "a-1")));
      assertThat(reserved(cluster, "b-2", "c-8")).isEmpty();
    }
  }

  @Test
  void aLocalQueueThatTakesAThousandCpusAtOnceDoesNotGetTheNextOnesToo() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(SHARED, "default=1001");
      threeQueues(cluster, "cq");
      usedBefore(cluster, "a", "100m");
      usedBefore(cluster, "b", "50m");
      submit(cluster, "b-thousand", "b", 1000);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "b-more", "b", 1);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "a-one", "a", 1);

      cluster.startCore(HOURLY);

      cluster.awaitThat("b first", c -> TestCluster.reserved(workload(c, "b-thousand")));
      cluster.awaitThat("then a", c -> TestCluster.reserved(workload(c, "a-one")));
      cluster.settle();
      assertThat(reserved(cluster, "b-more")).isEmpty();
    }
  }

  @Test
  void aReservationThatIsGivenUpCostsNothing() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(
          SHARED + ", admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=4");
      threeQueues(cluster, "cq");
      KueueCore core = cluster.startCore(HOURLY);
      submit(cluster, "checked", "a", 4);
      cluster.awaitThat("reserved", c -> TestCluster.reserved(workload(c, "checked")));
      cluster.awaitThat("a penalty", c -> gauge(core, "a") > 0.2);

      delete(cluster, "checked");

      cluster.awaitThat("no penalty", c -> gauge(core, "a") == 0);
    }
  }

  @Test
  void theWeightOfALocalQueueDividesItsUsageAndWeightZeroGoesLast() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(SHARED, "default=1");
      localQueue(cluster, "heavy", "cq", "fairSharing: {weight: 10}");
      localQueue(cluster, "light", "cq", "fairSharing: {weight: 1}");
      localQueue(cluster, "last", "cq", "fairSharing: {weight: 0}");
      usedBefore(cluster, "heavy", "5");
      usedBefore(cluster, "light", "1");
      submit(cluster, "of-last", "last", 1);
      submit(cluster, "of-light", "light", 1);
      submit(cluster, "of-heavy", "heavy", 1);

      cluster.startCore(HOURLY);

      cluster.awaitThat("heavy first", c -> TestCluster.reserved(workload(c, "of-heavy")));
      delete(cluster, "of-heavy");
      cluster.awaitThat("then light", c -> TestCluster.reserved(workload(c, "of-light")));
      delete(cluster, "of-light");
      cluster.awaitThat("at last", c -> TestCluster.reserved(workload(c, "of-last")));
    }
  }

  @Test
  void theLocalQueueThatHasUsedMoreIsPreemptedFirstWhateverThePriority() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(SHARED + ", preemption: {withinClusterQueue: LowerPriority}", "default=2");
      threeQueues(cluster, "cq");
      usedBefore(cluster, "a", "5");
      cluster.startCore(HOURLY);
      submit(cluster, "of-a", "a", 1, 5);
      submit(cluster, "of-b", "b", 1, 0);
      awaitReserved(cluster, "of-a");
      awaitReserved(cluster, "of-b");

      submit(cluster, "of-c", "c", 1, 9);

      awaitReserved(cluster, "of-c");
      // Not who has quota now: of-a may in turn preempt of-b, which in no case preempts of-a.
      cluster.awaitThat(
          "of-a preempted",
          c -> {
            SchedulingStats stats = workload(c, "of-a").status().schedulingStats();
            return stats != null && !stats.evictions().isEmpty();
          });
    }
  }

  @Test
  void withoutTheScopeOrTheConfigurationUsageOrdersNothing() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      threeQueues(cluster, "cq");
      usedBefore(cluster, "a", "5");
      submit(cluster, "a-1", "a", 1);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "b-1", "b", 1);

      cluster.startCore(HOURLY);

      cluster.awaitThat("the older one", c -> TestCluster.reserved(workload(c, "a-1")));
      cluster.settle();
      assertThat(reserved(cluster, "b-1")).isEmpty();
    }
  }

  @Test
  void usageIsWrittenAtTheIntervalAndSurvivesACrashWithinOnePercent() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(SHARED, "default=4");
      threeQueues(cluster, "cq");
      cluster.startCore(HOURLY);
      submit(cluster, "long", "a", 4);
      Workload admitted =
          Objects.requireNonNull(awaitReserved(cluster, "long"), "it was just there");
      Instant since = TestCluster.condition(admitted, "Admitted").lastTransitionTime();
      cluster.pass(Duration.ofMinutes(5));
      cluster.passUntil("written", c -> consumed(c, "a").isPresent());
      assertThat(cpu(cluster, "a")).isCloseTo(expected(cluster, "a", since, 4), within(0.01));
      // Nothing is written between two samples.
      Instant written = consumed(cluster, "a").orElseThrow().lastUpdate();
      cluster.pass(Duration.ofMinutes(4));
      assertThat(consumed(cluster, "a").orElseThrow().lastUpdate()).isEqualTo(written);

      cluster.crashCore();
      cluster.advance(Duration.ofMinutes(47));
      KueueCore next = cluster.startCore(HOURLY);
      cluster.settle();
      cluster.pass(Duration.ofMinutes(5));
      cluster.passUntil(
          "written again", c -> consumed(c, "a").orElseThrow().lastUpdate().isAfter(written));

      double exact = expected(cluster, "a", since, 4);
      assertThat(cpu(cluster, "a")).isCloseTo(exact, within(exact * 0.01));
      cluster.awaitThat("in the gauge", c -> Math.abs(gauge(next, "a") - exact) < exact * 0.02);
      double ofClusterQueue =
          Objects.requireNonNull(
                  Objects.requireNonNull(cluster.clusterQueue().status().fairSharing())
                      .admissionFairSharingStatus())
              .consumedResources()
              .get("cpu")
              .amount()
              .doubleValue();
      assertThat(ofClusterQueue).isCloseTo(exact, within(exact * 0.02));
    }
  }

  @Test
  void aQueueThatUsedNothingShowsZeroOfEachResourceThatItsClusterQueueCovers() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: shared}
          spec: {%s, namespaceSelector: {}, resourceGroups: [
            {coveredResources: [cpu, memory], flavors: [{name: default, resources: [
              {name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 1Gi}]}]}]}
          """
              .formatted(SHARED));
      localQueue(cluster, "idle", "shared", "");
      cluster.startCore(HOURLY);
      cluster.pass(Duration.ofMinutes(5));

      cluster.passUntil("written", c -> consumed(c, "idle").isPresent());

      AdmissionFairSharingStatus written = consumed(cluster, "idle").orElseThrow();
      assertThat(written.consumedResources())
          .isEqualTo(Map.of("cpu", Quantity.ZERO, "memory", Quantity.ZERO));
      // As long as nothing is used, it is not written again.
      cluster.pass(Duration.ofMinutes(6));
      cluster.pass(Duration.ofSeconds(10));
      assertThat(consumed(cluster, "idle")).contains(written);
    }
  }

  @Test
  void inACohortWhatIsWithinQuotaGoesAtOnceAndTheRestByWhatClusterQueuesUsed() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.flavor("default");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Cohort
          metadata: {name: institute}
          spec: {%s, resourceGroups: [{coveredResources: [cpu], flavors: [
            {name: default, resources: [{name: cpu, nominalQuota: 2}]}]}]}
          """
              .formatted(SHARED));
      for (String name : List.of("east", "west")) {
        cluster.apply(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: %s}
            spec: {cohortName: institute, namespaceSelector: {}, resourceGroups: [
              {coveredResources: [cpu], flavors: [
                {name: default, resources: [{name: cpu, nominalQuota: 2}]}]}]}
            """
                .formatted(name));
        localQueue(cluster, name, name, "");
      }
      usedBefore(cluster, "east", "5");
      submit(cluster, "east-within", "east", 2);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "east-more", "east", 2);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "west-within", "west", 2);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "west-more", "west", 2);

      cluster.startCore(HOURLY);

      awaitReserved(cluster, "west-more");
      awaitReserved(cluster, "west-within");
      awaitReserved(cluster, "east-within");
      cluster.settle();
      assertThat(reserved(cluster, "east-more")).isEmpty();
      delete(cluster, "west-more");
      awaitReserved(cluster, "east-more");
    }
  }

  /** The usage by KEP-4136 of cores that run since an instant, entry penalty included. */
  private static double expected(TestCluster cluster, String queue, Instant since, int cpus) {
    Instant at = consumed(cluster, queue).orElseThrow().lastUpdate();
    double halfLives = Duration.between(since, at).toMillis() / 3_600_000.0;
    double penalty = cpus * (1 - Math.pow(0.5, 5 / 60.0));
    return penalty * Math.pow(0.5, halfLives) + cpus * (1 - Math.pow(0.5, halfLives));
  }

  private static Optional<AdmissionFairSharingStatus> consumed(TestCluster cluster, String queue) {
    return Optional.ofNullable(queue(cluster, queue).status().fairSharing())
        .map(status -> status.admissionFairSharingStatus());
  }

  private static double cpu(TestCluster cluster, String queue) {
    return consumed(cluster, queue)
        .orElseThrow()
        .consumedResources()
        .get("cpu")
        .amount()
        .doubleValue();
  }

  private static double gauge(KueueCore core, String queue) {
    Gauge gauge =
        core.meters()
            .find("kueue.local.queue.admission.fair.sharing.usage")
            .tag("name", queue)
            .gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private static void threeQueues(TestCluster cluster, String clusterQueue) {
    for (String name : List.of("a", "b", "c")) {
      localQueue(cluster, name, clusterQueue, "");
    }
  }

  private static void localQueue(
      TestCluster cluster, String name, String clusterQueue, String more) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %s, namespace: team}
        spec: {clusterQueue: %s%s}
        """
            .formatted(name, clusterQueue, more.isEmpty() ? "" : ", " + more));
  }

  /** What an earlier core has written about a LocalQueue. */
  private static void usedBefore(TestCluster cluster, String queue, String cpu) {
    cluster.api.patchStatus(
        KueueTypes.LOCAL_QUEUE,
        TestCluster.key(queue),
        TestCluster.merge(
            """
            {"status": {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus":
              {"consumedResources": {"cpu": "%s"}, "lastUpdate": "%s"}}}}
            """
                .formatted(cpu, ApiTime.format(cluster.time.instant()))));
  }

  /** Runs four CPUs through a LocalQueue for a while. */
  private static void usesFor(TestCluster cluster, String queue, Duration duration) {
    String name = "past-of-" + queue;
    submit(cluster, name, queue, 4);
    awaitReserved(cluster, name);
    cluster.pass(duration);
    delete(cluster, name);
  }

  private static void waiting(TestCluster cluster, String name, String queue, int cpus) {
    cluster.advance(Duration.ofSeconds(1));
    submit(cluster, name, queue, cpus);
  }

  private static void submit(TestCluster cluster, String name, String queue, int cpus) {
    submit(cluster, name, queue, cpus, 0);
  }

  private static void submit(
      TestCluster cluster, String name, String queue, int cpus, int priority) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: team}
        spec:
          queueName: %s
          priority: %d
          podSets:
          - name: main
            count: 1
            template: {spec: {containers: [{name: c, image: busybox,
              resources: {requests: {cpu: %d}}}]}}
        """
            .formatted(name, queue, priority, cpus));
  }

  private static Workload awaitReserved(TestCluster cluster, String name) {
    cluster.awaitThat(name + " reserved", c -> TestCluster.reserved(workload(c, name)));
    return workload(cluster, name);
  }

  private static void delete(TestCluster cluster, String name) {
    cluster.api.delete(KueueTypes.WORKLOAD, TestCluster.key(name), DeleteOptions.background());
  }

  private static Workload workload(TestCluster cluster, String name) {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key(name)).orElseThrow();
  }

  private static LocalQueue queue(TestCluster cluster, String name) {
    return cluster.api.get(KueueTypes.LOCAL_QUEUE, TestCluster.key(name)).orElseThrow();
  }

  private static List<String> reserved(TestCluster cluster, String... names) {
    return Stream.of(names).filter(name -> TestCluster.reserved(workload(cluster, name))).toList();
  }
}
