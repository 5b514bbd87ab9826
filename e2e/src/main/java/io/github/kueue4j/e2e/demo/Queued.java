// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.e2e.objects.Manifests.Manifest;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.stream.Stream;

/**
 * The tasks that wait in a queue on a Workload of its own: a Job of any kind, or a group of pods.
 *
 * @param kind such as {@code RayJob}; {@code Pod} for a group
 * @param key namespace and name of the Job, or of the group
 */
record Queued(String kind, ObjectKey key) {
  private static final String GROUP = "kueue.x-k8s.io/pod-group-name";
  private static final String OF_GROUP = "kueue.x-k8s.io/is-group-workload";

  static Queued of(Manifest<?> manifest) {
    V1ObjectMeta metadata = manifest.object().getMetadata();
    ObjectKey own = ObjectKey.of(manifest.object());
    String group = Metadata.labels(metadata).get(GROUP);
    return new Queued(
        manifest.type().kind(), group == null ? own : new ObjectKey(own.namespace(), group));
  }

  /** Its Workload, if there is one already. */
  Stream<Workload> workloads(Informer<Workload> workloads) {
    return workloads.list().stream().filter(this::has);
  }

  private boolean has(Workload workload) {
    if (kind.equals(CoreTypes.POD.kind()) && isOfGroup(workload)) {
      return workload.key().equals(key);
    }
    return workload.key().namespace().equals(key.namespace())
        && Metadata.owners(workload).stream()
            .anyMatch(owner -> owner.getKind().equals(kind) && owner.getName().equals(key.name()));
  }

  /** Whether the Workload is that of a group of pods, whose name it has. */
  static boolean isOfGroup(Workload workload) {
    return "true".equals(Metadata.annotations(workload).get(OF_GROUP));
  }

  /** Whether it has ended well, as its Workload says. */
  boolean succeeded(Informer<Workload> workloads) {
    return workloads(workloads)
        .flatMap(workload -> workload.status().conditions().stream())
        .anyMatch(
            condition ->
                condition.type().equals(WorkloadConditions.FINISHED)
                    && condition.isTrue()
                    && condition.reason().equals("Succeeded"));
  }
}
