// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.quota.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageLedgerTest {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final ObjectKey A = new ObjectKey("team-a", "lq");
  private static final ObjectKey B = new ObjectKey("team-b", "lq");
  private static final ObjectKey CQ = ObjectKey.cluster("cq");
  private static final UsagePolicy HOURLY =
      new UsagePolicy(Duration.ofHours(1), Duration.ofMinutes(5), Map.of(), null);

  private final UsageLedger ledger = new UsageLedger(HOURLY);

  @Test
  void usageGrowsTowardsWhatRunsAndHalvesWithEachHalfLife() {
    double share = HOURLY.entryShare();
    ledger.set(workload(1), admitted(1, A, 8), START);
    assertThat(cpu(A, START)).isEqualTo(8 * share);
    Instant later = START.plus(Duration.ofHours(1));
    assertThat(cpu(A, later)).isCloseTo(8 * share / 2 + 4, within(1e-9));

    ledger.set(workload(1), null, later);

    assertThat(cpu(A, later.plus(Duration.ofHours(1)))).isCloseTo(8 * share / 4 + 2, within(1e-9));
    assertThat(cpu(A, later.plus(Duration.ofHours(2)))).isCloseTo(8 * share / 8 + 1, within(1e-9));
  }

  /** The result depends on the elapsed time, not on the number of queries. */
  @Property
  void usageDoesNotDependOnWhenItIsLookedAt(
      @ForAll @Size(max = 20) List<@IntRange(min = 1, max = 900_000) Integer> millis) {
    Instant now = START;
    Consumed inSteps = new Consumed(START, Map.of("cpu", 3.0));
    for (int step : millis) {
      now = now.plusMillis(step);
      inSteps = inSteps.by(now, Amounts.of("cpu", 7_500), HOURLY);
    }
    Consumed atOnce =
        new Consumed(START, Map.of("cpu", 3.0)).by(now, Amounts.of("cpu", 7_500), HOURLY);
    assertThat(inSteps.amounts().getOrDefault("cpu", 0.0))
        .isCloseTo(atOnce.amounts().getOrDefault("cpu", 0.0), within(1e-9));
  }

  @Test
  void aHalfLifeOfZeroRemembersNothing() {
    UsageLedger forgetful =
        new UsageLedger(new UsagePolicy(Duration.ZERO, Duration.ofMinutes(5), Map.of(), null));

    forgetful.set(workload(1), admitted(1, A, 8), START);

    assertThat(forgetful.usage(A, START)).isZero();
    assertThat(forgetful.usage(A, START.plusSeconds(600))).isZero();
  }

  @Test
  void timeThatRunsBackwardsChangesNothing() {
    ledger.set(workload(1), admitted(1, A, 8), START);
    double before = cpu(A, START);

    ledger.set(workload(2), admitted(2, B, 1), START.minusSeconds(3600));

    assertThat(cpu(A, START.minusSeconds(3600))).isEqualTo(before);
  }

  /** KEP-4136, entry penalty: a large reservation counts before the next sample is taken. */
  @Test
  void aLargeReservationCountsAtOnceNotAtTheNextSample() {
    ledger.open(A, stored("100m"), List.of(), START);
    ledger.open(B, stored("50m"), List.of(), START);
    assertThat(ledger.usage(B, START)).isLessThan(ledger.usage(A, START));

    ledger.set(workload(1), reserved(1, null, B, 1000), START);

    assertThat(ledger.usage(B, START)).isGreaterThan(ledger.usage(A, START));
    assertThat(ledger.usage(B, START) - 0.05).isCloseTo(1000 * HOURLY.entryShare(), within(1e-8));
  }

  @Test
  void aPenaltyEndsWithTheReservationAndBecomesUsageAtAdmission() {
    double penalty = 4 * HOURLY.entryShare();
    ledger.set(workload(1), reserved(1, null, A, 4), START);
    ledger.set(workload(1), reserved(1, START, A, 4), START);
    assertThat(ledger.usage(A, START)).isCloseTo(penalty, within(1e-9));
    ledger.set(workload(1), null, START);
    assertThat(ledger.usage(A, START)).isZero();

    ledger.set(workload(1), reserved(1, START.plusSeconds(1), A, 4), START);
    ledger.set(workload(1), admitted(1, START.plusSeconds(1), A, 4), START);
    ledger.set(workload(1), null, START);
    assertThat(ledger.usage(A, START)).isCloseTo(penalty, within(1e-9));
    assertThat(ledger.usage(CQ, START)).isCloseTo(penalty, within(1e-9));
    assertThat(ledger.entering(A).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 12})
  void theFactorMultipliesThePenaltyUntilAndAfterTheAdmissionAndAfterARestart(double factor) {
    UsagePolicy policy =
        new UsagePolicy(Duration.ofHours(1), Duration.ofMinutes(5), Map.of(), null, factor);
    UsageLedger multiplying = new UsageLedger(policy);
    UsageLedger restarted = new UsageLedger(policy);

    multiplying.set(workload(1), reserved(1, START, A, 4), START);
    double entering = multiplying.usage(A, START);
    multiplying.set(workload(1), admitted(1, START, A, 4), START);
    restarted.open(A, null, List.of(new ExecutionInterval(cpus(4), START, START)), START);

    assertThat(List.of(entering, multiplying.usage(A, START), restarted.usage(A, START)))
        .allSatisfy(
            usage -> assertThat(usage).isCloseTo(factor * 4 * HOURLY.entryShare(), within(1e-9)));
  }

  /** The informer may skip states: evicted, released, and Admitted again. */
  @Test
  void anotherReservationOfTheSameWorkloadIsChargedAgain() {
    ledger.set(workload(1), admitted(1, START, A, 4), START);
    ledger.set(workload(1), admitted(1, START.plusSeconds(9), A, 4), START);

    assertThat(ledger.usage(A, START)).isCloseTo(8 * HOURLY.entryShare(), within(1e-9));
  }

  @Test
  void resourcesCountByTheirWeights() {
    UsageLedger weighing =
        new UsageLedger(
            new UsagePolicy(
                Duration.ofHours(1),
                Duration.ofMinutes(5),
                Map.of("nvidia.com/gpu", 10.0, "memory", 0.0),
                null));
    weighing.open(
        A,
        new AdmissionFairSharingStatus(
            Map.of(
                "cpu", Quantity.parse("2"),
                "nvidia.com/gpu", Quantity.parse("3"),
                "memory", Quantity.parse("64Gi")),
            START),
        List.of(),
        START);

    assertThat(weighing.usage(A, START)).isEqualTo(32);
  }

  @Test
  void usageThatWasWrittenTooLongAgoIsForgotten() {
    UsageLedger forgetting =
        new UsageLedger(
            new UsagePolicy(
                Duration.ofHours(1), Duration.ofMinutes(5), Map.of(), Duration.ofMinutes(60)));
    Instant hourLater = START.plus(Duration.ofHours(1));

    forgetting.open(A, stored("8"), List.of(), hourLater);
    forgetting.open(B, stored("8"), List.of(), hourLater.plusSeconds(1));

    assertThat(forgetting.usage(A, hourLater)).isEqualTo(4);
    assertThat(forgetting.usage(B, hourLater.plusSeconds(1))).isZero();
  }

  @Test
  void aWeightOfZeroComesLastEvenWithoutUsage() {
    FairSharing none = new FairSharing(Quantity.ZERO);
    assertThat(UsageVector.perWeight(0, none)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(vector(UsageVector.perWeight(0, none)))
        .isGreaterThan(vector(UsageVector.perWeight(1e18, null)));
    assertThat(vector(UsageVector.perWeight(6, new FairSharing(Quantity.of(3)))))
        .isEqualByComparingTo(vector(2));
  }

  /** Rounding errors in quotients are no difference, so that priority and age decide. */
  @ParameterizedTest
  @CsvSource({"0.3, 3, 0.1, 1", "0.7, 7, 0.1, 1", "5.5, 1, 11, 2", "1.1, 11, 0.1, 1"})
  void whatIsEqualByItsWeightComparesAsEqual(
      double used, int weight, double otherUsed, int otherWeight) {
    assertThat(vector(UsageVector.perWeight(used, new FairSharing(Quantity.of(weight)))))
        .isEqualByComparingTo(
            vector(UsageVector.perWeight(otherUsed, new FairSharing(Quantity.of(otherWeight)))));
  }

  /**
   * Memory counts in bytes by default: rounding errors of so large a sum are no difference either.
   */
  @ParameterizedTest
  @CsvSource({
    "3, 1073741824, 1",
    "10, 134217728, 1",
    "3, 1073741824, 3",
    "2, 1073741824, 2",
    "7, 68719476736, 5",
    "49, 1099511627776, 3",
    "64, 3298534883327, 7"
  })
  void theNumberOfChargesOfTheSameSumIsNoDifference(int pieces, long bytes, int weight) {
    for (int piece = 0; piece < pieces; piece++) {
      reserveAndRelease(piece, A, bytes);
    }
    reserveAndRelease(pieces, B, bytes * pieces * weight);

    assertThat(vector(UsageVector.perWeight(ledger.usage(A, START), null)))
        .isEqualByComparingTo(
            vector(
                UsageVector.perWeight(
                    ledger.usage(B, START), new FairSharing(Quantity.of(weight)))));
  }

  /** Reserves quota, is charged, and releases it at once. */
  private void reserveAndRelease(int number, ObjectKey queue, long bytes) {
    Amounts<String> memory = Amounts.of("memory", bytes);
    ledger.set(workload(number), new Reservation("uid", START, queue, "cq", memory, true), START);
    ledger.set(workload(number), null, START);
  }

  @Property
  void roundingKeepsTheOrder(
      @ForAll @DoubleRange(min = 0, max = 1e18) double usage,
      @ForAll @IntRange(min = 0, max = 1000) int steps) {
    double more = usage + steps * Math.ulp(usage);
    assertThat(UsageVector.comparable(usage)).isLessThanOrEqualTo(UsageVector.comparable(more));
    assertThat(UsageVector.comparable(usage))
        .isCloseTo(usage, within(usage < 1e6 ? 1e-9 : 0.5 + usage * 1e-9));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e6, 1L << 20, 1L << 36, 1L << 37, 1L << 50, 1e18})
  void roundingKeepsTheOrderWhereItsStepsGrow(double edge) {
    double below = Math.nextDown(edge);
    assertThat(UsageVector.comparable(below))
        .isLessThanOrEqualTo(UsageVector.comparable(edge))
        .isCloseTo(below, within(1e-9 * below + 0.5));
    assertThat(UsageVector.comparable(edge))
        .isLessThanOrEqualTo(UsageVector.comparable(Math.nextUp(edge)));
  }

  @Property
  void noWeightAndNoUsageEverMakesNaN(
      @ForAll @DoubleRange(min = 0, max = 1e18) double usage,
      @ForAll @IntRange(min = -2, max = 5) int weight) {
    double result = UsageVector.perWeight(usage, new FairSharing(Quantity.of(weight)));
    assertThat(result).isNotNaN().isGreaterThanOrEqualTo(0);
  }

  @Test
  void vectorsCompareFromTheTop() {
    assertThat(vector(1, 9, 9)).isLessThan(vector(2, 0, 0));
    assertThat(vector(1, 3, 9)).isLessThan(vector(1, 4, 0));
    assertThat(vector(1, 3)).isLessThan(vector(1, 3, 1));
    assertThat(vector(1, 3)).isEqualByComparingTo(vector(1, 3, 0));
  }

  @Test
  void usageWrittenBeforeTheResetPeriodIsForgotten() {
    UsageLedger resetting =
        new UsageLedger(
            new UsagePolicy(
                Duration.ofHours(1), Duration.ofMinutes(5), Map.of(), Duration.ofHours(6)));
    Instant soon = START.plus(Duration.ofHours(6));
    resetting.open(A, stored("64"), List.of(new ExecutionInterval(cpus(8), START, null)), soon);
    resetting.open(
        B, stored("64"), List.of(new ExecutionInterval(cpus(8), START, null)), soon.plusSeconds(1));

    assertThat(resetting.usage(A, soon)).isGreaterThan(1);
    assertThat(resetting.usage(B, soon.plusSeconds(1))).isZero();
  }

  @Test
  void aClusterQueueWithoutAStatusBeginsWithItsLocalQueues() {
    ledger.open(A, stored("3"), List.of(), START);
    ledger.open(B, stored("4"), List.of(), START);

    ledger.open("cq", null, List.of(), List.of(A, B), START);

    assertThat(ledger.usage(CQ, START)).isEqualTo(7);
  }

  @Test
  void saturatedSumsAreRecomputedWhenAReservationEnds() {
    ledger.set(workload(1), reserved(1, null, A, Long.MAX_VALUE / 1000), START);
    ledger.set(workload(2), reserved(2, null, A, Long.MAX_VALUE / 1000), START);
    ledger.set(workload(3), reserved(3, null, A, 2), START);
    ledger.set(workload(1), null, START);
    ledger.set(workload(2), null, START);

    assertThat(ledger.entering(A)).isEqualTo(cpus(2));
  }

  @Test
  void aQueueWithNegligibleUsageIsForgotten() {
    ledger.set(workload(1), reserved(1, null, A, 2), START);
    ledger.set(workload(1), null, START);

    ledger.tidy(START);

    assertThat(ledger.sample(A, START)).isEmpty();
  }

  /**
   * A restart counts what was Admitted in that second once more, so it must not be in the status.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999})
  void whatIsAdmittedInTheSecondOfASampleIsNotPartOfIt(long millis) {
    ledger.set(workload(1), reserved(1, START, A, 2), START);
    Instant second = START.plusSeconds(5);

    ledger.set(workload(1), admitted(1, A, 2), second.plusMillis(millis));

    assertThat(ledger.sample(A, second.plusMillis(999)).orElseThrow())
        .isEqualTo(Consumed.nothing(second));
    assertThat(ledger.sample(A, second.plusMillis(1_000)).orElseThrow().isNegligible()).isFalse();
  }

  private double cpu(ObjectKey queue, Instant now) {
    return ledger.consumed(queue, now).amounts().getOrDefault("cpu", 0.0);
  }

  private static UsageVector vector(double... levels) {
    UsageVector vector = UsageVector.NONE;
    for (double level : levels) {
      vector = vector.then(level);
    }
    return vector;
  }

  private static AdmissionFairSharingStatus stored(String cpu) {
    return new AdmissionFairSharingStatus(Map.of("cpu", Quantity.parse(cpu)), START);
  }

  private static ObjectKey workload(int number) {
    return new ObjectKey("team", "w" + number);
  }

  private static Reservation reserved(
      int number, @Nullable Instant since, ObjectKey queue, long cpus) {
    return new Reservation("uid-" + number, since, queue, "cq", cpus(cpus), false);
  }

  private static Reservation admitted(int number, ObjectKey queue, long cpus) {
    return admitted(number, START, queue, cpus);
  }

  private static Reservation admitted(int number, Instant since, ObjectKey queue, long cpus) {
    return new Reservation("uid-" + number, since, queue, "cq", cpus(cpus), true);
  }

  private static Amounts<String> cpus(long cpus) {
    return Amounts.of("cpu", cpus * 1000);
  }
}
