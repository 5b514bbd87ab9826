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
package io.github.kueue4j.core.quota;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one pod asks for, by the rules of the Kubernetes scheduler: what its
 * containers and sidecars need together, or the neediest moment of its start if that is more, plus
 * the overhead; resources stated for the pod as a whole take precedence. A limit without a request
 * counts as the request.
 */
@API(status = API.Status.INTERNAL)
public final class PodRequests {
  private PodRequests() {}

  /** The requests of one pod in {@link ResourceUnits}. */
  public static Amounts<String> of(V1PodSpec pod) {
    Amounts<String> running = Amounts.none();
    for (V1Container container : orEmpty(pod.getContainers())) {
      running = running.plus(of(container.getResources()));
    }
    Amounts<String> sidecars = Amounts.none();
    Amounts<String> peakOfStart = Amounts.none();
    for (V1Container container : orEmpty(pod.getInitContainers())) {
      Amounts<String> requests = of(container.getResources());
      if ("Always".equals(container.getRestartPolicy())) {
        // A sidecar keeps running beside whatever starts after it.
        sidecars = sidecars.plus(requests);
        peakOfStart = peakOfStart.max(sidecars);
      } else {
        peakOfStart = peakOfStart.max(sidecars.plus(requests));
      }
    }
    Amounts<String> total = running.plus(sidecars).max(peakOfStart);
    for (Map.Entry<String, Long> podLevel : of(pod.getResources()).asMap().entrySet()) {
      total = total.with(podLevel.getKey(), podLevel.getValue());
    }
    return total.plus(units(pod.getOverhead()));
  }

  private static Amounts<String> of(@Nullable V1ResourceRequirements resources) {
    if (resources == null) {
      return Amounts.none();
    }
    Map<String, Quantity> requests = new TreeMap<>(orEmpty(resources.getLimits()));
    requests.putAll(orEmpty(resources.getRequests()));
    return units(requests);
  }

  private static Amounts<String> units(@Nullable Map<String, Quantity> quantities) {
    Map<String, Long> units = new TreeMap<>();
    orEmpty(quantities)
        .forEach(
            (resource, quantity) ->
                units.put(resource, ResourceUnits.of(resource, quantity.getNumber())));
    return Amounts.of(units);
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static <T> Map<String, T> orEmpty(@Nullable Map<String, T> map) {
    return map == null ? Map.of() : map;
  }
}
