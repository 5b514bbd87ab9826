// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster without an autoscaler that answers ProvisioningRequests. */
class KindNotServedTest {

  @Test
  void theAdmissionCheckSaysWhatIsMissingAndBecomesActiveWhenItAppears() throws Exception {
    try (ProvisioningStage stage = new ProvisioningStage()) {
      stage.controller().start();
      stage.reserve(null);

      await().until(() -> active(stage).filter(Condition::isFalse).isPresent());
      Condition missing = active(stage).orElseThrow();
      assertThat(missing.reason()).isEqualTo("KindNotServed");
      assertThat(missing.message())
          .isEqualTo(
              "the API server does not serve provisioningrequests.autoscaling.x-k8s.io in the"
                  + " version v1: install what brings this kind; the check waits for it");
      await()
          .until(
              () ->
                  stage.entry().message().equals("The check is not active: " + missing.message()));
      assertThat(stage.entry().is(CheckState.PENDING)).isTrue();

      Crds.external().forEach(stage.server::apply);
      await()
          .until(
              () -> {
                stage.time.advance(Duration.ofSeconds(10));
                return active(stage).filter(Condition::isTrue).isPresent();
              });

      stage.answer("train-spot-1", stage.now("Provisioned", "here"));
      await().until(() -> stage.entry().is(CheckState.READY));
    }
  }

  private static Optional<Condition> active(ProvisioningStage stage) {
    return stage
        .api
        .get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("spot"))
        .map(AdmissionCheck::status)
        .flatMap(status -> Conditions.find(status.conditions(), "Active"));
  }
}
