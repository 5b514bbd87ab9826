// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A JobSet ({@code jobset.x-k8s.io/v1alpha2}), with the fields that admission needs.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the groups of Jobs
 * @param status of the groups
 */
@API(status = API.Status.INTERNAL)
public record JobSet(V1ObjectMeta metadata, Spec spec, Status status) implements ApiObject {
  public static final ResourceType<JobSet> TYPE =
      ResourceType.of("jobset.x-k8s.io/v1alpha2", "JobSet", JobSet.class);

  public JobSet {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? new Spec(null, null, List.of(), null) : spec;
    status = status == null ? new Status(List.of(), List.of(), 0) : status;
  }

  @Override
  public ResourceType<JobSet> type() {
    return TYPE;
  }

  JobSet withSuspend(boolean suspend) {
    return new JobSet(
        metadata,
        new Spec(suspend, spec.managedBy(), spec.replicatedJobs(), spec.failurePolicy()),
        status);
  }

  /**
   * The spec of a JobSet.
   *
   * @param suspend whether it is suspended; absent counts as false
   * @param managedBy the controller that runs it; absent for that of JobSets
   * @param replicatedJobs keyed by name
   * @param failurePolicy for failed Jobs; absent if the JobSet fails at the first failure
   */
  public record Spec(
      @Nullable Boolean suspend,
      @Nullable String managedBy,
      List<ReplicatedJob> replicatedJobs,
      @Nullable FailurePolicy failurePolicy) {
    public Spec {
      replicatedJobs = replicatedJobs == null ? List.of() : List.copyOf(replicatedJobs);
    }
  }

  /**
   * How often all Jobs may be recreated because one has failed.
   *
   * @param maxRestarts the largest number of restarts
   * @param rules exceptions
   */
  public record FailurePolicy(int maxRestarts, List<FailureRule> rules) {
    public FailurePolicy {
      rules = rules == null ? List.of() : List.copyOf(rules);
    }
  }

  /**
   * An action for certain failures.
   *
   * @param action {@code RestartJobSetAndIgnoreMaxRestarts} among others
   */
  public record FailureRule(String action) {
    public FailureRule {
      action = action == null ? "" : action;
    }
  }

  /** Whether completed Jobs may be recreated. */
  boolean mayRestart() {
    FailurePolicy policy = spec.failurePolicy();
    return policy != null
        && (policy.maxRestarts() > status.restartsCountTowardsMax()
            || policy.rules().stream()
                .anyMatch(rule -> rule.action().equals("RestartJobSetAndIgnoreMaxRestarts")));
  }

  /**
   * A group of identical Jobs.
   *
   * @param name unique in the JobSet
   * @param replicas number of Jobs; absent is 1
   * @param template of each Job; treat it as read-only
   */
  public record ReplicatedJob(String name, @Nullable Integer replicas, V1JobTemplateSpec template) {
    public ReplicatedJob {
      name = name == null ? "" : name;
      template = template == null ? new V1JobTemplateSpec() : template;
    }
  }

  /**
   * The status of a JobSet.
   *
   * @param conditions among them Completed and Failed
   * @param replicatedJobsStatus per group
   * @param restartsCountTowardsMax the number of restarts so far that count towards {@code
   *     maxRestarts}
   */
  public record Status(
      List<V1Condition> conditions,
      List<ReplicatedJobStatus> replicatedJobsStatus,
      int restartsCountTowardsMax) {
    public Status {
      conditions = conditions == null ? List.of() : List.copyOf(conditions);
      replicatedJobsStatus =
          replicatedJobsStatus == null ? List.of() : List.copyOf(replicatedJobsStatus);
    }
  }

  /**
   * The number of a group's Jobs by state.
   *
   * @param name the group
   * @param ready Jobs whose pods are all ready
   * @param succeeded Jobs that are complete
   * @param active Jobs with pods that have not ended
   */
  public record ReplicatedJobStatus(String name, int ready, int succeeded, int active) {
    public ReplicatedJobStatus {
      name = name == null ? "" : name;
    }
  }
}
