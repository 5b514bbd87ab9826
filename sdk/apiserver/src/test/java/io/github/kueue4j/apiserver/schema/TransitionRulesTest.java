// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import static io.github.kueue4j.apiserver.schema.Yaml.compiled;
import static io.github.kueue4j.apiserver.schema.Yaml.object;
import static io.github.kueue4j.apiserver.schema.Yaml.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that compare with the old object, and old mistakes that are not held against a new one. */
class TransitionRulesTest {

  private static List<String> errors(String schema, @Nullable String old, String object) {
    return texts(compiled(schema).validate(object(object), old == null ? null : object(old)));
  }

  private static final String IMMUTABLE =
      """
      type: object
      properties:
        a: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]}
        list:
          type: array
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [name]
          items:
            type: object
            required: [name]
            properties:
              name: {type: string}
              v: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]}
        map:
          type: object
          additionalProperties:
            type: integer
            x-kubernetes-validations: [{rule: self >= oldSelf}]
        unit:
          type: object
          x-kubernetes-map-type: atomic
          properties:
            v: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none | {a: x} | none",
        "{a: x} | {a: x} | none",
        "{} | {a: x} | none",
        "{a: x} | {} | none",
        "{a: x} | {a: y} | a: Invalid value: \"string\": fixed",
        "{list: [{name: p, v: 5}, {name: q, v: 1}]} | {list: [{name: q, v: 1}, {name: p, v: 5}]} | none",
        "{list: [{name: p, v: 5}, {name: q, v: 1}]} | {list: [{name: q, v: 2}, {name: p, v: 4}]} | list[1].v: Invalid value: \"integer\": failed rule: self >= oldSelf",
        "{list: [{name: p, v: 5}]} | {list: [{name: q, v: 1}]} | none",
        "{map: {k: 5}} | {map: {k: 4}} | map[k]: Invalid value: \"integer\": failed rule: self >= oldSelf",
        "{map: {k: 5}} | {map: {l: 4}} | none",
        "{unit: {v: 5}} | {unit: {v: 4}} | unit.v: Invalid value: \"integer\": failed rule: self >= oldSelf",
      })
  void comparesWhatBelongsTogether(String old, String object, String error) {
    assertThat(errors(IMMUTABLE, old, object))
        .isEqualTo(error == null ? List.of() : List.of(error));
  }

  @Test
  void optionalOldSelfAlsoRunsOnCreate() {
    String schema =
        """
        type: object
        properties:
          a:
            type: string
            x-kubernetes-validations:
            - rule: "oldSelf.hasValue() ? self == oldSelf.value() : self == 'first'"
              optionalOldSelf: true
              messageExpression: "'was ' + oldSelf.orValue('nothing')"
        """;

    assertThat(errors(schema, null, "{a: first}")).isEmpty();
    assertThat(errors(schema, null, "{a: other}"))
        .containsExactly("a: Invalid value: \"string\": was nothing");
    assertThat(errors(schema, "{a: first}", "{a: other}"))
        .containsExactly("a: Invalid value: \"string\": was first");
  }

  @Test
  void reasonAndFieldPathShapeTheError() {
    String schema =
        """
        type: object
        properties:
          s:
            type: object
            properties: {a: {type: string}, m: {type: object, additionalProperties: {type: string}}}
            x-kubernetes-validations:
            - {rule: has(self.a), message: needed, reason: FieldValueRequired, fieldPath: .a}
            - {rule: "!has(self.m)", message: not here, reason: FieldValueForbidden, fieldPath: ".m['x']"}
            - {rule: "!has(self.m)", reason: FieldValueDuplicate}
        """;

    assertThat(errors(schema, null, "{s: {m: {x: y}}}"))
        .containsExactly(
            "s.a: Required value: needed",
            "s.m.x: Forbidden: not here",
            "s: Duplicate value: \"object\"");
  }

  @Test
  void fallsBackToTheMessageWhenItsExpressionFails() {
    String schema =
        """
        type: object
        properties:
          a:
            type: array
            items: {type: string}
            x-kubernetes-validations:
            - {rule: "false", message: fixed words, messageExpression: "self[7]"}
        """;

    assertThat(errors(schema, null, "{a: []}"))
        .containsExactly("a: Invalid value: \"array\": fixed words");
  }

  private static final String STRICT =
      """
      type: object
      properties:
        a: {type: string, maxLength: 3}
        b: {type: integer, x-kubernetes-validations: [{rule: self < 5, message: small}]}
        list: {type: array, items: {type: string, maxLength: 3}}
        keyed:
          type: array
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [k]
          items:
            type: object
            required: [k]
            properties: {k: {type: string}, v: {type: string, enum: [x, y]}}
        unit:
          type: object
          x-kubernetes-map-type: atomic
          properties: {a: {type: string, maxLength: 3}, b: {type: string}}
        other: {type: string}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "{a: long!} | {a: long!, other: new} | none",
        "{a: long!} | {a: long!!} | a: Too long: may not be more than 3 bytes",
        "{b: 9} | {b: 9, other: new} | none",
        "{b: 9} | {b: 8} | b: Invalid value: \"integer\": small",
        "{list: [long!]} | {list: [long!], other: new} | none",
        "{list: [long!]} | {list: [long!, x]} | list[0]: Too long: may not be more than 3 bytes",
        "{keyed: [{k: a, v: z}, {k: b, v: x}]} | {keyed: [{k: a, v: z}, {k: b, v: y}]} | none",
        "{unit: {a: long!}} | {unit: {a: long!, b: new}} | none",
        "{keyed: [{k: a, v: z}]} | {keyed: [{k: b, v: z}]} | keyed[0].v: Unsupported value: \"z\": supported values: \"x\", \"y\"",
      })
  void unchangedMistakesAreForgiven(String old, String object, String error) {
    assertThat(errors(STRICT, old, object))
        .filteredOn(text -> !text.startsWith("<nil>: Invalid value: null: some validation rules"))
        .isEqualTo(error == null ? List.of() : List.of(error));
  }

  @Test
  void rulesOfTheRootSeeNameAndKind() {
    String schema =
        """
        type: object
        x-kubernetes-validations:
        - {rule: "self.metadata.name == 'only' && self.kind == 'K'", message: one}
        """;

    assertThat(errors(schema, null, "{kind: K, metadata: {name: only}}")).isEmpty();
    assertThat(errors(schema, null, "{kind: K, metadata: {name: other}}"))
        .containsExactly("<nil>: Invalid value: \"object\": one");
  }

  @Test
  void comparesListsOfObjectsWhole() {
    String schema =
        """
        type: object
        properties:
          list:
            type: array
            items: {type: object, properties: {a: {type: integer}, b: {type: array, items: {type: string}}}}
            x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]
        """;

    assertThat(errors(schema, "{list: [{a: 1, b: [x]}]}", "{list: [{b: [x], a: 1}]}")).isEmpty();
    assertThat(errors(schema, "{list: [{a: 1, b: [x]}]}", "{list: [{b: [y], a: 1}]}")).hasSize(1);
  }
}
