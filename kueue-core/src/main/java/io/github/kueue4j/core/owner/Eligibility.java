// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ManagedNamespaces;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;

/** The rule for Jobs that are managed, unless they belong to another Job that is. */
final class Eligibility {
  private final CoreInformers caches;
  private final Configuration configuration;

  Eligibility(CoreInformers caches, Configuration configuration) {
    this.caches = caches;
    this.configuration = configuration;
  }

  <T extends KubernetesObject> boolean of(JobKind<T> kind, T job) {
    return kind.manageable(job) && of(job);
  }

  private boolean of(KubernetesObject job) {
    if (JobWorkload.queueName(job).isEmpty() && !configuration.manageJobsWithoutQueueName()) {
      return false;
    }
    return in(ObjectKey.of(job).namespace());
  }

  /**
   * Whether anything in this namespace is managed. One that isn't known yet waits, unless its name
   * alone decides: the cache of namespaces may be behind that of the Jobs.
   */
  boolean in(String namespace) {
    ManagedNamespaces managed = configuration.managedNamespaces();
    return caches
        .namespaces()
        .get(ObjectKey.cluster(namespace))
        .map(known -> managed.matches(namespace, labels(known)))
        .orElseGet(() -> !managed.needLabels() && managed.matches(namespace, Map.of()));
  }

  /** Whether a Job names a queue in a namespace that is known, and isn't managed. */
  boolean excludes(KubernetesObject job) {
    String namespace = ObjectKey.of(job).namespace();
    boolean known =
        !configuration.managedNamespaces().needLabels()
            || caches.namespaces().get(ObjectKey.cluster(namespace)).isPresent();
    return JobWorkload.queueName(job).isPresent() && known && !in(namespace);
  }

  static Map<String, String> labels(V1Namespace namespace) {
    V1ObjectMeta metadata = namespace.getMetadata();
    return metadata == null || metadata.getLabels() == null ? Map.of() : metadata.getLabels();
  }
}
