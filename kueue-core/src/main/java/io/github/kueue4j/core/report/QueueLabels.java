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
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.CustomLabel;
import io.github.kueue4j.core.config.LabelSelection;
import io.github.kueue4j.core.config.MetricsSettings;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What the configuration has metrics take from their objects: custom labels, and which LocalQueues
 * are measured at all. Thread-safe.
 *
 * @param caches where the objects are found; one that isn't there has empty values
 * @param custom labels of all kinds
 * @param localQueues those that are measured; empty for none
 */
@API(status = API.Status.INTERNAL)
public record QueueLabels(
    CoreInformers caches, List<CustomLabel> custom, Optional<LabelSelection> localQueues) {
  public QueueLabels {
    custom = List.copyOf(custom);
  }

  /** Those that the configuration asks for. */
  public static QueueLabels of(CoreInformers caches, MetricsSettings settings) {
    return new QueueLabels(caches, settings.customLabels(), settings.localQueues());
  }

  /** The Cohorts above a ClusterQueue, its own first. */
  List<String> cohortsAbove(String clusterQueue) {
    return caches.cohortsAbove(clusterQueue);
  }

  Tags ofClusterQueue(String name) {
    return tags(
        CustomLabel.Kind.CLUSTER_QUEUE, caches.clusterQueues().get(ObjectKey.cluster(name)));
  }

  Tags ofLocalQueue(ObjectKey key) {
    return tags(CustomLabel.Kind.LOCAL_QUEUE, caches.localQueues().get(key));
  }

  Tags ofCohort(String name) {
    return tags(CustomLabel.Kind.COHORT, caches.cohorts().get(ObjectKey.cluster(name)));
  }

  Tags ofWorkload(Workload workload) {
    return tags(CustomLabel.Kind.WORKLOAD, Optional.of(workload));
  }

  /** Whether a LocalQueue is measured; one that isn't there has no labels. */
  boolean measured(ObjectKey localQueue) {
    return localQueues
        .map(
            selection ->
                selection.matches(
                    caches
                        .localQueues()
                        .get(localQueue)
                        .map(found -> labels(found.getMetadata()))
                        .orElse(Map.of())))
        .orElse(false);
  }

  private static Map<String, String> labels(V1ObjectMeta metadata) {
    return Objects.requireNonNullElse(metadata.getLabels(), Map.of());
  }

  private Tags tags(CustomLabel.Kind kind, Optional<? extends KubernetesObject> object) {
    V1ObjectMeta metadata = object.map(KubernetesObject::getMetadata).orElseGet(V1ObjectMeta::new);
    return Tags.of(
        custom.stream()
            .filter(label -> label.kind() == kind)
            .map(label -> Tag.of("custom_" + label.name(), label.value(metadata)))
            .toList());
  }
}
