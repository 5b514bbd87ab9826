/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.queue.WorkloadPriority;
import org.apiguardian.api.API;

/** What the victim's conditions and the events on both sides say. */
@API(status = API.Status.INTERNAL)
public final class PreemptionTexts {
  private static final String UNKNOWN = "UNKNOWN";

  private PreemptionTexts() {}

  /**
   * The preempting side.
   *
   * @param uid of the Workload
   * @param jobUid of its Job; may be empty
   * @param path of its ClusterQueue from the root cohort on
   */
  @API(status = API.Status.INTERNAL)
  public record For(
      ObjectKey key, String uid, String jobUid, String path, WorkloadPriority priority) {}

  /**
   * For the conditions Evicted and Preempted of the victim.
   *
   * @param path of the victim's ClusterQueue from the root cohort on
   */
  public static String message(Target target, For preemptor, String path) {
    return "Preempted to accommodate a workload (UID: "
        + known(preemptor.uid())
        + ", JobUID: "
        + known(preemptor.jobUid())
        + ") due to "
        + target.reason().words()
        + "; preemptor path: "
        + preemptor.path()
        + "; preemptee path: "
        + path;
  }

  /** For the event on the victim. */
  public static String note(For preemptor, WorkloadPriority victim, String message) {
    return message + "; " + priorities(preemptor, victim);
  }

  /** For the event on the preemptor. */
  public static String preemptorNote(Target target, For preemptor, WorkloadPriority victims) {
    Candidate victim = target.candidate();
    return "Preempted workload "
        + victim.key()
        + " (UID: "
        + known(victim.uid())
        + ") in ClusterQueue "
        + victim.clusterQueue()
        + "; "
        + priorities(preemptor, victims);
  }

  /** What follows the preemptor's own verdict. */
  public static String pending(int targets) {
    return ". Pending the preemption of " + targets + " workload(s)";
  }

  private static String priorities(For preemptor, WorkloadPriority victim) {
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
