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
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.lifecycle.AssignmentValidity;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.QueueFacts;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Sightings;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.status.Health;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Gathers what the lifecycle needs to know about a Workload from the caches. Thread-safe. */
@API(status = API.Status.INTERNAL)
public final class Facts {
  private final CoreInformers caches;
  private final LifecycleSettings settings;
  private final Outbox outbox;

  public Facts(CoreInformers caches, LifecycleSettings settings, Outbox outbox) {
    this.caches = caches;
    this.settings = settings;
    this.outbox = outbox;
  }

  Situation about(Workload workload, Owner owner, Sightings sightings) {
    Optional<LocalQueue> localQueue = localQueue(workload);
    Admission admission = workload.status().admission();
    String clusterQueueName =
        Phase.holdsQuota(workload) && admission != null
            ? admission.clusterQueue()
            : localQueue.map(queue -> queue.spec().clusterQueue()).orElse("");
    Optional<ClusterQueue> clusterQueue =
        caches.clusterQueues().get(ObjectKey.cluster(clusterQueueName));
    return new Situation(
        workload,
        localQueue
            .map(
                queue ->
                    facts(name(workload), Health.terminating(queue), queue.spec().stopPolicy()))
            .orElseGet(() -> QueueFacts.missing(name(workload))),
        clusterQueue
            .map(
                queue ->
                    facts(clusterQueueName, Health.terminating(queue), queue.spec().stopPolicy()))
            .orElseGet(() -> QueueFacts.missing(clusterQueueName)),
        clusterQueue
            .map(queue -> required(queue.spec(), admission))
            .orElseGet(RequiredChecks::none),
        clusterQueue
            .map(queue -> validity(workload, queue.spec(), admission))
            .orElseGet(AssignmentValidity::valid),
        owner,
        false,
        settings,
        sightings);
  }

  /** The checks that an assignment of these flavors requires. */
  List<CheckPolicy> requiredBy(Admission admission) {
    return caches
        .clusterQueues()
        .get(ObjectKey.cluster(admission.clusterQueue()))
        .map(queue -> policies(queue.spec(), flavors(admission)))
        .orElse(List.of());
  }

  /** Whether the ClusterQueue behind a Workload's LocalQueue can admit. */
  boolean clusterQueueActive(String name) {
    return caches
        .clusterQueues()
        .get(ObjectKey.cluster(name))
        .map(
            queue ->
                Health.of(
                        queue,
                        flavor -> flavor(flavor) != null,
                        check -> caches.checks().get(ObjectKey.cluster(check)))
                    .active())
        .orElse(false);
  }

  @Nullable ResourceFlavor flavor(String name) {
    return caches.flavors().get(ObjectKey.cluster(name)).orElse(null);
  }

  private Optional<LocalQueue> localQueue(Workload workload) {
    return caches
        .localQueues()
        .get(new ObjectKey(ObjectKey.of(workload).namespace(), name(workload)));
  }

  private static String name(Workload workload) {
    String name = workload.spec().queueName();
    return name == null ? "" : name;
  }

  private static QueueFacts facts(String name, boolean terminating, StopPolicy stopPolicy) {
    return new QueueFacts(name, true, terminating, stopPolicy);
  }

  private RequiredChecks required(ClusterQueueSpec spec, @Nullable Admission admission) {
    return RequiredChecks.of(
        admission == null ? List.of() : policies(spec, flavors(admission)), policies(spec, null));
  }

  /**
   * The checks of a queue that count for these flavors.
   *
   * @param flavors null for any flavor of the queue
   */
  private List<CheckPolicy> policies(ClusterQueueSpec spec, @Nullable Set<String> flavors) {
    return spec.admissionChecks().stream()
        .filter(
            rule ->
                flavors == null
                    || rule.onFlavors().isEmpty()
                    || rule.onFlavors().stream().anyMatch(flavors::contains))
        .map(this::policy)
        .toList();
  }

  private CheckPolicy policy(AdmissionCheckStrategyRule rule) {
    return caches
        .checks()
        .get(ObjectKey.cluster(rule.name()))
        .map(CheckPolicy::of)
        .orElseGet(() -> CheckPolicy.of(rule.name()));
  }

  private AssignmentValidity validity(
      Workload workload, ClusterQueueSpec spec, @Nullable Admission admission) {
    if (admission == null) {
      return AssignmentValidity.valid();
    }
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (Map.Entry<String, String> assigned : podSet.flavors().entrySet()) {
        String resource = assigned.getKey();
        String flavor = assigned.getValue();
        boolean offered =
            spec.resourceGroups().stream()
                .flatMap(group -> group.flavors().stream())
                .anyMatch(
                    offer -> offer.name().equals(flavor) && offer.resource(resource).isPresent());
        if (!offered || flavor(flavor) == null) {
          return AssignmentValidity.invalid(
              "NoMatchingFlavor",
              "flavor " + flavor + " for " + resource + " is gone since the quota was reserved");
        }
      }
    }
    return outbox.overcommitted(ObjectKey.of(workload))
        ? AssignmentValidity.invalid(
            "WaitingForQuota",
            "The quota of ClusterQueue "
                + admission.clusterQueue()
                + " shrank and doesn't cover this reservation any more")
        : AssignmentValidity.valid();
  }

  private static Set<String> flavors(Admission admission) {
    Set<String> flavors = new LinkedHashSet<>();
    admission.podSetAssignments().stream()
        .flatMap(podSet -> Stream.of(podSet.flavors().values()))
        .forEach(flavors::addAll);
    return flavors;
  }
}
