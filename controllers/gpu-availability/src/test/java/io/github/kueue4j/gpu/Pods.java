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
    return with(name, new PodSet("main", template(requests, fields), 1, null));
  }

  /** Leaders and workers with equal needs, so many of each. */
  static Workload inTwoSets(String name, int count, String requests) {
    V1PodTemplateSpec template = template(requests, "");
    return with(
        name,
        new PodSet("leader", template, count, null),
        new PodSet("worker", template, count, null));
  }

  private static Workload with(String name, PodSet... podSets) {
    Workload plain = GpuWorld.workload(name, CheckState.PENDING, 0);
    return plain.withSpec(plain.spec().withPodSets(List.of(podSets)));
  }

  private static V1PodTemplateSpec template(String requests, String fields) {
    return KueueJson.fromJson(
        "{spec: {%s containers: [{name: c, resources: {requests: %s}}]}}"
            .formatted(fields, requests)
            .replaceAll("([A-Za-z./0-9-]+): ", "\"$1\": ")
            .replaceAll(": ([A-Za-z][A-Za-z-]*)", ": \"$1\""),
        V1PodTemplateSpec.class);
  }
}
