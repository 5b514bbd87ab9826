// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.state.ConfigObjectChanges;
import io.github.kueue4j.observe.dryrun.ChangedQueues;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1RuntimeClass;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objects of administrators at one time of a recording, with the changes that a replay tries.
 */
final class Administration {
  private final ReadObjects objects = new ReadObjects();
  private final ReplayChanges changes;

  Administration(ReplayChanges changes) {
    this.changes = changes;
  }

  ReadObjects objects() {
    return objects;
  }

  /**
   * Checks that every change concerns something in a recording.
   *
   * @throws IllegalArgumentException if one doesn't; says what may be meant
   */
  static void check(ReplayChanges changes, Collection<RecordedChange> recorded) {
    List<ClusterQueue> queues =
        recorded.stream()
            .filter(change -> change.kind().equals(KueueTypes.CLUSTER_QUEUE.kind()))
            .filter(change -> change.object() != null)
            .map(
                change ->
                    KueueJson.fromTree(
                        Objects.requireNonNull(change.object()), KueueTypes.CLUSTER_QUEUE))
            .toList();
    Set<String> names =
        queues.stream()
            .map(queue -> ObjectKey.of(queue).name())
            .collect(Collectors.toCollection(TreeSet::new));
    for (String path : changes.quotas().keySet()) {
      known("ClusterQueue", path.split("/", 2)[0], names);
    }
    Set<String> checks =
        queues.stream()
            .flatMap(queue -> queue.spec().admissionChecks().stream())
            .map(AdmissionCheckStrategyRule::name)
            .collect(Collectors.toCollection(TreeSet::new));
    changes.withoutChecks().forEach(check -> known("required AdmissionCheck", check, checks));
  }

  private static void known(String what, String name, Set<String> names) {
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "the recording has no %s \"%s\"%s"
              .formatted(
                  what,
                  name,
                  NearestName.of(name, names)
                      .map(nearest -> "; did you mean " + nearest + "?")
                      .orElse(names.isEmpty() ? "" : "; it has " + String.join(", ", names))));
    }
  }

  /** Takes a change in, and tells it to a State. */
  void take(RecordedChange change, ConfigObjectChanges state, Instant now) {
    take(RecordedChange.KINDS.get(change.kind()), change);
    tell(change, state, now);
  }

  private <T extends KubernetesObject> void take(
      @Nullable ResourceType<T> type, RecordedChange change) {
    Objects.requireNonNull(type);
    if (change.object() == null) {
      objects.keep(type, object -> !ObjectKey.of(object).equals(change.key()));
      return;
    }
    objects.put(type, KueueJson.fromTree(change.object(), type));
    if (type.equals(KueueTypes.CLUSTER_QUEUE)) {
      ChangedQueues queues = new ChangedQueues(objects);
      String name = change.key().name();
      for (Map.Entry<String, String> quota : changes.quotas().entrySet()) {
        if (quota.getKey().startsWith(name + "/") || quota.getKey().equals(name)) {
          queues.quota(quota.getKey(), quota.getValue());
        }
      }
      for (String check : changes.withoutChecks()) {
        if (objects.find(KueueTypes.CLUSTER_QUEUE, change.key()).stream()
            .flatMap(queue -> queue.spec().admissionChecks().stream())
            .anyMatch(rule -> rule.name().equals(check))) {
          queues.withoutCheck(check);
        }
      }
    }
  }

  private <T extends KubernetesObject> @Nullable T find(ResourceType<T> type, ObjectKey key) {
    return objects.find(type, key).orElse(null);
  }

  private void tell(RecordedChange change, ConfigObjectChanges state, Instant now) {
    ObjectKey key = change.key();
    String name = key.name();
    switch (change.kind()) {
      case "Namespace" -> {
        var namespace = find(CoreTypes.NAMESPACE, key);
        state.namespace(
            name,
            namespace == null || namespace.getMetadata() == null
                ? null
                : Metadata.labels(namespace));
      }
      case "ResourceFlavor" -> {
        ResourceFlavor flavor = find(KueueTypes.RESOURCE_FLAVOR, key);
        state.flavor(name, flavor, now);
      }
      case "AdmissionCheck" -> {
        AdmissionCheck check = find(KueueTypes.ADMISSION_CHECK, key);
        state.check(name, check, now);
      }
      case "Cohort" -> {
        Cohort cohort = find(KueueTypes.COHORT, key);
        state.cohort(name, cohort, now);
      }
      case "ClusterQueue" -> {
        ClusterQueue queue = find(KueueTypes.CLUSTER_QUEUE, key);
        state.clusterQueue(name, queue, now);
      }
      case "LimitRange" -> {
        V1LimitRange range = find(CoreTypes.LIMIT_RANGE, key);
        state.limitRange(key, range, now);
      }
      case "RuntimeClass" -> {
        V1RuntimeClass runtimeClass = find(CoreTypes.RUNTIME_CLASS, key);
        state.runtimeClass(
            name, runtimeClass == null ? Map.of() : DemandCalculator.overhead(runtimeClass), now);
      }
      case "LocalQueue" -> {
        LocalQueue queue = find(KueueTypes.LOCAL_QUEUE, key);
        state.localQueue(key, queue, now);
      }
      default -> throw new IllegalArgumentException("no administrator makes a " + change.kind());
    }
  }
}
