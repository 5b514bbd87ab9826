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
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The cohort's field was named otherwise, and checks could be listed by name alone. Which of the
 * two ways was used is remembered: {@code kubectl apply} of the same manifest must find its own
 * field again, not the other one.
 */
final class ClusterQueueConversion implements KindConversion {
  private static final String CHECKS = "admissionChecks";
  private static final String STRATEGY = "admissionChecksStrategy";

  /** What {@code flavorFungibility} used to call "stop the search". */
  private static final Map<String, String> FORMER_STOP =
      Map.of("whenCanBorrow", "Borrow", "whenCanPreempt", "Preempt");

  /** Says that the checks were given as {@code spec.admissionChecks}. */
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
   * The schema refuses to set both fields; an object that was stored before it did keeps all its
   * checks, since failing here would keep every list of ClusterQueues from being read.
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

  /** Rules that have got flavors since can't be said by names alone. */
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
