// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The faults in the updates of a Ready. Kueue's webhook refuses some of it, and a server without
 * one would store it; what is too large a server refuses as if it were ill itself.
 */
final class PodSetUpdateFaults {

  /** No pod can carry more: the limit of an object's annotations in Kubernetes, in bytes. */
  private static final int LARGEST = 256 * 1024;

  /**
   * For all updates together, in bytes. An object of 1.5 MiB is too large for the API server's
   * store, and the Workload carries its pod templates and managed fields besides.
   */
  private static final int LARGEST_SUM = 512 * 1024;

  private PodSetUpdateFaults() {}

  /** The first fault, for people; empty if there is none. */
  static Optional<String> of(Workload workload, List<PodSetUpdate> updates) {
    List<String> podSets = workload.spec().podSets().stream().map(PodSet::name).toList();
    Set<String> seen = new HashSet<>();
    int sum = 0;
    for (PodSetUpdate update : updates) {
      if (!podSets.contains(update.name())) {
        return Optional.of(
            "it updates the pod set '"
                + update.name()
                + "', but the workload has "
                + String.join(", ", podSets));
      }
      if (!seen.add(update.name())) {
        return Optional.of(
            "it updates the pod set '"
                + update.name()
                + "' more than once: put all additions into one update");
      }
      int size = KueueJson.toJson(update).getBytes(StandardCharsets.UTF_8).length;
      if (size > LARGEST) {
        return Optional.of(
            "its update of the pod set '%s' has %s bytes: write at most %s"
                .formatted(update.name(), size, LARGEST));
      }
      sum += size;
      if (sum > LARGEST_SUM) {
        return Optional.of(
            "its updates up to that of the pod set '%s' have %s bytes: write at most %s for all pod sets of a workload together"
                .formatted(update.name(), sum, LARGEST_SUM));
      }
    }
    return Optional.empty();
  }
}
