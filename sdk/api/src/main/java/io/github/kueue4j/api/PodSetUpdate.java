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
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * What an admission check adds to the pods of one pod set when they start.
 *
 * @param name the pod set
 * @param labels labels to add
 * @param annotations annotations to add
 * @param nodeSelector node labels to require
 * @param tolerations at most 8 tolerations to add
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetUpdate(
    @Required String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    List<V1Toleration> tolerations) {
  public PodSetUpdate {
    name = Lenient.text(name);
    labels = Lenient.map(labels);
    annotations = Lenient.map(annotations);
    nodeSelector = Lenient.map(nodeSelector);
    tolerations = Lenient.list(tolerations);
  }

  /** An update of the pod set that changes nothing yet. */
  public static PodSetUpdate of(String name) {
    return new PodSetUpdate(name, Map.of(), Map.of(), Map.of(), List.of());
  }

  /** A copy with another {@code name}. */
  public PodSetUpdate withName(String name) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code labels}. */
  public PodSetUpdate withLabels(Map<String, String> labels) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code annotations}. */
  public PodSetUpdate withAnnotations(Map<String, String> annotations) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code nodeSelector}. */
  public PodSetUpdate withNodeSelector(Map<String, String> nodeSelector) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code tolerations}. */
  public PodSetUpdate withTolerations(List<V1Toleration> tolerations) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }
}
