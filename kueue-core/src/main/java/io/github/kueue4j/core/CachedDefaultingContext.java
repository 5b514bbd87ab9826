// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.admission.DefaultingContext;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.job.ChildJob;
import io.github.kueue4j.core.owner.Jobs;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;

/**
 * Looks up in the caches what the defaults of Jobs depend on. Every replica does, leader or not.
 */
final class CachedDefaultingContext implements DefaultingContext {
  private final CoreInformers caches;
  private final Jobs jobs;
  private final Configuration configuration;

  CachedDefaultingContext(CoreInformers caches, Jobs jobs, Configuration configuration) {
    this.caches = caches;
    this.jobs = jobs;
    this.configuration = configuration;
  }

  @Override
  public boolean managesNamespace(String namespace) {
    Map<String, String> labels =
        caches
            .namespaces()
            .get(ObjectKey.cluster(namespace))
            .map(V1Namespace::getMetadata)
            .map(V1ObjectMeta::getLabels)
            .orElse(Map.of());
    return configuration.managedNamespaces().matches(namespace, labels);
  }

  @Override
  public boolean hasLocalQueue(String namespace, String name) {
    return caches.localQueues().get(new ObjectKey(namespace, name)).isPresent();
  }

  @Override
  public boolean hasWorkloadPriorityClass(String name) {
    return caches.workloadPriorityClasses().get(ObjectKey.cluster(name)).isPresent();
  }

  @Override
  public boolean managesOwner(
      String namespace, String apiVersion, String kind, String name, ChildJob child) {
    return jobs.manages(apiVersion, kind, new ObjectKey(namespace, name), child);
  }

  @Override
  public boolean createsJobs(String apiVersion, String kind) {
    return jobs.createsJobs(apiVersion, kind);
  }
}
