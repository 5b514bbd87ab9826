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
package io.github.kueue4j.core.job;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Whether a Job still asks for what its Workload says. A Job can be edited at any time; one that
 * ran with more than was admitted would take what is others'.
 */
@API(status = API.Status.INTERNAL)
public final class Equivalence {
  private Equivalence() {}

  /**
   * Whether nothing differs between what a suspended Job asks for and what its Workload says:
   * counts, and the templates as a whole, since a flavor is chosen by node selectors, affinity and
   * tolerations, and a stopped Job is restored from its Workload.
   */
  public static boolean same(List<PodSet> job, List<PodSet> workload) {
    return agree(
        job,
        workload,
        (podSet, other) ->
            sameCounts(podSet, other) && TrimmedTemplate.same(podSet.template(), other.template()));
  }

  /**
   * Whether a Job asks for as many pods as were admitted, with the resources that were admitted.
   * Flavors and checks have added to its templates, so that nothing else can be compared.
   *
   * @param done the pods of each pod set of the Job that will never run again: those need not have
   *     been admitted
   * @param running false if it may also still have, or have again, its full number of pods
   */
  public static boolean asAdmitted(
      List<PodSet> job,
      Map<String, Integer> done,
      List<PodSet> workload,
      Admission admission,
      boolean running) {
    return agree(
        job,
        workload,
        (podSet, other) -> {
          int admitted = admitted(admission, other);
          boolean full =
              podSet.count().equals(other.count())
                  && ((!running && podSet.minCount() != null)
                      || podSet.count() - done.getOrDefault(podSet.name(), 0) <= admitted);
          return (full || podSet.count() == admitted)
              && demand(podSet.template()).equals(demand(other.template()));
        });
  }

  /**
   * Whether the counts are the same, and of the templates what a scheduler looks at: for a Workload
   * that somebody else has made, or that a server keeps otherwise than it was sent.
   */
  public static boolean sameRequest(List<PodSet> job, List<PodSet> workload) {
    return agree(
        job,
        workload,
        (podSet, other) ->
            sameCounts(podSet, other)
                && request(podSet.template()).equals(request(other.template())));
  }

  private static boolean agree(
      List<PodSet> job, List<PodSet> workload, BiPredicate<PodSet, PodSet> alike) {
    Map<String, PodSet> known = byName(workload);
    return job.size() == known.size()
        && job.stream()
            .allMatch(
                podSet -> {
                  PodSet other = known.get(podSet.name());
                  return other != null && alike.test(podSet, other);
                });
  }

  private static boolean sameCounts(PodSet one, PodSet other) {
    return one.count().equals(other.count()) && Objects.equals(one.minCount(), other.minCount());
  }

  private static int admitted(Admission admission, PodSet podSet) {
    return admission.podSetAssignments().stream()
        .filter(assignment -> assignment.name().equals(podSet.name()))
        .map(PodSetAssignment::count)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(podSet.count());
  }

  private static Map<String, PodSet> byName(List<PodSet> podSets) {
    Map<String, PodSet> byName = new HashMap<>();
    podSets.forEach(podSet -> byName.put(podSet.name(), podSet));
    return byName;
  }

  /** What of a template decides where its pods may run, and what that costs. */
  private static JsonElement request(V1PodTemplateSpec template) {
    V1PodSpec pod = Optional.ofNullable(template.getSpec()).orElseGet(V1PodSpec::new);
    JsonObject request = demand(template).getAsJsonObject();
    request.add("nodeSelector", orNone(pod.getNodeSelector()));
    request.add("affinity", orNone(pod.getAffinity()));
    request.add("tolerations", orNone(pod.getTolerations()));
    return NormalJson.of(request);
  }

  /** What of a template costs quota. */
  private static JsonElement demand(V1PodTemplateSpec template) {
    V1PodSpec pod = Optional.ofNullable(template.getSpec()).orElseGet(V1PodSpec::new);
    JsonObject demand = new JsonObject();
    demand.add("containers", demand(pod.getContainers()));
    demand.add("initContainers", demand(pod.getInitContainers()));
    demand.add("resources", orNone(pod.getResources()));
    demand.add("overhead", orNone(pod.getOverhead()));
    return NormalJson.of(demand);
  }

  private static JsonElement demand(@Nullable List<V1Container> containers) {
    JsonArray demands = new JsonArray();
    for (V1Container container : containers == null ? List.<V1Container>of() : containers) {
      JsonObject demand = new JsonObject();
      demand.addProperty("name", container.getName());
      demand.addProperty("restartPolicy", container.getRestartPolicy());
      demand.add("resources", orNone(container.getResources()));
      demands.add(demand);
    }
    return demands;
  }

  private static JsonElement orNone(@Nullable Object value) {
    return value == null ? JsonNull.INSTANCE : KueueJson.toTree(value);
  }
}
