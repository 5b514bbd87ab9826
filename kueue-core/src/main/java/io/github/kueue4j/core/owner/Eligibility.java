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
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.job.JobWorkload;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;

/** Which Jobs are managed, unless they belong to another that is. */
final class Eligibility {
  private final CoreInformers caches;
  private final Configuration configuration;

  Eligibility(CoreInformers caches, Configuration configuration) {
    this.caches = caches;
    this.configuration = configuration;
  }

  boolean of(KubernetesObject job) {
    if (JobWorkload.queueName(job).isEmpty() && !configuration.manageJobsWithoutQueueName()) {
      return false;
    }
    return in(ObjectKey.of(job).namespace());
  }

  /** Whether anything in this namespace is managed. */
  boolean in(String namespace) {
    Map<String, String> labels =
        caches
            .namespaces()
            .get(ObjectKey.cluster(namespace))
            .map(Eligibility::labels)
            .orElse(Map.of());
    return configuration.managedNamespaces().matches(namespace, labels);
  }

  static Map<String, String> labels(V1Namespace namespace) {
    V1ObjectMeta metadata = namespace.getMetadata();
    return metadata == null || metadata.getLabels() == null ? Map.of() : metadata.getLabels();
  }
}
