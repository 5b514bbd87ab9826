// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The part of the controller of AppWrappers that makes the objects in them, by its public API. */
final class PlayedAppWrapper {
  private PlayedAppWrapper() {}

  /** The pod templates of the object that it makes of a component. */
  static List<JsonObject> templates(JsonObject component) {
    List<JsonObject> found = new ArrayList<>();
    DeclaredSample.collect(made(component), found);
    return found;
  }

  /** The object that it makes of a component: as it stands there, with the infos in its pods. */
  static JsonObject made(JsonObject component) {
    JsonObject object = component.getAsJsonObject("template").deepCopy();
    List<JsonObject> templates = new ArrayList<>();
    DeclaredSample.collect(object, templates);
    if (component.get("podSetInfos") instanceof JsonArray infos) {
      for (int i = 0; i < infos.size(); i++) {
        inject(infos.get(i).getAsJsonObject(), templates.get(i));
      }
    }
    return object;
  }

  private static void inject(JsonObject info, JsonObject template) {
    info.asMap()
        .forEach(
            (name, value) -> {
              boolean ofMetadata = name.equals("labels") || name.equals("annotations");
              JsonObject part = member(template, ofMetadata ? "metadata" : "spec");
              if (value instanceof JsonArray list) {
                JsonArray all = part.get(name) instanceof JsonArray known ? known : new JsonArray();
                all.addAll(list);
                part.add(name, all);
              } else {
                value.getAsJsonObject().asMap().forEach(member(part, name)::add);
              }
            });
  }

  private static JsonObject member(JsonObject of, String name) {
    JsonElement known = of.get(name);
    if (!(known instanceof JsonObject)) {
      of.add(name, new JsonObject());
    }
    return of.getAsJsonObject(name);
  }
}
