// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one pod requests, by Kubernetes' own rule: the sum of its containers and
 * sidecars, or the peak while its init containers run one after another, whichever is more;
 * requests of the pod as a whole override both, the runtime's overhead comes on top, and a missing
 * request counts as its limit.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PodRequests {

  private PodRequests() {}

  /** Resource name to amount for one pod with this spec; empty if there is none. */
  public static Map<String, Quantity> of(@Nullable V1PodSpec pod) {
    if (pod == null) {
      return Map.of();
    }
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> peak = new HashMap<>();
    for (V1Container init : orEmpty(pod.getInitContainers())) {
      Map<String, Quantity> requests = requests(init.getResources());
      if ("Always".equals(init.getRestartPolicy())) {
        addTo(sidecars, requests);
        raiseTo(peak, sidecars);
      } else {
        Map<String, Quantity> meanwhile = new HashMap<>(sidecars);
        addTo(meanwhile, requests);
        raiseTo(peak, meanwhile);
      }
    }
    Map<String, Quantity> total = new HashMap<>(sidecars);
    for (V1Container container : orEmpty(pod.getContainers())) {
      addTo(total, requests(container.getResources()));
    }
    raiseTo(total, peak);
    total.putAll(requests(pod.getResources()));
    addTo(total, quantities(pod.getOverhead()));
    return Map.copyOf(total);
  }

  private static Map<String, Quantity> requests(@Nullable V1ResourceRequirements resources) {
    if (resources == null) {
      return Map.of();
    }
    Map<String, Quantity> requests = new HashMap<>(quantities(resources.getLimits()));
    requests.putAll(quantities(resources.getRequests()));
    return requests;
  }

  private static Map<String, Quantity> quantities(
      @Nullable Map<String, io.kubernetes.client.custom.Quantity> quantities) {
    Map<String, Quantity> ours = new HashMap<>();
    if (quantities != null) {
      quantities.forEach((name, quantity) -> ours.put(name, Quantity.ofClient(quantity)));
    }
    return ours;
  }

  private static void addTo(Map<String, Quantity> sum, Map<String, Quantity> more) {
    more.forEach((resource, amount) -> sum.merge(resource, amount, Quantity::add));
  }

  private static void raiseTo(Map<String, Quantity> peak, Map<String, Quantity> other) {
    other.forEach((resource, amount) -> peak.merge(resource, amount, Quantity::max));
  }

  private static List<V1Container> orEmpty(@Nullable List<V1Container> containers) {
    return Objects.requireNonNullElse(containers, List.of());
  }
}
