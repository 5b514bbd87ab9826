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
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run together ({@code jobset.x-k8s.io/v1alpha2}), as far as admission has to do with
 * them.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the groups of Jobs
 * @param status how far they are
 */
@API(status = API.Status.INTERNAL)
public record JobSet(V1ObjectMeta metadata, Spec spec, Status status) implements ApiObject {
  public static final ResourceType<JobSet> TYPE =
      new ResourceType<>("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", true, JobSet.class);

  public JobSet {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? new Spec(null, List.of(), null) : spec;
    status = status == null ? new Status(List.of(), List.of(), 0) : status;
  }

  @Override
  public ResourceType<JobSet> type() {
    return TYPE;
  }

  JobSet withSuspend(boolean suspend) {
    return new JobSet(
        metadata, new Spec(suspend, spec.replicatedJobs(), spec.failurePolicy()), status);
  }

  /**
   * What is to run.
   *
   * @param suspend whether nothing may run now; absent means that it may
   * @param replicatedJobs keyed by name
   * @param failurePolicy what happens when a Job fails; absent: the JobSet fails
   */
  public record Spec(
      @Nullable Boolean suspend,
      List<ReplicatedJob> replicatedJobs,
      @Nullable FailurePolicy failurePolicy) {
    public Spec {
      replicatedJobs = replicatedJobs == null ? List.of() : List.copyOf(replicatedJobs);
    }
  }

  /**
   * How often all Jobs may be made anew because one has failed.
   *
   * @param maxRestarts at most that often
   * @param rules exceptions
   */
  public record FailurePolicy(int maxRestarts, List<FailureRule> rules) {
    public FailurePolicy {
      rules = rules == null ? List.of() : List.copyOf(rules);
    }
  }

  /**
   * What happens after certain failures.
   *
   * @param action {@code RestartJobSetAndIgnoreMaxRestarts} among others
   */
  public record FailureRule(String action) {
    public FailureRule {
      action = action == null ? "" : action;
    }
  }

  /** Whether complete Jobs may be made anew. */
  boolean mayRestart() {
    FailurePolicy policy = spec.failurePolicy();
    return policy != null
        && (policy.maxRestarts() > status.restartsCountTowardsMax()
            || policy.rules().stream()
                .anyMatch(rule -> rule.action().equals("RestartJobSetAndIgnoreMaxRestarts")));
  }

  /**
   * A group of equal Jobs.
   *
   * @param name unique in the JobSet
   * @param replicas number of Jobs; absent is 1
   * @param template each Job; treat it as read-only
   */
  public record ReplicatedJob(String name, @Nullable Integer replicas, V1JobTemplateSpec template) {
    public ReplicatedJob {
      name = name == null ? "" : name;
      template = template == null ? new V1JobTemplateSpec() : template;
    }
  }

  /**
   * How far the Jobs are.
   *
   * @param conditions among them Completed and Failed
   * @param replicatedJobsStatus per group
   * @param restartsCountTowardsMax how many of the restarts are used up
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
   * How many Jobs of a group are in which state.
   *
   * @param name the group
   * @param ready all of their pods are ready
   * @param succeeded they are complete
   * @param active they have pods that have not ended
   */
  public record ReplicatedJobStatus(String name, int ready, int succeeded, int active) {
    public ReplicatedJobStatus {
      name = name == null ? "" : name;
    }
  }
}
