// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Parses label selectors as they stand in a {@code labelSelector} query: requirements separated by
 * commas, each of {@code key}, {@code !key}, {@code key=value}, {@code ==}, {@code !=}, {@code in
 * (..)}, {@code notin (..)}, {@code >} or {@code <}.
 */
@API(status = API.Status.INTERNAL)
public final class LabelSelector {
  private final String text;
  private int position;

  private LabelSelector(String text) {
    this.text = text;
  }

  /**
   * Parses a label selector.
   *
   * @throws SelectorSyntaxException if the text is no label selector
   */
  public static Selector parse(String text) {
    if (text.isBlank()) {
      return Selector.ALL;
    }
    return all(new LabelSelector(text).requirements());
  }

  /**
   * The selector that an object of the API holds: {@code matchLabels} and {@code matchExpressions}.
   */
  public static Selector of(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
      requirements.add(new Requirement(label.getKey(), label.getValue().asText()::equals));
    }
    for (JsonNode expression : selector.path("matchExpressions")) {
      Set<String> values = new LinkedHashSet<>();
      expression.path("values").forEach(value -> values.add(value.asText()));
      Predicate<@Nullable String> condition =
          switch (Trees.text(expression, "operator")) {
            case "In" -> value -> value != null && values.contains(value);
            case "NotIn" -> value -> value == null || !values.contains(value);
            case "Exists" -> value -> value != null;
            case "DoesNotExist" -> value -> value == null;
            default -> value -> false;
          };
      requirements.add(new Requirement(Trees.text(expression, "key"), condition));
    }
    return requirements.isEmpty() ? Selector.ALL : all(requirements);
  }

  private static Selector all(List<Requirement> requirements) {
    return tree -> {
      ObjectNode labels = Trees.object(Trees.metadata(tree), "labels");
      for (Requirement requirement : requirements) {
        if (!requirement.matches(labels)) {
          return false;
        }
      }
      return true;
    };
  }

  private record Requirement(String key, Predicate<@Nullable String> condition) {
    boolean matches(ObjectNode labels) {
      JsonNode value = labels.get(key);
      return condition.test(value == null ? null : value.asText());
    }
  }

  private List<Requirement> requirements() {
    List<Requirement> result = new ArrayList<>();
    do {
      result.add(requirement());
      skipBlanks();
    } while (take(','));
    if (position < text.length()) {
      throw error("found '" + text.substring(position) + "', expected: ',' or end of string");
    }
    return result;
  }

  private Requirement requirement() {
    skipBlanks();
    if (take('!')) {
      return new Requirement(key(), value -> value == null);
    }
    String key = key();
    skipBlanks();
    if (position == text.length() || text.charAt(position) == ',') {
      return new Requirement(key, value -> value != null);
    }
    if (take('=')) {
      take('=');
      String wanted = value();
      return new Requirement(key, wanted::equals);
    }
    if (take('!')) {
      expect('=');
      String unwanted = value();
      return new Requirement(key, value -> !unwanted.equals(value));
    }
    if (take('>')) {
      long limit = number();
      return new Requirement(key, value -> isNumber(value) && Long.parseLong(value) > limit);
    }
    if (take('<')) {
      long limit = number();
      return new Requirement(key, value -> isNumber(value) && Long.parseLong(value) < limit);
    }
    String operator = word();
    if (operator.equals("in")) {
      Set<String> wanted = values();
      return new Requirement(key, value -> value != null && wanted.contains(value));
    }
    if (operator.equals("notin")) {
      Set<String> unwanted = values();
      return new Requirement(key, value -> value == null || !unwanted.contains(value));
    }
    throw error(
        "found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt or end of requirement");
  }

  private String key() {
    skipBlanks();
    String key = word();
    if (!LabelSyntax.isKey(key)) {
      throw error("<nil>: Invalid value: \"" + key + "\": " + LabelSyntax.KEY_RULE);
    }
    return key;
  }

  private String value() {
    skipBlanks();
    String value = word();
    if (!LabelSyntax.isValue(value)) {
      throw error("values[0][]: Invalid value: \"" + value + "\": " + LabelSyntax.VALUE_RULE);
    }
    return value;
  }

  private long number() {
    String value = value();
    if (!isNumber(value)) {
      throw error("values[0][]: Invalid value: \"" + value + "\": must be an integer");
    }
    return Long.parseLong(value);
  }

  private Set<String> values() {
    skipBlanks();
    expect('(');
    Set<String> values = new LinkedHashSet<>();
    do {
      values.add(value());
      skipBlanks();
    } while (take(','));
    expect(')');
    return values;
  }

  private String word() {
    int start = position;
    while (position < text.length() && " ,()!=<>\t".indexOf(text.charAt(position)) < 0) {
      position++;
    }
    return text.substring(start, position);
  }

  private void skipBlanks() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private boolean take(char wanted) {
    if (position < text.length() && text.charAt(position) == wanted) {
      position++;
      return true;
    }
    return false;
  }

  private void expect(char wanted) {
    if (!take(wanted)) {
      throw error("found '" + text.substring(position) + "', expected: '" + wanted + "'");
    }
  }

  private static boolean isNumber(@Nullable String text) {
    return text != null && text.matches("-?[0-9]{1,18}");
  }

  private SelectorSyntaxException error(String what) {
    return new SelectorSyntaxException("unable to parse requirement: " + what);
  }
}
