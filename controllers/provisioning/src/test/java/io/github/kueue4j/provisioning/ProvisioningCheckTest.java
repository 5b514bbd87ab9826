// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRequestPodSet;
import io.github.kueue4j.api.ProvisioningRequestReference;
import io.github.kueue4j.api.ProvisioningRequestSpec;
import io.github.kueue4j.api.ProvisioningRequestStatus;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.Verdict;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Objects that already have the names that a workload's request needs, and which of them the check
 * deletes.
 */
class ProvisioningCheckTest extends ProvisioningCheckFixture {

  /** What was asked for while the check was still in the queue, as a new replica finds it. */
  @Test
  void itKnowsForWhomThereAreRequests() {
    ProvisioningRequest ours = request("train-spot-2", "train-uid");
    ours.metadata().getOwnerReferences().getFirst().setKind("Workload");
    ours.metadata().getOwnerReferences().getFirst().setName("train");
    requests.put(ours);
    ProvisioningRequest unmarked = request("other-spot-1", "other-uid");
    unmarked.metadata().setAnnotations(null);
    requests.put(unmarked);

    assertThat(check.owned())
        .containsExactly(new Holding(new ObjectKey("default", "train"), "train-uid", "spot", ""));
  }

  @Test
  void aRequestOfAnotherOwnerIsKeptAndTheNewOneGetsAnotherName() {
    requests.put(request(REQUEST.name(), "a-colleague"));

    assertThat(check.evaluate(evaluation())).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(check.evaluate(evaluation())).isEqualTo(Verdict.pending(Answer.NONE_YET));

    assertThat(resources.deleted).isEmpty();
    assertThat(requests.list()).extracting(ObjectKey::of).containsExactly(REQUEST, OTHER);
    assertThat(requests.get(OTHER).orElseThrow().spec().podSets())
        .extracting(podSet -> podSet.podTemplateRef().name())
        .containsExactly("ppt-" + OTHER.name() + "-main");
    assertThat(templates.list())
        .extracting(template -> template.getMetadata().getName())
        .containsExactly("ppt-" + OTHER.name() + "-main");
  }

  /** Its owner may keep it for ever with a finalizer. */
  @Test
  void anotherOwnersRequestThatIsGoingIsNotWaitedFor() {
    ProvisioningRequest going = request(REQUEST.name(), "a-colleague");
    going.metadata().setDeletionTimestamp(NOW.atOffset(java.time.ZoneOffset.UTC));
    requests.put(going);

    check.evaluate(evaluation());

    assertThat(requests.get(OTHER)).isPresent();
    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void theOtherNameStaysInUseWhenTheUsualOneIsFree() {
    requests.put(request(REQUEST.name(), "a-colleague"));
    check.evaluate(evaluation());
    requests.remove(REQUEST);

    check.evaluate(evaluation());

    assertThat(requests.list()).extracting(ObjectKey::of).containsExactly(OTHER);
    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void ofTwoRequestsForOneReservationOneGoes() {
    requests.put(request(REQUEST.name(), "a-colleague"));
    check.evaluate(evaluation());
    ProvisioningRequest other = requests.get(OTHER).orElseThrow();
    requests.remove(REQUEST);
    requests.remove(OTHER);
    check.evaluate(evaluation()); // Not visible yet.
    requests.put(other);

    check.evaluate(evaluation());

    assertThat(resources.deleted).containsExactly(REQUEST);
  }

  @Test
  void anOwnRequestThatIsGoingIsWaitedFor() {
    ProvisioningRequest going = request(REQUEST.name(), "train-uid");
    going.metadata().setDeletionTimestamp(NOW.atOffset(java.time.ZoneOffset.UTC));
    requests.put(going);

    assertThat(check.evaluate(evaluation())).isEqualTo(REPLACING);
    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void whatTheConfigurationSaysNowReplacesTheRequest() {
    check.evaluate(evaluation("{\"provisioningClassName\": \"c\"}"));
    assertThat(resources.deleted).isEmpty();

    for (String config :
        List.of(
            "{\"provisioningClassName\": \"d\"}",
            "{\"provisioningClassName\": \"c\", \"parameters\": {\"zone\": \"b\"}}")) {
      assertThat(check.evaluate(evaluation(config))).isEqualTo(REPLACING);
      assertThat(resources.deleted).containsExactly(REQUEST);
      resources.deleted.clear();
    }
    assertThat(
            check.evaluate(
                evaluation("{\"provisioningClassName\": \"c\", \"managedResources\": [\"tpu\"]}")))
        .isEqualTo(Verdict.ready("the provisioning request is not needed"));
    assertThat(resources.deleted).containsExactly(REQUEST);
  }

  /** The API server would refuse the request, which would look like a failure of the backend. */
  @Test
  void annotationsThatNoRequestMayHaveRejectTheWorkload() {
    Evaluation<ProvisioningRequestConfigSpec> tooLong = evaluation();
    tooLong
        .workload()
        .metadata()
        .putAnnotationsItem("provreq.kueue.x-k8s.io/zone", "z".repeat(256));
    assertThat(check.evaluate(tooLong))
        .isInstanceOf(Verdict.Rejected.class)
        .hasFieldOrPropertyWithValue(
            "message",
            "The annotation provreq.kueue.x-k8s.io/zone of the workload has more than the 255"
                + " characters that a parameter of a ProvisioningRequest may have: shorten it.");

    Evaluation<ProvisioningRequestConfigSpec> tooMany = evaluation();
    for (int i = 0; i < 101; i++) {
      tooMany.workload().metadata().putAnnotationsItem("provreq.kueue.x-k8s.io/p" + i, "");
    }
    assertThat(check.evaluate(tooMany)).isInstanceOf(Verdict.Rejected.class);
    assertThat(requests.list()).isEmpty();
  }

  /** What another implementation has asked for is answered to its successor. */
  @Test
  void anOpenRequestOfAnotherImplementationIsTakenOver() {
    ProvisioningRequest theirs = request(REQUEST.name(), "train-uid");
    theirs.metadata().setAnnotations(null);
    theirs.metadata().setCreationTimestamp(NOW.atOffset(java.time.ZoneOffset.UTC));
    theirs =
        theirs.withSpec(
            new ProvisioningRequestSpec(
                "c",
                List.of(
                    new ProvisioningRequestPodSet(
                        new ProvisioningRequestReference(TEMPLATE.name()), 1)),
                Map.of()));
    requests.put(theirs);

    assertThat(check.evaluate(evaluation())).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(resources.deleted).isEmpty();
    assertThat(requests.list()).hasSize(1);

    theirs.metadata().setCreationTimestamp(NOW.minusSeconds(1).atOffset(java.time.ZoneOffset.UTC));
    assertThat(check.evaluate(evaluation())).isEqualTo(REPLACING);
    assertThat(resources.deleted).containsExactly(REQUEST);
  }

  @Test
  void requestsOfOtherAttemptsGiveTheirRoomUp() {
    requests.put(request("train-spot-1", "train-uid"));
    requests.put(request("other-spot-1", "other-uid"));

    check.evaluate(evaluation());

    assertThat(resources.deleted).containsExactly(new ObjectKey("default", "train-spot-1"));
    assertThat(requests.get(REQUEST)).isPresent();
  }

  /** Without a garbage collector it would stay for ever. */
  @Test
  void aRequestOfAFormerWorkloadOfTheSameNameIsReplaced() {
    ProvisioningRequest former = request(REQUEST.name(), "former-uid");
    former.metadata().getOwnerReferences().getFirst().kind("Workload").name("train");
    former
        .metadata()
        .putAnnotationsItem(Ownership.RESERVATION, NOW.toString()); // Within the same second.
    requests.put(former);

    assertThat(check.evaluate(evaluation())).isEqualTo(REPLACING);
    assertThat(resources.deleted).containsExactly(REQUEST);

    resources.deleted.clear();
    former.metadata().putAnnotationsItem(Ownership.CHECK, "another-check");
    assertThat(check.evaluate(evaluation())).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(requests.get(OTHER)).isPresent();
    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void aRequestThatTheCheckReplacesItselfIsCreatedAgainWithoutAPause() {
    check.evaluate(evaluation());
    for (String other : List.of("d", "c", "d")) {
      String config = "{\"provisioningClassName\": \"" + other + "\"}";
      assertThat(check.evaluate(evaluation(config))).isEqualTo(REPLACING);
      requests.remove(REQUEST);

      check.evaluate(evaluation(config));
      assertThat(requests.get(REQUEST)).isPresent();
    }
  }

  @Test
  void noPauseIsLongerThoughTheClockIsSetBack() {
    for (int i = 0; i < 3; i++) {
      check.evaluate(evaluation());
      requests.remove(REQUEST);
    }
    assertThat(requests.get(REQUEST)).isEmpty();

    check.evaluate(evaluation("{\"provisioningClassName\": \"c\"}", NOW.minusSeconds(1)));

    assertThat(requests.get(REQUEST)).isPresent();
  }

  /** The watch of requests may be ahead of that of Workloads, and a Retry would evict what runs. */
  @Test
  void aBookingThatExpiresJustAfterTheAdmissionIsIgnored() {
    check.evaluate(evaluation());
    ProvisioningRequest expired = requests.get(REQUEST).orElseThrow().withStatus(expired());
    requests.put(expired);
    Evaluation<ProvisioningRequestConfigSpec> ready =
        evaluation(
            "{\"provisioningClassName\": \"c\"}",
            NOW,
            AdmissionCheckState.pending("spot", NOW).withRetryCount(1).withState(CheckState.READY));

    workloads.put(ready.workload());
    assertThat(check.evaluate(ready)).isInstanceOf(Verdict.Retry.class);
    workloads.put(admitted(ready.workload()));
    assertThat(check.evaluate(ready)).isInstanceOf(Verdict.Unchanged.class);
    // Another one of that name says nothing about this one.
    workloads.put(admitted(ready.workload().withMetadata(metadata("train").uid("another-uid"))));
    assertThat(check.evaluate(ready)).isInstanceOf(Verdict.Retry.class);
  }

  /** Each ends with a Retry of the SDK, once the error budget is spent, and the core counts it. */
  @Test
  void attemptsForWhichNoRequestCouldBeMadeBringNoRejectionNearer() {
    resources.refusing = true;
    for (int attempt = 0; attempt < 3; attempt++) {
      Evaluation<ProvisioningRequestConfigSpec> refused = attempt(attempt);
      assertThatThrownBy(() -> check.evaluate(refused)).hasMessage("failed calling webhook");
    }
    resources.refusing = false;

    assertThat(IntStream.range(3, 6).mapToObj(this::failed))
        .hasSize(3)
        .allMatch(Verdict.Retry.class::isInstance);
    assertThat(failed(6)).as("the fourth failure").isInstanceOf(Verdict.Rejected.class);
    assertThat(failed(0)).as("active again").isInstanceOf(Verdict.Retry.class);
  }

  private static Evaluation<ProvisioningRequestConfigSpec> attempt(int number) {
    return evaluation(
        "{\"provisioningClassName\": \"c\"}",
        NOW,
        AdmissionCheckState.pending("spot", NOW).withRetryCount(number));
  }

  private Verdict failed(int number) {
    assertThat(check.evaluate(attempt(number))).isEqualTo(Verdict.pending(Answer.NONE_YET));
    ObjectKey key = new ObjectKey("default", "train-spot-" + (number + 1));
    requests.put(
        requests
            .get(key)
            .orElseThrow()
            .withStatus(
                new ProvisioningRequestStatus(
                    List.of(Condition.isTrue("Failed", "Failed", "none left", NOW)), Map.of())));
    Verdict verdict = check.evaluate(attempt(number));
    check.cleanUp(attempt(number).workload(), Holding.of(attempt(number)));
    return verdict;
  }

  private static ProvisioningRequestStatus expired() {
    return new ProvisioningRequestStatus(
        List.of(
            Condition.isTrue("Provisioned", "Provisioned", "", NOW),
            Condition.isTrue("BookingExpired", "BookingExpired", "too late", NOW)),
        Map.of());
  }

  private static Workload admitted(Workload workload) {
    return workload.withStatus(
        workload
            .status()
            .withConditions(
                List.of(
                    Condition.isTrue("QuotaReserved", "QuotaReserved", "", NOW),
                    Condition.isTrue("Admitted", "Admitted", "", NOW))));
  }
}
