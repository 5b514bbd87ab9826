// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import dev.cel.common.values.MutableMapValue;
import dev.cel.common.values.NullValue;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a Workload besides the time that rules know, as values of CEL: {@link
 * RuleLanguage}.
 *
 * <p>Each map is a value of CEL itself. Of others CEL would look at every entry, at every depth,
 * for each field that a rule names.
 */
record Facts(Map<String, Object> variables) {
  private static final String TEMPLATE = "template";

  static Facts of(Evaluation<?> evaluation, Map<String, String> namespaceLabels) {
    return new Facts(
        Map.of(
            "workload",
            workload(evaluation),
            "namespaceLabels",
            MutableMapValue.create(namespaceLabels)));
  }

  /** The same for people, in the order of names and without the templates of pods. */
  SortedMap<String, Object> withoutTemplates() {
    return sorted(variables);
  }

  private static SortedMap<String, Object> sorted(Map<?, ?> map) {
    SortedMap<String, Object> sorted = new TreeMap<>();
    map.forEach(
        (name, value) -> {
          // A label of that name is a text.
          if (!(name.equals(TEMPLATE) && value instanceof Map)) {
            sorted.put(String.valueOf(name), plain(value));
          }
        });
    return sorted;
  }

  private static Object plain(Object value) {
    return switch (value) {
      case Map<?, ?> map -> sorted(map);
      case List<?> list -> list.stream().map(Facts::plain).toList();
      default -> value;
    };
  }

  private static MutableMapValue workload(Evaluation<?> evaluation) {
    Map<String, Object> workload = new HashMap<>();
    workload.put("namespace", evaluation.namespace());
    workload.put("labels", MutableMapValue.create(evaluation.labels()));
    workload.put("annotations", annotations(evaluation.workload().metadata()));
    workload.put(
        "owner",
        evaluation
            .owner()
            .map(owner -> owner(owner.getApiVersion(), owner.getKind()))
            .orElse(owner("", "")));
    workload.put("priority", (long) evaluation.priority());
    workload.put("queue", evaluation.queueName());
    workload.put("clusterQueue", evaluation.clusterQueue().orElse(""));
    workload.put("pods", evaluation.podSets().stream().mapToLong(AssignedPodSet::count).sum());
    workload.put("podSets", evaluation.podSets().stream().map(Facts::podSet).toList());
    workload.put("requests", amounts(evaluation.totalRequests()));
    return MutableMapValue.create(workload);
  }

  private static MutableMapValue owner(String apiVersion, String kind) {
    return MutableMapValue.create(Map.of("apiVersion", apiVersion, "kind", kind));
  }

  private static MutableMapValue podSet(AssignedPodSet podSet) {
    return MutableMapValue.create(
        Map.of(
            "name",
            podSet.name(),
            "count",
            (long) podSet.count(),
            "labels",
            MutableMapValue.create(podSet.labels()),
            "annotations",
            annotations(podSet.template().getMetadata()),
            "requests",
            amounts(podSet.requests()),
            "flavors",
            MutableMapValue.create(
                podSet.flavors().entrySet().stream()
                    .collect(
                        Collectors.toMap(Map.Entry::getKey, flavor -> flavor.getValue().name()))),
            TEMPLATE,
            json(KueueJson.toTree(podSet.template()))));
  }

  private static MutableMapValue annotations(@Nullable V1ObjectMeta metadata) {
    return MutableMapValue.create(Metadata.annotations(metadata));
  }

  private static MutableMapValue amounts(Map<String, Quantity> quantities) {
    return MutableMapValue.create(
        quantities.entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, one -> one.getValue().amount().doubleValue())));
  }

  private static Object json(JsonElement json) {
    if (json.isJsonObject()) {
      Map<String, Object> map = new LinkedHashMap<>();
      json.getAsJsonObject().asMap().forEach((name, value) -> map.put(name, json(value)));
      return MutableMapValue.create(map);
    }
    if (json.isJsonArray()) {
      return json.getAsJsonArray().asList().stream().map(Facts::json).toList();
    }
    return json.isJsonNull() ? NullValue.NULL_VALUE : primitive(json.getAsJsonPrimitive());
  }

  private static Object primitive(JsonPrimitive json) {
    if (json.isBoolean()) {
      return json.getAsBoolean();
    }
    if (json.isString()) {
      return json.getAsString();
    }
    BigDecimal number = json.getAsBigDecimal();
    return number.stripTrailingZeros().scale() <= 0
        ? (Object) number.longValue()
        : (Object) number.doubleValue();
  }
}
