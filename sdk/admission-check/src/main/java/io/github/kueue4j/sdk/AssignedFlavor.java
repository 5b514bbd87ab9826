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
package io.github.kueue4j.sdk;

import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The ResourceFlavor from which a pod set got quota for a resource.
 *
 * @param name of the ResourceFlavor
 * @param nodeLabels labels of the nodes that the flavor stands for; empty if it stands for any node
 *     or no longer exists
 * @param tolerations added to the pods when they start
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AssignedFlavor(
    String name, Map<String, String> nodeLabels, List<V1Toleration> tolerations) {
  /** Keeps copies. */
  public AssignedFlavor {
    nodeLabels = Map.copyOf(nodeLabels);
    tolerations = List.copyOf(tolerations);
  }
}
