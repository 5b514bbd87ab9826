// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which checks a reservation asks, and what a step says that waits for one that can't work. */
@KueueTest(patience = "20s")
class AskedChecksTest {
  private static final String CHECKS = "/apis/kueue.x-k8s.io/v1beta2/admissionchecks";

  @SuppressWarnings("NullAway.Init") // The extension fills it in.
  private KueueCluster cluster;

  private void applyCheck(String name) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: %s}
        spec: {controllerName: example.com/x}
        """
            .formatted(name));
  }

  private void active(String check, String status, String reason, String message) {
    try (JsonApi api = JsonApi.at(cluster.uri())) {
      var patch = Trees.empty();
      patch
          .putObject("status")
          .putArray("conditions")
          .addObject()
          .put("type", "Active")
          .put("status", status)
          .put("reason", reason)
          .put("message", message)
          .put("lastTransitionTime", "2026-01-05T08:00:00Z");
      api.patch(CHECKS + "/" + check + "/status", PatchFormat.MERGE, patch);
    }
  }

  @Test
  void checksThatWereAppliedAreAskedToo() {
    applyCheck("applied");
    cluster.admissionCheck("made", "example.com/y");

    PlayedWorkload job = cluster.workload("job").reserve();

    assertThat(job.read().status().admissionChecks())
        .extracting(AdmissionCheckState::name)
        .containsExactly("made", "applied");
  }

  @Test
  void aCheckRefersToItsParameters() {
    cluster.admissionCheck("window", "example.com/window", "ops.example.com", "Window", "night");

    try (JsonApi api = JsonApi.at(cluster.uri())) {
      JsonNode parameters =
          api.get(CHECKS + "/window").orElseThrow().path("spec").path("parameters");
      assertThat(parameters)
          .isEqualTo(
              Trees.empty()
                  .put("apiGroup", "ops.example.com")
                  .put("kind", "Window")
                  .put("name", "night"));
    }
  }

  @Test
  void aStepThatWaitsForACheckThatIsInactiveSaysWhy() {
    applyCheck("window");
    active("window", "False", "ParametersNotFound", "there is no Window night");
    PlayedWorkload job = cluster.workload("job").reserve();
    long before = System.nanoTime();

    assertThatThrownBy(() -> job.awaitState("window", CheckState.READY))
        .isInstanceOf(StepFailedException.class)
        .hasMessage(
            "can't wait for window to say Ready on default/job: the controller of the"
                + " AdmissionCheck window says Active=False, ParametersNotFound: there is no"
                + " Window night");
    assertThatThrownBy(job::admit).hasMessageContaining("there is no Window night");
    assertThatThrownBy(job::backOff).hasMessageContaining("there is no Window night");
    assertThatThrownBy(() -> cluster.script().awaitActive("window"))
        .hasMessageContaining("there is no Window night");
    // Four steps that all wait for as long as they may take 80 s.
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(70));
  }

  @Test
  void aCheckThatHasAnsweredOrIsActiveAgainEndsNoWait() {
    applyCheck("window");
    applyCheck("other");
    active("window", "False", "ParametersNotFound", "there is no Window night");
    PlayedWorkload job = cluster.workload("job").reserve().say("window", CheckState.READY, "");

    job.say("other", CheckState.READY, "").admit();

    active("window", "True", "Active", "");
    cluster.workload("next").reserve("window");
    cluster.script().awaitActive("window");
  }
}
