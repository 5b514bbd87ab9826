// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A Job's status while the Job controller writes it. API servers demand from 1.32 on what is
 * written here: a Job that ends has started, has no pods left, and says why (KEP-4368). Not
 * thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class JobProgress {
  private final V1JobStatus status;

  private JobProgress(V1JobStatus status) {
    this.status = status;
  }

  /** Goes on from what the Job's status says; the Job itself stays as it is. */
  public static JobProgress of(V1Job job) {
    return new JobProgress(
        job.getStatus() == null
            ? new V1JobStatus()
            : KueueJson.fromTree(KueueJson.toTree(job.getStatus()), V1JobStatus.class));
  }

  /**
   * The pods that haven't ended and weren't told to, and how many of them are ready; none
   * terminates, unless it was said before.
   */
  public JobProgress pods(int active, int ready) {
    status.setActive(active == 0 ? null : active);
    status.setReady(ready);
    return status.getTerminating() == null ? terminating(0) : this;
  }

  /** The pods that were told to end, and haven't yet. */
  public JobProgress terminating(int pods) {
    status.setTerminating(pods);
    return this;
  }

  /** The pods that have ended. */
  public JobProgress ended(int succeeded, int failed) {
    status.setSucceeded(succeeded == 0 ? null : succeeded);
    status.setFailed(failed == 0 ? null : failed);
    return this;
  }

  /** It was told to stop. */
  public JobProgress suspend(Instant now) {
    set("Suspended", true, "JobSuspended", "Job suspended", now);
    return this;
  }

  /** It may run; its start time is now, unless it has run since. */
  public JobProgress resume(Instant now) {
    boolean resumed = isTrue("Suspended");
    if (resumed) {
      set("Suspended", false, "JobResumed", "Job resumed", now);
    }
    if (resumed || status.getStartTime() == null) {
      status.setStartTime(utc(now));
    }
    return this;
  }

  /** All its pods have succeeded. */
  public JobProgress complete(Instant now) {
    pods(0, 0);
    status.setCompletionTime(utc(now));
    String message = "Reached expected number of succeeded pods";
    set("SuccessCriteriaMet", true, "CompletionsReached", message, now);
    set("Complete", true, "CompletionsReached", message, now);
    return this;
  }

  /** It has failed too often; the pods that are there are told to end, and then it has. */
  JobProgress fail(int stillThere, Instant now) {
    pods(0, 0).terminating(stillThere);
    String message = "Job has reached the specified backoff limit";
    set("FailureTarget", true, "BackoffLimitExceeded", message, now);
    if (stillThere == 0) {
      set("Failed", true, "BackoffLimitExceeded", message, now);
    }
    return this;
  }

  /** Whether it has ended, however that was. */
  public boolean hasEnded() {
    return isTrue("Complete") || isTrue("Failed");
  }

  /** How many pods have failed so far. */
  int failed() {
    return Objects.requireNonNullElse(status.getFailed(), 0);
  }

  V1JobStatus status() {
    return status;
  }

  /** A copy of the Job with this status. */
  public V1Job in(V1Job job) {
    V1Job copy = KueueJson.fromTree(KueueJson.toTree(job), V1Job.class);
    copy.setStatus(status);
    return copy;
  }

  private boolean isTrue(String type) {
    return find(type).filter(condition -> condition.getStatus().equals("True")).isPresent();
  }

  private Optional<V1JobCondition> find(String type) {
    return Objects.requireNonNullElse(status.getConditions(), List.<V1JobCondition>of()).stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  private void set(String type, boolean value, String reason, String message, Instant now) {
    String text = value ? "True" : "False";
    if (find(type).filter(condition -> condition.getStatus().equals(text)).isPresent()) {
      return;
    }
    List<V1JobCondition> conditions =
        new ArrayList<>(Objects.requireNonNullElse(status.getConditions(), List.of()));
    conditions.removeIf(condition -> condition.getType().equals(type));
    conditions.add(
        new V1JobCondition()
            .type(type)
            .status(text)
            .reason(reason)
            .message(message)
            .lastProbeTime(utc(now))
            .lastTransitionTime(utc(now)));
    status.setConditions(conditions);
  }

  private static OffsetDateTime utc(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
  }
}
