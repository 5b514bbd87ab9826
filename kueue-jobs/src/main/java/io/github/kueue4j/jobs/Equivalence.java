// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodRequests;
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
 * Compares a Job's requests with its Workload. A Job can be edited at any time; if it ran with more
 * than was admitted, it would exceed its quota.
 */
@API(status = API.Status.INTERNAL)
public final class Equivalence {
  private Equivalence() {}

  /**
   * Whether a suspended Job equals its Workload: counts and whole templates, because flavors are
   * chosen by node selectors, affinity and tolerations, and because a stopped Job is restored from
   * its Workload.
   */
  public static boolean same(List<PodSet> job, List<PodSet> workload) {
    return agree(
        job,
        workload,
        (podSet, other) ->
            sameCounts(podSet, other) && TrimmedTemplate.same(podSet.template(), other.template()));
  }

  /**
   * Whether a Job requests the admitted number of pods with the admitted resources. Nothing else
   * can be compared, because flavors and checks have added to its templates.
   *
   * @param done the pods of each pod set of the Job that will never run again; they needn't have
   *     been admitted, and may be among its number
   * @param running false if the Job may also have its full number of pods
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
          boolean covered = podSet.count() - done.getOrDefault(podSet.name(), 0) <= admitted;
          boolean full =
              podSet.count().equals(other.count())
                  && (covered || (!running && podSet.minCount() != null));
          return (full || (covered && podSet.count() >= admitted))
              && resourceFields(podSet.template()).equals(resourceFields(other.template()));
        });
  }

  /**
   * Whether the counts are equal, and those fields of the templates that scheduling depends on: for
   * prebuilt Workloads, and for servers that store fields differently from how they were sent.
   */
  public static boolean sameRequest(List<PodSet> job, List<PodSet> workload) {
    return agree(
        job,
        workload,
        (podSet, other) ->
            sameCounts(podSet, other)
                && schedulingFields(podSet.template()).equals(schedulingFields(other.template())));
  }

  /**
   * The role of a pod in its group: the same for pods that differ in nothing that scheduling
   * depends on, such as in their commands.
   */
  static String role(V1PodTemplateSpec template) {
    return Fingerprint.of(schedulingFields(template)).text();
  }

  /** Whether pods of two templates use the same quota, by whichever of their containers. */
  public static boolean sameQuota(V1PodTemplateSpec one, V1PodTemplateSpec other) {
    return sameResources(one, other)
        || (PodRequests.of(one.getSpec()).equals(PodRequests.of(other.getSpec()))
            && Objects.equals(spec(one).getRuntimeClassName(), spec(other).getRuntimeClassName()));
  }

  /** Whether pods of these pod sets, as many of each, use the same quota. */
  static boolean sameQuota(List<PodSet> some, List<PodSet> others) {
    return agree(
        some,
        others,
        (podSet, other) ->
            podSet.count().equals(other.count()) && sameQuota(podSet.template(), other.template()));
  }

  /** Whether pods of two templates use the same quota, and may run on the same nodes. */
  static boolean sameRole(V1PodTemplateSpec one, V1PodTemplateSpec other) {
    return sameQuota(one, other) && nodeFields(one).equals(nodeFields(other));
  }

  /** Whether the pods of two templates request the same resources. */
  public static boolean sameResources(V1PodTemplateSpec one, V1PodTemplateSpec other) {
    V1PodSpec first = spec(one);
    V1PodSpec second = spec(other);
    boolean identical =
        Objects.equals(first.getContainers(), second.getContainers())
            && Objects.equals(first.getInitContainers(), second.getInitContainers())
            && Objects.equals(first.getResources(), second.getResources())
            && Objects.equals(first.getOverhead(), second.getOverhead())
            && Objects.equals(first.getRuntimeClassName(), second.getRuntimeClassName());
    return identical || resourceFields(one).equals(resourceFields(other));
  }

  private static V1PodSpec spec(V1PodTemplateSpec template) {
    return Optional.ofNullable(template.getSpec()).orElseGet(V1PodSpec::new);
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

  /**
   * The fields of a template that decide where its pods may run and which resources they request.
   */
  private static JsonElement schedulingFields(V1PodTemplateSpec template) {
    JsonObject schedulingFields = resourceFields(template).getAsJsonObject();
    nodeFields(template).asMap().forEach(schedulingFields::add);
    return NormalJson.of(schedulingFields);
  }

  /** The fields of a template that decide where its pods may run. */
  private static JsonObject nodeFields(V1PodTemplateSpec template) {
    V1PodSpec pod = spec(template);
    JsonObject nodeFields = new JsonObject();
    nodeFields.add("nodeSelector", orNone(pod.getNodeSelector()));
    nodeFields.add("affinity", orNone(pod.getAffinity()));
    nodeFields.add("tolerations", orNone(pod.getTolerations()));
    return NormalJson.of(nodeFields).getAsJsonObject();
  }

  /** The fields of a template that decide which resources its pods request. */
  private static JsonElement resourceFields(V1PodTemplateSpec template) {
    V1PodSpec pod = spec(template);
    JsonObject resourceFields = new JsonObject();
    resourceFields.add("containers", resourceFields(pod.getContainers()));
    resourceFields.add("initContainers", resourceFields(pod.getInitContainers()));
    resourceFields.add("resources", orNone(pod.getResources()));
    resourceFields.add("overhead", orNone(pod.getOverhead()));
    // Its overhead is added to the pods.
    resourceFields.addProperty("runtimeClassName", pod.getRuntimeClassName());
    return NormalJson.of(resourceFields);
  }

  private static JsonElement resourceFields(@Nullable List<V1Container> containers) {
    JsonArray demands = new JsonArray();
    for (V1Container container : containers == null ? List.<V1Container>of() : containers) {
      JsonObject resourceFields = new JsonObject();
      resourceFields.addProperty("name", container.getName());
      resourceFields.addProperty("restartPolicy", container.getRestartPolicy());
      resourceFields.add("resources", orNone(container.getResources()));
      demands.add(resourceFields);
    }
    return demands;
  }

  private static JsonElement orNone(@Nullable Object value) {
    return value == null ? JsonNull.INSTANCE : KueueJson.toTree(value);
  }
}
