// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a third party tests its check; shown in the guide. */
// region test
@KueueTest
class LicenseCheckTest {
  private final AtomicInteger licenses = new AtomicInteger();

  private AutoCloseable start(KueueCluster cluster) throws InterruptedException {
    ClusterConnection connection = ClusterConnection.builder("test").url(cluster.uri()).connect();
    CheckController controller =
        CheckController.builder(
                "example.com/license", CheckEnvironment.of(connection, cluster.time()))
            .check(new LicenseCheck(licenses::get))
            .build();
    controller.start();
    return () -> {
      controller.close();
      connection.close();
    };
  }

  @Test
  void aWorkloadWithoutALicenseIsQueuedAgainLater(KueueCluster cluster) {
    cluster.admissionCheck("license", "example.com/license");
    cluster.run(() -> start(cluster));

    PlayedWorkload job = cluster.workload("job").reserve().awaitState("license", CheckState.RETRY);
    assertThat(job.entry("license").message()).isEqualTo("No license is free.");
    assertThat(job.entry("license").requeueAfterSeconds()).isBetween(30, 36);

    licenses.set(3);
    job.backOff().requeue().reserve().awaitState("license", CheckState.READY).admit().finish();
  }
}
// endregion test
