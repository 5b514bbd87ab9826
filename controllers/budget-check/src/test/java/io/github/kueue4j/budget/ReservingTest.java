// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.books.LedgerServer;
import io.github.kueue4j.budget.books.StoredForm;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a Workload is told when its reservation is entered into a ledger. */
@ExpectedLog(logger = "WarningEvents", message = "The event could not be created")
class ReservingTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final LedgerName NAME = new LedgerName("p", Replica.NAMESPACE);

  private final Replica replica = Replica.alone(NOW);
  private final Policy policy =
      replica.policy("p", Map.of("limit", 100, "window", Map.of("type", "Daily")));

  @Test
  void inALargeLedgerItIsReadyAsSoonAsItsReservationIsStored() throws InterruptedException {
    fill(1000, 30);
    Workload one = workload("one", NOW);

    Verdict verdict = evaluate(one);
    assertThat(verdict).isInstanceOf(Verdict.Pending.class);
    Verdict.Pending pending = (Verdict.Pending) verdict;
    assertThat(pending.message()).startsWith("The budget suffices.");
    assertThat(replica.server.ledger(NAME).open()).doesNotContainKey("one");

    replica.passes(Objects.requireNonNull(pending.recheckIn()));
    assertThat(evaluate(one)).isInstanceOf(Verdict.Ready.class);
    assertThat(replica.server.ledger(NAME).open()).containsKey("one");
  }

  @Test
  void whatRunsByTheAnswerOfAnAlternativeIsFreeForOthers() throws InterruptedException {
    AdmissionCheckState approval =
        AdmissionCheckState.pending("approval", NOW).withState(CheckState.READY);
    replica.grouped = true;
    Workload one = workload("one", NOW);
    Workload asked = one.withStatus(one.status().withAdmissionChecks(List.of(approval, pending())));
    assertThat(evaluate(asked)).isInstanceOf(Verdict.Ready.class);
    replica.workloads.show(asked);
    replica.maintain(NAME);
    assertThat(replica.server.ledger(NAME).open()).containsKey("one");

    replica.workloads.show(
        asked.withStatus(
            asked
                .status()
                .withAdmissionChecks(List.of(approval))
                .withConditions(
                    List.of(
                        Condition.isTrue("QuotaReserved", "QuotaReserved", "", NOW),
                        Condition.isTrue("Admitted", "Admitted", "", NOW.plusSeconds(1))))));
    replica.passes(Duration.ofHours(1));
    replica.maintain(NAME);

    assertThat(replica.server.ledger(NAME).open()).isEmpty();
    assertThat(replica.server.ledger(NAME).use(Window.daily(ZoneOffset.UTC), replica.now, ""))
        .extracting(use -> use.total())
        .isEqualTo(Amount.ZERO);
  }

  /** A check that was renamed, or two of one group with one policy. */
  @Test
  void whatTwoChecksReserveTogetherIsChargedWhicheverLetsItThrough() throws InterruptedException {
    replica.grouped = true;
    Workload one = workload("one", NOW);
    evaluate(one);
    assertThat(check("one")).isEqualTo("budget");

    replica.evaluateAs("budget-v2", policy, one);

    assertThat(check("one")).isEmpty();
    evaluate(one);
    assertThat(check("one")).isEmpty();
  }

  @Test
  void onlyWhatMayHaveAlternativesNamesItsCheck() throws InterruptedException {
    evaluate(workload("one", NOW));

    assertThat(check("one")).isEmpty();
  }

  private String check(String workload) {
    return Objects.requireNonNull(replica.server.ledger(NAME).open().get(workload))
        .claimant()
        .check();
  }

  @Test
  void aLedgerIsFullWhenItsBytesAreUsedUp() throws InterruptedException {
    fill(2000, 253);

    assertThatThrownBy(() -> evaluate(workload("one", NOW)))
        .hasMessageStartingWith("the BudgetLedger 'p.team-a' has no place")
        .hasMessageContaining("2001 of 4000 open ones")
        .hasMessageEndingWith("of 1400000 bytes");
    assertThat(replica.server.ledger(NAME).open()).hasSize(2000);
  }

  /** Accounts give way to what limits. */
  @Test
  void whatIsKeptForAccountsRefusesNothing() throws InterruptedException {
    keepForAccounts(6000);
    fill(1000, 253);

    Workload one = workload("one", NOW);
    if (evaluate(one) instanceof Verdict.Pending pending) {
      replica.passes(Objects.requireNonNull(pending.recheckIn()));
    }
    assertThat(evaluate(one)).isInstanceOf(Verdict.Ready.class);
    assertThat(replica.server.ledger(NAME).open()).hasSize(1001).containsKey("one");
    assertThat(StoredForm.size(replica.server.ledger(NAME))).isLessThan(1_500_000);
  }

  @Test
  void whatIsKeptForAccountsDelaysNothing() throws InterruptedException {
    keepForAccounts(200);
    evaluate(workload("one", NOW));

    assertThat(evaluate(workload("two", NOW))).isInstanceOf(Verdict.Ready.class);
  }

  /** So many sums of windows that have passed, each of a user with a long name. */
  private void keepForAccounts(int sums) throws InterruptedException {
    Map<Payer, Amount> payers = new HashMap<>();
    for (int i = 0; i < sums; i++) {
      payers.put(new Payer("q".repeat(60), "user" + i + "x".repeat(50)), Amount.units(1));
    }
    replica.books.change(
        NAME,
        NOW,
        ledger ->
            Books.Outcome.atOnce(
                new Ledger(
                    ledger.since(),
                    Amount.ZERO,
                    ledger.spent(),
                    new TreeMap<>(Map.of(NOW.minus(Duration.ofDays(1)), payers)),
                    ledger.open(),
                    0),
                ""));
    replica.seeLedger(NAME);
  }

  @Test
  void anEarlierAttemptThatAWatchStillShowsDoesNotReplaceALaterOne() throws InterruptedException {
    Instant later = NOW.plusSeconds(60);
    evaluate(workload("one", later));

    assertThat(evaluate(workload("one", NOW))).isInstanceOf(Verdict.Unchanged.class);

    assertThat(replica.server.ledger(NAME).open().get("one"))
        .extracting(Reservation::attempt)
        .isEqualTo(later);
  }

  @Test
  void whatIsAskedInAdvanceIsNotBooked() throws InterruptedException {
    Policy perFlavor = perFlavor(50);
    List<AssignedPodSet> dear =
        List.of(cpu(Map.of("cpu", new AssignedFlavor("dear", Map.of(), List.of()))));

    for (int time = 0; time < 2; time++) {
      assertThat(replica.dryEvaluate(perFlavor, workload("one", NOW), dear))
          .isEqualTo(
              Verdict.ready(
                  "The budget suffices now: the Workload costs 50 EUR, and 50 EUR of today's 50 EUR are left."));
    }
    assertThat(replica.server.ledger(NAME).open()).isEmpty();

    replica.evaluate(perFlavor, workload("one", NOW), pending(), dear);
    assertThat(replica.dryEvaluate(perFlavor, workload("two", NOW), dear))
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            verdict -> assertThat(verdict.message()).startsWith("Daily budget exhausted."));
    assertThat(replica.server.ledger(NAME).open()).containsOnlyKeys("one");
  }

  @Test
  void whatIsConsumedIsMeasuredAlsoInAdvance() throws InterruptedException {
    Replica measuring =
        new Replica(
            new LedgerServer(),
            new HashMap<>(),
            NOW,
            new Consumption() {
              @Override
              public Map<String, Amount> spent(
                  Policy asked, String namespace, String queue, Instant now, Runnable answered) {
                return Map.of("", Amount.of(Quantity.parse("99")));
              }

              @Override
              public Map<String, Amount> last(Policy asked, String namespace, Instant now) {
                return Map.of();
              }

              @Override
              public void forgetNamespace(String namespace) {}

              @Override
              public void forgetPolicy(String forgotten) {}
            });
    Policy limited =
        measuring.policy(
            "p",
            Map.of(
                "limit", 100,
                "window", Map.of("type", "Daily"),
                "prices", List.of(Map.of("resource", "cpu", "price", 1))));
    List<AssignedPodSet> ten =
        List.of(cpu(Map.of("cpu", new AssignedFlavor("any", Map.of(), List.of()))));

    assertThat(measuring.dryEvaluate(limited, workload("one", NOW), ten))
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            verdict -> assertThat(verdict.message()).startsWith("Daily budget exhausted."));
    assertThat(measuring.evaluate(limited, workload("one", NOW), pending(), ten))
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void aNamespaceThatIsNotSeenYetIsUndecidedNotFree() throws InterruptedException {
    Policy selective =
        replica.policy(
            "p",
            Map.of(
                "limit", 100,
                "window", Map.of("type", "Daily"),
                "namespaceSelector", Map.of("matchLabels", Map.of("team", "a"))));
    replica.namespaces.gone(ObjectKey.cluster(Replica.NAMESPACE));

    assertThat(replica.evaluate(selective, workload("one", NOW), pending(), List.of()))
        .isInstanceOfSatisfying(
            Verdict.Pending.class,
            verdict ->
                assertThat(verdict.message())
                    .startsWith("The namespace 'team-a' has not been seen yet"));

    replica.namespaces.show(new V1Namespace().metadata(new V1ObjectMeta().name(Replica.NAMESPACE)));
    assertThat(replica.evaluate(selective, workload("one", NOW), pending(), List.of()))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aWorkloadThatWaitsIsPricedByTheFlavorThatItHad() throws InterruptedException {
    Policy perFlavor = perFlavor(40);
    AssignedFlavor dear = new AssignedFlavor("dear", Map.of(), List.of());
    Workload one = workload("one", NOW);
    assertThat(replica.evaluate(perFlavor, one, pending(), List.of(cpu(Map.of("cpu", dear)))))
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            verdict ->
                assertThat(verdict.message())
                    .startsWith("The Workload costs 50 EUR, more than the whole daily budget, 40"));

    List<AssignedPodSet> withoutQuota = List.of(cpu(Map.of()));
    assertThat(replica.delayEnds(perFlavor(49), one, withoutQuota)).isFalse();
    assertThat(replica.delayEnds(perFlavor(50), one, withoutQuota)).isTrue();
    // Where the flavor isn't known, it may be the cheapest.
    assertThat(replica.delayEnds(perFlavor(60), workload("two", NOW), withoutQuota)).isTrue();
    assertThat(replica.delayEnds(perFlavor(59), workload("two", NOW), withoutQuota)).isFalse();
  }

  @Test
  void beforeQuotaNothingIsBooked() throws InterruptedException {
    List<AssignedPodSet> tenCpus = List.of(cpu(Map.of()));

    assertThat(replica.evaluate(perCpu(4), asked("one"), pending(), tenCpus))
        .isInstanceOfSatisfying(
            Verdict.Ready.class,
            verdict -> assertThat(verdict.message()).startsWith("The budget suffices now"));
    assertThat(replica.server.ledger(NAME).open()).isEmpty();

    replica.evaluate(perCpu(9), workload("other", NOW), pending(), tenCpus);
    assertThat(replica.evaluate(perCpu(4), asked("one"), pending(), tenCpus))
        .isInstanceOf(Verdict.Retry.class);
    assertThat(replica.server.ledger(NAME).open()).containsOnlyKeys("other");
  }

  /** A no that it may cost the most would be one for good, though it may get the cheapest. */
  @Test
  void beforeQuotaTheFlavorThatItHadDoesNotCount() throws InterruptedException {
    AssignedFlavor dear = new AssignedFlavor("dear", Map.of(), List.of());
    Workload one = workload("one", NOW);
    assertThat(replica.evaluate(perFlavor(40), one, pending(), List.of(cpu(Map.of("cpu", dear)))))
        .isInstanceOf(Verdict.Retry.class);

    assertThat(replica.evaluate(perFlavor(40), asked("one"), pending(), List.of(cpu(Map.of()))))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(replica.server.ledger(NAME).open()).isEmpty();
  }

  /** Asked before quota, after an attempt that is over. */
  private static Workload asked(String name) {
    Workload waits = workload(name, NOW);
    return waits.withStatus(
        waits
            .status()
            .withConditions(
                List.of(
                    Condition.isFalse("QuotaReserved", CheckStage.WAITING_FOR_CHECKS, "", NOW))));
  }

  @Test
  void whatCantBeDecidedHoldsQuotaForTheErrorBudgetOfTheGuards() throws InterruptedException {
    Policy noLimit = replica.policy("p", Map.of("window", Map.of("type", "Daily")));
    Workload one = workload("one", NOW);
    assertThat(replica.evaluate(noLimit, one, pending(), List.of()))
        .isInstanceOfSatisfying(
            Verdict.Pending.class,
            verdict -> assertThat(verdict.recheckIn()).isEqualTo(Replica.ERROR_BUDGET));

    replica.passes(Replica.ERROR_BUDGET.minusSeconds(1));
    assertThat(replica.evaluate(noLimit, one, pending(), List.of()))
        .isInstanceOf(Verdict.Pending.class);
    replica.passes(Duration.ofSeconds(1));
    assertThat(replica.evaluate(noLimit, one, pending(), List.of()))
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void withoutALimitAWorkloadStartsWhereThePolicySaysSo() throws InterruptedException {
    Policy ready =
        replica.policy("p", Map.of("window", Map.of("type", "Daily"), "noBudget", "Ready"));

    assertThat(replica.evaluate(ready, workload("one", NOW), pending(), List.of()))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void beyondTheSoftLimitAWorkloadStartsWithAWarningEvent() throws InterruptedException {
    List<AssignedPodSet> tenCpus = List.of(cpu(Map.of()));
    replica.evaluate(perCpu(4), workload("one", NOW), pending(), tenCpus);
    replica.evaluate(perCpu(4), workload("two", NOW), pending(), tenCpus);
    assertThat(replica.warned).isEmpty();

    assertThat(replica.evaluate(perCpu(1), workload("three", NOW), pending(), tenCpus))
        .isEqualTo(
            Verdict.ready(
                "Reserved 10, 10 of today's 100 left. Warning: more than 80 % of the budget is"
                    + " used."));
    assertThat(replica.warned)
        .containsExactly("BudgetSoftLimitReached: Warning: more than 80 % of the budget is used.");
  }

  @Test
  void thatTheWarningEventIsRefusedKeepsNoWorkloadFromStarting() throws InterruptedException {
    replica.refusesEvents = true;

    assertThat(replica.evaluate(perCpu(9), workload("one", NOW), pending(), List.of(cpu(Map.of()))))
        .isEqualTo(
            Verdict.ready(
                "Reserved 90, 10 of today's 100 left. Warning: more than 80 % of the budget is"
                    + " used."));
  }

  /** The definition of Workloads refuses that; other definitions may not. */
  @Test
  void aTimeThatIsRaisedWhileItRunsIsChargedWhetherOrNotItFits() throws InterruptedException {
    List<AssignedPodSet> tenCpus = List.of(cpu(Map.of()));
    Policy evicts = evicting(1);
    replica.evaluate(evicts, workload("one", NOW), pending(), tenCpus);
    replica.passes(Duration.ofMinutes(30));

    Verdict verdict = replica.evaluate(evicts, running("one", 20 * 3600), ready(), tenCpus);

    assertThat(verdict).isEqualTo(Verdict.unchanged("The budget is exceeded."));
    assertThat(use()).isEqualTo(new Use(Amount.units(5), Amount.units(195)));
    assertThat(replica.warned).anyMatch(text -> text.startsWith("BudgetExceeded"));
    replica.evaluate(evicts, running("one", 2 * 3600), ready(), tenCpus);
    assertThat(use()).isEqualTo(new Use(Amount.units(5), Amount.units(15)));
  }

  @Test
  void oneThatRunsAsItWasLetThroughIsNotWrittenAgain() throws InterruptedException {
    List<AssignedPodSet> tenCpus = List.of(cpu(Map.of()));
    replica.evaluate(evicting(1), workload("one", NOW), pending(), tenCpus);
    replica.evaluate(evicting(1), running("one", 3600), ready(), tenCpus);
    int writes = replica.server.writes();

    replica.passes(Duration.ofMinutes(10));
    // What a policy changes counts for what is reserved afterwards.
    replica.evaluate(evicting(2), running("one", 3600), ready(), tenCpus);

    assertThat(replica.server.writes()).isEqualTo(writes);
    assertThat(use().total()).isEqualTo(Amount.units(10));
  }

  private Use use() {
    return replica.server.ledger(NAME).use(Window.daily(ZoneOffset.UTC), replica.now, "");
  }

  private Policy evicting(int price) {
    return replica.policy(
        "p",
        Map.of(
            "limit",
            100,
            "window",
            Map.of("type", "Daily"),
            "whileRunning",
            Map.of("evict", true),
            "prices",
            List.of(Map.of("resource", "cpu", "price", price))));
  }

  private static AdmissionCheckState ready() {
    return pending().withState(CheckState.READY);
  }

  private static Workload running(String name, int seconds) {
    Workload reserved = workload(name, NOW);
    List<Condition> conditions = new ArrayList<>(reserved.status().conditions());
    conditions.add(Condition.isTrue("Admitted", "Admitted", "", NOW));
    return reserved
        .withSpec(reserved.spec().withMaximumExecutionTimeSeconds(seconds))
        .withStatus(reserved.status().withConditions(conditions));
  }

  private Policy perCpu(int price) {
    return replica.policy(
        "p",
        Map.of(
            "limit",
            100,
            "softLimitPercent",
            80,
            "window",
            Map.of("type", "Daily"),
            "prices",
            List.of(Map.of("resource", "cpu", "price", price))));
  }

  private Policy perFlavor(int limit) {
    return replica.policy(
        "p",
        Map.of(
            "limit",
            limit,
            "unit",
            "EUR",
            "window",
            Map.of("type", "Daily"),
            "tooExpensive",
            "Retry",
            "prices",
            List.of(
                Map.of("resource", "cpu", "flavor", "cheap", "price", 1),
                Map.of("resource", "cpu", "flavor", "dear", "price", 5))));
  }

  private static AssignedPodSet cpu(Map<String, AssignedFlavor> flavors) {
    return new AssignedPodSet(
        "main", 1, new V1PodTemplateSpec(), Map.of("cpu", Quantity.parse("10")), flavors);
  }

  private static AdmissionCheckState pending() {
    return AdmissionCheckState.pending("budget", NOW);
  }

  private void fill(int count, int length) throws InterruptedException {
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = ("w" + i + "-").repeat(length).substring(0, length);
      open.put(
          "uid" + i,
          Reservation.of(
              new Reservation.Claimant("uid" + i, name, new Payer(name, ""), ""),
              new Reservation.Charge(Rate.FREE, Duration.ofHours(1), false, "", null),
              NOW));
    }
    replica.books.change(
        NAME,
        NOW,
        ledger ->
            Books.Outcome.atOnce(
                new Ledger(
                    ledger.since(), ledger.carried(), ledger.spent(), ledger.past(), open, 0),
                ""));
  }

  private Verdict evaluate(Workload workload) throws InterruptedException {
    return replica.evaluate(policy, workload, pending(), List.of());
  }

  private static Workload workload(String name, Instant attempt) {
    Workload plain = Workload.named(Replica.NAMESPACE, name);
    plain.metadata().setUid(name);
    Workload limited = plain.withSpec(plain.spec().withMaximumExecutionTimeSeconds(3600));
    return limited.withStatus(
        limited
            .status()
            .withConditions(
                List.of(Condition.isTrue("QuotaReserved", "QuotaReserved", "", attempt))));
  }
}
