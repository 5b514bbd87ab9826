// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static io.github.kueue4j.sdk.Patient.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import io.github.kueue4j.sdk.maintenance.MaintenanceQueue;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A check's work beside its evaluations: when it is called, and what it can do to others. */
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class MaintenanceTest extends AccountsFixture {

  @Test
  void objectsAreMaintainedWhenTheyChangeOthersChangeOrTheTimeIsOver() throws Exception {
    List<String> maintained = new CopyOnWriteArrayList<>();
    account("main", "1");
    MaintenanceQueue[] queue = new MaintenanceQueue[1];
    run(
        builder -> {
          Watched<CustomResource<Account>> accounts = builder.watch(Watch.of(ACCOUNTS));
          queue[0] =
              builder
                  .maintain(
                      "accounts",
                      accounts,
                      key -> {
                        maintained.add(
                            accounts.get(key).map(one -> "" + one.spec().limit()).orElse("gone"));
                        return Optional.of(Duration.ofHours(1));
                      })
                  .whenChanged(builder.workloads(), workload -> List.of(MAIN));
          return builder.check(e -> fine());
        });

    await().until(() -> maintained.equals(List.of("1")));
    account("main", "2");
    await().until(() -> maintained.equals(List.of("1", "2")));
    kueue.workload("job");
    await().until(() -> maintained.size() == 3);
    await()
        .until(
            () -> {
              time.advance(Duration.ofMinutes(1));
              return maintained.size() == 4;
            });
    queue[0].wake(MAIN);
    await().until(() -> maintained.size() == 5);
    kueue.api().delete(ACCOUNTS, MAIN, DeleteOptions.background());
    await().until(() -> maintained.getLast().equals("gone"));
  }

  @Test
  void aMaintenanceThatFailsIsTriedAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    account("main", "1");
    run(
        builder -> {
          builder.maintain(
              "accounts",
              builder.watch(Watch.of(ACCOUNTS)),
              key -> {
                if (calls.incrementAndGet() < 3) {
                  throw new IllegalStateException("not yet");
                }
                return Optional.empty();
              });
          return builder.check(e -> fine());
        });

    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return calls.get() >= 3;
            });
  }

  @Test
  void severalObjectsAreMaintainedAtTheSameTimeWhereThatWasAskedFor() throws Exception {
    CyclicBarrier bothAtOnce = new CyclicBarrier(2);
    AtomicInteger met = new AtomicInteger();
    account("main", "1");
    account("other", "1");
    run(
        builder -> {
          builder
              .maintain(
                  "accounts",
                  builder.watch(Watch.of(ACCOUNTS)),
                  key -> {
                    bothAtOnce.await();
                    met.incrementAndGet();
                    return Optional.empty();
                  })
              .workers(2);
          return builder.check(e -> fine());
        });

    await().until(() -> met.get() == 2);
  }

  @Test
  void onlyWhatTheBuilderWatchesCanBeMaintained() {
    ClusterConnection cluster = kueue.connect("own");
    open.add(cluster);
    CheckController.Builder builder = CheckController.builder("example.com/own", cluster);
    Watched<CustomResource<Account>> foreign =
        new Watched<>() {
          @Override
          public Optional<CustomResource<Account>> get(ObjectKey key) {
            return Optional.empty();
          }

          @Override
          public List<CustomResource<Account>> list() {
            return List.of();
          }

          @Override
          public void onChange(Consumer<ObjectKey> handler) {}
        };
    Maintenance none = key -> Optional.empty();

    assertThatThrownBy(() -> builder.maintain("accounts", foreign, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pass what watch(...) or workloads() returned");
  }

  @Test
  void aCallWithoutEndHoldsUpNoOtherObject() throws Exception {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Set<String> maintained = ConcurrentHashMap.newKeySet();
    CountDownLatch ends = new CountDownLatch(1);
    account("endless", "1");
    account("main", "1");
    run(
        builder -> {
          builder
              .meters(meters)
              .guards(Guards.defaults().withTimeout(Duration.ofMillis(200)))
              .maintain(
                  "accounts",
                  builder.watch(Watch.of(ACCOUNTS)),
                  key -> {
                    if (key.name().equals("endless") && ends.getCount() > 0) {
                      awaitUninterruptibly(ends);
                    }
                    maintained.add(key.name());
                    return Optional.empty();
                  });
          return builder.check(e -> fine());
        });

    // On a busy machine its first call may take too long as well; then it is tried again.
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return maintained.contains("main");
            });
    // Tried again while the first call still runs: it is not called a second time, only counted.
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return timeouts(meters) >= 2;
            });
    assertThat(maintained).containsExactly("main");

    ends.countDown();
    await()
        .until(
            () -> {
              time.advance(Duration.ofMinutes(1));
              return maintained.contains("endless");
            });
  }

  private static double timeouts(MeterRegistry meters) {
    return meters
        .find("kueue4j.check.maintenance.failures")
        .tags("controller", "example.com/own", "work", "accounts", "reason", "Timeout")
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  @Test
  void anObjectThatMovesAwayIsToldToBothKeys() throws Exception {
    List<String> maintained = new CopyOnWriteArrayList<>();
    List<String> evaluated = new CopyOnWriteArrayList<>();
    account("a", "1");
    run(
        builder -> {
          Watched<CustomResource<Account>> accounts =
              builder.watch(
                  Watch.of(ACCOUNTS)
                      .wakingOne(
                          account -> new ObjectKey("default", "job-" + account.spec().limit())));
          builder
              .maintain(
                  "limits",
                  builder.admissionChecks(),
                  key -> {
                    maintained.add(key.name());
                    return Optional.empty();
                  })
              .whenChanged(
                  accounts, account -> List.of(ObjectKey.cluster("" + account.spec().limit())));
          return builder.check(
              e -> {
                evaluated.add(e.key().name());
                return Verdict.pending("waits");
              });
        });
    kueue.admissionCheck("own", "example.com/own");
    for (String job : List.of("job-1", "job-2")) {
      kueue.reserve(kueue.workload(job), "own");
      await().until(() -> evaluated.contains(job));
    }
    await().until(() -> maintained.contains("1"));
    maintained.clear();
    evaluated.clear();

    account("a", "2");

    await().until(() -> maintained.containsAll(List.of("1", "2")));
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return evaluated.containsAll(List.of("job-1", "job-2"));
            });
  }
}
