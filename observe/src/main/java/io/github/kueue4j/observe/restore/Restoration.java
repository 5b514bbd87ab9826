// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.observe.restore.RestoredWorkload.RestoreOutcome;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Writes the Workloads of a backup to a cluster in which no core runs: those that are missing are
 * created, in the order in which they were queued, and the statuses of those that have none are
 * filled. Workloads with another status are left alone, so it can be ended and run again.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Restoration {
  /** The order of queues, which go by creation and, within a second, by version. */
  private static final Comparator<Workload> OLDEST_FIRST =
      Comparator.comparing(QueueOrder::createdAt)
          .thenComparingLong(workload -> ResourceVersions.number(workload).orElse(0));

  private final KubernetesApi api;
  private final Integrations integrations;

  /** For one cluster whose core has kinds of Jobs that are supported without a declaration. */
  public Restoration(KubernetesApi api) {
    this(api, Integrations.ofAll());
  }

  /**
   * For one cluster.
   *
   * @param integrations of the core's configuration, for the kinds that it declares
   */
  public Restoration(KubernetesApi api, Integrations integrations) {
    this.api = api;
    this.integrations = integrations;
  }

  /**
   * Restores what can be restored.
   *
   * @param now to tell whether a core runs
   * @throws CoreRunsException if one does, so that it would stop Jobs meanwhile
   * @throws KubernetesApiException.Unreachable if the server doesn't answer: run it again
   */
  public RestoreReport restore(WorkloadBackup backup, Instant now) {
    noCoreRuns(now);
    return carryOut(backup, this::put);
  }

  /**
   * The steps of {@link #restore}, without doing them; changes nothing, and works while a core
   * runs.
   */
  public RestoreReport preview(WorkloadBackup backup) {
    return carryOut(backup, put -> {});
  }

  private RestoreReport carryOut(WorkloadBackup backup, Consumer<RestoreStep.Put> write) {
    OwnerJobs jobs = OwnerJobs.read(api, integrations);
    List<Workload> present = api.list(KueueTypes.WORKLOAD, ListOptions.all()).items();
    List<Workload> oldestFirst = backup.workloads().stream().sorted(OLDEST_FIRST).toList();
    RestorePlanner planner =
        new RestorePlanner(
            jobs,
            present.stream().collect(Collectors.toMap(ObjectKey::of, Function.identity())),
            oldestFirst);
    Set<String> admitted = new HashSet<>();
    present.stream().filter(Restoration::admits).flatMap(Restoration::job).forEach(admitted::add);
    List<RestoredWorkload> restored = new ArrayList<>();
    for (Workload saved : oldestFirst) {
      RestoreStep step = planner.plan(saved);
      RestoredWorkload result = result(ObjectKey.of(saved), step, write);
      restored.add(result);
      if (step instanceof RestoreStep.Put put && result.outcome() == RestoreOutcome.RUNS_ON) {
        job(put.target()).forEach(admitted::add);
      }
    }
    return new RestoreReport(
        restored,
        jobs.running()
            .filter(job -> !admitted.contains(job.admittedAs()))
            .map(OwnerJob::title)
            .distinct()
            .sorted()
            .toList());
  }

  private static boolean admits(Workload workload) {
    return workload.conditions().holdsQuota() && workload.conditions().admitted();
  }

  private static Stream<String> job(Workload workload) {
    return PodGroup.has(workload)
        ? Stream.of(OwnerJob.group(ObjectKey.of(workload)))
        : OwnerJobs.controller(workload).map(V1OwnerReference::getUid).stream();
  }

  private static RestoredWorkload result(
      ObjectKey saved, RestoreStep step, Consumer<RestoreStep.Put> write) {
    return switch (step) {
      case RestoreStep.NotNeeded notNeeded ->
          new RestoredWorkload(saved, RestoreOutcome.NOT_NEEDED, notNeeded.why());
      case RestoreStep.Unrestorable unrestorable ->
          new RestoredWorkload(saved, RestoreOutcome.NOT_RESTORED, unrestorable.why());
      case RestoreStep.Put put -> {
        try {
          write.accept(put);
          yield new RestoredWorkload(saved, put.outcome(), "");
        } catch (KubernetesApiException.Unreachable e) {
          throw e;
        } catch (KubernetesApiException e) {
          yield new RestoredWorkload(
              saved, RestoreOutcome.NOT_RESTORED, String.valueOf(e.getMessage()));
        }
      }
    };
  }

  private void put(RestoreStep.Put step) {
    Workload stale = step.stale();
    if (stale != null) {
      // Its Job is gone; the core lets go of it when it starts.
      api.delete(
          KueueTypes.WORKLOAD,
          ObjectKey.of(stale),
          DeleteOptions.background().withUid(Uids.of(stale)));
    }
    Workload target = step.target();
    Workload there = step.present();
    Workload written =
        there == null
            ? api.create(KueueTypes.WORKLOAD, target.withStatus(WorkloadStatus.empty()))
            : api.patch(
                KueueTypes.WORKLOAD,
                GuardedPatch.between(there, there.withMetadata(target.metadata())));
    api.patchStatus(
        KueueTypes.WORKLOAD, GuardedPatch.ofStatus(written, written.withStatus(target.status())));
  }

  private void noCoreRuns(Instant now) {
    String name = Configuration.defaults().leaderElection().resourceName();
    for (V1Lease lease : api.list(CoreTypes.LEASE, ListOptions.all()).items()) {
      Optional<String> holder =
          Optional.ofNullable(lease.getSpec())
              .filter(spec -> valid(spec, now))
              .map(spec -> spec.getHolderIdentity());
      if (ObjectKey.of(lease).name().equals(name) && holder.isPresent()) {
        throw new CoreRunsException(ObjectKey.of(lease), holder.get());
      }
    }
  }

  private static boolean valid(V1LeaseSpec spec, Instant now) {
    return spec.getHolderIdentity() != null
        && !spec.getHolderIdentity().isEmpty()
        && spec.getRenewTime() != null
        && spec.getRenewTime()
            .toInstant()
            .plusSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0))
            .isAfter(now);
  }

  /** A core runs on the cluster. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class CoreRunsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CoreRunsException(ObjectKey lease, String holder) {
      super(
          "a core runs: %s holds the Lease %s; scale its Deployment to 0, or wait until the Lease has expired"
              .formatted(holder, lease));
    }
  }
}
