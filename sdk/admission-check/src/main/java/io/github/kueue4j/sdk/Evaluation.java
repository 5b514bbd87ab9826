// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.internal.Attempts;
import io.github.kueue4j.sdk.internal.controller.PodSets;
import io.github.kueue4j.sdk.internal.fence.Fence;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * Everything that a {@link Check} may want to know about the workload it judges; no client is
 * needed. A snapshot: it doesn't change during the evaluation.
 *
 * @param <P> the parameters of the check
 * @param check the name of the AdmissionCheck object, since one controller may serve several
 * @param workload the whole object; treat its metadata and templates as read-only
 * @param podSets the groups of pods with the quota they got
 * @param entry what this check said last, in the status of the workload; compare its state by
 *     {@code entry().is(CheckState.READY)} or {@code equals}
 * @param parameters the parameters that the AdmissionCheck refers to
 * @param now when the evaluation started, on the controller's clock
 * @param deadline when the evaluation is interrupted
 * @see Check
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Evaluation<P>(
    String check,
    Workload workload,
    List<AssignedPodSet> podSets,
    AdmissionCheckState entry,
    P parameters,
    Instant now,
    Instant deadline) {
  /** The same question has the same answer: the shortest of the delays that it may be. */
  private static final RandomGenerator NO_CHANCE = () -> 0;

  /** Keeps a copy of the pod sets. */
  public Evaluation {
    podSets = List.copyOf(podSets);
  }

  /**
   * An evaluation without a server, for tests of a check's rules: the pod sets have what the
   * workload's reservation says, with flavors that have no node labels, and there are 30 s to
   * answer. Components may be added to this record; this method stays.
   *
   * @param workload with an entry of the check, or without one: then it is asked for the first time
   * @param now when it starts
   */
  public static <P> Evaluation<P> of(String check, Workload workload, P parameters, Instant now) {
    return new Evaluation<>(
        check,
        workload,
        new PodSets(flavor -> Optional.empty()).of(workload),
        workload
            .status()
            .admissionCheck(check)
            .orElseGet(() -> AdmissionCheckState.pending(check, now)),
        parameters,
        now,
        now.plusSeconds(30));
  }

  /** Namespace and name of the workload. */
  public ObjectKey key() {
    return ObjectKey.of(workload);
  }

  /** The namespace of the workload. */
  public String namespace() {
    return key().namespace();
  }

  /**
   * The labels of the workload itself, never null. kueue-core copies those labels of a Job that
   * {@code integrations.labelKeysToCopy} names, and no others; those of the pods are in {@link
   * AssignedPodSet#labels}.
   */
  public Map<String, String> labels() {
    return Metadata.labels(workload);
  }

  /** The job that the workload stands for, unless it was created by hand. */
  public Optional<V1OwnerReference> owner() {
    List<V1OwnerReference> owners = Metadata.owners(workload);
    return owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst();
  }

  /** The priority of the workload; higher goes first, 0 unless set. */
  public int priority() {
    return Objects.requireNonNullElse(workload.spec().priority(), 0);
  }

  /**
   * How often this check has sent the workload back since its last success: 0 on the first attempt.
   */
  public int attempt() {
    return Objects.requireNonNullElse(entry.retryCount(), 0);
  }

  /**
   * Names this attempt: one reservation of this workload, judged by this check. A UUID that is the
   * same in every evaluation of the reservation, after a restart and in another replica too, and
   * another one for the next reservation, and for each question before quota: use it as the
   * idempotency key of a booking. See {@link Cleanup}.
   */
  public String attemptId() {
    return Attempts.id(workload, check);
  }

  /**
   * Whether the workload waits, and the check is asked before any quota is reserved for it ({@code
   * docs/guides/before-quota.md}); it is asked again with the reservation. A Ready carries no
   * {@code podSetUpdates} then.
   */
  public boolean beforeQuota() {
    return CheckStage.asks(workload);
  }

  /** The LocalQueue that the workload names, in its namespace. */
  public String queueName() {
    return Objects.requireNonNullElse(workload.spec().queueName(), "");
  }

  /**
   * The ClusterQueue whose quota is reserved; empty while none is, which is in {@link
   * DelayEndingCheck#delayEnds} and {@linkplain #beforeQuota before quota}.
   */
  public Optional<String> clusterQueue() {
    return Optional.ofNullable(workload.status().admission()).map(Admission::clusterQueue);
  }

  /**
   * The total of one resource that all pods of the workload ask for.
   *
   * @param resource for example {@code cpu} or {@code nvidia.com/gpu}
   * @return 0 if they don't ask for it
   */
  public Quantity requested(String resource) {
    return totalRequests().getOrDefault(resource, Quantity.ZERO);
  }

  /** Resource name to what all pods of the workload ask for together. */
  public Map<String, Quantity> totalRequests() {
    Map<String, Quantity> total = new HashMap<>();
    for (AssignedPodSet podSet : podSets) {
      podSet.requests().forEach((resource, amount) -> total.merge(resource, amount, Quantity::add));
    }
    return Map.copyOf(total);
  }

  /**
   * The entry that a controller with these guards would write if this were the verdict, and the
   * Workload waited. Of the delays that a Retry may get by chance it has the shortest; updates of
   * pod sets are left out.
   *
   * @return empty for {@link Verdict.Unchanged}, which is no answer
   */
  public Optional<AdmissionCheckState> entryAfter(Verdict verdict, Guards guards) {
    return switch (verdict) {
      case Verdict.Unchanged unknown -> Optional.empty();
      case Verdict.Retry retry -> written(resolved(retry, guards));
      case Verdict.Ready ready -> written(ready);
      case Verdict.Pending pending -> written(pending);
      case Verdict.Rejected rejected -> written(rejected);
    };
  }

  private Verdict resolved(Verdict.Retry retry, Guards guards) {
    Optional<Duration> delay = guards.limited(retry.delay()).resolve(attempt(), now, NO_CHANCE);
    return new Verdict.Retry(
        retry.reason(),
        retry.message(attempt(), delay.orElse(Duration.ZERO)),
        delay.map(Delay::exactly).orElseGet(Delay::none));
  }

  private Optional<AdmissionCheckState> written(Verdict verdict) {
    return Optional.of(Fence.undisturbed(entry, verdict, now).withPodSetUpdates(List.of()));
  }
}
