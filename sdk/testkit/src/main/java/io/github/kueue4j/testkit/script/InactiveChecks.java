// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Ends one wait for the word of checks when a controller says that it can't work: its
 * AdmissionCheck is Active=False. It must have been so for a moment, because a test may have made
 * what was missing just before.
 */
final class InactiveChecks {
  /** In real time. */
  static final Duration MOMENT = Duration.ofSeconds(2);

  private final Function<String, Optional<ObjectNode>> objects;

  /** Since when, by {@link System#nanoTime}, each has been seen inactive. */
  private final Map<String, Long> since = new HashMap<>();

  /**
   * For one wait.
   *
   * @param objects reads an AdmissionCheck by its name
   */
  InactiveChecks(Function<String, Optional<ObjectNode>> objects) {
    this.objects = objects;
  }

  /** What one of these checks says, with whom no wait will end; empty if there is none. */
  Optional<String> complaint(Collection<String> checks) {
    Map<String, String> inactive =
        Set.copyOf(checks).stream()
            .flatMap(check -> whyInactive(check).map(why -> Map.entry(check, why)).stream())
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    since.keySet().retainAll(inactive.keySet());
    long now = System.nanoTime();
    return inactive.entrySet().stream()
        .filter(each -> now - since.computeIfAbsent(each.getKey(), key -> now) >= MOMENT.toNanos())
        .map(
            each ->
                "the controller of the AdmissionCheck "
                    + each.getKey()
                    + " says Active=False, "
                    + each.getValue())
        .findFirst();
  }

  private Optional<String> whyInactive(String check) {
    return objects
        .apply(check)
        .flatMap(
            object ->
                StreamSupport.stream(object.path("status").path("conditions").spliterator(), false)
                    .filter(each -> Trees.text(each, "type").equals("Active"))
                    .filter(each -> Trees.text(each, "status").equals("False"))
                    .map(InactiveChecks::reason)
                    .findFirst());
  }

  private static String reason(JsonNode condition) {
    return Trees.text(condition, "reason") + ": " + Trees.text(condition, "message");
  }
}
