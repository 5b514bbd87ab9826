// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;

/** Workloads whose pods say themselves what they need. */
final class Pods {
  private Pods() {}

  /**
   * One pod.
   *
   * @param requests of its container, in lenient JSON
   * @param fields more of its spec, in lenient JSON, each followed by a comma
   */
  static Workload asking(String name, String requests, String fields) {
    Workload plain = GpuWorld.workload(name, CheckState.PENDING, 0);
    V1PodTemplateSpec template =
        KueueJson.fromJson(
            "{spec: {%s containers: [{name: c, resources: {requests: %s}}]}}"
                .formatted(fields, requests)
                .replaceAll("([A-Za-z./0-9-]+): ", "\"$1\": ")
                .replaceAll(": ([A-Za-z][A-Za-z-]*)", ": \"$1\""),
            V1PodTemplateSpec.class);
    return plain.withSpec(plain.spec().withPodSets(List.of(new PodSet("main", template, 1, null))));
  }
}
