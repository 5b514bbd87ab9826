// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.jobs.FieldPath;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod set of a particular object.
 *
 * @param name of the pod set
 * @param place of its template
 * @param template of its pods
 * @param written whether the template stands in the object, so that it can be changed
 * @param madeUp whether there is no template in the object, so that it is a guess
 * @param infos where a start writes instead of the template; empty if it writes to that
 * @param count number of its pods
 * @param fewer where fewer pods are written; empty if it can't run with fewer
 * @param reclaimable number of its pods that never run again
 */
record PodSetPlace(
    String name,
    FieldPath place,
    V1PodTemplateSpec template,
    boolean written,
    boolean madeUp,
    Optional<Infos> infos,
    int count,
    Optional<FewerPods> fewer,
    int reclaimable) {
  /**
   * A pod set that can run with fewer pods.
   *
   * @param least the fewest
   * @param count the field with their number
   */
  record FewerPods(int least, FieldPath count) {}

  /**
   * The item of a list that is for one pod set.
   *
   * @param list of which it is an item
   * @param size of the list
   */
  record Infos(FieldPath list, int index, int size) {
    FieldPath item() {
      return list.child(String.valueOf(index));
    }

    /** Whether anything is written there; the list is the core's alone. */
    boolean isIn(JsonObject body) {
      return list.in(body)
          .filter(items -> !(items instanceof JsonArray array && array.isEmpty()))
          .isPresent();
    }
  }

  PodSetPlace named(String called) {
    return new PodSetPlace(
        called, place, template, written, madeUp, infos, count, fewer, reclaimable);
  }

  PodSetPlace inInfos(Optional<Infos> given) {
    return new PodSetPlace(
        name, place, template, written, madeUp, given, count, fewer, reclaimable);
  }

  /** The fewest pods that can be admitted; null if all are needed. */
  @Nullable Integer minCount() {
    return fewer.map(FewerPods::least).filter(least -> least > 0 && least < count).orElse(null);
  }

  /** Whether so many pods are fewer than those that can run again, and it may run with them. */
  boolean isFewer(int pods) {
    return minCount() != null && pods > 0 && pods < count - reclaimable;
  }

  /**
   * The count of the pod set while so many pods may run: those that have ended for good still
   * count.
   */
  int countFor(int pods) {
    return pods + reclaimable;
  }

  /**
   * The pod sets of an object.
   *
   * @param problems field, problem and remedy of each that can't be read; it is left out
   */
  record PodSetPlaces(List<PodSetPlace> places, List<String> problems) {}

  /** Pods whose template the kind's controller makes up. */
  static V1PodTemplateSpec standIn(Map<String, String> requests) {
    V1ResourceRequirements resources = new V1ResourceRequirements();
    requests.forEach((name, quantity) -> resources.putRequestsItem(name, new Quantity(quantity)));
    return new V1PodTemplateSpec()
        .spec(
            new V1PodSpec()
                .containers(List.of(new V1Container().name("main").resources(resources))));
  }

  /** Whether pods ask for no more than those of a template that was made up. */
  static boolean standsFor(V1PodTemplateSpec standIn, V1PodTemplateSpec pods) {
    Map<String, BigDecimal> covered = requests(standIn);
    return requests(pods).entrySet().stream()
        .allMatch(
            asked ->
                covered.containsKey(asked.getKey())
                    && asked.getValue().compareTo(covered.get(asked.getKey())) <= 0);
  }

  private static Map<String, BigDecimal> requests(V1PodTemplateSpec template) {
    V1PodSpec pod = Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new);
    Map<String, BigDecimal> sums = new HashMap<>();
    for (V1Container container :
        Objects.requireNonNullElse(pod.getContainers(), List.<V1Container>of())) {
      V1ResourceRequirements resources = container.getResources();
      if (resources != null && resources.getRequests() != null) {
        resources
            .getRequests()
            .forEach((name, quantity) -> sums.merge(name, quantity.getNumber(), BigDecimal::add));
      }
    }
    return sums;
  }
}
