// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.PlayedLife.Stage;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.books.LedgerServer;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Spending;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Nightly;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Random lives of Workloads through the check as a whole: evaluations and upkeep of two replicas at
 * the same time, whose watches are behind and which are restarted, against a recorder that knows
 * each run.
 */
class BudgetLivesTest {

  private static final Instant START = Instant.parse("2026-03-27T20:00:00Z");
  private static final LedgerName NAME = new LedgerName("p", Replica.NAMESPACE);
  private static final int QUEUE_LIMIT = 60;
  private static final List<Map<String, Object>> WINDOWS =
      List.of(
          Map.of("type", "Daily", "timeZone", "Europe/Berlin"),
          Map.of("type", "Weekly", "firstDay", "Sunday", "timeZone", "Europe/Berlin"),
          Map.of("type", "Monthly"),
          Map.of("type", "Rolling", "length", "30h"));

  @Property(tries = 30)
  void theLedgerIsWhatANaiveRecorderComputesAndTheLimitIsKept(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int window)
      throws InterruptedException {
    World world = new World(new Random(seed), WINDOWS.get(window));
    for (int step = 1; step <= Nightly.bound(60, 200); step++) {
      world.step();
      world.limitIsKept();
      if (step % 10 == 0) {
        world.compare();
      }
    }
  }

  private static final class World {
    private final Random random;
    private final Map<String, Object> window;
    private final LedgerServer server = new LedgerServer();
    private final Map<ObjectKey, Workload> live = new HashMap<>();
    private final List<PlayedLife> lives = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private Policy policy;
    private Instant now = START;
    private int limit = 100;
    private Amount usedBefore = Amount.ZERO;

    // When a replica last saw all.
    private Instant seenAll = START;

    World(Random random, Map<String, Object> window) {
      this.random = random;
      this.window = window;
      replicas.add(replica());
      replicas.add(replica());
      policy = agree(replicas.getFirst());
      agree(replicas.getLast());
    }

    private Replica replica() {
      Replica replica = new Replica(server, live, now);
      replica.budgets.show(
          CustomResource.of(
              Policy.BUDGETS,
              new V1ObjectMeta().name("q1").namespace(Replica.NAMESPACE),
              Map.of("policy", "p", "localQueue", "q1", "limit", QUEUE_LIMIT)));
      return replica;
    }

    private Policy agree(Replica replica) {
      Map<String, Object> accounting =
          hasUsers() ? Map.of("userLabel", PlayedLife.USER_LABEL) : Map.of();
      return replica.policy(
          "p",
          Map.of(
              "accounting",
              accounting,
              "limit",
              limit,
              "budgets",
              "Lower",
              "window",
              window,
              "tooExpensive",
              "Retry",
              "prices",
              List.of(Map.of("resource", "cpu", "price", 1))));
    }

    private boolean hasUsers() {
      return !"Rolling".equals(window.get("type"));
    }

    private Replica any() {
      return replicas.get(random.nextInt(replicas.size()));
    }

    void step() throws InterruptedException {
      pass(Duration.ofSeconds(1));
      switch (random.nextInt(14)) {
        case 0, 1 -> create();
        case 2, 3, 4, 5 -> evaluate();
        case 6, 7 -> pick(Stage.READY).ifPresent(life -> life.admit(now));
        case 8 -> pick(Stage.ADMITTED).ifPresent(life -> life.finish(now));
        case 9 -> release();
        case 10 -> delete();
        case 11 -> maintain(any(), random.nextBoolean());
        case 12 -> turn();
        // So that a fifth of the lives or more reach the end of any window.
        default -> pass(Duration.ofSeconds(1 + random.nextInt(10 * 3600)));
      }
      lives.forEach(life -> live.computeIfPresent(life.key, (key, old) -> current(life)));
    }

    private static Workload current(PlayedLife life) {
      return life.seen(false).workload();
    }

    private void create() {
      Optional<PlayedLife> queued = pick(Stage.QUEUED).filter(PlayedLife::canRun);
      if (queued.isPresent() && random.nextBoolean()) {
        queued.get().reserve(now);
        return;
      }
      PlayedLife life =
          new PlayedLife(
              "w" + lives.size(),
              "q" + random.nextInt(3),
              List.of("", "ada", "bob").get(random.nextInt(3)),
              1 + random.nextInt(15),
              1 + random.nextInt(6 * 3600));
      lives.add(life);
      life.reserve(now);
      live.put(life.key, current(life));
    }

    /** One replica looks at what its watch shows; the other one may do so at the same time. */
    private void evaluate() throws InterruptedException {
      for (PlayedLife life : shuffled()) {
        PlayedLife.Version seen = life.seen(random.nextInt(4) == 0);
        if (seen.stage() != Stage.RESERVED) {
          continue;
        }
        Replica replica = any();
        replica.now = now;
        Verdict verdict =
            replica.evaluate(
                policy,
                seen.workload(),
                AdmissionCheckState.pending("budget", now),
                life.podSets());
        boolean isWritten = seen.equals(life.seen(false));
        if (verdict instanceof Verdict.Ready && isWritten) {
          life.ready();
        } else if (verdict instanceof Verdict.Retry && isWritten) {
          life.release(now);
        }
      }
    }

    private void release() {
      Stage stage = random.nextBoolean() ? Stage.ADMITTED : Stage.READY;
      pick(stage).ifPresent(life -> life.release(now));
    }

    /**
     * The end of a run that no replica has seen isn't known, so a replica sees all earlier changes.
     */
    private void delete() throws InterruptedException {
      Optional<PlayedLife> life = pick(random.nextBoolean() ? Stage.ADMITTED : Stage.READY);
      if (life.isPresent()) {
        maintain(replicas.getFirst(), false);
        life.get().delete(now);
        live.remove(life.get().key);
        maintain(replicas.getFirst(), false);
      }
    }

    /** A replica is restarted, or an administrator sets another limit. */
    private void turn() {
      if (random.nextBoolean()) {
        Replica fresh = replica();
        replicas.set(random.nextInt(2), fresh);
        fresh.seeLedger(NAME);
      } else {
        limit = random.nextBoolean() ? 100 : 50 + random.nextInt(100);
      }
      replicas.forEach(replica -> policy = agree(replica));
    }

    /**
     * Kueue ends runs in time. The upkeep has seen each end by the time at which the run would have
     * ended at the latest: until then an end that it doesn't see takes nothing more.
     */
    private void pass(Duration time) throws InterruptedException {
      now = now.plus(time);
      for (PlayedLife life : lives) {
        if (life.stage() == Stage.ADMITTED && life.latestEnd().isBefore(now)) {
          life.finish(life.latestEnd());
          live.put(life.key, current(life));
        }
      }
      if (lives.stream().anyMatch(life -> life.hasOutlived(seenAll, now))) {
        maintain(any(), false);
      }
    }

    private void maintain(Replica replica, boolean behind) throws InterruptedException {
      replica.now = now;
      for (PlayedLife life : lives) {
        if (live.containsKey(life.key)) {
          replica.workloads.show(life.seen(behind && random.nextBoolean()).workload());
        } else {
          replica.workloads.gone(life.key);
        }
      }
      replica.maintain(NAME);
      seenAll = behind ? seenAll : now;
    }

    private Optional<PlayedLife> pick(Stage stage) {
      return shuffled().stream().filter(life -> life.stage() == stage).findFirst();
    }

    private List<PlayedLife> shuffled() {
      List<PlayedLife> all = new ArrayList<>(lives);
      all.sort(Comparator.comparing((PlayedLife life) -> life.key.name()));
      Collections.shuffle(all, random);
      return all;
    }

    /** What is used grows to the limit and no further, also where the limit was lowered. */
    void limitIsKept() {
      Amount used = stored("").total();
      Amount most = Amount.units(limit);
      assertThat(used).isLessThanOrEqualTo(usedBefore.exceeds(most) ? usedBefore : most);
      usedBefore = used;
      assertThat(stored("q1").total()).isLessThanOrEqualTo(Amount.units(QUEUE_LIMIT));
    }

    /** Once each replica has seen all. */
    void compare() throws InterruptedException {
      for (Replica replica : replicas) {
        maintain(replica, false);
      }
      maintain(replicas.getFirst(), false);
      Instant start = windows().start(now);
      for (String queue : List.of("", "q0", "q1", "q2")) {
        Amount spent = Amount.ZERO;
        Amount reserved = Amount.ZERO;
        for (PlayedLife life : lives) {
          if (queue.isEmpty() || queue.equals(life.queue)) {
            spent = spent.plus(cpuSeconds(life.ran(start, now)));
            reserved = reserved.plus(cpuSeconds(life.mayRun(now)));
          }
        }
        assertThat(stored(queue)).isEqualTo(new Use(spent, reserved));
      }
      compareAccounts(start);
      compareAccounts(windows().period(START).from());
    }

    /** What each payer's Workloads ran, in the present window and in all of them. */
    private void compareAccounts(Instant from) {
      Map<Payer, Amount> ran = new TreeMap<>();
      for (PlayedLife life : lives) {
        Amount amount = cpuSeconds(life.ran(from, now));
        if (!amount.isZero()) {
          ran.merge(new Payer(life.queue, hasUsers() ? life.user : ""), amount, Amount::plus);
        }
      }
      Ledger rolled = server.ledger(NAME).roll(Terms.unlimited(windows()), now);
      Map<Payer, Amount> used = new TreeMap<>();
      Spending.of(rolled, windows(), from, now)
          .forEach((payer, account) -> used.put(payer, account.used()));
      used.values().removeIf(Amount::isZero);
      assertThat(used).as("since %s", from).isEqualTo(ran);
    }

    private static Amount cpuSeconds(long count) {
      return new Amount(BigInteger.valueOf(count).multiply(BigInteger.valueOf(1_000_000)));
    }

    private Use stored(String queue) {
      return server.ledger(NAME).use(windows(), now, queue);
    }

    private Window windows() {
      return policy.window();
    }
  }
}
