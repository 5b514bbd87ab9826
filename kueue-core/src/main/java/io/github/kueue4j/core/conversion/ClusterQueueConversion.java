// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Converts ClusterQueues. In v1beta1 the cohort's field has another name, and checks can be listed
 * by name alone. An annotation records which of the two fields was used, so that {@code kubectl
 * apply} of the same manifest finds its own field again.
 */
final class ClusterQueueConversion implements KindConversion {
  private static final String CHECKS = "admissionChecks";
  private static final String STRATEGY = "admissionChecksStrategy";

  /** The v1beta1 values of {@code flavorFungibility} for {@code MayStopSearch}. */
  private static final Map<String, String> FORMER_STOP =
      Map.of("whenCanBorrow", "Borrow", "whenCanPreempt", "Preempt");

  /** Annotation: the checks were given as {@code spec.admissionChecks}. */
  static final String CHECKS_BY_NAME = "kueue4j.io/v1beta1-admission-checks";

  @Override
  public void upgrade(JsonObject queue) {
    Fields.takeAnnotation(queue, CHECKS_BY_NAME);
    Fields.object(queue, "spec")
        .ifPresent(
            spec -> {
              Fields.rename(spec, "cohort", "cohortName");
              upgradeChecks(queue, spec);
              upgradeFungibility(spec);
            });
    Fields.object(queue, "status").ifPresent(status -> status.remove("pendingWorkloadsStatus"));
  }

  /**
   * The schema refuses objects with both fields. One that was stored before keeps the checks of
   * both, because an error here would make every list of ClusterQueues fail.
   */
  private static void upgradeChecks(JsonObject queue, JsonObject spec) {
    Optional<JsonArray> names = Fields.array(spec, CHECKS).filter(listed -> !listed.isEmpty());
    Map<String, JsonElement> rules = new LinkedHashMap<>();
    Fields.object(spec, STRATEGY)
        .flatMap(strategy -> Fields.array(strategy, CHECKS))
        .ifPresent(listed -> listed.forEach(rule -> rules.put(nameOf(rule), rule)));
    if (names.isPresent() && rules.isEmpty()) {
      Fields.annotate(queue, CHECKS_BY_NAME, "true");
    }
    names.ifPresent(listed -> listed.forEach(name -> rules.put(name.getAsString(), ruleFor(name))));
    spec.remove(CHECKS);
    spec.remove(STRATEGY);
    if (!rules.isEmpty()) {
      JsonArray all = new JsonArray();
      rules.values().forEach(all::add);
      JsonObject strategy = new JsonObject();
      strategy.add(CHECKS, all);
      spec.add(STRATEGY, strategy);
    }
  }

  private static String nameOf(JsonElement rule) {
    return rule instanceof JsonObject object ? Fields.text(object, "name") : "";
  }

  private static JsonObject ruleFor(JsonElement name) {
    JsonObject rule = new JsonObject();
    rule.add("name", name);
    return rule;
  }

  private static void upgradeFungibility(JsonObject spec) {
    Fields.object(spec, "flavorFungibility")
        .ifPresent(
            fungibility ->
                FORMER_STOP.forEach(
                    (field, former) -> {
                      if (Fields.text(fungibility, field).equals(former)) {
                        fungibility.addProperty(field, "MayStopSearch");
                      }
                    }));
  }

  @Override
  public void downgrade(JsonObject queue) {
    boolean byName = Fields.takeAnnotation(queue, CHECKS_BY_NAME) != null;
    Fields.object(queue, "spec")
        .ifPresent(
            spec -> {
              Fields.rename(spec, "cohortName", "cohort");
              spec.remove("concurrentAdmissionPolicy");
              if (byName) {
                downgradeChecks(spec);
              }
            });
  }

  /** Converts back to names, unless a rule has been limited to flavors since. */
  private static void downgradeChecks(JsonObject spec) {
    Optional<JsonArray> rules =
        Fields.object(spec, STRATEGY).flatMap(strategy -> Fields.array(strategy, CHECKS));
    if (rules.isEmpty()) {
      return;
    }
    JsonArray names = new JsonArray();
    for (JsonElement element : rules.get()) {
      if (!(element instanceof JsonObject rule)
          || Fields.array(rule, "onFlavors").filter(on -> !on.isEmpty()).isPresent()) {
        return;
      }
      names.add(rule.get("name"));
    }
    spec.remove(STRATEGY);
    spec.add(CHECKS, names);
  }
}
