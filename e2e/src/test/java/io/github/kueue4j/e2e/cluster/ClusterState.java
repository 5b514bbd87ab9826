// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How what matters to Workloads stands in a cluster, for the messages of failures. */
public final class ClusterState {
  private ClusterState() {}

  /** A line for each ClusterQueue, AdmissionCheck, Workload, Job and pod, as they are now. */
  public static String of(KubernetesApi api) {
    return Stream.of(
            lines(api, KueueTypes.CLUSTER_QUEUE, queue -> "status " + json(queue.status())),
            lines(api, KueueTypes.ADMISSION_CHECK, check -> "status " + json(check.status())),
            lines(api, KueueTypes.WORKLOAD, workload -> Frame.of(workload).brief()),
            lines(
                api,
                CoreTypes.JOB,
                job ->
                    "suspend %s, status %s"
                        .formatted(job.getSpec().getSuspend(), json(job.getStatus()))),
            lines(api, CoreTypes.POD, pod -> "status " + json(pod.getStatus())))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n"));
  }

  private static <T extends KubernetesObject> Stream<String> lines(
      KubernetesApi api, ResourceType<T> type, Function<T, String> text) {
    try {
      return api.list(type, ListOptions.all()).items().stream()
          .map(each -> type.kind() + ' ' + ObjectKey.of(each) + ": " + text.apply(each));
    } catch (KubernetesApiException e) {
      return Stream.of(type.kind() + " can't be listed: " + e.getMessage());
    }
  }

  private static String json(@Nullable Object status) {
    return status == null ? "none" : KueueJson.toTree(status).toString();
  }
}
