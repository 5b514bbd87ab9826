// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.kueue4j.apiserver.schema.ValueRules.Bounds;
import io.github.kueue4j.apiserver.schema.ValueRules.Nested;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds a value of the right type against a schema's demands, in the API's words. */
final class ValueChecks {

  void check(
      ValueRules rules,
      @Nullable String format,
      JsonNode value,
      FieldPath path,
      List<FieldError> errors) {
    if (!rules.allowed().isEmpty() && !isAllowed(rules.allowed(), value)) {
      errors.add(notSupported(rules.allowed(), value, path));
    }
    if (format != null && !Formats.fits(format, value)) {
      String written = value.isTextual() ? ": " + TextNode.valueOf(value.asText()) : "";
      errors.add(
          error(
              path,
              FieldError.ErrorType.TYPE_INVALID,
              value,
              inBody(path) + " must be of type " + format + written));
    }
    switch (value.getNodeType()) {
      case STRING -> text(rules, value, path, errors);
      case NUMBER -> number(rules.bounds(), value, path, errors);
      case ARRAY -> size(rules.minItems(), rules.maxItems(), "items", value, path, errors);
      case OBJECT -> {
        size(rules.minProperties(), rules.maxProperties(), "properties", value, path, errors);
        for (String name : rules.required()) {
          if (!value.has(name)) {
            errors.add(error(path.child(name), FieldError.ErrorType.REQUIRED, null, ""));
          }
        }
      }
      case BINARY, BOOLEAN, MISSING, NULL, POJO -> {}
    }
    if (rules.combines()) {
      combinations(rules, value, path, errors);
    }
  }

  private static boolean isAllowed(List<JsonNode> allowed, JsonNode value) {
    if (allowed.contains(value)) {
      return true;
    }
    if (!value.isNumber()) {
      return false;
    }
    BigDecimal number = value.decimalValue();
    return allowed.stream()
        .anyMatch(one -> one.isNumber() && one.decimalValue().compareTo(number) == 0);
  }

  private static FieldError notSupported(List<JsonNode> allowed, JsonNode value, FieldPath path) {
    String supported =
        allowed.stream()
            .map(one -> TextNode.valueOf(one.asText()).toString())
            .collect(Collectors.joining(", "));
    return error(path, FieldError.ErrorType.NOT_SUPPORTED, value, "supported values: " + supported);
  }

  private static void text(
      ValueRules rules, JsonNode value, FieldPath path, List<FieldError> errors) {
    String text = value.textValue();
    if (rules.maxLength() != null
        && text.length() > rules.maxLength()
        && length(text) > rules.maxLength()) {
      errors.add(
          error(
              path,
              FieldError.ErrorType.TOO_LONG,
              value,
              "may not be more than " + counted(rules.maxLength(), "byte")));
    }
    if (rules.minLength() != null && length(text) < rules.minLength()) {
      errors.add(
          invalid(
              path,
              value,
              inBody(path) + " should be at least " + rules.minLength() + " chars long"));
    }
    if (rules.pattern() != null && !rules.pattern().occursIn(text)) {
      errors.add(
          invalid(path, value, inBody(path) + " should match '" + rules.pattern().source() + "'"));
    }
  }

  private static String counted(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static void number(
      Bounds bounds, JsonNode value, FieldPath path, List<FieldError> errors) {
    if (bounds.isEmpty()) {
      return;
    }
    BigDecimal number = value.decimalValue();
    if (bounds.minimum() != null) {
      int order = number.compareTo(bounds.minimum());
      if (order < 0 || (order == 0 && bounds.exclusiveMinimum())) {
        String words =
            bounds.exclusiveMinimum()
                ? " should be greater than "
                : " should be greater than or equal to ";
        errors.add(invalid(path, value, inBody(path) + words + plain(bounds.minimum())));
      }
    }
    if (bounds.maximum() != null) {
      int order = number.compareTo(bounds.maximum());
      if (order > 0 || (order == 0 && bounds.exclusiveMaximum())) {
        String words =
            bounds.exclusiveMaximum()
                ? " should be less than "
                : " should be less than or equal to ";
        errors.add(invalid(path, value, inBody(path) + words + plain(bounds.maximum())));
      }
    }
    if (bounds.multipleOf() != null
        && bounds.multipleOf().signum() > 0
        && number.remainder(bounds.multipleOf()).signum() != 0) {
      errors.add(
          invalid(
              path,
              value,
              inBody(path) + " should be a multiple of " + plain(bounds.multipleOf())));
    }
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static void size(
      @Nullable Integer min,
      @Nullable Integer max,
      String what,
      JsonNode value,
      FieldPath path,
      List<FieldError> errors) {
    if (max != null && value.size() > max) {
      errors.add(
          error(
              path,
              FieldError.ErrorType.TOO_MANY,
              IntNode.valueOf(value.size()),
              "must have at most " + counted(max, "item")));
    }
    if (min != null && value.size() < min) {
      errors.add(invalid(path, value, inBody(path) + " should have at least " + min + " " + what));
    }
  }

  private void combinations(
      ValueRules rules, JsonNode value, FieldPath path, List<FieldError> errors) {
    for (Nested all : rules.allOf()) {
      nested(all, value, path, errors);
    }
    if (!rules.anyOf().isEmpty()) {
      oneFits(rules.anyOf(), value, path, "at least one schema (anyOf)", false, errors);
    }
    if (!rules.oneOf().isEmpty()) {
      oneFits(rules.oneOf(), value, path, "one and only one schema (oneOf)", true, errors);
    }
    if (rules.not() != null && fits(rules.not(), value, path)) {
      errors.add(whole(path, "must not validate the schema (not)"));
    }
  }

  private void oneFits(
      List<Nested> choices,
      JsonNode value,
      FieldPath path,
      String words,
      boolean exactly,
      List<FieldError> errors) {
    @Nullable List<FieldError> best = null;
    int fitting = 0;
    for (Nested choice : choices) {
      List<FieldError> found = new ArrayList<>();
      nested(choice, value, path, found);
      if (found.isEmpty()) {
        fitting++;
      } else if (best == null || found.size() < best.size()) {
        best = found;
      }
    }
    if (fitting == 0) {
      errors.add(whole(path, "must validate " + words + (exactly ? ". Found none valid" : "")));
      if (best != null) {
        errors.addAll(best);
      }
    } else if (exactly && fitting > 1) {
      errors.add(
          whole(path, "must validate " + words + ". Found " + fitting + " valid alternatives"));
    }
  }

  private boolean fits(Nested rules, JsonNode value, FieldPath path) {
    List<FieldError> found = new ArrayList<>();
    nested(rules, value, path, found);
    return found.isEmpty();
  }

  private void nested(Nested rules, JsonNode value, FieldPath path, List<FieldError> errors) {
    if (rules.type() != null && !rules.type().matches(value)) {
      String actual = JsonType.wordFor(value);
      errors.add(
          error(
              path,
              FieldError.ErrorType.TYPE_INVALID,
              TextNode.valueOf(actual),
              inBody(path) + " must be of type " + rules.type().word() + ": \"" + actual + "\""));
      return;
    }
    check(rules.values(), rules.format(), value, path, errors);
    for (Map.Entry<String, Nested> property : rules.properties().entrySet()) {
      JsonNode child = value.get(property.getKey());
      if (child != null) {
        nested(property.getValue(), child, path.child(property.getKey()), errors);
      }
    }
    if (rules.items() != null && value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        nested(rules.items(), value.get(i), path.index(i), errors);
      }
    }
  }

  /** Such an error names no field: the combination as a whole failed. */
  private static FieldError whole(FieldPath path, String detail) {
    String name = path == FieldPath.ROOT ? "" : path.toString();
    return FieldError.invalid(FieldPath.ROOT.toString(), "", "\"" + name + "\" " + detail);
  }

  static String inBody(FieldPath path) {
    return (path == FieldPath.ROOT ? "" : path.toString()) + " in body";
  }

  private static FieldError invalid(FieldPath path, JsonNode value, String detail) {
    return error(path, FieldError.ErrorType.INVALID, value, detail);
  }

  private static FieldError error(
      FieldPath path, FieldError.ErrorType errorType, @Nullable JsonNode value, String detail) {
    return new FieldError(path.toString(), errorType, value, detail);
  }
}
