// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.kubernetes.client.common.KubernetesObject;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs whose start the API server stored in part only, because the definition of their kind lacks
 * fields of a pod template: such a Job is stopped at once, and its Workload deactivated. It is
 * tried again when a user activates the Workload: a core that tried by itself would start and stop
 * the Job over and over.
 */
final class DroppedFields {
  private static final Logger log = LoggerFactory.getLogger(DroppedFields.class);

  /** The reason of the event, and of the condition that deactivates. */
  private static final String REASON = "FieldDropped";

  private final EventRecorder events;
  private final InstantSource clock;

  /** By the uid of a Job, what its Workload doesn't say yet. */
  private final Map<String, String> untold = new ConcurrentHashMap<>();

  DroppedFields(EventRecorder events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  /** The API server stored the start of a Job without this field, and the Job is to be stopped. */
  void found(JobKind<?> kind, KubernetesObject job, FieldPath field) {
    String why =
        "the API server stores "
            + kind.type().kind()
            + ' '
            + ObjectKey.of(job).name()
            + " without "
            + field
            + ", since the CustomResourceDefinition "
            + kind.type().qualifiedName()
            + " lacks it or a webhook removes it: add the field, or"
            + " x-kubernetes-preserve-unknown-fields above it, or mend the webhook, then set"
            + " spec.active of the Workload to true";
    untold.put(Uids.of(job), "an undone start: " + why);
    log.atWarn()
        .addKeyValue("kind", kind.type().kind())
        .addKeyValue("job", ObjectKey.of(job))
        .addKeyValue("field", field)
        .log("The API server stores a started Job without a field; stopping it");
    events.warning(job, REASON, "Starting", "Its start was undone: " + why);
  }

  /** Whether the Job was stopped and its Workload is still to be deactivated. */
  boolean has(KubernetesObject job) {
    return untold.containsKey(Uids.of(job));
  }

  /** The admitted Workload with the cause for which it is deactivated; empty if there is none. */
  Optional<Workload> told(Workload workload, KubernetesObject job) {
    return Optional.ofNullable(untold.get(Uids.of(job)))
        .map(
            note ->
                workload.withStatus(
                    workload
                        .status()
                        .withConditions(
                            Conditions.set(
                                workload.status().conditions(),
                                Condition.isTrue(
                                    WorkloadConditions.DEACTIVATION_TARGET,
                                    REASON,
                                    note,
                                    clock.instant())))));
  }

  /** Its Workload isn't admitted any more. */
  void forget(KubernetesObject job) {
    untold.remove(Uids.of(job));
  }
}
