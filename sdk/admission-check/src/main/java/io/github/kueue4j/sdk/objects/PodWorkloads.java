// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tells which Workload a pod belongs to, at one moment and through any depth of owners: the
 * Workload of a JobSet has pods that belong to Jobs that belong to the JobSet.
 *
 * <pre>{@code
 * PodWorkloads belonging = PodWorkloads.of(workloads.list(), jobs.list());
 * for (V1Pod pod : pods.list()) {
 *   Optional<Workload> workload = belonging.workloadOf(pod);
 * }
 * }</pre>
 *
 * <p>A pod belongs to the Workload that the pod itself owns, or the nearest of the objects that
 * control it, one above the other. Where none of them is known to own a Workload, because an object
 * in between was deleted, is of a kind that was not given, or controls itself by way of others, the
 * pod's annotation {@value #ANNOTATION} names the Workload; queue controllers set it where they
 * start a Job. Both hold within the pod's namespace only.
 *
 * <p>The annotation can be set by the creator of any pod. A check that counts what pods use should
 * count what the pods of a Workload use beyond what the Workload has reserved.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PodWorkloads {

  /** On a pod: the name of its Workload. */
  public static final String ANNOTATION = "kueue.x-k8s.io/workload";

  /** Where an object owns several: the one that holds quota, or else the youngest. */
  private static final Comparator<Workload> PREFERRED =
      Comparator.comparing((Workload workload) -> workload.conditions().holdsQuota())
          .thenComparing(
              workload -> workload.metadata().getCreationTimestamp(),
              Comparator.nullsFirst(Comparator.naturalOrder()));

  private final Map<ObjectKey, Workload> byName = new HashMap<>();
  private final Map<String, Workload> byOwner = new HashMap<>();

  /** The uid of the object that controls another, by the uid of the other. */
  private final Map<String, String> controllers = new HashMap<>();

  private PodWorkloads() {}

  /**
   * The Workloads of pods, by these objects.
   *
   * @param workloads the Workloads that pods may belong to
   * @param between objects between pods and the owners of Workloads, such as the Jobs of JobSets;
   *     of each only the metadata's uid and owner references are read
   */
  public static PodWorkloads of(
      Collection<Workload> workloads, Collection<? extends KubernetesObject> between) {
    PodWorkloads known = new PodWorkloads();
    for (Workload workload : workloads) {
      known.byName.put(workload.key(), workload);
      owners(workload)
          .map(V1OwnerReference::getUid)
          .filter(Objects::nonNull)
          .forEach(
              owner ->
                  known.byOwner.merge(
                      owner,
                      workload,
                      (one, other) -> PREFERRED.compare(one, other) >= 0 ? one : other));
    }
    for (KubernetesObject object : between) {
      @Nullable String above = controller(object);
      if (above != null) {
        known.controllers.put(Uids.of(object), above);
      }
    }
    return known;
  }

  /** The Workload that the pod belongs to; empty if it belongs to none that is known. */
  public Optional<Workload> workloadOf(V1Pod pod) {
    String namespace = ObjectKey.of(pod).namespace();
    return ofOwner(pod)
        .filter(workload -> workload.key().namespace().equals(namespace))
        .or(() -> named(namespace, pod));
  }

  private Optional<Workload> ofOwner(V1Pod pod) {
    @Nullable Workload own = byOwner.get(Uids.of(pod));
    Set<String> seen = new HashSet<>();
    @Nullable String uid = controller(pod);
    while (own == null && uid != null && seen.add(uid)) {
      own = byOwner.get(uid);
      uid = controllers.get(uid);
    }
    return Optional.ofNullable(own);
  }

  private Optional<Workload> named(String namespace, V1Pod pod) {
    return Optional.ofNullable(pod.getMetadata())
        .map(V1ObjectMeta::getAnnotations)
        .map(annotations -> annotations.get(ANNOTATION))
        .map(name -> byName.get(new ObjectKey(namespace, name)));
  }

  private static @Nullable String controller(KubernetesObject object) {
    return owners(object)
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(V1OwnerReference::getUid)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Stream<V1OwnerReference> owners(KubernetesObject object) {
    return Optional.ofNullable(object.getMetadata())
        .map(V1ObjectMeta::getOwnerReferences)
        .orElse(List.of())
        .stream();
  }
}
