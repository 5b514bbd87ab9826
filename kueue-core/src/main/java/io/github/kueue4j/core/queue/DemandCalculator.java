// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.quota.RemainingPods;
import io.github.kueue4j.jobs.Unsupported;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1RuntimeClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Computes the resource requests of Workloads: of their pods as the API server will create them,
 * with the overhead of their RuntimeClass and the defaults of the LimitRanges in their namespace.
 * The Workload itself is not changed.
 */
@API(status = API.Status.INTERNAL)
public final class DemandCalculator {
  private final ResourceRules rules;
  private final Function<String, NamespaceLimits> limitsOf;
  private final Function<String, Map<String, Quantity>> overheadOf;

  /**
   * Demands under these rules, LimitRanges and RuntimeClasses.
   *
   * @param limitsOf the LimitRanges of a namespace
   * @param overheadOf the overhead per pod of a RuntimeClass; empty where there is none
   */
  public DemandCalculator(
      ResourceRules rules,
      Function<String, NamespaceLimits> limitsOf,
      Function<String, Map<String, Quantity>> overheadOf) {
    this.rules = rules;
    this.limitsOf = limitsOf;
    this.overheadOf = overheadOf;
  }

  /** Demands that depend on the Workload alone. */
  public static DemandCalculator plain() {
    return plain(ResourceRules.plain());
  }

  /**
   * Demands that depend on the Workload and these rules, without LimitRanges and RuntimeClasses.
   */
  public static DemandCalculator plain(ResourceRules rules) {
    return new DemandCalculator(
        rules, namespace -> NamespaceLimits.none(), runtimeClass -> Map.of());
  }

  /** The overhead that a RuntimeClass adds to every pod. */
  public static Map<String, Quantity> overhead(V1RuntimeClass runtimeClass) {
    Map<String, Quantity> overhead = new HashMap<>();
    if (runtimeClass.getOverhead() != null && runtimeClass.getOverhead().getPodFixed() != null) {
      runtimeClass
          .getOverhead()
          .getPodFixed()
          .forEach((resource, amount) -> overhead.put(resource, Quantity.ofClient(amount)));
    }
    return Map.copyOf(overhead);
  }

  /** The demands of a Workload's pod sets, for the pods that can still run. */
  public List<PodSetDemand> of(Workload workload) {
    NamespaceLimits limits = limitsOf(workload);
    RemainingPods remaining = RemainingPods.of(workload);
    return workload.spec().podSets().stream()
        .map(
            podSet ->
                PodSetDemand.of(
                    podSet, remaining.in(podSet), completed(pod(podSet), limits), rules))
        .toList();
  }

  /**
   * The part of these demands that needs quota of a ClusterQueue.
   *
   * @param queue spec of the ClusterQueue; null if it isn't known
   */
  public List<PodSetDemand> declared(List<PodSetDemand> demands, @Nullable ClusterQueueSpec queue) {
    if (!rules.ignoresUndeclared() || queue == null) {
      return demands;
    }
    Set<String> covered = queue.coveredResources();
    return demands.stream().map(demand -> demand.of(covered)).toList();
  }

  /**
   * The reason why the pods of a Workload could never be created or admitted; empty if they could.
   */
  public Optional<String> problem(Workload workload) {
    NamespaceLimits limits = limitsOf(workload);
    for (PodSet podSet : workload.spec().podSets()) {
      Optional<Unsupported> refused = refused(podSet);
      if (refused.isPresent()) {
        return refused.map(Unsupported::refusal);
      }
      V1PodSpec pod = completed(pod(podSet), limits);
      Optional<String> contradiction = aboveItsLimits(podSet, pod);
      if (contradiction.isPresent()) {
        return contradiction.map(problem -> "resources validation failed: " + problem);
      }
      Optional<String> outOfBounds = outOfBounds(podSet, pod, limits);
      if (outOfBounds.isPresent()) {
        return outOfBounds.map(
            problem -> "resources didn't satisfy LimitRange constraints: " + problem);
      }
    }
    return Optional.empty();
  }

  private Optional<Unsupported> refused(PodSet podSet) {
    return rules.refused().isEmpty()
        ? Optional.empty()
        : Unsupported.in("podSets[" + podSet.name() + "].template", podSet.template()).stream()
            .filter(asked -> rules.refused().contains(asked.feature()))
            .findFirst();
  }

  private NamespaceLimits limitsOf(Workload workload) {
    return limitsOf.apply(ObjectKey.of(workload).namespace());
  }

  private static V1PodSpec pod(PodSet podSet) {
    return Objects.requireNonNullElseGet(podSet.template().getSpec(), V1PodSpec::new);
  }

  /** The pod with the fields that the API server adds at its creation; the same object if none. */
  private V1PodSpec completed(V1PodSpec pod, NamespaceLimits limits) {
    String runtimeClass = pod.getRuntimeClassName();
    boolean withoutOverhead = pod.getOverhead() == null || pod.getOverhead().isEmpty();
    Map<String, Quantity> overhead =
        runtimeClass == null || !withoutOverhead ? Map.of() : overheadOf.apply(runtimeClass);
    if (overhead.isEmpty() && limits.isEmpty()) {
      return pod;
    }
    V1PodSpec completed = KueueJson.fromTree(KueueJson.toTree(pod), V1PodSpec.class);
    if (!overhead.isEmpty()) {
      completed.setOverhead(client(overhead));
    }
    containers(completed).forEach(container -> applyDefaults(container, limits.container()));
    return completed;
  }

  private static void applyDefaults(V1Container container, NamespaceLimits.Bounds defaults) {
    V1ResourceRequirements resources =
        Objects.requireNonNullElseGet(container.getResources(), V1ResourceRequirements::new);
    Map<String, Quantity> limits = new HashMap<>(defaults.defaultLimit());
    limits.putAll(toQuantities(resources.getLimits()));
    // A container's own limit takes precedence over a default request where the request is missing.
    Map<String, Quantity> requests = new HashMap<>(defaults.defaultRequest());
    requests.putAll(toQuantities(resources.getLimits()));
    requests.putAll(toQuantities(resources.getRequests()));
    resources.setLimits(client(limits));
    resources.setRequests(client(requests));
    container.setResources(resources);
  }

  private static Optional<String> aboveItsLimits(PodSet podSet, V1PodSpec pod) {
    List<Map.Entry<String, V1ResourceRequirements>> all = new ArrayList<>();
    containers(pod)
        .forEach(
            container -> {
              if (container.getResources() != null) {
                all.add(Map.entry(path(podSet, container), container.getResources()));
              }
            });
    if (pod.getResources() != null) {
      all.add(Map.entry("podSets[" + podSet.name() + "]", pod.getResources()));
    }
    for (Map.Entry<String, V1ResourceRequirements> entry : all) {
      Map<String, Quantity> limits = toQuantities(entry.getValue().getLimits());
      for (Map.Entry<String, Quantity> request :
          toQuantities(entry.getValue().getRequests()).entrySet()) {
        Quantity limit = limits.get(request.getKey());
        if (limit != null && request.getValue().compareTo(limit) > 0) {
          return Optional.of(
              entry.getKey() + "." + request.getKey() + ": requests must not exceed its limits");
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> outOfBounds(
      PodSet podSet, V1PodSpec pod, NamespaceLimits limits) {
    if (limits.isEmpty()) {
      return Optional.empty();
    }
    for (V1Container container : containers(pod).toList()) {
      Map<String, Quantity> requests =
          container.getResources() == null
              ? Map.of()
              : toQuantities(container.getResources().getRequests());
      Optional<String> problem = limits.container().violatedBy(requests);
      if (problem.isPresent()) {
        return problem.map(what -> path(podSet, container) + "." + what);
      }
    }
    return limits
        .pod()
        .violatedBy(PodRequests.of(pod))
        .map(what -> "podSets[" + podSet.name() + "]." + what);
  }

  private static Stream<V1Container> containers(V1PodSpec pod) {
    return Stream.concat(
        Objects.requireNonNullElse(pod.getInitContainers(), List.<V1Container>of()).stream(),
        Objects.requireNonNullElse(pod.getContainers(), List.<V1Container>of()).stream());
  }

  private static String path(PodSet podSet, V1Container container) {
    return "podSets[" + podSet.name() + "].containers[" + container.getName() + "]";
  }

  private static Map<String, Quantity> toQuantities(
      @Nullable Map<String, io.kubernetes.client.custom.Quantity> amounts) {
    Map<String, Quantity> toQuantities = new HashMap<>();
    if (amounts != null) {
      amounts.forEach((name, amount) -> toQuantities.put(name, Quantity.ofClient(amount)));
    }
    return toQuantities;
  }

  private static Map<String, io.kubernetes.client.custom.Quantity> client(
      Map<String, Quantity> amounts) {
    Map<String, io.kubernetes.client.custom.Quantity> client = new HashMap<>();
    amounts.forEach((name, amount) -> client.put(name, amount.toClient()));
    return client;
  }
}
