// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.testing;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Templates of pods, each of which differs from a realistic one in a single value. */
public final class PodVariants {
  private PodVariants() {}

  /** A realistic template with four variables of each container: the others are like them. */
  public static JsonObject usual() {
    JsonObject pod = JsonParser.parseString(RealisticPods.template()).getAsJsonObject();
    for (JsonElement container : pod.getAsJsonObject("spec").getAsJsonArray("containers")) {
      JsonArray variables = container.getAsJsonObject().getAsJsonArray("env");
      while (variables.size() > 4) {
        variables.remove(variables.size() - 1);
      }
    }
    return pod;
  }

  /** A template and the path where it differs from the default one. */
  public record Variant(String path, JsonObject template) {
    @Override
    public String toString() {
      return path;
    }
  }

  /** One for each value of the usual template that is changed or left out, and the usual one. */
  public static Stream<Variant> all() {
    JsonObject pod = usual();
    List<Variant> variants = new ArrayList<>();
    variants.add(new Variant("nothing", pod));
    vary(pod, "", pod, variants);
    return variants.stream();
  }

  /** One variant per value and per member or element that is left out. */
  private static void vary(JsonElement at, String path, JsonObject root, List<Variant> variants) {
    switch (at) {
      case JsonObject object -> {
        for (String name : List.copyOf(object.keySet())) {
          JsonElement value = object.get(name);
          object.remove(name);
          variants.add(new Variant(path + "." + name + " left out", root.deepCopy()));
          object.add(name, other(value));
          if (value instanceof JsonPrimitive) {
            variants.add(new Variant(path + "." + name, root.deepCopy()));
          }
          object.add(name, value);
          vary(value, path + "." + name, root, variants);
        }
      }
      case JsonArray array -> {
        for (int i = 0; i < array.size(); i++) {
          JsonElement element = array.get(i);
          if (element instanceof JsonPrimitive) {
            array.set(i, other(element));
            variants.add(new Variant(path + "[" + i + "]", root.deepCopy()));
            array.set(i, element);
          }
          vary(element, path + "[" + i + "]", root, variants);
        }
      }
      default -> {}
    }
  }

  /** Another value that reads as the same type: a quantity stays one. */
  private static JsonElement other(JsonElement value) {
    if (!(value instanceof JsonPrimitive primitive)) {
      return value;
    }
    if (primitive.isBoolean()) {
      return new JsonPrimitive(!primitive.getAsBoolean());
    }
    if (primitive.isNumber()) {
      return new JsonPrimitive(primitive.getAsInt() + 1);
    }
    String text = primitive.getAsString();
    return new JsonPrimitive(
        text.equals("true") ? "false" : text.matches("[0-9]+.*") ? "7" + text : text + "x");
  }
}
