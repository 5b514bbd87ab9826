package com.example.seats;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@KueueTest
class SeatCheckTest {
  private final AtomicInteger free = new AtomicInteger();

  @Test
  void waitsForASeat(KueueCluster cluster) {
    cluster.admissionCheck("seats", SeatCheck.CONTROLLER_NAME);
    cluster.run(CheckStarter.of(environment -> SeatCheck.controller(environment, free::get)));

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("seats", CheckState.RETRY);
    job.backOff();
    free.set(1);
    job.requeue().reserve().awaitState("seats", CheckState.READY).admit().finish();
  }
}
