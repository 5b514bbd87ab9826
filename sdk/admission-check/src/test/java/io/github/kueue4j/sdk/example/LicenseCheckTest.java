// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

// @start region=test
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@KueueTest
class LicenseCheckTest {
  private final AtomicInteger licenses = new AtomicInteger();

  private CheckController controller(CheckEnvironment environment) {
    return CheckController.builder("example.com/license", environment)
        .check(new LicenseCheck(licenses::get))
        .build();
  }

  @Test
  void aWorkloadWithoutALicenseIsQueuedAgainLater(KueueCluster cluster) {
    cluster.admissionCheck("license", "example.com/license");
    cluster.run(CheckStarter.of(environment -> controller(environment)));

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("license", CheckState.RETRY);
    assertEquals("No license is free.", job.entry("license").message());
    Integer delay = job.entry("license").requeueAfterSeconds();
    assertTrue(delay >= 30 && delay <= 36, "30 s and up to 20 % more, but it is " + delay);

    licenses.set(3);
    job.backOff().requeue().reserve().awaitState("license", CheckState.READY).admit().finish();
  }
}
// @end region=test
