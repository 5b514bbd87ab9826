// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.queue.WorkloadPriority;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The messages of a preemption: for the conditions and the events of both sides. */
@API(status = API.Status.INTERNAL)
public final class PreemptionTexts {
  private static final String UNKNOWN = "UNKNOWN";
  private static final String FOR_UID = "Preempted to accommodate a workload (UID: ";
  private static final String FOR_JOB = ", JobUID: ";
  private static final String FOR_PATH = "; preemptor path: ";

  /** The text of {@link #message} up to the last name of the preemptor's path. */
  private static final Pattern MESSAGE =
      Pattern.compile(
          Pattern.quote(FOR_UID)
              + "([^,;]+)"
              + Pattern.quote(FOR_JOB)
              + "[^;]*"
              + Pattern.quote(FOR_PATH)
              + "[^;]*/([^;/]+)(?:;|$)");

  /** More would not fit into a note. */
  private static final int NAMED_VICTIMS = 6;

  private PreemptionTexts() {}

  /**
   * The preemptor, as the messages describe it.
   *
   * @param uid of the Workload
   * @param jobUid of its Job; may be empty
   * @param path of its ClusterQueue, from the root cohort
   */
  @API(status = API.Status.INTERNAL)
  public record PreemptorDescription(
      String uid, String jobUid, String path, WorkloadPriority priority) {}

  /**
   * The message of the victim's conditions Evicted and Preempted.
   *
   * @param path of the victim's ClusterQueue, from the root cohort
   */
  public static String message(Target target, PreemptorDescription preemptor, String path) {
    return FOR_UID
        + known(preemptor.uid())
        + FOR_JOB
        + known(preemptor.jobUid())
        + ") due to "
        + target.reason().phrase()
        + FOR_PATH
        + preemptor.path()
        + "; preemptee path: "
        + path;
  }

  /**
   * The preemptor that a victim's condition names.
   *
   * @param uid of the Workload
   * @param clusterQueue in which it waited when it preempted
   */
  @API(status = API.Status.INTERNAL)
  public record NamedPreemptor(String uid, String clusterQueue) {}

  /**
   * Reads the preemptor from a {@link #message}, of this core or another one of the same API.
   *
   * @param message of any length and content
   * @return empty if it isn't such a message
   */
  public static Optional<NamedPreemptor> preemptorIn(String message) {
    Matcher matcher = MESSAGE.matcher(message);
    return matcher.lookingAt()
        ? Optional.of(new NamedPreemptor(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  /** The note of the event on the victim. */
  public static String noteOnVictim(
      PreemptorDescription preemptor, WorkloadPriority victim, String message) {
    return message + "; " + priorities(preemptor, victim);
  }

  /**
   * The note of the event on the preemptor: one for all victims, whether they are evicted already
   * or not, so that it stays the same while they are. A victim in another namespace is not named.
   *
   * @param namespace of the preemptor
   */
  public static String noteOnPreemptor(
      PreemptorDescription preemptor, String namespace, List<Target> targets) {
    String victims =
        targets.stream()
            .map(Target::candidate)
            .sorted(Comparator.comparing(Candidate::key))
            .limit(NAMED_VICTIMS)
            .map(victim -> description(victim, namespace))
            .collect(Collectors.joining(", "));
    int others = targets.size() - NAMED_VICTIMS;
    return "Preempted "
        + (targets.size() == 1 ? "workload " : targets.size() + " workloads: ")
        + victims
        + (others > 0 ? " and " + others + " more" : "")
        + "; "
        + priority("preemptor", preemptor.priority());
  }

  private static String description(Candidate victim, String namespace) {
    String name = victim.key().namespace().equals(namespace) ? victim.key() + " " : "";
    return name + "(UID: " + victim.uid() + ") in ClusterQueue " + victim.clusterQueue();
  }

  /** The end of the preemptor's QuotaReserved=False message. */
  public static String pending(int targets) {
    return ". Pending the preemption of " + targets + " workload(s)";
  }

  private static String priorities(PreemptorDescription preemptor, WorkloadPriority victim) {
    return priority("preemptor", preemptor.priority()) + "; " + priority("preemptee", victim);
  }

  private static String priority(String who, WorkloadPriority priority) {
    return "%s effective priority: %d (base: %d, boost: %d)"
        .formatted(who, priority.effective(), priority.base(), priority.boost());
  }

  private static String known(String uid) {
    return uid.isEmpty() ? UNKNOWN : uid;
  }
}
