// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.KueueJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The form of texts, and the length and uniqueness of lists, as the definition of a kind has them:
 * the API server stores no other objects, so that their controller need not look. Types of values,
 * fields that are missing, keys of lists and rules in CEL are left to the controller's own reader,
 * which agrees about them with the API server.
 */
final class DefinedForm {
  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private final List<InvalidFieldException> found = new ArrayList<>();

  private DefinedForm() {}

  /**
   * The problems in the form of an object.
   *
   * @param definition of its kind, with one version, as YAML
   */
  static List<InvalidFieldException> problems(JsonObject object, String definition) {
    JsonElement tree =
        KueueJson.toTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(definition));
    JsonObject schema =
        tree.getAsJsonObject()
            .getAsJsonObject("spec")
            .getAsJsonArray("versions")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("schema")
            .getAsJsonObject("openAPIV3Schema");
    DefinedForm form = new DefinedForm();
    form.checkName(object.getAsJsonObject("metadata").get("name"));
    form.check(object, schema, "");
    return form.found;
  }

  private void checkName(@Nullable JsonElement name) {
    if (!(name instanceof JsonPrimitive text) || !NAME.matcher(text.getAsString()).matches()) {
      found.add(
          new InvalidFieldException(
              "metadata.name",
              name instanceof JsonPrimitive written ? written.getAsString() : null,
              "write small letters, digits and hyphens, such as house-rules"));
    }
  }

  private void check(JsonElement value, JsonObject of, String field) {
    if (value instanceof JsonObject object && of.get("properties") instanceof JsonObject members) {
      object
          .asMap()
          .forEach(
              (name, member) -> {
                if (members.get(name) instanceof JsonObject schemaOfMember) {
                  check(member, schemaOfMember, field.isEmpty() ? name : field + "." + name);
                }
              });
    } else if (value instanceof JsonArray list && of.get("items") instanceof JsonObject items) {
      int most = number(of, "maxItems").orElse(Integer.MAX_VALUE);
      refuseIf(list.size() > most, field, list.size() + " elements", "write at most " + most);
      boolean set = new JsonPrimitive("set").equals(of.get("x-kubernetes-list-type"));
      Set<JsonElement> seen = new HashSet<>();
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) instanceof JsonPrimitive element) {
          refuseIf(
              set && !seen.add(element),
              field + "[" + i + "]",
              element.getAsString(),
              "leave it out: the list has it already");
        }
        check(list.get(i), items, field + "[" + i + "]");
      }
    } else if (value instanceof JsonPrimitive text && text.isString()) {
      checkText(text.getAsString(), of, field);
    }
  }

  private void checkText(String text, JsonObject of, String field) {
    int length = text.codePointCount(0, text.length());
    int most = number(of, "maxLength").orElse(Integer.MAX_VALUE);
    refuseIf(length > most, field, text, "write at most " + most + " characters");
    refuseIf(length < number(of, "minLength").orElse(0), field, text, "write some text");
    if (of.get("pattern") instanceof JsonPrimitive pattern) {
      refuseIf(
          !Pattern.compile(pattern.getAsString()).matcher(text).find(),
          field,
          text,
          "write a text of the form " + pattern.getAsString());
    }
    if (of.get("enum") instanceof JsonArray words) {
      refuseIf(
          !words.contains(new JsonPrimitive(text)),
          field,
          text,
          "write one of "
              + words.asList().stream()
                  .map(JsonElement::getAsString)
                  .collect(Collectors.joining(", ")));
    }
  }

  private void refuseIf(boolean wrong, String field, String value, String remedy) {
    if (wrong) {
      found.add(new InvalidFieldException(field, value, remedy));
    }
  }

  private static OptionalInt number(JsonObject schema, String bound) {
    return schema.get(bound) instanceof JsonPrimitive number
        ? OptionalInt.of(number.getAsInt())
        : OptionalInt.empty();
  }
}
