// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.sdk.internal.DelayText;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Against what {@link Check#remarks} holds parameters that can be read, and still don't do what
 * they say. Each method gives a remark with its remedy, or none.
 *
 * @param timeout of an evaluation, as the guards say
 * @param longestDelay the longest that is written, as the guards say; empty: any
 * @param requested the resources that Workloads ask for now
 * @param flavors the names of the ResourceFlavors that there are now
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Circumstances(
    Duration timeout,
    Optional<Duration> longestDelay,
    Supplier<Set<String>> requested,
    Supplier<Set<String>> flavors) {

  /** The {@code maximumRetryDelay} of kueue-core unless configured otherwise. */
  private static final Duration CORES_MAXIMUM = Duration.ofHours(24);

  /**
   * A remark on resources that no Workload asks for, while Workloads ask for another that is spelt
   * almost the same.
   *
   * @param field that names them, such as {@code spec.resources}
   */
  public Optional<String> misspelt(String field, Collection<String> resources) {
    return resources.isEmpty()
        ? Optional.empty()
        : NearestName.misspelt(resources, requested.get()).stream()
            .map(
                found ->
                    "%s names %s, which no Workload asks for, and Workloads ask for %s: correct the name"
                        .formatted(field, found.name(), found.meant()))
            .collect(Collectors.collectingAndThen(Collectors.joining("; "), Optional::of))
            .filter(text -> !text.isEmpty());
  }

  /**
   * A remark on flavors that don't exist. Unlike resources they are objects, so that any other name
   * is told.
   *
   * @param field that names them, such as {@code spec.autoscaledFlavors}
   */
  public Optional<String> unknownFlavors(String field, Collection<String> named) {
    if (named.isEmpty()) {
      return Optional.empty();
    }
    Set<String> known = flavors.get();
    String text =
        named.stream()
            .filter(name -> !known.contains(name))
            .distinct()
            .sorted()
            .map(
                name ->
                    field
                        + " names "
                        + name
                        + ", and there is no such ResourceFlavor: "
                        + NearestName.of(name, known)
                            .map(nearest -> "write " + nearest)
                            .orElse("correct the name")
                        + ", or create it")
            .collect(Collectors.joining("; "));
    return Optional.of(text).filter(one -> !one.isEmpty());
  }

  /**
   * A remark on a delay that is longer than any that is written. An administrator who bounds delays
   * below the core's maximum does so for the defaults, too, and knows it.
   *
   * @param field that asks for it, such as {@code spec.backoff.max}
   */
  public Optional<String> cut(String field, Optional<Duration> delay) {
    return longestDelay.flatMap(
        longest ->
            delay
                .filter(asked -> asked.compareTo(longest) > 0 && asked.compareTo(CORES_MAXIMUM) > 0)
                .map(
                    asked ->
                        field
                            + " is "
                            + DelayText.of(asked)
                            + ", and no delay is longer than "
                            + DelayText.of(longest)
                            + ": shorten it, or raise longestDelay of the guards and"
                            + " maximumRetryDelay of the core"));
  }

  /**
   * A remark on a time for a call that is longer than an evaluation leaves for it.
   *
   * @param field that asks for it, such as {@code spec.endpoint.timeout}
   * @param left for a call
   */
  public Optional<String> late(String field, Optional<Duration> asked, Duration left) {
    return asked
        .filter(time -> time.compareTo(left) > 0)
        .map(
            time ->
                "%s is %s, and a call ends after %s, since an evaluation has %s: shorten it, or raise timeout of the guards"
                    .formatted(
                        field, DelayText.of(time), DelayText.of(left), DelayText.of(timeout)));
  }
}
