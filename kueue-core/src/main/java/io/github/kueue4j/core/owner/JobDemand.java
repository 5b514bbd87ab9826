// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.admission.AskedInVain;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.ManagedNamespaces;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what the Jobs of one kind ask for with what their Workloads say. */
final class JobDemand<T extends KubernetesObject> {
  private static final Logger log = LoggerFactory.getLogger(JobDemand.class);

  private final JobKind<T> kind;
  private final JobStore<T> jobs;
  private final Priorities priorities;
  private final EventRecorder events;
  private final Configuration configuration;
  private final NewWorkloads newWorkloads;

  /** By Workload, the version of its Job whose pods the API server stores changed. */
  private final Map<ObjectKey, String> incomparable = new ConcurrentHashMap<>();

  JobDemand(
      JobStore<T> jobs, Priorities priorities, EventRecorder events, Configuration configuration) {
    this.kind = jobs.kind();
    this.jobs = jobs;
    this.priorities = priorities;
    this.events = events;
    this.configuration = configuration;
    this.newWorkloads = NewWorkloads.of(configuration);
  }

  /** The Workload to create for a Job with these untrimmed pods. */
  Workload newWorkload(T job, List<PodSet> whole, JobWorkload.Priority priority) {
    return newWorkloads.of(kind, job, whole, priority);
  }

  /** The Workload to create for a group with these untrimmed pod sets. */
  Workload newWorkload(
      ObjectKey key,
      Optional<V1OwnerReference> server,
      List<V1Pod> pods,
      List<PodSet> whole,
      JobWorkload.Priority priority) {
    return newWorkloads.ofGroup(key, server, pods, whole, priority);
  }

  /** The pods that a Job asks for, as trimmed by the cache: to be compared, not written. */
  List<PodSet> podSets(T job) {
    return permitted(kind.podSets(job));
  }

  /** Why it isn't known what pods a Job asks for; empty if it is. */
  Optional<String> unknownPods(T job) {
    Optional<String> why = kind.unknownPods(job);
    return why.isPresent() && !jobs.seesPods()
        ? kind.podsIn()
            .map(
                type ->
                    "its pods are in an object of %s, which isn't installed or which the core's account may not list"
                        .formatted(type.qualifiedName()))
        : why;
  }

  /** The pod sets without what the configuration doesn't permit. */
  List<PodSet> permitted(List<PodSet> podSets) {
    return newWorkloads.permitted(podSets);
  }

  /** The pods that a Job asks for, without what an earlier start has left on it. */
  List<PodSet> unmarked(T job) {
    return unmarked(kind.podSets(job));
  }

  /** The pod sets without what an earlier start of their Job has left on them. */
  List<PodSet> unmarked(List<PodSet> podSets) {
    return newWorkloads.unmarked(podSets);
  }

  /** Compares the Workload, which isn't finished, with the demand of the Job. */
  Alignment alignment(T job, List<PodSet> podSets, Workload workload, Phase phase) {
    boolean lenient = version(job).equals(incomparable.get(ObjectKey.of(workload)));
    return Alignment.of(kind, job, podSets, workload, phase, named(job, workload), lenient);
  }

  /** Compares the Workload of a group, which isn't finished, with the demand of its pods. */
  Alignment alignment(Optional<T> first, PodGroup group, Workload workload, Phase phase) {
    return Alignment.ofGroup(group, workload, phase, first.flatMap(pod -> named(pod, workload)));
  }

  private Optional<JobWorkload.Priority> named(T job, Workload workload) {
    PriorityClassRef known = workload.spec().priorityClassRef();
    Optional<String> name = JobWorkload.priorityClass(job);
    if (name.isEmpty()
        || (known != null
            && known.group().equals(KueueTypes.GROUP)
            && known.name().equals(name.get()))) {
      return Optional.empty();
    }
    return priority(job);
  }

  /**
   * The priority of the Job's Workload; empty if it names a WorkloadPriorityClass that doesn't
   * exist, which is recorded on the Job.
   */
  Optional<JobWorkload.Priority> priority(T job) {
    return switch (priorities.of(kind, job)) {
      case Priorities.PriorityLookup.Known found -> Optional.of(found.priority());
      case Priorities.PriorityLookup.Missing missing -> {
        events.warning(
            job,
            "WorkloadPriorityClassNotFound",
            "WorkloadPriorityClassNotFound",
            "WorkloadPriorityClass \"" + missing.workloadPriorityClass() + "\" not found");
        yield Optional.empty();
      }
    };
  }

  /** Why no controller of this cluster runs the Job; empty if one does. */
  Optional<Unsupported> runsElsewhere(T job) {
    return kind.runsElsewhere(job);
  }

  /** Whether no Workload can be made for the Job; if so, it is recorded on the Job. */
  boolean refuses(T job) {
    Optional<String> refusal = kind.refusal(job);
    refusal.ifPresent(
        why -> events.warning(job, "NotSupported", "NotSupported", "It can't be queued: " + why));
    return refusal.isPresent();
  }

  /** Records on a pod why it isn't queued with its group. */
  void tellMisfit(PodGroup.Misfit misfit) {
    events.warning(
        misfit.pod(), "NotSupported", "NotSupported", "It can't be queued: " + misfit.why());
  }

  /** Records on the Job what it asks for in vain. */
  void tellUnsupported(T job) {
    List<Unsupported> asked =
        Stream.of(
                AskedInVain.by(KueueJson.toTree(job).getAsJsonObject(), configuration).stream(),
                inPodsElsewhere(job),
                runsElsewhere(job).stream())
            .flatMap(Function.identity())
            .toList();
    if (!asked.isEmpty()) {
      events.warning(
          job,
          "NotSupported",
          "NotSupported",
          Unsupported.text(asked, configuration.resourceRules().refused()));
    }
  }

  /** The features that pods in another object ask for, which isn't told itself. */
  private Stream<Unsupported> inPodsElsewhere(T job) {
    return kind.podsIn().isEmpty()
        ? Stream.of()
        : kind.podSets(job).stream()
            .flatMap(
                podSet ->
                    Unsupported.in(
                        kind.podsIn().orElseThrow().kind() + " " + podSet.name(), podSet.template())
                        .stream());
  }

  /** Records on the Job that the queue which it names has no effect in its namespace. */
  void tellExcluded(T job) {
    events.warning(
        job,
        "NamespaceNotManaged",
        "NamespaceNotManaged",
        "It names the queue "
            + JobWorkload.queueName(job).orElse("")
            + ", but "
            + configuration
                .managedNamespaces()
                .unmanaged(ObjectKey.of(job).namespace(), kind.suspended(job))
            + ". "
            + ManagedNamespaces.REMEDY);
  }

  /** Records on a Job with the pods of an owner without a queue that its own has no effect. */
  void tellPartOf(T job, V1OwnerReference owner) {
    JobWorkload.queueName(job)
        .ifPresent(
            queue ->
                events.warning(
                    job,
                    "NotSupported",
                    "NotSupported",
                    "It names the queue %1$s, and runs without quota, since it has the pods of %2$s %3$s, which isn't queued: set the label %4$s of %2$s %3$s"
                        .formatted(queue, owner.getKind(), owner.getName(), Keys.QUEUE_NAME)));
  }

  /** Records on the Job that the API server refuses the Workload that the Job asks for. */
  void tellRefused(T job, ObjectKey workload, KubernetesApiException.Invalid refused) {
    events.warning(job, "WorkloadRefused", "WorkloadRefused", Refusal.text(workload, refused));
  }

  /**
   * Remembers whether the API server stored the pods as they were sent. Where it doesn't (a schema
   * with other defaults, or one that drops fields), an exact comparison would write the same change
   * over and over.
   */
  void written(T job, List<PodSet> asked, Workload workload) {
    if (!Equivalence.same(asked, workload.spec().podSets())) {
      log.atWarn()
          .addKeyValue("workload", ObjectKey.of(workload))
          .log(
              "The API server stored other pod sets than it was sent; check the installed Workload CRD");
      incomparable.put(ObjectKey.of(workload), version(job));
    } else {
      incomparable.remove(ObjectKey.of(workload));
    }
  }

  private static String version(KubernetesObject job) {
    V1ObjectMeta metadata = job.getMetadata();
    return Uids.of(job) + '/' + (metadata == null ? null : metadata.getGeneration());
  }

  void forget(ObjectKey workload) {
    incomparable.remove(workload);
  }

  /** Whether pods that will never run again give their quota back (KEP-78). */
  boolean reclaimsPods() {
    return configuration.featureGates().enabled(FeatureGate.RECLAIMABLE_PODS);
  }

  /** The Workload with the pods that will never run again, if it doesn't say so. */
  Optional<Workload> reclaimed(T job, Workload workload) {
    return reclaimed(
        kind.reclaimablePods(job),
        kind.podSets(job).stream().collect(Collectors.toMap(PodSet::name, PodSet::count)),
        workload);
  }

  /**
   * The Workload with the pods that will never run again, if it doesn't say so.
   *
   * @param done by pod set, those of its Job
   * @param atOnce by pod set, the pods that its Job asks for, where that may be fewer
   */
  Optional<Workload> reclaimed(
      Map<String, Integer> done, Map<String, Integer> atOnce, Workload workload) {
    if (done.isEmpty() && workload.status().reclaimablePods().isEmpty()) {
      return Optional.empty();
    }
    boolean holds = Phase.holdsQuota(workload);
    List<ReclaimablePod> reclaimable = new ArrayList<>();
    for (PodSet podSet : workload.spec().podSets()) {
      int known =
          workload.status().reclaimablePods().stream()
              .filter(pods -> holds && pods.name().equals(podSet.name()))
              .mapToInt(ReclaimablePod::count)
              .findFirst()
              .orElse(0);
      int count = done.getOrDefault(podSet.name(), 0);
      if (count > 0) {
        // A Job that was admitted with fewer pods doesn't count the pods that it runs without.
        int all = podSet.count();
        count = Math.min(all, count + Math.max(0, all - atOnce.getOrDefault(podSet.name(), all)));
      }
      // What was given back while quota was reserved may be used by other Workloads by now.
      if (Math.max(known, count) > 0) {
        reclaimable.add(new ReclaimablePod(podSet.name(), Math.max(known, count)));
      }
    }
    return reclaimable.equals(workload.status().reclaimablePods())
        ? Optional.empty()
        : Optional.of(workload.withStatus(workload.status().withReclaimablePods(reclaimable)));
  }
}
