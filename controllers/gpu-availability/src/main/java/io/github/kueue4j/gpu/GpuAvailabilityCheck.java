// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.PodWorkloads;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.github.kueue4j.sdk.controller.Grants;
import io.github.kueue4j.sdk.controller.Watch;
import io.github.kueue4j.sdk.controller.Watched;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Lets workloads through for which enough GPUs are free, and sends the others back with a growing
 * delay. The package says how GPUs are counted.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GpuAvailabilityCheck implements Check<NoParameters> {

  private static final Reason NO_GPUS = Reason.of("GpusUnavailable");

  private final GpuOptions options;
  private final Watched<V1Node> nodes;
  private final Watched<V1Pod> pods;
  private final Watched<V1Job> jobs;
  private final Watched<Workload> workloads;
  private final Grants<List<Demand>> grants;
  private final SentBack sentBack;

  GpuAvailabilityCheck(
      GpuOptions options,
      Watched<V1Node> nodes,
      Watched<V1Pod> pods,
      Watched<V1Job> jobs,
      Watched<Workload> workloads) {
    this.options = options;
    this.nodes = nodes;
    this.pods = pods;
    this.jobs = jobs;
    this.workloads = workloads;
    this.grants = new Grants<>(workloads::get);
    this.sentBack = new SentBack(workloads::get);
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(CheckEnvironment environment, GpuOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment);
    if (options.wakeInBackoff()) {
      controller.wakeInBackoff();
    }
    return controller.check(
        new GpuAvailabilityCheck(
            options,
            controller.watch(Watch.of(CoreTypes.NODE).trimmed(Trimming::node)),
            controller.watch(Watch.of(CoreTypes.POD).trimmed(Trimming::pod)),
            controller.watch(Watch.of(CoreTypes.JOB).trimmed(Trimming::job).quietly()),
            controller.workloads()));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, GpuOptions options) {
    return builder(environment, options).build();
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    if (evaluation.inBackoff()) {
      return wake(evaluation);
    }
    List<Demand> demands = demands(evaluation);
    if (demands.isEmpty()) {
      return Verdict.ready("The workload needs no GPUs.");
    }
    synchronized (grants) {
      for (Demand demand : demands) {
        long free = free(evaluation, demand);
        if (free < demand.count()) {
          sentBack.remember(evaluation, demands);
          return unavailable(demand, Math.max(free, 0));
        }
      }
      grants.granted(evaluation, demands);
    }
    sentBack.forget(evaluation);
    return Verdict.ready("GPUs are available.");
  }

  /**
   * Without a reservation it is not known which flavor the next one will assign. The wait ends
   * early when enough GPUs are free of the flavors that the last reservation assigned; the
   * evaluation that follows the next one decides.
   */
  private Verdict wake(Evaluation<NoParameters> evaluation) {
    List<Demand> demands = sentBack.demands(evaluation);
    if (demands.isEmpty()) {
      return Verdict.unchanged("It is not known which GPUs the workload waits for.");
    }
    synchronized (grants) {
      for (Demand demand : demands) {
        if (free(evaluation, demand) < demand.count()) {
          return Verdict.unchanged("GPUs are still unavailable.");
        }
      }
    }
    return Verdict.endDelay("GPUs have become available.");
  }

  private Verdict unavailable(Demand demand, long free) {
    String model = GpuModel.of(demand.nodeLabels(), demand.flavor());
    String found =
        free == 0
            ? "No " + model + " GPUs available."
            : "Only " + free + " of " + demand.count() + " " + model + " GPUs available.";
    return Verdict.retry(
        NO_GPUS, found + " Retrying in {delay} (attempt {attempt})", options.backoff());
  }

  private Inventory inventory() {
    return new Inventory(nodes.list(), pods.list());
  }

  private List<Demand> demands(Evaluation<NoParameters> evaluation) {
    Map<Demand, Long> byFlavor = new HashMap<>();
    for (AssignedPodSet podSet : evaluation.podSets()) {
      for (String resource : options.resources()) {
        long count = podSet.requests().getOrDefault(resource, Quantity.ZERO).value();
        @Nullable AssignedFlavor flavor = podSet.flavors().get(resource);
        if (count > 0 && flavor != null) {
          Demand key =
              new Demand(evaluation.key(), resource, flavor.name(), flavor.nodeLabels(), 0);
          byFlavor.merge(key, count, Long::sum);
        }
      }
    }
    List<Demand> demands = new ArrayList<>();
    byFlavor.forEach(
        (key, count) ->
            demands.add(
                new Demand(key.workload(), key.resource(), key.flavor(), key.nodeLabels(), count)));
    return demands;
  }

  private long free(Evaluation<NoParameters> evaluation, Demand demand) {
    long promised = 0;
    Map<ObjectKey, Long> reserved = new HashMap<>();
    Map<ObjectKey, List<Demand>> outstanding = grants.outstanding(evaluation);
    List<Workload> all = workloads.list();
    for (Workload workload : all) {
      if (!workload.key().equals(evaluation.key())
          && !outstanding.containsKey(workload.key())
          && letThrough(workload, evaluation.check())) {
        long ofThis = reserved(workload, demand);
        if (ofThis > 0) {
          promised += ofThis;
          reserved.put(workload.key(), ofThis);
        }
      }
    }
    for (List<Demand> granted : outstanding.values()) {
      for (Demand other : granted) {
        promised += other.competesWith(demand.resource(), demand.flavor()) ? other.count() : 0;
      }
    }
    Inventory inventory = inventory();
    return inventory.allocatable(demand.resource(), demand.nodeLabels())
        - inventory.used(
            demand.resource(), demand.nodeLabels(), reserved, PodWorkloads.of(all, jobs.list()))
        - promised;
  }

  /**
   * Whether this check has answered Ready, or the workload is admitted: its pods then start
   * whatever this check says.
   */
  private static boolean letThrough(Workload workload, String check) {
    WorkloadConditions conditions = workload.conditions();
    return conditions.holdsQuota()
        && (conditions.admitted()
            || workload
                .status()
                .admissionCheck(check)
                .filter(entry -> entry.is(CheckState.READY))
                .isPresent());
  }

  private static long reserved(Workload workload, Demand demand) {
    if (workload.status().admission() == null) {
      return 0;
    }
    long sum = 0;
    for (PodSetAssignment one : workload.status().admission().podSetAssignments()) {
      @Nullable String flavor = one.flavors().get(demand.resource());
      if (flavor != null && demand.competesWith(demand.resource(), flavor)) {
        sum += one.resourceUsage().getOrDefault(demand.resource(), Quantity.ZERO).value();
      }
    }
    return sum;
  }
}
