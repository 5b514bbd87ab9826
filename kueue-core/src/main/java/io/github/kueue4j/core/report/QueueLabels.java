// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.CustomLabel;
import io.github.kueue4j.core.config.MetricsSettings;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The custom labels of metrics, and which LocalQueues are measured, as the configuration says.
 * Thread-safe.
 *
 * @param caches of the objects; the labels of an object that isn't there are empty
 * @param custom labels of all kinds
 * @param localQueues which of them are measured; empty for none
 */
@API(status = API.Status.INTERNAL)
public record QueueLabels(
    CoreInformers caches, List<CustomLabel> custom, Optional<LabelSelector> localQueues) {
  public QueueLabels {
    custom = List.copyOf(custom);
  }

  /** The labels that the configuration asks for. */
  public static QueueLabels of(CoreInformers caches, MetricsSettings settings) {
    return new QueueLabels(caches, settings.customLabels(), settings.localQueues());
  }

  /** The Cohorts above a ClusterQueue, its own first. */
  List<String> cohortsAbove(String clusterQueue) {
    return caches.cohortsAbove(clusterQueue);
  }

  Tags ofClusterQueue(String name) {
    return tags(
        CustomLabel.LabelSource.CLUSTER_QUEUE, caches.clusterQueues().get(ObjectKey.cluster(name)));
  }

  Tags ofLocalQueue(ObjectKey key) {
    return tags(CustomLabel.LabelSource.LOCAL_QUEUE, caches.localQueues().get(key));
  }

  Tags ofCohort(String name) {
    return tags(CustomLabel.LabelSource.COHORT, caches.cohorts().get(ObjectKey.cluster(name)));
  }

  Tags ofWorkload(Workload workload) {
    return tags(CustomLabel.LabelSource.WORKLOAD, Optional.of(workload));
  }

  /** The labels that those of a Workload have, with the values of an object without any. */
  Tags ofNoWorkload() {
    return tags(CustomLabel.LabelSource.WORKLOAD, Optional.empty());
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
    return Metadata.labels(metadata);
  }

  private Tags tags(
      CustomLabel.LabelSource labelSource, Optional<? extends KubernetesObject> object) {
    V1ObjectMeta metadata = object.map(KubernetesObject::getMetadata).orElseGet(V1ObjectMeta::new);
    return Tags.of(
        custom.stream()
            .filter(label -> label.labelSource() == labelSource)
            .map(label -> Tag.of("custom_" + label.name(), label.value(metadata)))
            .toList());
  }
}
