// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.AssignedPodSet;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The workloads that may start as far as this controller is concerned, and what their pods need, as
 * the objects tell. The policies of checks are known from their evaluations. Not safe for use by
 * several threads.
 */
final class LetThrough {

  private final ClusterObjects objects;
  private final GpuPolicy withoutParameters;
  private final Map<String, GpuPolicy> policies = new HashMap<>();

  /**
   * Knows no policies yet.
   *
   * @param withoutParameters by which workloads are counted that no check let through
   */
  LetThrough(ClusterObjects objects, GpuPolicy withoutParameters) {
    this.objects = objects;
    this.withoutParameters = withoutParameters;
  }

  /**
   * Takes in by which policy a check answers.
   *
   * @return whether that is new
   */
  boolean takeIn(String check, GpuPolicy policy) {
    return !policy.equals(policies.put(check, policy));
  }

  /** The resources among cpu and memory, which every node has, that known policies count. */
  Set<String> usualResources() {
    return policies.values().stream()
        .flatMap(policy -> policy.usualResources().stream())
        .collect(Collectors.toSet());
  }

  /** Drops what is known of a check that is gone. */
  void forget(String check) {
    policies.remove(check);
  }

  /**
   * Since when the workload's pods may start: a check has answered Ready, or would have, or it is
   * admitted, whatever checks say.
   */
  Optional<Instant> since(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    if (!conditions.holdsQuota() || conditions.evicted()) {
      return Optional.empty();
    }
    return conditions
        .trueSince(WorkloadConditions.ADMITTED)
        .or(
            () ->
                checks(workload, CheckState.READY)
                    .flatMap(check -> workload.status().admissionCheck(check).stream())
                    .filter(LetThrough::hadRoom)
                    .map(entry -> entry.lastTransitionTime())
                    .max(Instant::compareTo));
  }

  /** Also a record is Ready, of an answer that a check only would have given. */
  private static boolean hadRoom(AdmissionCheckState ready) {
    return ObservedAnswer.of(ready).stream()
        .allMatch(answer -> answer.state().equals(CheckState.READY));
  }

  /** The checks of this controller whose entry is in this state. */
  Stream<String> checks(Workload workload, CheckState state) {
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.is(state))
        .map(entry -> entry.name())
        .filter(objects::isOwnCheck);
  }

  /**
   * The reservation of a workload that was let through by a former process, or without a check of
   * this controller. Where its own policy asks for no room, such as for a pod without GPUs, it
   * takes what it needs of the cpu and memory that others count.
   */
  Reservation reservation(Workload workload, Instant now) {
    List<String> checks = checks(workload, CheckState.READY).toList();
    List<AssignedPodSet> podSets = objects.podSets(workload);
    GpuPolicy policy =
        checks.stream()
            .flatMap(check -> Optional.ofNullable(policies.get(check)).stream())
            .findFirst()
            .orElseGet(() -> checks.isEmpty() ? withoutParameters : unknown(workload, podSets));
    Demand demand = Demand.of(workload, podSets, policy);
    Set<String> usual = usualResources();
    if (demand.isEmpty() && demand.autoscaled().isEmpty() && !usual.isEmpty()) {
      demand = Demand.of(workload, podSets, policy.withResources(List.copyOf(usual)));
    }
    return Reservation.derived(Uids.of(workload), demand, policy.reservationTimeout(), now);
  }

  /**
   * In place of the policy of a check that wasn't evaluated since the start: every extended
   * resource may be one of its GPUs; where there is none and a domain was chosen, it counts cpu or
   * memory.
   */
  private GpuPolicy unknown(Workload workload, List<AssignedPodSet> podSets) {
    List<String> devices =
        podSets.stream()
            .flatMap(
                podSet -> Stream.of(podSet.requests(), PodRequests.of(podSet.template().getSpec())))
            .flatMap(requests -> requests.entrySet().stream())
            .filter(one -> one.getKey().contains("/") && one.getValue().value() > 0)
            .map(Map.Entry::getKey)
            .distinct()
            .toList();
    if (!devices.isEmpty()) {
      return withoutParameters.withResources(devices);
    }
    return checks(workload, CheckState.READY)
            .flatMap(check -> workload.status().admissionCheck(check).stream())
            .allMatch(entry -> entry.podSetUpdates().isEmpty())
        ? withoutParameters
        : withoutParameters.withResources(List.of("cpu", "memory"));
  }
}
