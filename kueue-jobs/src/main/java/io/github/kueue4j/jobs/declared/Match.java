// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.jobs.FieldPath;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The condition of a declaration on an object, or on a part of it. */
@API(status = API.Status.INTERNAL)
public sealed interface Match {
  FieldPath CONDITIONS = FieldPath.parse("status.conditions");

  /** Whether the object fulfils it. */
  boolean holds(JsonElement object);

  /** The message about the object, if the condition holds; empty if nothing. */
  default Optional<String> message(JsonElement object) {
    return Optional.empty();
  }

  /** The paths of the fields that it depends on. */
  Stream<FieldPath> reads();

  /** Whether the object fulfils one of these. */
  static boolean any(List<Match> matches, JsonElement object) {
    return matches.stream().anyMatch(match -> match.holds(object));
  }

  /** It as a clause. */
  default String words() {
    return switch (this) {
      case Condition condition -> "condition " + condition.type() + " is True";
      case OneOf oneOf ->
          oneOf.path()
              + " is "
              + oneOf.values().stream().sorted().collect(Collectors.joining(" or "))
              + oneOf.absent().map(value -> " (absent: " + value + ")").orElse("");
      case Exceeds above -> above.path() + " is above " + above.bound();
      case Present present -> present.path() + " is there";
      case Together together ->
          (together.all() ? "all of (" : "none of (")
              + together.matches().stream().map(Match::words).collect(Collectors.joining("; "))
              + ")";
    };
  }

  /** The clause that one of these holds; {@code never} without any. */
  static String words(List<Match> matches) {
    return matches.isEmpty()
        ? "never"
        : matches.stream().map(Match::words).collect(Collectors.joining(", or "));
  }

  /**
   * A condition of its status is True.
   *
   * @param type of the condition
   */
  record Condition(String type) implements Match {
    @Override
    public boolean holds(JsonElement object) {
      return message(object).isPresent();
    }

    @Override
    public Optional<String> message(JsonElement object) {
      return CONDITIONS.child(FieldPath.EACH).allIn(object).stream()
          .filter(each -> is(each, "type", type) && is(each, "status", "True"))
          .map(each -> FieldPath.of("message").textIn(each).orElse(""))
          .findFirst();
    }

    private static boolean is(JsonElement condition, String member, String value) {
      return condition.isJsonObject()
          && new JsonPrimitive(value).equals(condition.getAsJsonObject().get(member));
    }

    @Override
    public Stream<FieldPath> reads() {
      return Stream.of(CONDITIONS);
    }
  }

  /**
   * A field has one of these values.
   *
   * @param path if it leads to several fields, one of them is enough
   * @param values as texts; numbers and flags as they are written in JSON
   * @param absent the value of an absent field; empty if it has none
   */
  record OneOf(FieldPath path, Set<String> values, Optional<String> absent) implements Match {
    public OneOf {
      values = Set.copyOf(values);
    }

    @Override
    public boolean holds(JsonElement object) {
      List<JsonElement> found = path.allIn(object);
      return found.isEmpty()
          ? absent.filter(values::contains).isPresent()
          : found.stream()
              .anyMatch(each -> each.isJsonPrimitive() && values.contains(each.getAsString()));
    }

    @Override
    public Stream<FieldPath> reads() {
      return Stream.of(path);
    }
  }

  /**
   * A field has a number above this one.
   *
   * @param path if it leads to several fields, one of them is enough
   */
  record Exceeds(FieldPath path, int bound) implements Match {
    @Override
    public boolean holds(JsonElement object) {
      return path.allIn(object).stream()
          .anyMatch(
              each ->
                  each instanceof JsonPrimitive number
                      && number.isNumber()
                      && number.getAsDouble() > bound);
    }

    @Override
    public Stream<FieldPath> reads() {
      return Stream.of(path);
    }
  }

  /** A field is there; an empty map or list counts. */
  record Present(FieldPath path) implements Match {
    @Override
    public boolean holds(JsonElement object) {
      return path.in(object).isPresent();
    }

    @Override
    public Stream<FieldPath> reads() {
      return Stream.of(path);
    }
  }

  /**
   * All of these hold, or none of them does.
   *
   * @param all whether all have to hold
   */
  record Together(List<Match> matches, boolean all) implements Match {
    public Together {
      matches = List.copyOf(matches);
    }

    @Override
    public boolean holds(JsonElement object) {
      return all
          ? matches.stream().allMatch(match -> match.holds(object))
          : matches.stream().noneMatch(match -> match.holds(object));
    }

    @Override
    public Optional<String> message(JsonElement object) {
      return all
          ? matches.stream()
              .flatMap(match -> match.message(object).stream())
              .filter(text -> !text.isEmpty())
              .findFirst()
          : Optional.empty();
    }

    @Override
    public Stream<FieldPath> reads() {
      return matches.stream().flatMap(Match::reads);
    }
  }
}
