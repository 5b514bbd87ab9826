// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Circumstances;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * How a GPU check answers: the spec of a {@code GpuAvailabilityPolicy}.
 *
 * @param resources the resources that count as GPUs, partitions included; workloads that ask for
 *     none are let through
 * @param kindLabels node labels that name the kind of GPU in messages, the first that is there
 * @param neverFits what becomes of a workload that fits on no node, whatever else runs
 * @param autoscaledFlavors flavors whose nodes are made when they are needed: what is assigned to
 *     them is left to provisioning
 * @param backoff how long a workload waits for which there is no room now
 * @param reservationTimeout for how long room is kept for pods that don't start, positive
 * @param wakeInBackoff whether a delay ends early when there is room
 * @param lostNodes what becomes of running workloads whose nodes are lost
 * @param lostNodeGracePeriod how long a node is lost before that, 0 or more
 * @param assumeExtendedResourceToleration whether pods tolerate the taint that is named as an
 *     extended resource that they request, since the API server adds the toleration when they are
 *     made
 * @param capacitySource tells which nodes of some flavors could be had; absent: only nodes of the
 *     cluster count
 * @param domain in which nodes the pods of a workload start together; absent: on any. Not beside a
 *     capacitySource, whose nodes have no labels
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record GpuPolicy(
    List<String> resources,
    List<String> kindLabels,
    NeverFits neverFits,
    Set<String> autoscaledFlavors,
    Backoff backoff,
    Duration reservationTimeout,
    boolean wakeInBackoff,
    LostNodes lostNodes,
    Duration lostNodeGracePeriod,
    boolean assumeExtendedResourceToleration,
    Optional<CapacitySource> capacitySource,
    Optional<DomainRule> domain) {

  /** The answer to a workload that can never fit. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum NeverFits {
    /** It waits as if the GPUs were busy, in case that nodes are added. */
    RETRY,
    /** It holds its quota until such a node appears. */
    PENDING,
    /** It is deactivated. */
    REJECTED
  }

  /** The treatment of a running workload that has pods on lost nodes. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum LostNodes {
    /** It is left alone. */
    IGNORE,
    /** It is evicted, and queued again. */
    EVICT
  }

  private static final List<String> RESOURCES = List.of("nvidia.com/gpu", "amd.com/gpu");
  private static final List<String> KIND_LABELS =
      List.of(
          "nvidia.com/gpu.product",
          "amd.com/gpu.product-name",
          "cloud.google.com/gke-accelerator",
          "gpu-type",
          "gpu-model");

  /**
   * Keeps copies.
   *
   * @throws InvalidFieldException if there is no resource, or a duration makes no sense
   */
  public GpuPolicy {
    resources = List.copyOf(resources);
    kindLabels = List.copyOf(kindLabels);
    autoscaledFlavors = Set.copyOf(autoscaledFlavors);
    if (!reservationTimeout.isPositive()) {
      throw new InvalidFieldException(
          "reservationTimeout", reservationTimeout.toString(), "write a positive duration");
    }
    if (lostNodeGracePeriod.isNegative()) {
      throw new InvalidFieldException(
          "lostNodeGracePeriod", lostNodeGracePeriod.toString(), "write a duration of 0s or more");
    }
    if (domain.isPresent() && capacitySource.isPresent()) {
      throw new InvalidFieldException(
          "domain.label",
          domain.get().label(),
          "leave out domain, or capacitySource, which doesn't tell in which domain its nodes are");
    }
    Set<String> left = autoscaledFlavors;
    capacitySource.stream()
        .flatMap(source -> source.flavors().stream())
        .filter(left::contains)
        .findFirst()
        .ifPresent(
            flavor -> {
              throw new InvalidFieldException(
                  "capacitySource.flavors",
                  flavor,
                  "leave out the flavor here, or in autoscaledFlavors");
            });
  }

  /**
   * NVIDIA's and AMD's GPUs; 30 s doubling up to 30 min, also where it can never fit; room is kept
   * for 10 min; delays last as long as they were announced; lost nodes are ignored; pods tolerate
   * the taints of their extended resources.
   */
  public static GpuPolicy defaults() {
    return new GpuPolicy(
        RESOURCES,
        KIND_LABELS,
        NeverFits.RETRY,
        Set.of(),
        new Delays(Optional.empty(), Optional.empty(), Optional.empty()).backoff(),
        Duration.ofMinutes(10),
        false,
        LostNodes.IGNORE,
        Duration.ofMinutes(1),
        true,
        Optional.empty(),
        Optional.empty());
  }

  /** The parts without an effect. */
  List<String> remarks(Circumstances at) {
    return Stream.of(
            at.misspelt("spec.resources", resources.equals(RESOURCES) ? List.of() : resources),
            at.unknownFlavors("spec.autoscaledFlavors", autoscaledFlavors),
            at.unknownFlavors(
                "spec.capacitySource.flavors",
                capacitySource.map(CapacitySource::flavors).orElse(Set.of())),
            at.cut(
                "spec.backoff.maximum",
                Optional.of(backoff.nominal(Integer.MAX_VALUE, Instant.EPOCH))),
            at.late(
                "spec.capacitySource.endpoint.timeout",
                capacitySource.flatMap(source -> source.endpoint().ownTimeout()),
                at.timeout()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Whether none of the resources is one that every node has, such as cpu. */
  boolean countsDevicesOnly() {
    return usualResources().isEmpty();
  }

  /** The resources among them that every node has, such as cpu. */
  List<String> usualResources() {
    return resources.stream().filter(resource -> !resource.contains("/")).toList();
  }

  /** The same policy for other resources. */
  GpuPolicy withResources(List<String> other) {
    return with(other, wakeInBackoff);
  }

  /** The same policy with this early end of delays. */
  public GpuPolicy withWakeInBackoff(boolean other) {
    return with(resources, other);
  }

  private GpuPolicy with(List<String> otherResources, boolean otherWake) {
    return new GpuPolicy(
        otherResources,
        kindLabels,
        neverFits,
        autoscaledFlavors,
        backoff,
        reservationTimeout,
        otherWake,
        lostNodes,
        lostNodeGracePeriod,
        assumeExtendedResourceToleration,
        capacitySource,
        domain);
  }

  /**
   * The spec of the object, as it is written. What is absent is as in {@link #defaults}, but delays
   * end early.
   */
  record Spec(
      List<String> resources,
      List<String> kindLabels,
      Optional<NeverFits> neverFits,
      Set<String> autoscaledFlavors,
      Optional<Delays> backoff,
      Optional<Duration> reservationTimeout,
      Optional<Boolean> wakeInBackoff,
      Optional<LostNodes> lostNodes,
      Optional<Duration> lostNodeGracePeriod,
      Optional<Boolean> assumeExtendedResourceToleration,
      Optional<CapacitySource> capacitySource,
      Optional<DomainRule.Written> domain) {

    GpuPolicy policy() {
      GpuPolicy defaults = defaults();
      return new GpuPolicy(
          resources.isEmpty() ? defaults.resources : resources,
          kindLabels.isEmpty() ? defaults.kindLabels : kindLabels,
          neverFits.orElse(defaults.neverFits),
          autoscaledFlavors,
          backoff.map(Delays::backoff).orElse(defaults.backoff),
          reservationTimeout.orElse(defaults.reservationTimeout),
          wakeInBackoff.orElse(true),
          lostNodes.orElse(defaults.lostNodes),
          lostNodeGracePeriod.orElse(defaults.lostNodeGracePeriod),
          assumeExtendedResourceToleration.orElse(defaults.assumeExtendedResourceToleration),
          capacitySource,
          domain.map(DomainRule.Written::rule));
    }
  }

  /** An exponential backoff, as it is written. */
  record Delays(Optional<Duration> initial, Optional<Double> factor, Optional<Duration> maximum) {
    Delays {
      initial.ifPresent(delay -> requirePositive("initial", delay));
      maximum.ifPresent(delay -> requirePositive("maximum", delay));
      factor.ifPresent(
          one -> {
            if (!(one >= 1 && one <= 100)) {
              throw new InvalidFieldException(
                  "factor", one.toString(), "write a number from 1 to 100");
            }
          });
    }

    private static void requirePositive(String field, Duration delay) {
      if (!delay.isPositive()) {
        throw new InvalidFieldException(field, delay.toString(), "write a positive duration");
      }
    }

    Backoff backoff() {
      return Backoff.exponential(initial.orElse(Duration.ofSeconds(30)), factor.orElse(2.0))
          .atMost(maximum.orElse(Duration.ofMinutes(30)));
    }
  }
}
