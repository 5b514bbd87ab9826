// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ProvisioningNodeSelector;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRetryStrategy;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the autoscaler's answer from a ProvisioningRequest. A function of values. */
final class Answer {

  static final Reason FAILED = Reason.of("ProvisioningFailed");
  private static final Reason REVOKED = Reason.of("CapacityRevoked");
  private static final Reason EXPIRED = Reason.of("BookingExpired");

  static final String CONSUME = "autoscaling.x-k8s.io/consume-provisioning-request";

  /** Where no autoscaler serves the class, the message stays this one. */
  static final String NONE_YET = "Waiting for an autoscaler to answer the provisioning request.";

  private static final String CLASS = "autoscaling.x-k8s.io/provisioning-class-name";

  private Answer() {}

  /**
   * The verdict on a workload that waits for this request; the first condition that holds counts.
   *
   * @param failures how many attempts have failed before
   */
  static Verdict of(
      ProvisioningRequest request,
      List<RequestedPodSets.Group> groups,
      ProvisioningRequestConfigSpec config,
      int failures) {
    if (is(request, "Failed")) {
      String message = message(request, "Failed");
      return failures >= config.retryStrategy().backoffLimitCount()
          ? Verdict.rejected(FAILED, message)
          : again(FAILED, "Retrying after failure: " + message, config);
    }
    if (is(request, "CapacityRevoked")) {
      return Verdict.rejected(REVOKED, message(request, "CapacityRevoked"));
    }
    if (is(request, "BookingExpired")) {
      return expired(request, config);
    }
    if (is(request, "Provisioned")) {
      return Verdict.ready(provisioned(request, config), updates(request, groups, config));
    }
    String message = message(request, "Provisioned");
    return Verdict.pending(message.isEmpty() ? NONE_YET : message);
  }

  /**
   * The verdict on a workload that was let through already.
   *
   * @param admitted whether it has started: an expired booking no longer matters then; asked only
   *     if it has expired
   */
  static Verdict ofConsumed(
      ProvisioningRequest request, ProvisioningRequestConfigSpec config, BooleanSupplier admitted) {
    if (is(request, "CapacityRevoked")) {
      return Verdict.rejected(REVOKED, message(request, "CapacityRevoked"));
    }
    if (is(request, "BookingExpired") && !admitted.getAsBoolean()) {
      return expired(request, config);
    }
    return Verdict.unchanged("The capacity is still there.");
  }

  /** Never the last one: there was capacity, and what came too late is another check's Ready. */
  private static Verdict expired(
      ProvisioningRequest request, ProvisioningRequestConfigSpec config) {
    return again(
        EXPIRED, "Retrying after booking expired: " + message(request, "BookingExpired"), config);
  }

  /** With jitter: what one shortage has stopped must not ask for capacity again in one second. */
  private static Verdict again(
      Reason reason, String message, ProvisioningRequestConfigSpec config) {
    ProvisioningRetryStrategy strategy = config.retryStrategy();
    int base = strategy.backoffBaseSeconds();
    int max = strategy.backoffMaxSeconds();
    if (base <= 0 || max <= 0) {
      return Verdict.retry(reason, message, Delay.exactly(Duration.ZERO));
    }
    return Verdict.retry(
        reason,
        message,
        Backoff.exponential(Duration.ofSeconds(base), 2).atMost(Duration.ofSeconds(max)));
  }

  private static List<PodSetUpdate> updates(
      ProvisioningRequest request,
      List<RequestedPodSets.Group> groups,
      ProvisioningRequestConfigSpec config) {
    Map<String, String> nodeSelector = new HashMap<>();
    Map<String, String> details = request.status().provisioningClassDetails();
    for (ProvisioningNodeSelector selector : selectors(config)) {
      String detail = details.get(selector.valueFromProvisioningClassDetail());
      if (detail != null) {
        nodeSelector.put(selector.key(), detail);
      }
    }
    Map<String, String> annotations =
        Map.of(CONSUME, request.key().name(), CLASS, request.spec().provisioningClassName());
    return groups.stream()
        .map(
            group ->
                PodSetUpdate.of(group.name())
                    .withAnnotations(annotations)
                    .withNodeSelector(nodeSelector))
        .toList();
  }

  private static List<ProvisioningNodeSelector> selectors(ProvisioningRequestConfigSpec config) {
    return config.podSetUpdates() == null ? List.of() : config.podSetUpdates().nodeSelector();
  }

  /** With each node selector that the pods don't get. */
  private static String provisioned(
      ProvisioningRequest request, ProvisioningRequestConfigSpec config) {
    Map<String, String> details = request.status().provisioningClassDetails();
    Stream<String> missing =
        selectors(config).stream()
            .filter(selector -> !details.containsKey(selector.valueFromProvisioningClassDetail()))
            .map(
                selector ->
                    "the pods get no node selector "
                        + selector.key()
                        + ", since the autoscaler gave no detail "
                        + selector.valueFromProvisioningClassDetail()
                        + ": correct podSetUpdates of the ProvisioningRequestConfig");
    return Stream.concat(Stream.of(message(request, "Provisioned")), missing)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static boolean is(ProvisioningRequest request, String type) {
    return Conditions.isTrue(request.status().conditions(), type);
  }

  private static String message(ProvisioningRequest request, String type) {
    return Conditions.find(request.status().conditions(), type).map(Condition::message).orElse("");
  }
}
