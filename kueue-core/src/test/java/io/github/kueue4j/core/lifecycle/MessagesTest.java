// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessagesTest {

  @Test
  void aConditionMessageFitsTheApiAndKeepsTheDelay() {
    WorkloadBuilder workload = workload().reserved(10);
    for (String check : List.of("a", "b")) {
      workload.entry(
          new AdmissionCheckState(
              check, CheckState.RETRY, at(20), "é".repeat(30_000), 60, null, List.of(), null));
    }
    String message = Outcome.plan(workload.situation(), 20).message("Evicted");
    assertThat(message.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(32_768);
    assertThat(message)
        .startsWith("Evicted due to AdmissionChecks in Retry state: \"a\" (éé")
        .contains(" ...")
        .contains("Requeued not before 2026-01-01T12:01:20Z")
        .doesNotContain("\uFFFD");
  }

  @Test
  void anEventNoteFitsTheApi() {
    LifecycleEvent event = LifecycleEvent.normal("Reason", "x".repeat(5000));
    assertThat(event.note()).hasSize(1024).endsWith(" ...");
  }

  @Test
  void anEntryMessageFitsTheApi() {
    AdmissionCheckState retry =
        new AdmissionCheckState(
            "a", CheckState.RETRY, at(20), "x".repeat(32_768), null, null, List.of(), null);
    String message = Outcome.plan(workload().entry(retry).situation(), 21).entry("a").message();
    assertThat(message).hasSize(32_768).startsWith("Reset after the backoff. Previously: Retry: x");
  }
}
