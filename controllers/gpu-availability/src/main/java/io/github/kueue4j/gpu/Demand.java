// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.Constraints;
import io.github.kueue4j.gpu.fit.Domains;
import io.github.kueue4j.gpu.fit.Packing;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.PodNeeds;
import io.github.kueue4j.gpu.fit.Rooms;
import io.github.kueue4j.gpu.fit.Separation;
import io.github.kueue4j.gpu.fit.Shortage;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a workload for which there must be room.
 *
 * @param groups its pod sets, without those on autoscaled flavors; empty if none needs GPUs
 * @param resources which of their resources are GPUs
 * @param kinds by pod set, what people call its GPUs
 * @param autoscaled autoscaled flavors that GPUs are assigned of
 * @param domain the rule by which they must start in one domain of nodes; empty: anywhere
 */
record Demand(
    List<PodGroup> groups,
    List<String> resources,
    Map<String, String> kinds,
    Set<String> autoscaled,
    Optional<DomainRule> domain) {

  /**
   * Places for the pods of a demand.
   *
   * @param demand the same, whose pods are bound to the domains that were chosen
   * @param domains by pod set, the value of the rule's label; empty if they may be anywhere
   */
  record Placed(Demand demand, Map<String, String> domains, List<Place> places) {}

  private static final List<String> JOB_NAMES = List.of("batch.kubernetes.io/job-name", "job-name");

  Demand {
    groups = List.copyOf(groups);
    resources = List.copyOf(resources);
    kinds = Map.copyOf(kinds);
    autoscaled = Set.copyOf(autoscaled);
  }

  /** The needs of these pod sets of a workload. */
  static Demand of(Workload workload, List<AssignedPodSet> podSets, GpuPolicy policy) {
    List<PodGroup> groups = new ArrayList<>();
    Map<String, String> kinds = new HashMap<>();
    Set<String> autoscaled = new LinkedHashSet<>();
    for (AssignedPodSet podSet : podSets) {
      PodNeeds needs = needs(workload, podSet, policy);
      List<String> left =
          podSet.flavors().values().stream()
              .map(AssignedFlavor::name)
              .filter(policy.autoscaledFlavors()::contains)
              .toList();
      if (left.isEmpty()) {
        groups.add(new PodGroup(podSet.name(), needs, podSet.count()));
        kinds.put(podSet.name(), GpuKind.of(podSet, needs, policy));
      } else if (needsGpus(needs, podSet.count(), policy)) {
        autoscaled.addAll(left);
      }
    }
    if (groups.stream().allMatch(group -> group.needs().separation().apart().isEmpty())) {
      // Labels would only tell apart workloads that wait for the same room.
      groups.replaceAll(group -> group.withNeeds(group.needs().withoutLabels()));
    }
    boolean any =
        groups.stream().anyMatch(group -> needsGpus(group.needs(), group.count(), policy));
    return new Demand(
        any ? groups : List.of(), policy.resources(), kinds, autoscaled, policy.domain());
  }

  /** The same without pods that have ended for good, as the workload says. */
  Demand withoutReclaimed(Workload workload) {
    Map<String, Integer> ended = new HashMap<>();
    for (ReclaimablePod one : workload.status().reclaimablePods()) {
      ended.put(one.name(), one.count());
    }
    return with(
        groups.stream()
            .map(
                group ->
                    group.withCount(
                        Math.max(0, group.count() - ended.getOrDefault(group.name(), 0))))
            .toList());
  }

  /** The same for these pods of its pod sets. */
  Demand with(List<PodGroup> other) {
    return new Demand(other, resources, kinds, autoscaled, domain);
  }

  /** Whether its pods must be in the same domains as those of the other, by the rule of this. */
  boolean isInDomainsOf(Demand other) {
    return domain.stream()
        .map(DomainRule::label)
        .allMatch(label -> inDomains(label).equals(other.inDomains(label)));
  }

  /** The label of the rule and each domain that some pods must be in. */
  Stream<Map.Entry<String, String>> chosen() {
    return domain.stream()
        .map(DomainRule::label)
        .flatMap(
            label ->
                inDomains(label).values().stream()
                    .filter(value -> !value.isEmpty())
                    .map(value -> Map.entry(label, value)));
  }

  /** By pod set, the domain that its pods' selector names; empty: any. */
  private Map<String, String> inDomains(String label) {
    Map<String, String> domains = new HashMap<>();
    for (PodGroup group : groups) {
      if (group.count() > 0) {
        domains.put(group.name(), group.needs().constraints().selector().getOrDefault(label, ""));
      }
    }
    return domains;
  }

  /** Places for all pods, as the rule demands; empty if none were found. */
  Optional<Placed> place(Rooms rooms) {
    return domain
        .flatMap(rule -> domains(rooms, rule).place(groups).map(one -> placed(one, rule.label())))
        .or(() -> mayBeAnywhere() ? placeAnywhere(rooms) : Optional.empty());
  }

  private Placed placed(Domains.Chosen chosen, String label) {
    Map<String, String> domains = new TreeMap<>();
    for (PodGroup group : chosen.groups()) {
      domains.put(
          group.name(), Objects.requireNonNull(group.needs().constraints().selector().get(label)));
    }
    return new Placed(with(chosen.groups()), domains, chosen.places());
  }

  private Optional<Placed> placeAnywhere(Rooms rooms) {
    return new Packing(rooms, resources)
        .place(groups)
        .map(places -> new Placed(this, Map.of(), places));
  }

  /** Why there are no places. */
  Shortage shortage(Rooms rooms) {
    return domain
        .filter(rule -> !mayBeAnywhere())
        .map(rule -> domains(rooms, rule).shortage(groups))
        .orElseGet(() -> Shortage.of(rooms, groups, resources));
  }

  private boolean mayBeAnywhere() {
    return domain.stream().allMatch(rule -> rule.otherwise() == DomainRule.Otherwise.ANYWHERE);
  }

  private Domains domains(Rooms rooms, DomainRule rule) {
    return new Domains(rooms, resources, rule.label(), rule.scope() == DomainRule.Scope.POD_SET);
  }

  /** Whether some of the pods are placed on nodes that a capacity source offers. */
  boolean asksSource() {
    return groups.stream().anyMatch(group -> CapacitySource.isOffered(group.needs().constraints()));
  }

  /** How much of the resource all pods need that may go where these may. */
  long total(String resource, PodGroup group) {
    double sum = 0;
    for (PodGroup one : groups) {
      if (one.needs().constraints().equals(group.needs().constraints())) {
        sum += (double) one.needs().requests().of(resource) * one.count();
      }
    }
    return (long) sum;
  }

  /** Whether some of its pods must not be together. */
  boolean isSeparated() {
    return groups.stream().anyMatch(group -> !group.needs().separation().isNone());
  }

  /** Whether cpu or memory, which every node has, counts. */
  boolean countsUsualResources() {
    return resources.stream().anyMatch(resource -> !resource.contains("/"));
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  private static boolean needsGpus(PodNeeds needs, int count, GpuPolicy policy) {
    return count > 0
        && policy.resources().stream().anyMatch(resource -> needs.requests().of(resource) > 0);
  }

  /** The requests of the pod itself; of GPUs, what quota was reserved for, if that is more. */
  private static PodNeeds needs(Workload workload, AssignedPodSet podSet, GpuPolicy policy) {
    @Nullable V1PodSpec spec = podSet.template().getSpec();
    Amounts requests = Amounts.ofPod(spec);
    Amounts reserved = Amounts.of(podSet.requests());
    for (String resource : policy.resources()) {
      long total = reserved.of(resource);
      if (podSet.count() > 0) {
        requests = requests.atLeast(resource, Math.ceilDiv(total, podSet.count()));
      }
    }
    Optional<Constraints> offered =
        policy
            .capacitySource()
            .flatMap(
                source ->
                    podSet.flavors().values().stream()
                        .map(AssignedFlavor::name)
                        .filter(source.flavors()::contains)
                        .findFirst()
                        .map(source::constraints));
    if (offered.isPresent()) {
      return new PodNeeds(requests, offered.get(), separation(workload, podSet));
    }
    Constraints constraints = Constraints.of(spec);
    for (AssignedFlavor flavor : podSet.flavors().values()) {
      constraints = constraints.with(flavor.nodeLabels(), flavor.tolerations());
    }
    for (PodSetUpdate update : updates(workload, podSet.name()).toList()) {
      constraints = constraints.with(update.nodeSelector(), update.tolerations());
    }
    if (policy.assumeExtendedResourceToleration()) {
      // The template lacks it: the API server adds it to the pods, when they are made.
      constraints = constraints.toleratingTaintsOf(requests.byName().keySet());
    }
    return new PodNeeds(requests, constraints, separation(workload, podSet));
  }

  private static Separation separation(Workload workload, AssignedPodSet podSet) {
    Map<String, String> labels = new HashMap<>(podSet.labels());
    for (V1OwnerReference owner :
        Objects.requireNonNullElse(
            workload.metadata().getOwnerReferences(), List.<V1OwnerReference>of())) {
      if ("Job".equals(owner.getKind()) && owner.getName() != null) {
        // The Job controller adds them to the pods; anti-affinity often selects by them.
        JOB_NAMES.forEach(label -> labels.putIfAbsent(label, owner.getName()));
      }
    }
    for (PodSetUpdate update : updates(workload, podSet.name()).toList()) {
      labels.putAll(update.labels());
    }
    return Separation.of(workload.key().namespace(), labels, podSet.template().getSpec());
  }

  /** The updates that other checks add to the pods. */
  private static Stream<PodSetUpdate> updates(Workload workload, String podSet) {
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.is(CheckState.READY))
        .map(AdmissionCheckState::podSetUpdates)
        .flatMap(List::stream)
        .filter(update -> update.name().equals(podSet));
  }
}
