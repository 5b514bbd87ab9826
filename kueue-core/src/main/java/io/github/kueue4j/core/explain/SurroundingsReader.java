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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what {@link Explain} needs: about a dozen requests, lists of Workloads among them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SurroundingsReader {
  private static final Logger log = LoggerFactory.getLogger(SurroundingsReader.class);
  private static final int NEAR_NAMES = 5;

  private final KubernetesApi api;
  private final String leaseName;

  /**
   * A reader on one cluster.
   *
   * @param leaseName the name of the lease for which the core's replicas compete, {@code
   *     leaderElection.resourceName} of its configuration
   */
  public SurroundingsReader(KubernetesApi api, String leaseName) {
    this.api = api;
    this.leaseName = leaseName;
  }

  /**
   * Reads a Workload or a Job and what surrounds it.
   *
   * @param name the name of a Workload, or else of a Job; {@code workload/NAME} or {@code job/NAME}
   *     where both exist
   * @throws UnknownNameException if there is neither; it names what is called alike
   * @throws KubernetesApiException if the server refuses or doesn't answer
   */
  public Surroundings read(String namespace, String name) {
    int slash = name.indexOf('/');
    String plain = name.substring(slash + 1);
    boolean anyKind = slash < 0;
    String kind = anyKind ? "" : name.substring(0, slash);
    boolean job = anyKind || List.of("job", "jobs", "job.batch", "jobs.batch").contains(kind);
    boolean workload = anyKind || List.of("workload", "workloads", "wl").contains(kind);
    if (plain.isEmpty() || plain.contains("/") || (!job && !workload)) {
      throw new UnknownNameException(
          namespace, name, List.of("workload/NAME", "job/NAME or a plain NAME"));
    }
    ObjectKey key = new ObjectKey(namespace, plain);
    if (workload) {
      Optional<Workload> found = api.get(KueueTypes.WORKLOAD, key);
      if (found.isPresent()) {
        return around(found.get(), jobOf(found.get()).orElse(null));
      }
    }
    if (job) {
      Optional<V1Job> found = api.get(CoreTypes.JOB, key);
      if (found.isPresent()) {
        return around(workloadOf(found.get()).orElse(null), found.get());
      }
    }
    throw new UnknownNameException(namespace, name, near(namespace, plain, workload, job));
  }

  private Optional<V1Job> jobOf(Workload workload) {
    return owners(workload).stream()
        .filter(owner -> "Job".equals(owner.getKind()) && "batch/v1".equals(owner.getApiVersion()))
        .findFirst()
        .flatMap(
            owner ->
                api.get(
                        CoreTypes.JOB,
                        new ObjectKey(ObjectKey.of(workload).namespace(), owner.getName()))
                    .filter(job -> uid(job).equals(owner.getUid())));
  }

  /** By the name that we give; another implementation's by the owner that it names. */
  private Optional<Workload> workloadOf(V1Job job) {
    Optional<Workload> ours = api.get(KueueTypes.WORKLOAD, JobWorkload.keyOf(CoreTypes.JOB, job));
    return ours.isPresent()
        ? ours
        : api
            .list(KueueTypes.WORKLOAD, ListOptions.inNamespace(ObjectKey.of(job).namespace()))
            .items()
            .stream()
            .filter(
                workload ->
                    owners(workload).stream().anyMatch(owner -> uid(job).equals(owner.getUid())))
            .findFirst();
  }

  private Surroundings around(@Nullable Workload workload, @Nullable V1Job job) {
    KubernetesObject subject = Objects.requireNonNull(workload == null ? job : workload);
    String namespace = ObjectKey.of(subject).namespace();
    Optional<LocalQueue> localQueue =
        Optional.ofNullable(workload)
            .map(found -> found.spec().queueName())
            .filter(queue -> !queue.isEmpty())
            .flatMap(queue -> api.get(KueueTypes.LOCAL_QUEUE, new ObjectKey(namespace, queue)));
    Optional<ClusterQueue> clusterQueue =
        clusterQueueName(workload, localQueue)
            .flatMap(name -> api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name)));
    List<Workload> others =
        clusterQueue.isEmpty() ? List.of() : ifAllowed(KueueTypes.WORKLOAD, ListOptions.all());
    List<LocalQueue> leading = clusterQueue.map(this::leadingTo).orElse(List.of());
    boolean shares = clusterQueue.filter(queue -> queue.spec().cohortName() != null).isPresent();
    return new Surroundings(
        workload,
        job,
        job == null ? List.of() : pods(job),
        localQueue.orElse(null),
        clusterQueue.orElse(null),
        byName(KueueTypes.RESOURCE_FLAVOR),
        byName(KueueTypes.ADMISSION_CHECK),
        labels(namespace),
        byName(KueueTypes.WORKLOAD_PRIORITY_CLASS).keySet(),
        clusterQueue.map(queue -> rivals(queue, subject, others, leading)).orElse(List.of()),
        leading,
        shares ? byName(ifAllowed(KueueTypes.COHORT, ListOptions.all())) : Map.of(),
        shares ? ifAllowed(KueueTypes.CLUSTER_QUEUE, ListOptions.all()) : List.of(),
        shares
            ? others.stream().filter(other -> holdsElsewhere(clusterQueue, other)).toList()
            : List.of(),
        lease());
  }

  private static Optional<String> clusterQueueName(
      @Nullable Workload workload, Optional<LocalQueue> localQueue) {
    return workload != null && Phase.holdsQuota(workload) && workload.status().admission() != null
        ? Optional.of(workload.status().admission().clusterQueue())
        : localQueue.map(queue -> queue.spec().clusterQueue());
  }

  private List<V1Pod> pods(V1Job job) {
    ListOptions ofJob =
        ListOptions.inNamespace(ObjectKey.of(job).namespace())
            .withLabelSelector("job-name=" + ObjectKey.of(job).name());
    return ifAllowed(CoreTypes.POD, ofJob).stream()
        .filter(pod -> owners(pod).stream().anyMatch(owner -> uid(job).equals(owner.getUid())))
        .toList();
  }

  private static boolean holdsElsewhere(Optional<ClusterQueue> queue, Workload workload) {
    Admission admission = workload.status().admission();
    return Phase.holdsQuota(workload)
        && admission != null
        && queue
            .filter(here -> !ObjectKey.of(here).name().equals(admission.clusterQueue()))
            .isPresent();
  }

  private List<LocalQueue> leadingTo(ClusterQueue queue) {
    return ifAllowed(KueueTypes.LOCAL_QUEUE, ListOptions.all()).stream()
        .filter(local -> ObjectKey.of(queue).name().equals(local.spec().clusterQueue()))
        .toList();
  }

  private static List<Workload> rivals(
      ClusterQueue queue,
      KubernetesObject subject,
      List<Workload> others,
      List<LocalQueue> leading) {
    String name = ObjectKey.of(queue).name();
    var leadingThere = leading.stream().map(ObjectKey::of).collect(Collectors.toUnmodifiableSet());
    return others.stream()
        .filter(workload -> !ObjectKey.of(workload).equals(ObjectKey.of(subject)))
        .filter(
            workload ->
                Phase.holdsQuota(workload)
                    ? workload.status().admission() != null
                        && workload.status().admission().clusterQueue().equals(name)
                    : leadingThere.contains(
                        new ObjectKey(
                            ObjectKey.of(workload).namespace(),
                            Objects.requireNonNullElse(workload.spec().queueName(), ""))))
        .toList();
  }

  private @Nullable V1Lease lease() {
    return ifAllowed(CoreTypes.LEASE, ListOptions.all()).stream()
        .filter(lease -> leaseName.equals(ObjectKey.of(lease).name()))
        .filter(lease -> lease.getSpec() != null && lease.getSpec().getRenewTime() != null)
        .max(Comparator.comparing(lease -> lease.getSpec().getRenewTime()))
        .orElse(null);
  }

  /** Somebody who may see one namespace only still gets an answer, from less. */
  private <T extends KubernetesObject> List<T> ifAllowed(
      ResourceType<T> type, ListOptions options) {
    try {
      return api.list(type, options).items();
    } catch (KubernetesApiException.Forbidden e) {
      log.atDebug().addKeyValue("type", type).log("Not allowed to list, explaining without it");
      return List.of();
    }
  }

  private <T extends ApiObject> Map<String, T> byName(ResourceType<T> type) {
    return byName(api.list(type, ListOptions.all()).items());
  }

  private static <T extends ApiObject> Map<String, T> byName(List<T> objects) {
    return objects.stream()
        .collect(
            Collectors.toUnmodifiableMap(
                object -> ObjectKey.of(object).name(), Function.identity()));
  }

  private Map<String, String> labels(String namespace) {
    return api.get(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace))
        .map(V1Namespace::getMetadata)
        .map(V1ObjectMeta::getLabels)
        .orElse(Map.of());
  }

  private List<String> near(String namespace, String asked, boolean workloads, boolean jobs) {
    ListOptions here = ListOptions.inNamespace(namespace);
    Stream<String> known =
        Stream.concat(
            workloads
                ? api.list(KueueTypes.WORKLOAD, here).items().stream()
                    .map(workload -> ObjectKey.of(workload).name())
                : Stream.empty(),
            jobs
                ? api.list(CoreTypes.JOB, here).items().stream()
                    .map(job -> "job/" + ObjectKey.of(job).name())
                : Stream.empty());
    return NearNames.of(asked, known.toList(), NEAR_NAMES);
  }

  private static List<V1OwnerReference> owners(KubernetesObject object) {
    return Optional.ofNullable(object.getMetadata())
        .map(V1ObjectMeta::getOwnerReferences)
        .orElse(List.of());
  }

  private static String uid(KubernetesObject object) {
    return Optional.ofNullable(object.getMetadata()).map(V1ObjectMeta::getUid).orElse("");
  }
}
