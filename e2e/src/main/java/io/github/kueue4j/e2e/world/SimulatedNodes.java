// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The machines of the simulated world: two for ordinary work and one with eight A100 GPUs. */
final class SimulatedNodes {
  private SimulatedNodes() {}

  static void createAll(KubernetesApi api) {
    for (String name : List.of("worker-1", "worker-2")) {
      createNode(api, name, Map.of(), Map.of("cpu", "16", "memory", "64Gi"));
    }
    createNode(
        api,
        "gpu-1",
        Map.of("accelerator", "nvidia-a100", "nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"),
        Map.of("cpu", "64", "memory", "512Gi", "nvidia.com/gpu", "8"));
    for (String name : List.of("gpu-2", "gpu-3")) {
      createNode(
          api,
          name,
          Map.of("accelerator", "nvidia-l4", "nvidia.com/gpu.product", "NVIDIA-L4"),
          Map.of("cpu", "4", "memory", "32Gi", "nvidia.com/gpu", "4"));
    }
  }

  private static void createNode(
      KubernetesApi api, String name, Map<String, String> labels, Map<String, String> resources) {
    Map<String, String> allLabels = new TreeMap<>(labels);
    allLabels.put("kubernetes.io/hostname", name);
    Map<String, Quantity> size = new TreeMap<>();
    size.put("pods", new Quantity("110"));
    resources.forEach((resource, amount) -> size.put(resource, new Quantity(amount)));
    create(
        api,
        new V1Node().metadata(new V1ObjectMeta().name(name).labels(allLabels)),
        new V1NodeStatus().allocatable(size).capacity(size));
  }

  /** Creates a ready node, unless one of that name exists. */
  static void create(KubernetesApi api, V1Node node, V1NodeStatus status) {
    V1Node created;
    try {
      created = api.create(CoreTypes.NODE, node);
    } catch (KubernetesApiException.AlreadyExists kept) {
      return;
    }
    V1Node after = KueueJson.fromTree(KueueJson.toTree(created), V1Node.class);
    after.setStatus(
        status.conditions(
            List.of(
                new V1NodeCondition()
                    .type("Ready")
                    .status("True")
                    .reason("KubeletReady")
                    .message("The simulated node is ready."))));
    api.patchStatus(CoreTypes.NODE, GuardedPatch.ofStatus(created, after));
  }
}
