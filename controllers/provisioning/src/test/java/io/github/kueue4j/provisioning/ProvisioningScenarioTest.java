// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a request, from the reservation to the last pod. */
@Tag("quick")
class ProvisioningScenarioTest {

  private static final ObjectKey TEMPLATE = new ObjectKey("default", "ppt-train-spot-1-main");
  private ProvisioningStage stage;

  @BeforeEach
  void start() throws InterruptedException {
    stage = ProvisioningStage.started();
  }

  @AfterEach
  void stop() {
    stage.close();
  }

  @Test
  void asksOncePerAttemptAndConsumesWhatIsProvisioned() {
    KubernetesApi api = stage.api;
    stage.reserve(null);
    ProvisioningRequest first = stage.awaitRequest("train-spot-1");
    assertThat(first.spec().provisioningClassName()).isEqualTo("spot-class");
    assertThat(first.spec().parameters()).isEqualTo(Map.of("zone", "a", "size", "large"));
    assertThat(first.spec().podSets()).hasSize(1);
    assertThat(first.spec().podSets().get(0).count()).isEqualTo(2);
    assertThat(first.metadata().getOwnerReferences())
        .extracting("kind", "name")
        .containsExactly(Tuple.tuple("Workload", "train"));
    await().until(() -> api.get(CoreTypes.POD_TEMPLATE, TEMPLATE).isPresent());
    V1PodTemplate created = api.get(CoreTypes.POD_TEMPLATE, TEMPLATE).orElseThrow();
    assertThat(created.getMetadata().getOwnerReferences())
        .extracting("kind", "uid")
        .containsExactly(Tuple.tuple("ProvisioningRequest", first.metadata().getUid()));

    stage.answer(
        "train-spot-1", Condition.isFalse("Provisioned", "Wait", "ETA 5m", stage.time.instant()));
    await().until(() -> stage.entry().message().equals("ETA 5m"));
    fail("train-spot-1");
    assertThat(stage.entry().requeueAfterSeconds()).isBetween(60, 72);

    stage.time.advance(Duration.ofMinutes(2));
    stage.reserve(1);
    stage.answer("train-spot-2", stage.now("Provisioned", "here"));
    await().until(() -> stage.entry().is(CheckState.READY));
    assertThat(stage.entry().podSetUpdates().get(0).annotations())
        .containsEntry("autoscaling.x-k8s.io/consume-provisioning-request", "train-spot-2");
  }

  private void fail(String request) {
    stage.answer(request, stage.now("Failed", "none"));
    await().until(() -> stage.entry().is(CheckState.RETRY));
    assertThat(stage.entry().message()).isEqualTo("Retrying after failure: none");
  }

  @Test
  void aRequestIsMadeAgainAfterTheSecondFailure() {
    stage.reserve(null);
    fail("train-spot-1");
    stage.time.advance(Duration.ofMinutes(2));
    stage.reserve(1);
    fail("train-spot-2");
    assertThat(stage.entry().requeueAfterSeconds()).isBetween(120, 144);
    stage.time.advance(Duration.ofMinutes(3));
    stage.reserve(2);

    stage.awaitRequest("train-spot-3");
    stage.awaitNoRequest("train-spot-2");
    assertThat(stage.request("train-spot-1")).isEmpty();
  }

  @Test
  void theLastFailureRejectsAndAReactivatedWorkloadBeginsAnew() {
    stage.reserve(3);
    stage.answer("train-spot-4", stage.now("Failed", "none left"));
    await().until(() -> stage.entry().is(CheckState.REJECTED));
    assertThat(stage.entry().message()).isEqualTo("none left");

    // As each core does it: deactivated, then evicted, the entry back to Pending without a count.
    stage.setActive(false);
    Condition lost = Condition.isFalse("QuotaReserved", "Deactivated", "", stage.time.instant());
    stage.patchStatus(
        status ->
            status
                .withConditions(List.of(lost))
                .withAdmissionChecks(
                    List.of(AdmissionCheckState.pending("spot", stage.time.instant()))));
    stage.awaitNoRequest("train-spot-4");
    assertThat(stage.entry().is(CheckState.PENDING)).isTrue();

    stage.setActive(true);
    stage.time.advance(Duration.ofMinutes(1));
    stage.reserve(null);
    stage.awaitRequest("train-spot-1");
  }

  @Test
  void aRequestThatAnotherClientDeletesOverAndOverIsCreatedAgainWithPauses() {
    stage.reserve(null);
    ProvisioningRequest first = stage.awaitRequest("train-spot-1");
    delete(first);
    await().until(() -> isAnother(first));
    ProvisioningRequest second = stage.awaitRequest("train-spot-1");

    delete(second);

    await()
        .until(
            () ->
                stage
                    .entry()
                    .message()
                    .startsWith(
                        "The ProvisioningRequest default/train-spot-1 was deleted 2 times by"
                            + " another client"));
    assertThat(stage.request("train-spot-1")).isEmpty();
    stage.awaitAnother(second);
    await()
        .until(
            () -> {
              // A write that another preceded is tried again after a second.
              stage.time.advance(Duration.ofSeconds(1));
              return stage.entry().message().equals(Answer.NONE_YET);
            });
  }

  private void delete(ProvisioningRequest request) {
    stage.api.delete(KueueTypes.PROVISIONING_REQUEST, request.key(), DeleteOptions.background());
  }

  private boolean isAnother(ProvisioningRequest before) {
    return stage
        .request("train-spot-1")
        .filter(now -> !Objects.equals(now.metadata().getUid(), before.metadata().getUid()))
        .isPresent();
  }

  @Test
  void aBookingThatExpiresBeforeTheAdmissionIsTriedAgain() {
    stage.reserve(null);
    stage.answer("train-spot-1", stage.now("Provisioned", "here"));
    await().until(() -> stage.entry().is(CheckState.READY));

    stage.answer(
        "train-spot-1", stage.now("Provisioned", "here"), stage.now("BookingExpired", "too late"));

    await().until(() -> stage.entry().is(CheckState.RETRY));
    assertThat(stage.entry().message()).isEqualTo("Retrying after booking expired: too late");
  }

  @Test
  void afterTheAdmissionABookingMayExpireButCapacityThatIsRevokedRejects() {
    stage.reserve(null);
    stage.answer("train-spot-1", stage.now("Provisioned", "here"));
    await().until(() -> stage.entry().is(CheckState.READY));
    stage.add(stage.now("Admitted", ""));

    stage.answer("train-spot-1", stage.now("BookingExpired", "too late"));
    stage.answer(
        "train-spot-1",
        stage.now("BookingExpired", "too late"),
        stage.now("CapacityRevoked", "gone"));

    await().until(() -> !stage.entry().is(CheckState.READY));
    assertThat(stage.entry().is(CheckState.REJECTED)).isTrue();
    assertThat(stage.entry().message()).isEqualTo("gone");
  }

  @Test
  void theRequestGoesWhenTheWorkloadHasFinished() {
    provisioned();
    stage.add(stage.now("Finished", ""));
    isGone();
  }

  @Test
  void theRequestGoesWithAnEviction() {
    provisioned();
    stage.add(stage.now("Evicted", ""));
    isGone();
  }

  /** Such as by an administrator, or another core, that writes no Evicted condition. */
  @Test
  void theRequestGoesWithAReservationThatIsLostWithoutAnEviction() {
    provisioned();
    stage.add(Condition.isFalse("QuotaReserved", "Lost", "", stage.time.instant()));
    isGone();
  }

  private void provisioned() {
    stage.reserve(null);
    stage.answer("train-spot-1", stage.now("Provisioned", "here"));
    await().until(() -> stage.entry().is(CheckState.READY));
    assertThat(stage.api.get(CoreTypes.POD_TEMPLATE, TEMPLATE)).isPresent();
  }

  private void isGone() {
    stage.awaitNoRequest("train-spot-1");
    await().until(() -> stage.api.get(CoreTypes.POD_TEMPLATE, TEMPLATE).isEmpty());
  }

  @Test
  void aRequestOfAFormerReservationIsReplaced() {
    provisioned();
    ProvisioningRequest old = stage.awaitRequest("train-spot-1");

    // Preempted, and reserved again with the same count.
    stage.time.advance(Duration.ofMinutes(1));
    stage.reserve(null);

    stage.awaitAnother(old);
    assertThat(stage.entry().is(CheckState.PENDING)).isTrue();
  }

  /** A tenant's object must neither stop the check nor be lost. */
  @Test
  void whereAnotherOwnerHasTheNameTheRequestGetsAnotherOne() {
    stage.server.apply(
        """
        apiVersion: autoscaling.x-k8s.io/v1
        kind: ProvisioningRequest
        metadata: {namespace: default, name: train-spot-1}
        spec:
          provisioningClassName: check-capacity.autoscaling.x-k8s.io
          podSets: [{count: 1, podTemplateRef: {name: by-hand}}]
        """);
    ProvisioningRequest byHand = stage.awaitRequest("train-spot-1");
    String name =
        ObjectNames.otherRequest("train-spot-1", String.valueOf(stage.read().metadata().getUid()));

    stage.reserve(null);

    stage.answer(name, stage.now("Provisioned", "here"));
    await().until(() -> stage.entry().is(CheckState.READY));
    assertThat(stage.entry().podSetUpdates().get(0).annotations())
        .containsEntry("autoscaling.x-k8s.io/consume-provisioning-request", name);
    stage.add(stage.now("Finished", ""));
    stage.awaitNoRequest(name);
    assertThat(stage.awaitRequest("train-spot-1").metadata().getUid())
        .isEqualTo(byHand.metadata().getUid());
  }

  /** The API keeps 32768 characters; the prefix comes on top of the autoscaler's. */
  @Test
  void aMessageAboveTheLimitIsCut() {
    stage.reserve(null);
    stage.answer("train-spot-1", stage.now("Failed", "m".repeat(32768)));

    await().until(() -> stage.entry().is(CheckState.RETRY));
    assertThat(stage.entry().message())
        .hasSize(32768)
        .startsWith("Retrying after failure: mmm")
        .endsWith("m ...");
  }
}
