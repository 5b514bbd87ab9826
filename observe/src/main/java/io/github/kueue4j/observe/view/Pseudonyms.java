// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Other names for what belongs to other namespaces than that of a viewer: an explanation counts
 * their Workloads, and must not tell what they are called.
 */
final class Pseudonyms {
  private final String visible;
  private final Map<String, String> names = new HashMap<>();

  /** Names for a viewer of this namespace. */
  Pseudonyms(String visible) {
    this.visible = visible;
  }

  /** An object under the name that the viewer may know. */
  <T extends KubernetesObject> T of(ResourceType<T> type, T object) {
    if (ObjectKey.of(object).namespace().equals(visible)) {
      return object;
    }
    return switch (object) {
      case Workload workload -> type.type().cast(hidden(workload));
      case LocalQueue queue -> type.type().cast(hidden(queue));
      default -> object;
    };
  }

  private Workload hidden(Workload workload) {
    String namespace = ObjectKey.of(workload).namespace();
    String queue = workload.spec().queueName();
    List<Condition> conditions =
        workload.status().conditions().stream().map(Pseudonyms::withoutMessage).toList();
    List<AdmissionCheckState> checks =
        workload.status().admissionChecks().stream().map(entry -> entry.withMessage("")).toList();
    return workload
        .withMetadata(hidden(workload.metadata(), "workload"))
        .withSpec(
            workload
                .spec()
                .withQueueName(queue == null ? null : name("queue", namespace + "/" + queue)))
        .withStatus(workload.status().withConditions(conditions).withAdmissionChecks(checks));
  }

  private static Condition withoutMessage(Condition condition) {
    return new Condition(
        condition.type(),
        condition.status(),
        condition.reason(),
        "",
        condition.lastTransitionTime(),
        condition.observedGeneration());
  }

  private LocalQueue hidden(LocalQueue queue) {
    return queue.withMetadata(hidden(queue.metadata(), "queue"));
  }

  private V1ObjectMeta hidden(V1ObjectMeta metadata, String kind) {
    String namespace = Objects.requireNonNullElse(metadata.getNamespace(), "");
    return new V1ObjectMeta()
        .namespace(name("other-namespace", namespace))
        .name(name(kind, namespace + "/" + metadata.getName()))
        .uid(metadata.getUid())
        .resourceVersion(metadata.getResourceVersion())
        .annotations(metadata.getAnnotations())
        .creationTimestamp(metadata.getCreationTimestamp())
        .deletionTimestamp(metadata.getDeletionTimestamp());
  }

  private String name(String kind, @Nullable String original) {
    return names.computeIfAbsent(kind + " " + original, key -> kind + "-" + (names.size() + 1));
  }
}
