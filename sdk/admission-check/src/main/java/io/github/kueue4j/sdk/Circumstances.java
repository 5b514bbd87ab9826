// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.NearestName;
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
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Circumstances(
    Duration timeout, Optional<Duration> longestDelay, Supplier<Set<String>> requested) {

  /**
   * Of resources that no Workload asks for, while Workloads ask for another that is spelt almost
   * the same.
   *
   * @param field that names them, such as {@code spec.resources}
   */
  public Optional<String> misspelt(String field, Collection<String> resources) {
    return resources.isEmpty()
        ? Optional.empty()
        : NearestName.misspelt(resources, requested.get()).stream()
            .map(
                found ->
                    field
                        + " names "
                        + found.name()
                        + ", which no Workload asks for, and Workloads ask for "
                        + found.meant()
                        + ": correct the name")
            .collect(Collectors.collectingAndThen(Collectors.joining("; "), Optional::of))
            .filter(text -> !text.isEmpty());
  }
}
