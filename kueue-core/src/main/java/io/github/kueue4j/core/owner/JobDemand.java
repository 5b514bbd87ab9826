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
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.job.Alignment;
import io.github.kueue4j.core.job.Equivalence;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the Jobs of one kind ask for, held against what their Workloads say. */
final class JobDemand<T extends KubernetesObject> {
  private static final Logger log = LoggerFactory.getLogger(JobDemand.class);

  private final JobKind<T> kind;
  private final Priorities priorities;
  private final EventRecorder events;
  private final Configuration configuration;

  /** By Workload the version of its Job whose pods the server keeps otherwise than it got them. */
  private final Map<ObjectKey, String> incomparable = new ConcurrentHashMap<>();

  JobDemand(
      JobKind<T> kind, Priorities priorities, EventRecorder events, Configuration configuration) {
    this.kind = kind;
    this.priorities = priorities;
    this.events = events;
    this.configuration = configuration;
  }

  /** The pods that a Job asks for, as the cache knows them: to be compared, not written. */
  List<PodSet> podSets(T job) {
    return permitted(kind.podSets(job));
  }

  /** Without what the configuration doesn't permit. */
  List<PodSet> permitted(List<PodSet> podSets) {
    return configuration.featureGates().enabled(FeatureGate.PARTIAL_ADMISSION)
        ? podSets
        : podSets.stream().map(podSet -> podSet.withMinCount(null)).toList();
  }

  /** What a Job asks for, without what an earlier start has left on it. */
  List<PodSet> unmarked(T job) {
    return unmarked(kind.podSets(job));
  }

  /** The same of pods that a Job asks for. */
  List<PodSet> unmarked(List<PodSet> podSets) {
    return permitted(podSets).stream().map(JobWorkload::withoutMarks).toList();
  }

  /** Whether the Workload, which isn't finished, still says what the Job asks for. */
  Alignment alignment(T job, List<PodSet> podSets, Workload workload, Phase phase) {
    boolean lenient = version(job).equals(incomparable.get(ObjectKey.of(workload)));
    return Alignment.of(kind, job, podSets, workload, phase, named(job, workload), lenient);
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
    return switch (priorities.of(kind, job)) {
      case Priorities.Found.Known found -> Optional.of(found.priority());
      case Priorities.Found.Missing missing -> {
        tellMissing(job, missing);
        yield Optional.empty();
      }
    };
  }

  /** The Job names a WorkloadPriorityClass that doesn't exist. */
  void tellMissing(T job, Priorities.Found.Missing missing) {
    events.warning(
        job,
        "WorkloadPriorityClassNotFound",
        "WorkloadPriorityClassNotFound",
        "WorkloadPriorityClass \"" + missing.workloadPriorityClass() + "\" not found");
  }

  /** The API server doesn't take the Workload that the Job asks for. */
  void tellRefused(T job, ObjectKey workload, KubernetesApiException.Invalid refused) {
    events.warning(job, "WorkloadRefused", "WorkloadRefused", Refusal.text(workload, refused));
  }

  /**
   * A server that keeps pods otherwise than they were sent (a schema with other defaults, or one
   * that drops fields) would make us write the same over and over.
   */
  void written(T job, List<PodSet> asked, Workload workload) {
    if (!Equivalence.same(asked, workload.spec().podSets())) {
      log.atWarn()
          .addKeyValue("workload", ObjectKey.of(workload))
          .log("The server keeps the pods otherwise than they were sent; see the Workload CRD");
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

  /** The Workload with the pods that will never run again, if it doesn't say so. */
  Optional<Workload> reclaimed(T job, Workload workload) {
    Map<String, Integer> done = kind.reclaimablePods(job);
    if (done.isEmpty() && workload.status().reclaimablePods().isEmpty()) {
      return Optional.empty();
    }
    Map<String, Integer> atOnce =
        kind.podSets(job).stream().collect(Collectors.toMap(PodSet::name, PodSet::count));
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
        // A Job that was admitted with fewer pods doesn't count those that it did without.
        int all = podSet.count();
        count = Math.min(all, count + Math.max(0, all - atOnce.getOrDefault(podSet.name(), all)));
      }
      // What was given back while reserved may be others' by now.
      if (Math.max(known, count) > 0) {
        reclaimable.add(new ReclaimablePod(podSet.name(), Math.max(known, count)));
      }
    }
    return reclaimable.equals(workload.status().reclaimablePods())
        ? Optional.empty()
        : Optional.of(workload.withStatus(workload.status().withReclaimablePods(reclaimable)));
  }
}
