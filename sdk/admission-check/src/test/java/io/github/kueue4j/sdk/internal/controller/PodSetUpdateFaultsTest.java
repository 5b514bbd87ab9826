// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How much a Ready may add to pods. */
class PodSetUpdateFaultsTest {

  private static final int KIB = 1024;

  @Test
  void updatesThatFitPodsButNotTheWorkloadAreRefused() {
    assertThat(PodSetUpdateFaults.of(workload("a", "b", "c"), updates(200 * KIB, "a", "b")))
        .isEmpty();
    assertThat(PodSetUpdateFaults.of(workload("a", "b", "c"), updates(200 * KIB, "a", "b", "c")))
        .hasValueSatisfying(
            fault ->
                assertThat(fault)
                    .startsWith("its updates up to that of the pod set 'c' have 614")
                    .endsWith(
                        " bytes: write at most 524288 for all pod sets of a workload together"));
  }

  /** The server counts bytes. */
  @Test
  void aCharacterMayHaveSeveralBytes() {
    PodSetUpdate update = update("a", "\u00fc".repeat(200 * KIB));

    assertThat(PodSetUpdateFaults.of(workload("a"), List.of(update)))
        .hasValueSatisfying(fault -> assertThat(fault).contains("bytes: write at most 262144"));
  }

  private static List<PodSetUpdate> updates(int size, String... podSets) {
    return Stream.of(podSets).map(name -> update(name, "x".repeat(size))).toList();
  }

  private static PodSetUpdate update(String podSet, String note) {
    return new PodSetUpdate(podSet, Map.of(), Map.of("note", note), Map.of(), List.of());
  }

  private static Workload workload(String... podSets) {
    String all =
        String.join(
            ", ",
            Stream.of(podSets)
                .map(name -> "{\"name\": \"%s\", \"count\": 1}".formatted(name))
                .toList());
    return KueueJson.fromJson(
        """
        {"metadata": {"namespace": "team-a", "name": "train"}, "spec": {"podSets": [%s]}}
        """
            .formatted(all),
        Workload.class);
  }
}
