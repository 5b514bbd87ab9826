// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.owner.NewWorkloads;
import io.github.kueue4j.core.owner.Priorities;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.NamespaceLimits;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * Makes {@link SampleWorkload}s of documents: of Jobs of each kind that a core manages, and of
 * Workloads. Documents of these kinds say more about them: Namespaces, LocalQueues, ClusterQueues,
 * the classes of priorities, and RuntimeClasses.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SampleWorkloads {
  private static final List<ResourceType<?>> SURROUNDINGS =
      List.of(
          CoreTypes.NAMESPACE,
          KueueTypes.LOCAL_QUEUE,
          KueueTypes.CLUSTER_QUEUE,
          KueueTypes.WORKLOAD_PRIORITY_CLASS,
          CoreTypes.PRIORITY_CLASS,
          CoreTypes.RUNTIME_CLASS);

  /** The uid of a Job that isn't there: its Workload names it. */
  private static final String UID = new UUID(0, 0).toString();

  private final Configuration configuration;
  private final AssumedQuota assumed;
  private final ReadObjects objects = new ReadObjects();

  /**
   * A maker that knows nothing around them yet.
   *
   * @param configuration of the core; empty: one that manages all kinds that need no declaration
   */
  public SampleWorkloads(Optional<Configuration> configuration, AssumedQuota assumed) {
    this.configuration = configuration.orElseGet(DryRun::presumed);
    this.assumed = assumed;
  }

  /**
   * The part of the quota that counts, whatever documents say.
   *
   * @param clusterQueue whose quota it is; empty: that which a Workload holds, else that of the
   *     LocalQueue
   * @param flavor of all resources; empty: those that a Workload holds, else the first that the
   *     ClusterQueue has for each
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record AssumedQuota(Optional<String> clusterQueue, Optional<String> flavor) {}

  /**
   * Learns what is around the Workloads from those documents that say it.
   *
   * @return this
   * @throws IllegalArgumentException if one of them can't be read; the message begins with the
   *     object
   */
  public SampleWorkloads learn(List<Manifest> documents) {
    for (Manifest document : documents) {
      SURROUNDINGS.stream()
          .filter(type -> isOf(type, document))
          .forEach(type -> put(type, document.tree().deepCopy()));
    }
    return this;
  }

  /**
   * The Workloads of the Jobs and Workloads among these documents, in their order. What they
   * request is computed as for the quota, but for LimitRanges. A Workload that holds quota keeps
   * it, but for what is assumed.
   *
   * @throws IllegalArgumentException if one of them can't be read or queued; the message begins
   *     with the object
   */
  public List<SampleWorkload> of(List<Manifest> documents) {
    return documents.stream().flatMap(document -> sample(document).stream()).toList();
  }

  /** In any version. */
  private static boolean isOf(ResourceType<?> type, Manifest document) {
    String version = document.apiVersion();
    return type.kind().equals(document.kind())
        && type.group().equals(version.substring(0, Math.max(0, version.lastIndexOf('/'))));
  }

  private <T extends KubernetesObject> void put(ResourceType<T> type, JsonObject tree) {
    if (!type.namespaced()) {
      tree.getAsJsonObject("metadata").remove("namespace");
    }
    objects.put(type, new Manifest(tree).as(type));
  }

  private Optional<SampleWorkload> sample(Manifest document) {
    for (JobKind<?> kind : configuration.integrations().kinds().all()) {
      if (document.isOf(kind)) {
        return Optional.of(ofJob(kind, checked(document)));
      }
    }
    return isOf(KueueTypes.WORKLOAD, document)
        ? Optional.of(sample(document, checked(document).as(KueueTypes.WORKLOAD), Optional.empty()))
        : Optional.empty();
  }

  private static Manifest checked(Manifest document) {
    try {
      WrittenNumbers.check(document.tree().get("spec"), "spec");
      WrittenNumbers.check(document.tree().get("status"), "status");
      return document;
    } catch (InvalidFieldException e) {
      throw new IllegalArgumentException(document.title() + ": " + e.getMessage(), e);
    }
  }

  private <T extends KubernetesObject> SampleWorkload ofJob(JobKind<T> kind, Manifest document) {
    if (!(document.tree().get("spec") instanceof JsonObject)) {
      throw new IllegalArgumentException(document.title() + " has no spec: write one");
    }
    T job = document.as(kind.type());
    Objects.requireNonNull(job.getMetadata(), "metadata").uid(UID);
    kind.group(job)
        .ifPresent(
            group -> {
              throw new IllegalArgumentException(
                  "%s is one of the group %s: give the Workload of the group instead"
                      .formatted(document.title(), group));
            });
    JobWorkload.prebuilt(job)
        .ifPresent(
            prebuilt -> {
              throw new IllegalArgumentException(
                  "%s names the prebuilt Workload %s: give that instead"
                      .formatted(document.title(), prebuilt));
            });
    kind.refusal(job)
        .or(() -> kind.unknownPods(job))
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(document.title() + " can't be queued: " + why);
            });
    Priorities.PriorityLookup priority =
        new Priorities(
                name -> objects.find(KueueTypes.WORKLOAD_PRIORITY_CLASS, ObjectKey.cluster(name)),
                name -> objects.find(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name)),
                () -> objects.all(CoreTypes.PRIORITY_CLASS))
            .of(kind, job);
    Optional<String> unknown =
        priority instanceof Priorities.PriorityLookup.Missing(String name)
            ? Optional.of(name)
            : kind.podPriorityClass(job)
                .filter(
                    name ->
                        JobWorkload.priorityClass(job).isEmpty()
                            && objects
                                .find(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name))
                                .isEmpty());
    return sample(
        document,
        NewWorkloads.of(configuration)
            .of(
                kind,
                job,
                kind.podSets(job),
                priority instanceof Priorities.PriorityLookup.Known(JobWorkload.Priority known)
                    ? known
                    : JobWorkload.Priority.none()),
        unknown);
  }

  private SampleWorkload sample(
      Manifest document, Workload workload, Optional<String> priorityClass) {
    String namespace = document.key().namespace();
    Map<String, String> labels =
        new TreeMap<>(
            TrialState.labels(
                objects.find(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace)).orElse(null)));
    labels.put("kubernetes.io/metadata.name", namespace);
    return new SampleWorkload(
        document.kind(), document.key(), holdingQuota(workload), labels, priorityClass);
  }

  private Workload holdingQuota(Workload workload) {
    Admission held = workload.status().admission();
    return workload.withStatus(
        workload
            .status()
            .withAdmission(held == null ? presumed(workload) : withWhatIsAssumed(held)));
  }

  private Admission withWhatIsAssumed(Admission held) {
    return new Admission(
        assumed.clusterQueue().orElse(held.clusterQueue()),
        held.podSetAssignments().stream().map(this::withWhatIsAssumed).toList());
  }

  private PodSetAssignment withWhatIsAssumed(PodSetAssignment held) {
    Map<String, String> flavors = new HashMap<>(held.flavors());
    assumed
        .flavor()
        .ifPresent(
            flavor -> held.resourceUsage().keySet().forEach(each -> flavors.put(each, flavor)));
    return new PodSetAssignment(held.name(), flavors, held.resourceUsage(), held.count());
  }

  private Admission presumed(Workload workload) {
    String queue = assumed.clusterQueue().orElseGet(() -> clusterQueue(workload));
    Optional<ClusterQueue> known = objects.find(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(queue));
    DemandCalculator calculator =
        new DemandCalculator(
            configuration.resourceRules(),
            namespace -> NamespaceLimits.none(),
            name ->
                objects
                    .find(CoreTypes.RUNTIME_CLASS, ObjectKey.cluster(name))
                    .map(DemandCalculator::overhead)
                    .orElse(Map.of()));
    List<PodSetAssignment> assignments = new ArrayList<>();
    for (PodSetDemand demand :
        calculator.declared(calculator.of(workload), known.map(ClusterQueue::spec).orElse(null))) {
      Map<String, String> flavors = new HashMap<>();
      Map<String, Quantity> usage = new HashMap<>();
      demand
          .perPod()
          .times(demand.count())
          .asMap()
          .forEach(
              (resource, units) -> {
                usage.put(resource, ResourceUnits.quantity(resource, units));
                assumed
                    .flavor()
                    .or(() -> known.flatMap(found -> firstFlavor(found, resource)))
                    .ifPresent(flavor -> flavors.put(resource, flavor));
              });
      assignments.add(new PodSetAssignment(demand.name(), flavors, usage, demand.count()));
    }
    return new Admission(queue, assignments);
  }

  /** Empty if it isn't known. */
  private String clusterQueue(Workload workload) {
    ObjectKey key =
        new ObjectKey(
            workload.key().namespace(),
            Objects.requireNonNullElse(workload.spec().queueName(), ""));
    return objects
        .find(KueueTypes.LOCAL_QUEUE, key)
        .map(LocalQueue::spec)
        .map(spec -> Objects.requireNonNullElse(spec.clusterQueue(), ""))
        .orElse("");
  }

  private static Optional<String> firstFlavor(ClusterQueue queue, String resource) {
    return queue.spec().resourceGroups().stream()
        .filter(group -> group.coveredResources().contains(resource))
        .flatMap(group -> group.flavors().stream())
        .map(FlavorQuotas::name)
        .findFirst();
  }
}
