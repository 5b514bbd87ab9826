// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends one wait for the word of checks when a controller says that it can't work: its
 * AdmissionCheck is Active=False. It must have been so for a while without a change of the object,
 * because a test may have made what was missing just before, and the controller may be slow to see
 * it.
 */
final class InactiveChecks {
  /** The shortest time to give a controller; real time, as the patience is. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** The part of the patience to give a controller: a test on a slow machine sets a long one. */
  private static final int PART = 10;

  /** An inactive AdmissionCheck, since it was first seen in this version. */
  private record Inactive(String version, long sinceNanos) {}

  private final Function<String, Optional<ObjectNode>> objects;

  private final Duration limit;
  private final LongSupplier nanos;
  private final Map<String, Inactive> seen = new HashMap<>();

  /**
   * For one wait.
   *
   * @param objects reads an AdmissionCheck by its name
   * @param patience how long the wait is at most
   */
  InactiveChecks(Function<String, Optional<ObjectNode>> objects, Duration patience) {
    this(objects, patience, System::nanoTime);
  }

  /** With this monotonic clock. */
  InactiveChecks(
      Function<String, Optional<ObjectNode>> objects, Duration patience, LongSupplier nanos) {
    this.objects = objects;
    this.limit = Collections.max(List.of(SHORTEST, patience.dividedBy(PART)));
    this.nanos = nanos;
  }

  /**
   * The complaint about one of these checks, for which a wait would not end; empty if there is
   * none.
   */
  Optional<String> complaint(Collection<String> checks) {
    seen.keySet().retainAll(checks);
    return Set.copyOf(checks).stream().flatMap(check -> complaint(check).stream()).findFirst();
  }

  private Optional<String> complaint(String check) {
    @Nullable ObjectNode object = objects.apply(check).orElse(null);
    Optional<String> why = object == null ? Optional.empty() : whyInactive(object);
    if (object == null || why.isEmpty()) {
      seen.remove(check);
      return Optional.empty();
    }
    String version = Trees.text(Trees.metadata(object), "resourceVersion");
    long now = nanos.getAsLong();
    Inactive since =
        seen.compute(
            check,
            (name, before) ->
                before == null || !before.version.equals(version)
                    ? new Inactive(version, now)
                    : before);
    return now - since.sinceNanos < limit.toNanos()
        ? Optional.empty()
        : why.map(
            reason ->
                "the controller of the AdmissionCheck " + check + " says Active=False, " + reason);
  }

  private static Optional<String> whyInactive(ObjectNode check) {
    return StreamSupport.stream(check.path("status").path("conditions").spliterator(), false)
        .filter(each -> Trees.text(each, "type").equals("Active"))
        .filter(each -> Trees.text(each, "status").equals("False"))
        .map(InactiveChecks::reason)
        .findFirst();
  }

  private static String reason(JsonNode condition) {
    return Trees.text(condition, "reason") + ": " + Trees.text(condition, "message");
  }
}
