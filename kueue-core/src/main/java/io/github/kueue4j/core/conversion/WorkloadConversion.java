// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import java.util.Map;

/** Converts Workloads: v1beta1 names priority classes differently and misspells one field. */
final class WorkloadConversion implements KindConversion {
  private static final String MISSPELT = "accumulatedPastExexcutionTimeSeconds";
  private static final String WELL_SPELT = "accumulatedPastExecutionTimeSeconds";
  private static final String CLASS_NAME = "priorityClassName";
  private static final String CLASS_SOURCE = "priorityClassSource";
  private static final String CLASS_REF = "priorityClassRef";
  private static final String GATES = "preemptionGates";

  /**
   * Annotation: the name of a priority class of unknown kind, which {@code v1beta2} can't
   * represent.
   */
  static final String NAME_WITHOUT_SOURCE = "kueue4j.io/v1beta1-priority-class-name";

  private static final Map<String, JsonObject> REF_BY_SOURCE =
      Map.of(
          "kueue.x-k8s.io/workloadpriorityclass",
          ref(KueueTypes.GROUP, "WorkloadPriorityClass"),
          "scheduling.k8s.io/priorityclass",
          ref(CoreTypes.PRIORITY_CLASS.group(), "PriorityClass"));

  @Override
  public void upgrade(JsonObject workload) {
    Fields.object(workload, "spec").ifPresent(spec -> upgradePriority(workload, spec));
    Fields.object(workload, "status")
        .ifPresent(status -> Fields.rename(status, MISSPELT, WELL_SPELT));
  }

  private static void upgradePriority(JsonObject workload, JsonObject spec) {
    String source = Fields.text(spec, CLASS_SOURCE);
    String name = Fields.text(spec, CLASS_NAME);
    JsonObject ref = REF_BY_SOURCE.get(source);
    spec.remove(CLASS_SOURCE);
    spec.remove(CLASS_NAME);
    if (name.isEmpty()) {
      return;
    }
    if (ref == null) {
      Fields.annotate(workload, NAME_WITHOUT_SOURCE, name);
    } else {
      JsonObject named = ref.deepCopy();
      named.addProperty("name", name);
      spec.add(CLASS_REF, named);
    }
  }

  @Override
  public void downgrade(JsonObject workload) {
    String kept = Fields.takeAnnotation(workload, NAME_WITHOUT_SOURCE);
    Fields.object(workload, "spec")
        .ifPresent(
            spec -> {
              JsonElement ref = spec.remove(CLASS_REF);
              if (ref instanceof JsonObject named) {
                downgradePriority(spec, named);
              } else if (kept != null) {
                spec.addProperty(CLASS_NAME, kept);
              }
              spec.remove(GATES);
            });
    Fields.object(workload, "status")
        .ifPresent(
            status -> {
              Fields.rename(status, WELL_SPELT, MISSPELT);
              status.remove(GATES);
            });
  }

  private static void downgradePriority(JsonObject spec, JsonObject named) {
    REF_BY_SOURCE.forEach(
        (source, ref) -> {
          if (Fields.text(named, "group").equals(Fields.text(ref, "group"))
              && Fields.text(named, "kind").equals(Fields.text(ref, "kind"))) {
            spec.addProperty(CLASS_SOURCE, source);
            spec.addProperty(CLASS_NAME, Fields.text(named, "name"));
          }
        });
  }

  private static JsonObject ref(String group, String kind) {
    JsonObject ref = new JsonObject();
    ref.addProperty("group", group);
    ref.addProperty("kind", kind);
    return ref;
  }
}
