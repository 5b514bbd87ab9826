// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The rights that a user lacks for a fuller explanation, as text. */
@API(status = API.Status.INTERNAL)
public final class MissingRights {
  /** What the scheduler decides by, besides the Workload and the namespace's labels. */
  private static final List<ResourceType<?>> FOR_QUOTA =
      List.of(
          KueueTypes.CLUSTER_QUEUE,
          KueueTypes.RESOURCE_FLAVOR,
          KueueTypes.COHORT,
          KueueTypes.WORKLOAD,
          KueueTypes.LOCAL_QUEUE);

  private MissingRights() {}

  /** Whether all may be read that the scheduler decides by. */
  static boolean noneForQuota(ExplainInput around) {
    return FOR_QUOTA.stream().allMatch(around::mayRead);
  }

  /**
   * The message that scheduling can't be foreseen without some types, and which rights it needs, as
   * a sentence; empty if all that the scheduler decides by may be read.
   *
   * @param unreadable the types of which not all objects may be read
   */
  public static Optional<String> toSchedule(Set<ResourceType<?>> unreadable) {
    List<ResourceType<?>> missing = checksAndQuota().filter(unreadable::contains).toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("What the scheduler would decide can't be foreseen:" + toRead(missing));
  }

  private static Stream<ResourceType<?>> checksAndQuota() {
    return Stream.concat(Stream.of(KueueTypes.ADMISSION_CHECK), FOR_QUOTA.stream());
  }

  /** A sentence about what can't be seen of the quota and the queue. */
  static String forQuota(ExplainInput around) {
    return noneForQuota(around)
        ? ""
        : " How much quota there is, which Workloads hold it and which are ahead can't be seen:"
            + toRead(around, FOR_QUOTA);
  }

  /** A sentence about what can't be seen of a deferred preemption. */
  static String forDeferredPreemption(ExplainInput around) {
    return " Whether one does can't be seen:" + toRead(around, checksAndQuota().toList());
  }

  /** A sentence about what can't be seen of admission checks. */
  static String forChecks(ExplainInput around) {
    return around.mayRead(KueueTypes.ADMISSION_CHECK)
        ? ""
        : " Its controller and its timeout can't be seen:"
            + toRead(around, List.of(KueueTypes.ADMISSION_CHECK));
  }

  private static String toRead(ExplainInput around, List<ResourceType<?>> needed) {
    return toRead(needed.stream().filter(type -> !around.mayRead(type)).toList());
  }

  private static String toRead(List<ResourceType<?>> missing) {
    String rights =
        Stream.of(plurals(missing, false, ""), plurals(missing, true, " in all namespaces"))
            .filter(plurals -> !plurals.isEmpty())
            .collect(Collectors.joining(", and of "));
    return " that needs get and list of "
        + rights
        + ". An administrator gives these rights by a ClusterRoleBinding, for example to the"
        + " ClusterRole kueue-"
        + missing.getFirst().kind().toLowerCase(Locale.ROOT)
        + "-viewer-role.";
  }

  private static String plurals(List<ResourceType<?>> types, boolean namespaced, String where) {
    List<String> plurals =
        types.stream()
            .filter(type -> type.namespaced() == namespaced)
            .map(ResourceType::plural)
            .toList();
    return plurals.isEmpty() ? "" : String.join(" and ", plurals) + where;
  }

  /** The evidence that an object may not be read. */
  static Evidence unread(ResourceType<?> type, String name) {
    return Evidence.of(type.kind(), name, "metadata", unread(type));
  }

  /** The same in place of a value. */
  static String unread(ResourceType<?> type) {
    return "can't be read: needs get and list of " + type.plural();
  }
}
