// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.rbac.Permissions;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An administrator takes a running controller's rights away, and gives them back. */
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class LostRightsTest {

  private static final String ACCOUNT = "poor";

  private final ManualTime time = ManualTime.create();

  @Test
  void nothingIsLostOnceTheRightsAreBack() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect(ACCOUNT);
        CheckController controller =
            CheckController.builder("example.com/poor", CheckEnvironment.of(cluster, time))
                .check(
                    evaluation -> {
                      calls.incrementAndGet();
                      return Verdict.ready("well");
                    })
                .build()) {
      kueue.admissionCheck("poor", "example.com/poor");
      controller.start();
      await().until(() -> kueue.active("poor").isTrue());
      // The first may be in the list; the second comes by the watch, which is open then.
      for (String name : List.of("listed", "watched")) {
        ObjectKey seen = kueue.workload(name);
        kueue.reserve(seen, "poor");
        await().until(() -> kueue.entry(seen, "poor").is(CheckState.READY));
      }
      int before = calls.get();

      kueue
          .server()
          .apply(
              """
              apiVersion: rbac.authorization.k8s.io/v1
              kind: ClusterRole
              metadata: {name: poor}
              rules: []
              """);
      ObjectKey job = kueue.workload("job");
      kueue.reserve(job, "poor");
      // A watch that ends before it has shown the reservation can't be opened again.
      await().until(() -> calls.get() >= before + 1);
      await()
          .until(
              () -> {
                time.advance(Duration.ofSeconds(1));
                return calls.get() >= before + 3;
              });
      assertThat(kueue.entry(job, "poor").is(CheckState.PENDING)).isTrue();
      assertThat(kueue.entry(job, "poor").message()).isEmpty();

      kueue.server().apply(Permissions.of(ACCOUNT, KueueSide.NAMESPACE).yaml());
      await()
          .until(
              () -> {
                time.advance(Duration.ofSeconds(1));
                return kueue.entry(job, "poor").is(CheckState.READY);
              });
      ObjectKey next = kueue.workload("next");
      kueue.reserve(next, "poor");
      // A watch that ended meanwhile is opened again when its backoff is over.
      await()
          .until(
              () -> {
                time.advance(Duration.ofSeconds(1));
                return kueue.entry(next, "poor").is(CheckState.READY);
              });
    }
  }
}
