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
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.admission.Surroundings;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.owner.Jobs;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;

/** What the defaults of Jobs depend on, from the caches of this replica, leader or not. */
final class CachedSurroundings implements Surroundings {
  private final CoreInformers caches;
  private final Jobs jobs;
  private final Configuration configuration;

  CachedSurroundings(CoreInformers caches, Jobs jobs, Configuration configuration) {
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
  public boolean managesOwner(String namespace, String apiVersion, String kind, String name) {
    return jobs.manages(apiVersion, kind, new ObjectKey(namespace, name));
  }

  @Override
  public boolean managesKind(String apiVersion, String kind) {
    return jobs.manages(apiVersion, kind);
  }
}
