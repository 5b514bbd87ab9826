// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.forecast.Forecast;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is known of when a Workload gets quota; how often it comes true is measured elsewhere. */
@Simulated
class ForecastTest {
  private static final String LIMIT = "kueue.x-k8s.io/max-exec-time-seconds";

  private static void runs(TestCluster cluster, TestJob job) {
    cluster.apply(job.yaml());
    cluster.awaitSuspended(job.name(), false);
    cluster.podsRun(job.name());
  }

  private static void waits(TestCluster cluster, String job, int cpus) {
    cluster.job(job, cpus);
    cluster.workload(job);
    cluster.advance(Duration.ofSeconds(1));
    cluster.settle();
  }

  private static TestJob job(String name) {
    return TestJob.named(name).queue("lq").cpus(1);
  }

  private static QuotaForecast forecast(TestCluster cluster, String job) {
    return Forecast.of(
        new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE),
        cluster.workload(job).key(),
        cluster.time.instant());
  }

  @Test
  void limitsOfWhatRunsBoundIt() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      runs(cluster, job("short").label(LIMIT, "600"));
      runs(cluster, job("long").label(LIMIT, "3600"));
      waits(cluster, "next", 1);
      waits(cluster, "last", 2);

      assertThat(forecast(cluster, "next").atMost().orElseThrow())
          .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
      assertThat(forecast(cluster, "last").atMost())
          .as("the next has no limit, and comes before it")
          .isEmpty();
    }
  }

  @Test
  void withoutLimitsAndHistoryNothingIsKnown() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      runs(cluster, job("runs"));
      waits(cluster, "next", 1);

      assertThat(forecast(cluster, "next"))
          .extracting(QuotaForecast::earliest, QuotaForecast::likely, QuotaForecast::latest)
          .allMatch(Optional.empty()::equals);
      assertThat(forecast(cluster, "next").obstacle())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith(
                          "How long "
                              + cluster.workload("runs").key()
                              + " takes isn't known: there"));
      assertThatThrownBy(
              () ->
                  Forecast.of(
                      new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE),
                      TestCluster.key("missing"),
                      cluster.time.instant()))
          .hasMessage("there is no Workload team/missing");
    }
  }

  @Test
  void withMoreThanItMayTakeNothingIsForeseen() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      runs(cluster, job("runs").label(LIMIT, "600"));
      waits(cluster, "next", 1);
      var input = new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE);
      var next = cluster.workload("next").key();

      assertThat(Forecast.of(input, next, cluster.time.instant(), 2, () -> false).likely())
          .isPresent();
      QuotaForecast refused = Forecast.of(input, next, cluster.time.instant(), 1, () -> false);
      assertThat(refused.likely()).isEmpty();
      assertThat(refused.basis())
          .containsExactly(
              "More than 1 Workloads wait or run in queues that share its quota; so many aren't"
                  + " foreseen here.");
      assertThat(refused.seenFrom(TestCluster.NAMESPACE).basis()).isEqualTo(refused.basis());
      assertThat(refused.seenFrom("other").basis()).isEqualTo(refused.basis());
    }
  }

  @Test
  void whatTakesTooLongIsGivenUp() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      runs(cluster, job("runs").label(LIMIT, "600"));
      waits(cluster, "next", 1);
      var input = new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE);
      var next = cluster.workload("next").key();
      AtomicInteger runs = new AtomicInteger();

      QuotaForecast forecast =
          Forecast.of(input, next, cluster.time.instant(), 2, () -> runs.incrementAndGet() > 3);
      assertThat(forecast.likely()).isEmpty();
      assertThat(forecast.basis())
          .singleElement()
          .asString()
          .startsWith("To foresee it took too long and was given up")
          .contains("in which it got no quota in the first 9m");
      assertThat(forecast.finished()).hasValue(0);
      assertThat(runs).hasValueLessThan(12);

      Thread.currentThread().interrupt();
      try {
        assertThatThrownBy(() -> Forecast.of(input, next, cluster.time.instant()))
            .isInstanceOf(CancellationException.class);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }

  @Test
  void aCheckThatIsAskedBeforeQuotaComesFirst() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      annotate(cluster, "budget", CheckStage.ANNOTATION, "BeforeQuota");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      waits(cluster, "next", 1);

      assertThat(forecast(cluster, "next").basis())
          .containsExactly(
              "Its check budget is asked first: it waits for quota when the answer is Ready.");
    }
  }

  /** A Job that a check has sent away, so that its quota is free. */
  private static void delayed(TestCluster cluster, TestJob job, Duration delay) {
    cluster.apply(job.yaml());
    cluster.awaitWorkload(job.name(), TestCluster::reserved);
    cluster.answer(job.name(), "approval", CheckState.RETRY, (int) delay.toSeconds());
    cluster.awaitWorkload(
        job.name(),
        workload -> workload.conditions().heldForChecks() && workload.status().requeueAt() != null);
    cluster.settle();
    cluster.advance(Duration.ofSeconds(1));
  }

  private static void withApproval(TestCluster cluster, int cpus) {
    cluster.check("approval");
    cluster.queue(
        "admissionChecksStrategy: {admissionChecks: [{name: approval}]}", "default=" + cpus);
    cluster.startCore();
  }

  /** One that a person decides: what is known is the next reminder, not the decision. */
  @Test
  void whenACheckThatDelaysLetsItThroughIsNotKnown() {
    try (TestCluster cluster = new TestCluster()) {
      withApproval(cluster, 1);
      delayed(cluster, job("waits"), Duration.ofHours(8));
      AtomicInteger asked = new AtomicInteger();

      QuotaForecast forecast =
          Forecast.of(
              new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE),
              cluster.workload("waits").key(),
              cluster.time.instant(),
              500,
              () -> asked.incrementAndGet() < 0);

      assertThat(forecast)
          .extracting(
              QuotaForecast::earliest,
              QuotaForecast::likely,
              QuotaForecast::latest,
              QuotaForecast::atMost)
          .allMatch(Optional.empty()::equals);
      assertThat(forecast.delayEnds().orElseThrow())
          .isBetween(Duration.ofHours(8).minusSeconds(2), Duration.ofHours(8));
      assertThat(forecast.answer())
          .startsWith("not known; its delay ends in 7h59m")
          .endsWith(" unless a check changes that");
      assertThat(forecast.seenFrom(TestCluster.NAMESPACE).basis())
          .containsExactly(
              "Its check approval delays it until %s unless the check changes that. It then waits for quota again, and with that the check is asked again."
                  .formatted(cluster.workload("waits").status().requeueAt()));
      assertThat(asked).as("looks of the scheduler into the future").hasValue(0);
    }
  }

  /** It is asked with the next reservation, which comes when the others end. */
  @Test
  void whereOthersHoldTheQuotaTheCheckIsNotSaidToBeAskedWhenTheDelayEnds() {
    try (TestCluster cluster = new TestCluster()) {
      withApproval(cluster, 1);
      delayed(cluster, job("waits"), Duration.ofMinutes(10));
      cluster.apply(job("runs").label(LIMIT, "3600").yaml());
      cluster.awaitWorkload("runs", TestCluster::reserved);
      cluster.answer("runs", "approval", CheckState.READY, null);
      cluster.awaitSuspended("runs", false);

      QuotaForecast forecast = forecast(cluster, "waits");
      assertThat(forecast.atMost()).isEmpty();
      assertThat(forecast.delayEnds().orElseThrow()).isLessThan(Duration.ofMinutes(11));
      assertThat(forecast.basis())
          .singleElement()
          .asString()
          .endsWith(" It then waits for quota again, and with that the check is asked again.");
    }
  }

  @Test
  void aCheckThatIsAskedBeforeQuotaIsAskedAgainAfterItsDelay() {
    try (TestCluster cluster = new TestCluster()) {
      withApproval(cluster, 1);
      delayed(cluster, job("waits"), Duration.ofMinutes(10));
      annotate(cluster, "approval", CheckStage.ANNOTATION, "BeforeQuota");

      assertThat(forecast(cluster, "waits").basis())
          .singleElement()
          .asString()
          .endsWith(" Its check approval is asked again then, before it waits for quota.");
    }
  }

  @Test
  void inAStoppedQueueTheEndOfTheDelayBringsNothing() {
    try (TestCluster cluster = new TestCluster()) {
      withApproval(cluster, 1);
      delayed(cluster, job("waits"), Duration.ofMinutes(10));
      cluster.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.cluster("cq"),
          TestCluster.merge("{\"spec\": {\"stopPolicy\": \"Hold\"}}"));

      QuotaForecast forecast = forecast(cluster, "waits");
      assertThat(forecast.answer()).isEqualTo("not known");
      assertThat(forecast.delayEnds()).isEmpty();
      assertThat(forecast.basis())
          .singleElement()
          .asString()
          .startsWith(
              "Its ClusterQueue cq is stopped: it gets no quota until that is started. Its check"
                  + " approval delays it until ");
    }
  }

  private static void annotate(TestCluster cluster, String check, String key, String value) {
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(check),
        TestCluster.merge(
            "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(key, value)));
  }

  @Test
  void aDelayedRivalIsTakenToCompeteWhenItsDelayEnds() {
    for (int delay : new int[] {300, 7200}) {
      try (TestCluster cluster = new TestCluster()) {
        withApproval(cluster, 1);
        delayed(cluster, job("rival").label(LIMIT, "1200"), Duration.ofSeconds(delay));
        cluster.apply(job("runs").label(LIMIT, "600").yaml());
        cluster.awaitWorkload("runs", TestCluster::reserved);
        cluster.answer("runs", "approval", CheckState.READY, null);
        cluster.awaitSuspended("runs", false);
        cluster.podsRun("runs");
        waits(cluster, "next", 1);

        assertThat(forecast(cluster, "next").atMost().orElseThrow().toSeconds())
            .as("with a rival that is delayed for %s s", delay)
            .isBetween(delay < 600 ? 1790L : 590L, delay < 600 ? 1800L : 600L);
        assertThat(forecast(cluster, "next").remarks())
            .anySatisfy(remark -> assertThat(remark).startsWith("a check delays others: "));
      }
    }
  }

  @Test
  void theFinishedTellHowLongChecksTakeAfterTheReservation() {
    try (TestCluster cluster = new TestCluster()) {
      withApproval(cluster, 1);
      for (int number = 1; number <= 5; number++) {
        String name = "done" + number;
        cluster.apply(job(name).yaml());
        cluster.awaitWorkload(name, TestCluster::reserved);
        cluster.pass(Duration.ofMinutes(number));
        cluster.answer(name, "approval", CheckState.READY, null);
        cluster.awaitSuspended(name, false);
        cluster.podsRun(name);
        if (number == 5) {
          waits(cluster, "asked", 1);
          assertThat(forecast(cluster, "asked").checks()).as("of four").isEmpty();
        }
        cluster.jobSucceeds(name);
        cluster.settle();
      }
      cluster.awaitWorkload("asked", TestCluster::reserved);
      waits(cluster, "next", 1);
      String line =
          "After the reservation its checks took 1m to 5m once they let it through (all 5 that"
              + " finished in its ClusterQueue).";

      assertThat(forecast(cluster, "next").basis()).contains(line);
      assertThat(forecast(cluster, "next").seenFrom(TestCluster.NAMESPACE).basis())
          .contains(line.replace("all 5", "those"));
      var asked = cluster.workload("asked");
      assertThat(Forecast.notWaiting(asked)).hasValue("has quota, and waits for its checks");
      assertThat(
              Forecast.checks(
                  () -> new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE).objects(),
                  asked))
          .hasValueSatisfying(checks -> assertThat(checks.words()).isEqualTo(line));

      annotate(cluster, "approval", CheckMode.ANNOTATION, "Observe");
      assertThat(forecast(cluster, "next").checks()).as("of what nothing waits for").isEmpty();
    }
  }

  @Test
  void onlyWhatKeepsItWaitingIsToBlame() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=4");
      cluster.startCore();
      runs(cluster, job("a-small"));
      runs(cluster, TestJob.named("b-large").queue("lq").cpus(3));
      waits(cluster, "c-next", 3);
      waits(cluster, "d-last", 1);

      assertThat(forecast(cluster, "c-next").obstacle())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith(
                          "How long "
                              + cluster.workload("b-large").key()
                              + " takes isn't known: there"));
    }
  }

  @Test
  void whereEitherOfTwoWouldDoBothAreNamedAndNotItself() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      runs(cluster, job("x-runs"));
      runs(cluster, job("y-runs"));
      waits(cluster, "a-next", 1);

      assertThat(forecast(cluster, "a-next").obstacle())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith(
                          "How long "
                              + cluster.workload("x-runs").key()
                              + " takes isn't known, and neither is it of 1 other that runs or gets"
                              + " quota before it: there"));
    }
  }

  @Test
  void theFinishedTellHowLongOthersTake() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      for (int number = 0; number < 6; number++) {
        runs(cluster, job("done" + number));
        cluster.pass(Duration.ofMinutes(10));
        cluster.jobSucceeds("done" + number);
        cluster.settle();
      }
      runs(cluster, job("runs"));
      cluster.pass(Duration.ofMinutes(4));
      waits(cluster, "next", 1);

      QuotaForecast forecast = forecast(cluster, "next");

      assertThat(forecast.finished()).hasValue(6);
      assertThat(forecast.likely().orElseThrow())
          .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(7));
    }
  }

  @Test
  void whereSomebodyHasToActTimeDoesNotHelp() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("stopPolicy: Hold", "default=1");
      cluster.startCore();
      waits(cluster, "next", 1);

      assertThat(forecast(cluster, "next").atMost()).isEmpty();
      assertThat(forecast(cluster, "next").obstacle()).isEmpty();
    }
  }

  @Test
  void whereNothingThatEndsHelpsNoDurationIsToBlame() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      runs(cluster, job("runs"));
      waits(cluster, "large", 2);

      assertThat(forecast(cluster, "large").likely()).isEmpty();
      assertThat(forecast(cluster, "large").obstacle()).isEmpty();
    }
  }

  /** It never gets any: the end of what is foreseen is no bound. */
  @Test
  void whatNeverFitsHasNoLowerBoundThoughDurationsAreKnown() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      runs(cluster, job("runs").label(LIMIT, "600"));
      waits(cluster, "large", 2);

      assertThat(forecast(cluster, "large").earliest()).isEmpty();
      assertThat(forecast(cluster, "large").answer()).isEqualTo("not known");
    }
  }

  @Test
  void whateverRunIsGivenUpNoWorkloadIsBlamedForThat() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=4");
      cluster.startCore();
      runs(cluster, job("a-small"));
      runs(cluster, job("b-large").cpus(3));
      waits(cluster, "next", 3);
      var input = new DryRunInputReader(cluster.api).read(TestCluster.NAMESPACE);
      var next = cluster.workload("next").key();
      AtomicInteger asked = new AtomicInteger();
      Forecast.of(input, next, cluster.time.instant(), 500, () -> asked.incrementAndGet() < 0);
      int all = asked.get();

      for (int looks = 0; looks < all; looks++) {
        int allowed = looks;
        AtomicInteger count = new AtomicInteger();
        QuotaForecast forecast =
            Forecast.of(
                input, next, cluster.time.instant(), 500, () -> count.incrementAndGet() > allowed);
        assertThat(forecast.obstacle().orElseThrow())
            .as("given up after %d of %d looks", allowed, all)
            .startsWith("To foresee it took too long and was given up");
        assertThat(forecast.blamed()).isEmpty();
      }
    }
  }

  @Test
  void podsGetReadyAndLetTheNextIn() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore("waitForPodsReady: {blockAdmission: true, timeout: 1h}\n");
      cluster.apply(job("starts").label(LIMIT, "3600").yaml());
      cluster.awaitSuspended("starts", false);
      waits(cluster, "next", 1);

      assertThat(
              Forecast.of(
                      new DryRunInputReader(
                              cluster.api,
                              Configuration.parse(
                                  """
                                  apiVersion: config.kueue.x-k8s.io/v1beta2
                                  kind: Configuration
                                  waitForPodsReady: {blockAdmission: true, timeout: 1h}
                                  """))
                          .read(TestCluster.NAMESPACE),
                      cluster.workload("next").key(),
                      cluster.time.instant())
                  .likely())
          .hasValue(Duration.ZERO);
    }
  }

  @Test
  void whatIsPreemptedGivesItsQuotaAtOnce() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("preemption: {withinClusterQueue: LowerPriority}", "default=1");
      cluster.apply(
          "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name:"
              + " high}, value: 100}");
      cluster.startCore();
      runs(cluster, job("runs"));
      cluster.apply(job("next").priority("high").yaml());
      cluster.workload("next");
      cluster.settle();

      assertThat(forecast(cluster, "next").likely()).hasValue(Duration.ZERO);
    }
  }
}
