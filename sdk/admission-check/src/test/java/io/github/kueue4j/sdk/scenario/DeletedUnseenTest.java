// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Workloads are deleted while no controller runs; the next one gives up what was held for them. */
class DeletedUnseenTest {

  private final ManualTime time = ManualTime.create();

  @Test
  void theNextControllerGivesUpWhatWasHeldForThem() throws Exception {
    Backend backend = new Backend();
    try (KueueSide kueue = new KueueSide(time)) {
      kueue.admissionCheck("seats", "example.com/seats");
      ObjectKey stays = kueue.workload("stays");
      ObjectKey goes = kueue.workload("goes");
      kueue.reserve(stays, "seats");
      kueue.reserve(goes, "seats");
      try (ClusterConnection cluster = kueue.connect("first");
          CheckController first = controller(cluster, backend)) {
        first.start();
        await().until(() -> kueue.entry(stays, "seats").is(CheckState.READY));
        await().until(() -> kueue.entry(goes, "seats").is(CheckState.READY));
      }

      kueue.api().delete(KueueTypes.WORKLOAD, goes, DeleteOptions.background());
      try (ClusterConnection cluster = kueue.connect("second");
          CheckController second = controller(cluster, backend)) {
        second.start();
        await().until(() -> backend.seats.size() == 1);
        await().until(() -> backend.seats.iterator().next().workload().equals(stays));
      }
    }
  }

  private CheckController controller(ClusterConnection cluster, Backend backend) {
    return CheckController.builder("example.com/seats", CheckEnvironment.of(cluster, time))
        .check(new Seats(backend))
        .build();
  }

  /** Outlives the controllers, as a backend does. */
  private static final class Backend {
    private final Set<Holding> seats = ConcurrentHashMap.newKeySet();
  }

  private record Seats(Backend backend) implements Check<NoParameters>, Cleanup {
    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      backend.seats.add(Holding.of(evaluation));
      return Verdict.ready("seated");
    }

    @Override
    public void cleanUp(Workload workload, Holding holding) {
      backend.seats.remove(holding);
    }

    @Override
    public void cleanUpDeleted(Holding holding) {
      backend.seats.remove(holding);
    }

    @Override
    public Collection<Holding> owned() {
      return Set.copyOf(backend.seats);
    }
  }
}
