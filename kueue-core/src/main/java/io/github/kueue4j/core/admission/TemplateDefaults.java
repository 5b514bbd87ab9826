// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.core.job.Keys;
import io.github.kueue4j.core.job.ServingKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries the queue and the priority class of an object into the template of its pods, which are
 * queued in its place; what the object had and has no more, is taken off the template again.
 */
final class TemplateDefaults {
  private static final List<String> CARRIED = List.of(Keys.QUEUE_NAME, Keys.PRIORITY_CLASS);

  private final DefaultingContext defaultingContext;

  TemplateDefaults(DefaultingContext defaultingContext) {
    this.defaultingContext = defaultingContext;
  }

  Edits of(ServingKind kind, AdmissionRequest request) {
    Edits edits = new Edits(request.object());
    if (request.deleting() || !defaultingContext.mayManageNamespace(request.namespace())) {
      return edits;
    }
    Map<String, String> labels = labels(request.object());
    JsonObject old = request.old();
    Map<String, String> before = old == null ? Map.of() : labels(old);
    boolean queued = labels.containsKey(Keys.QUEUE_NAME);
    CARRIED.forEach(
        key -> follow(edits, "labels", key, queued ? labels.get(key) : null, before.get(key)));
    follow(
        edits,
        "annotations",
        Keys.SUSPENDING_PARENT,
        queued ? kind.framework() : null,
        before.containsKey(Keys.QUEUE_NAME) ? kind.framework() : null);
    return edits;
  }

  private static Map<String, String> labels(JsonObject object) {
    return JobTraits.metadata(object, "labels");
  }

  /** What the user alone has written into the template stays. */
  private static void follow(
      Edits edits, String field, String key, @Nullable String value, @Nullable String before) {
    JsonObject template = template(edits.object());
    String known = JobTraits.metadata(template, field).get(key);
    if (value != null && !value.equals(known)) {
      edits.set(new JsonPrimitive(value), "spec", "template", "metadata", field, key);
    } else if (value == null && before != null && before.equals(known)) {
      edits.remove(
          template.getAsJsonObject("metadata").getAsJsonObject(field),
          "/spec/template/metadata/" + field,
          key);
    }
  }

  private static JsonObject template(JsonObject object) {
    return object.get("spec") instanceof JsonObject spec
            && spec.get("template") instanceof JsonObject template
        ? template
        : new JsonObject();
  }
}
