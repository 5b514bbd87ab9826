// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.Evidence;
import io.github.kueue4j.observe.explain.Explanation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Workload, its checks, and why it isn't running: the answer of {@code explain}.
 *
 * @param time of the answer
 * @param strips of its checks
 * @param notAsked the checks that are asked once others are Ready
 * @param transitions what this process has seen of it, the oldest first
 */
record ShownExplanation(
    Instant time,
    ShownWorkload workload,
    WhyAnswer explanation,
    List<ShownChecks.NamedStrip> strips,
    List<NotAskedCheck> notAsked,
    List<Transition> transitions) {

  /**
   * A check that isn't asked yet.
   *
   * @param after those that have to be Ready before, for any viewer; empty if the core may not read
   *     AdmissionChecks
   */
  record NotAskedCheck(String check, Set<String> after) {}

  /**
   * Why it isn't running.
   *
   * @param reason as {@code explain} calls it
   * @param actor who has to act
   * @param action what that would be
   * @param nextWake when it goes on by itself; null if that doesn't depend on time
   */
  record WhyAnswer(
      String reason,
      String summary,
      String actor,
      String action,
      @Nullable Instant nextWake,
      List<Evidence> evidence) {

    /**
     * The part of an explanation that a viewer may know.
     *
     * @param clusterWide whether that includes queues, Cohorts and quota
     */
    static WhyAnswer of(Explanation found, boolean clusterWide) {
      return new WhyAnswer(
          found.reason().code(),
          found.summary(),
          found.whoActs().actor().words(),
          found.whoActs().action(),
          found.nextWake(),
          found.evidence().stream()
              .filter(fact -> clusterWide || isOf(fact, found.subject().namespace()))
              .toList());
    }

    private static boolean isOf(Evidence fact, String namespace) {
      String[] parts = fact.object().split("/", -1);
      return parts.length == 3 && parts[1].equals(namespace);
    }
  }

  static ShownExplanation of(
      ViewSnapshot snapshot,
      Workload workload,
      WhyAnswer explanation,
      Map<String, ? extends Set<String>> notAsked,
      Transitions transitions) {
    List<Transition> seen = transitions.of(ObjectKey.of(workload));
    return new ShownExplanation(
        snapshot.time(),
        ShownWorkload.of(snapshot, workload),
        explanation,
        ShownChecks.of(workload, seen),
        notAsked.entrySet().stream()
            .map(check -> new NotAskedCheck(check.getKey(), check.getValue()))
            .toList(),
        seen);
  }
}
