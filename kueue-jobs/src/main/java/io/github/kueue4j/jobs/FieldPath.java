// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The place of a field in an object, such as {@code spec.runPolicy.suspend}. A step {@code *}
 * stands for each member of a map and each element of a list.
 *
 * @param steps the names from the outside in; in the place of a particular template also the
 *     indexes of lists
 */
@API(status = API.Status.INTERNAL)
public record FieldPath(List<String> steps) {
  /** The step {@code *}. No key can be it: objects are in UTF-8, which has no lone surrogates. */
  public static final String EACH = "\uD800";

  private static final Pattern TEXT =
      Pattern.compile("([A-Za-z][A-Za-z0-9_-]*|\\*)(\\.([A-Za-z][A-Za-z0-9_-]*|\\*))*");

  public FieldPath {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static FieldPath parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "is no path; write the names of fields with dots between them, such as spec.suspend");
    }
    return new FieldPath(List.of(text.replace("*", EACH).split("\\.")));
  }

  /** The path of a field of an object, step by step. */
  public static FieldPath of(String... steps) {
    return new FieldPath(List.of(steps));
  }

  /** Whether it may lead to several fields. */
  public boolean isMany() {
    return steps.contains(EACH);
  }

  /** The same place, seen from further outside. */
  public FieldPath below(FieldPath outer) {
    return new FieldPath(Stream.concat(outer.steps.stream(), steps.stream()).toList());
  }

  /** The path in one element, for each of whose steps {@code *} the element's key stands. */
  public FieldPath inElement(String key) {
    return new FieldPath(steps.stream().map(step -> step.equals(EACH) ? key : step).toList());
  }

  public FieldPath child(String step) {
    return new FieldPath(Stream.concat(steps.stream(), Stream.of(step)).toList());
  }

  /** Whether it is this place, or one inside it. */
  public boolean isIn(FieldPath outer) {
    return steps.size() >= outer.steps.size()
        && steps.subList(0, outer.steps.size()).equals(outer.steps);
  }

  /** All fields that it leads to; null counts as absent. */
  public List<JsonElement> allIn(JsonElement object) {
    List<JsonElement> found = List.of(object);
    for (String step : steps) {
      found = found.stream().flatMap(each -> step(each, step)).toList();
    }
    return found;
  }

  /** The first field that it leads to. */
  public Optional<JsonElement> in(JsonElement object) {
    return allIn(object).stream().findFirst();
  }

  /** The first text, number or flag that it leads to, unless it is empty. */
  public Optional<String> textIn(JsonElement object) {
    return in(object)
        .filter(JsonElement::isJsonPrimitive)
        .map(JsonElement::getAsString)
        .filter(text -> !text.isEmpty());
  }

  private static Stream<JsonElement> step(JsonElement from, String step) {
    Stream<JsonElement> next =
        switch (from) {
          case JsonObject fields when step.equals(EACH) -> fields.asMap().values().stream();
          case JsonObject fields -> Stream.ofNullable(fields.get(step));
          case JsonArray items when step.equals(EACH) -> items.asList().stream();
          case JsonArray items -> at(items, step);
          default -> Stream.empty();
        };
    return next.filter(each -> !each.isJsonNull());
  }

  private static Stream<JsonElement> at(JsonArray items, String step) {
    return step.chars().allMatch(Character::isDigit) && Integer.parseInt(step) < items.size()
        ? Stream.of(items.get(Integer.parseInt(step)))
        : Stream.empty();
  }

  /**
   * The first field on the way that is a text, a number, a flag or a list in place of an object, so
   * that no field can stand in it.
   *
   * @return where it is and what it is; empty if there is none
   */
  public Optional<String> obstacleIn(JsonElement object) {
    return Stream.iterate(1, i -> i < steps.size(), i -> i + 1)
        .flatMap(
            length -> {
              FieldPath outer = new FieldPath(steps.subList(0, length));
              String next = steps.get(length);
              return outer.allIn(object).stream()
                  .filter(value -> value.isJsonPrimitive() || (isList(value) && !leadsToItem(next)))
                  .map(value -> outer + " is " + (isList(value) ? "a list" : value));
            })
        .findFirst();
  }

  private static boolean isList(JsonElement value) {
    return value.isJsonArray();
  }

  private static boolean leadsToItem(String step) {
    return step.equals(EACH) || step.chars().allMatch(Character::isDigit);
  }

  /** Sets the field, and creates the objects around it; not for a path to many. */
  public void set(JsonObject object, JsonElement value) {
    JsonElement parent = object;
    for (String step : steps.subList(0, steps.size() - 1)) {
      JsonElement next = step(parent, step).findFirst().orElse(null);
      if (next == null) {
        next = new JsonObject();
        parent.getAsJsonObject().add(step, next);
      }
      parent = next;
    }
    String last = steps.getLast();
    if (parent instanceof JsonArray items) {
      items.set(Integer.parseInt(last), value);
    } else {
      parent.getAsJsonObject().add(last, value);
    }
  }

  /** Removes the field, if it is there; not for a path to many. */
  public void remove(JsonObject object) {
    new FieldPath(steps.subList(0, steps.size() - 1))
        .in(object)
        .filter(JsonElement::isJsonObject)
        .map(JsonElement::getAsJsonObject)
        .ifPresent(parent -> parent.remove(steps.getLast()));
  }

  /** Whether the field is true. */
  public boolean isTrueIn(JsonElement object) {
    return in(object).filter(new JsonPrimitive(true)::equals).isPresent();
  }

  /**
   * A copy with only what these paths lead to, and the members and elements on the way. Lists keep
   * their length.
   */
  public static JsonElement kept(JsonElement from, List<FieldPath> paths) {
    if (paths.stream().anyMatch(path -> path.steps.isEmpty())) {
      return from;
    }
    return switch (from) {
      case JsonObject fields -> {
        JsonObject kept = new JsonObject();
        fields
            .asMap()
            .forEach(
                (name, value) -> {
                  List<FieldPath> inside = inside(paths, name);
                  if (!inside.isEmpty()) {
                    kept.add(name, kept(value, inside));
                  }
                });
        yield kept;
      }
      case JsonArray items -> {
        JsonArray kept = new JsonArray(items.size());
        for (int i = 0; i < items.size(); i++) {
          kept.add(kept(items.get(i), inside(paths, String.valueOf(i))));
        }
        yield kept;
      }
      default -> from;
    };
  }

  private static List<FieldPath> inside(List<FieldPath> paths, String name) {
    List<FieldPath> inside = new ArrayList<>();
    for (FieldPath path : paths) {
      String first = path.steps.getFirst();
      if (first.equals(EACH) || first.equals(name)) {
        inside.add(new FieldPath(path.steps.subList(1, path.steps.size())));
      }
    }
    return inside;
  }

  @Override
  public String toString() {
    return String.join(".", steps).replace(EACH, "*");
  }
}
