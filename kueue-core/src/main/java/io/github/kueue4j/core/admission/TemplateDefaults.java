// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.ServingKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries the queue and the priority class of an object into the templates of its pods, which are
 * queued in its place; what the object had and has no more, is taken off them again.
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
    for (FieldPath place : kind.templates()) {
      if (place.in(edits.object()).isEmpty() && !place.equals(kind.templates().getLast())) {
        continue;
      }
      CARRIED.forEach(
          key ->
              follow(
                  edits,
                  place.child("metadata").child("labels").child(key),
                  queued ? labels.get(key) : null,
                  before.get(key)));
      follow(
          edits,
          place.child("metadata").child("annotations").child(Keys.SUSPENDING_PARENT),
          queued ? kind.framework() : null,
          before.containsKey(Keys.QUEUE_NAME) ? kind.framework() : null);
    }
    return edits;
  }

  private static Map<String, String> labels(JsonObject object) {
    return JobTraits.metadata(object, "labels");
  }

  /** Has the template follow the object; a value that the user alone has written into it stays. */
  private static void follow(
      Edits edits, FieldPath field, @Nullable String value, @Nullable String before) {
    String known = field.textIn(edits.object()).orElse(null);
    if (value != null && !value.equals(known)) {
      edits.set(new JsonPrimitive(value), field.steps().toArray(String[]::new));
    } else if (value == null && before != null && before.equals(known)) {
      List<String> around = field.steps().subList(0, field.steps().size() - 1);
      new FieldPath(around)
          .in(edits.object())
          .ifPresent(
              texts ->
                  edits.remove(
                      texts.getAsJsonObject(),
                      "/" + String.join("/", around),
                      field.steps().getLast()));
    }
  }
}
