// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ProvisioningNodeSelector;
import io.github.kueue4j.api.ProvisioningPodSetUpdates;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRequestSpec;
import io.github.kueue4j.api.ProvisioningRequestStatus;
import io.github.kueue4j.api.ProvisioningRetryStrategy;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final ProvisioningRequestConfigSpec CONFIG = config(null);
  private static final List<RequestedPodSets.Group> GROUPS =
      List.of(new RequestedPodSets.Group("main", new V1PodTemplateSpec(), 3));

  @Test
  void withoutAnAnswerTheWorkloadWaitsAndSeesTheEstimate() {
    assertThat(verdict(request(), 0)).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(
            verdict(
                request(
                    Condition.isTrue("Accepted", "Accepted", "", NOW),
                    Condition.isFalse("Provisioned", "Waiting", "ETA: 2 minutes", NOW)),
                0))
        .isEqualTo(Verdict.pending("ETA: 2 minutes"));
  }

  @Test
  void provisionedCapacityIsConsumedByThePods() {
    ProvisioningRequestConfigSpec config =
        config(
            new ProvisioningPodSetUpdates(
                List.of(
                    new ProvisioningNodeSelector("pool", "poolName"),
                    new ProvisioningNodeSelector("zone", "notTold"))));
    ProvisioningRequest provisioned =
        request(Condition.isTrue("Provisioned", "Provisioned", "here it is", NOW));
    provisioned =
        provisioned.withStatus(
            new ProvisioningRequestStatus(
                provisioned.status().conditions(), Map.of("poolName", "pool-7")));

    assertThat(Answer.of(provisioned, GROUPS, config, 0))
        .isEqualTo(
            Verdict.ready(
                "here it is; the pods get no node selector zone, since the autoscaler gave no detail"
                    + " notTold: correct podSetUpdates of the ProvisioningRequestConfig",
                List.of(
                    PodSetUpdate.of("main")
                        .withAnnotations(
                            Map.of(
                                "autoscaling.x-k8s.io/consume-provisioning-request",
                                "train-spot-1",
                                "autoscaling.x-k8s.io/provisioning-class-name",
                                "spot"))
                        .withNodeSelector(Map.of("pool", "pool-7")))));
  }

  /** Many Workloads that failed together; those at the longest delay are spread below it. */
  @ParameterizedTest
  @CsvSource({"0, 60, 72", "1, 120, 144", "2, 240, 288", "9, 1440, 1800"})
  void failedRequestsAreTriedAgainSpread(int retryCount, long shortest, long longest) {
    ProvisioningRequestConfigSpec patient =
        new ProvisioningRequestConfigSpec(
            "spot-class",
            Map.of(),
            List.of(),
            new ProvisioningRetryStrategy(99, 60, 1800),
            null,
            null);
    Verdict verdict =
        Answer.of(
            request(Condition.isTrue("Failed", "OutOfResources", "none left", NOW)),
            GROUPS,
            patient,
            retryCount);

    assertThat(verdict).isInstanceOf(Verdict.Retry.class);
    Verdict.Retry retry = (Verdict.Retry) verdict;
    assertThat(retry.message()).isEqualTo("Retrying after failure: none left");
    Random random = new Random(1);
    assertThat(
            Stream.generate(
                    () -> retry.delay().resolve(retryCount, NOW, random).orElseThrow().toSeconds())
                .limit(1000))
        .allMatch(delay -> delay >= shortest && delay <= longest)
        .as("different delays")
        .satisfies(delays -> assertThat(new HashSet<>(delays)).hasSizeGreaterThanOrEqualTo(12));
  }

  @Test
  void theLimitAndTheDelaysAreThoseOfTheConfiguration() {
    ProvisioningRequestConfigSpec config =
        new ProvisioningRequestConfigSpec(
            "spot", Map.of(), List.of(), new ProvisioningRetryStrategy(2, 10, 15), null, null);
    ProvisioningRequest failed =
        request(Condition.isTrue("Failed", "OutOfResources", "none left", NOW));

    assertThat(delay(Answer.of(failed, GROUPS, config, 0), 0))
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
    assertThat(delay(Answer.of(failed, GROUPS, config, 1), 1))
        .isBetween(Duration.ofSeconds(12), Duration.ofSeconds(15));
    assertThat(Answer.of(failed, GROUPS, config, 2)).isInstanceOf(Verdict.Rejected.class);
  }

  private static Duration delay(Verdict verdict, int retryCount) {
    return ((Verdict.Retry) verdict).delay().resolve(retryCount, NOW, new Random(1)).orElseThrow();
  }

  /** As the cluster-autoscaler says it: Failed comes after seven days of looking. */
  @Test
  void capacityThatIsNotFoundYetIsWaitedFor() {
    String message = "Capacity is not found, CA will try to find it later.";

    assertThat(
            verdict(
                request(Condition.isFalse("Provisioned", "CapacityIsNotFound", message, NOW)), 0))
        .isEqualTo(Verdict.pending(message));
    assertThat(
            verdict(request(Condition.isTrue("Provisioned", "CapacityIsFound", "found", NOW)), 0))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void oneFailureTooManyIsTheLast() {
    assertThat(verdict(request(Condition.isTrue("Failed", "Out", "none left", NOW)), 3))
        .isInstanceOf(Verdict.Rejected.class);
  }

  /**
   * There was capacity, each time: what is late may be another check with a backend that is away.
   */
  @Test
  void aBookingThatExpiresIsNeverTheLastOne() {
    assertThat(verdict(request(Condition.isTrue("BookingExpired", "Late", "too late", NOW)), 99))
        .hasFieldOrPropertyWithValue("message", "Retrying after booking expired: too late")
        .isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void theFirstConditionInTheOrderCounts() {
    Condition provisioned = Condition.isTrue("Provisioned", "Provisioned", "", NOW);
    Condition revoked = Condition.isTrue("CapacityRevoked", "Gone", "taken away", NOW);
    Condition expired = Condition.isTrue("BookingExpired", "Late", "too late", NOW);
    Condition failed = Condition.isTrue("Failed", "Broken", "broken", NOW);

    assertThat(verdict(request(provisioned, expired, revoked, failed), 0))
        .hasFieldOrPropertyWithValue("message", "Retrying after failure: broken");
    assertThat(verdict(request(provisioned, expired, revoked), 0))
        .hasFieldOrPropertyWithValue("message", "taken away")
        .isInstanceOf(Verdict.Rejected.class);
    assertThat(verdict(request(provisioned, expired), 0))
        .hasFieldOrPropertyWithValue("message", "Retrying after booking expired: too late");
  }

  @Test
  void capacityOfAStartedWorkloadMayBeRevokedButItsBookingNoLongerExpires() {
    ProvisioningRequest expired =
        request(Condition.isTrue("BookingExpired", "Late", "too late", NOW));
    ProvisioningRequest revoked =
        request(Condition.isTrue("CapacityRevoked", "Gone", "taken away", NOW));

    assertThat(Answer.ofConsumed(expired, CONFIG, () -> true))
        .isInstanceOf(Verdict.Unchanged.class);
    assertThat(Answer.ofConsumed(expired, CONFIG, () -> false)).isInstanceOf(Verdict.Retry.class);
    assertThat(Answer.ofConsumed(revoked, CONFIG, () -> true)).isInstanceOf(Verdict.Rejected.class);
  }

  private static ProvisioningRequestConfigSpec config(@Nullable ProvisioningPodSetUpdates updates) {
    return new ProvisioningRequestConfigSpec(
        "spot", Map.of(), List.of(), ProvisioningRetryStrategy.defaults(), updates, null);
  }

  private static Verdict verdict(ProvisioningRequest request, int retryCount) {
    return Answer.of(request, GROUPS, CONFIG, retryCount);
  }

  private static ProvisioningRequest request(Condition... conditions) {
    return ProvisioningRequest.named("team-a", "train-spot-1")
        .withSpec(new ProvisioningRequestSpec("spot", List.of(), Map.of()))
        .withStatus(new ProvisioningRequestStatus(Stream.of(conditions).toList(), Map.of()));
  }
}
