// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import static io.github.kueue4j.apiserver.schema.Yaml.compiled;
import static io.github.kueue4j.apiserver.schema.Yaml.object;
import static io.github.kueue4j.apiserver.schema.Yaml.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What objects are refused for, in the API's words. */
class ValidationTest {

  private static List<String> errors(String field, String value) {
    return texts(
        compiled("{type: object, properties: {f: " + field + "}}")
            .validate(object("{f: " + value + "}"), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: integer} | x | f: Invalid value: \"string\": f in body must be of type integer: \"string\"",
        "{type: integer} | 1.5 | f: Invalid value: \"number\": f in body must be of type integer: \"number\"",
        "{type: string} | 1 | f: Invalid value: \"integer\": f in body must be of type string: \"integer\"",
        "{type: string} | null | f: Invalid value: \"null\": f in body must be of type string: \"null\"",
        "{type: boolean} | '\"true\"' | f: Invalid value: \"string\": f in body must be of type boolean: \"string\"",
        "{type: object} | [] | f: Invalid value: \"array\": f in body must be of type object: \"array\"",
        "{x-kubernetes-int-or-string: true} | true | f: Invalid value: \"boolean\": f in body must be of type integer,string: \"boolean\"",
        "{type: integer, format: int32} | 2147483648 | f: Invalid value: 2147483648: f in body must be of type int32",
        "{type: integer, minimum: 1} | 0 | f: Invalid value: 0: f in body should be greater than or equal to 1",
        "{type: integer, minimum: 1, exclusiveMinimum: true} | 1 | f: Invalid value: 1: f in body should be greater than 1",
        "{type: number, maximum: 1.5} | 2 | f: Invalid value: 2: f in body should be less than or equal to 1.5",
        "{type: integer, multipleOf: 5} | 7 | f: Invalid value: 7: f in body should be a multiple of 5",
        "{type: string, maxLength: 2} | abc | f: Too long: may not be more than 2 bytes",
        "{type: string, minLength: 2} | a | f: Invalid value: \"a\": f in body should be at least 2 chars long",
        "{type: string, pattern: '^a+$'} | b | f: Invalid value: \"b\": f in body should match '^a+$'",
        "{type: string, enum: [a, b]} | c | f: Unsupported value: \"c\": supported values: \"a\", \"b\"",
        "{type: string, format: date-time} | today | f: Invalid value: \"today\": f in body must be of type date-time: \"today\"",
        "{type: string, format: date-time} | '\"2026-02-30T00:00:00Z\"' | f: Invalid value: \"2026-02-30T00:00:00Z\": f in body must be of type date-time: \"2026-02-30T00:00:00Z\"",
        "{type: string, format: duration} | 1x | f: Invalid value: \"1x\": f in body must be of type duration: \"1x\"",
        "{type: array, maxItems: 1, items: {type: string}} | [a, b] | f: Too many: 2: must have at most 1 item",
        "{type: array, minItems: 1, items: {type: string}} | [] | f: Invalid value: []: f in body should have at least 1 items",
        "{type: array, items: {type: string}} | [a, 2] | f[1]: Invalid value: \"integer\": f[1] in body must be of type string: \"integer\"",
        "{type: array, x-kubernetes-list-type: set, items: {type: string}} | [a, b, a] | f[2]: Duplicate value: \"a\"",
        "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string}}}} | [{k: a, v: x}, {k: a, v: y}] | f[1]: Duplicate value: {\"k\":\"a\"}",
        "{type: object, maxProperties: 1, additionalProperties: {type: string}} | {a: b, c: d} | f: Too many: 2: must have at most 1 item",
        "{type: object, additionalProperties: {type: string, maxLength: 1}} | {a.b/c: xy} | f.a.b/c: Too long: may not be more than 1 byte",
        "{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}} | {a: x} | f.b: Required value",
        "{type: string, not: {enum: [a]}} | a | <nil>: Invalid value: \"\": \"f\" must not validate the schema (not)",
        "{type: string, allOf: [{minLength: 2}]} | a | f: Invalid value: \"a\": f in body should be at least 2 chars long",
        "{type: string, oneOf: [{minLength: 1}, {maxLength: 5}]} | abc | <nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf). Found 2 valid alternatives",
      })
  void names(String field, String value, String error) {
    assertThat(errors(field, value)).containsExactly(error);
  }

  @Test
  void namesTheNearestAlternative() {
    assertThat(errors("{type: integer, anyOf: [{minimum: 5}, {maximum: 1}]}", "3"))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"f\" must validate at least one schema (anyOf)",
            "f: Invalid value: 3: f in body should be greater than or equal to 5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: integer} | 3.0",
        "{type: number} | 3",
        "{type: string, nullable: true, minLength: 1} | null",
        "{type: string, maxLength: 2} | 'äö'",
        "{type: string, format: date-time} | '\"2026-01-01T00:00:00.123456+02:00\"'",
        "{type: string, format: unheard-of} | x",
        "{type: integer, format: int64} | 9223372036854775807",
        "{type: integer, enum: [1, 2]} | 2",
        "{x-kubernetes-preserve-unknown-fields: true} | [1, {a: b}]",
        "{type: array, items: {type: string}} | [a, a]",
        "{type: string, pattern: 'b'} | abc",
      })
  void takes(String field, String value) {
    assertThat(errors(field, value)).isEmpty();
  }

  @Test
  void rulesWaitUntilTheShapeIsRight() {
    CompiledSchema schema =
        compiled(
            """
            type: object
            required: [a]
            properties: {a: {type: string}, b: {type: integer}}
            x-kubernetes-validations: [{rule: self.b > 1}]
            """);

    assertThat(texts(schema.validate(object("{b: 1}"), null)))
        .containsExactly(
            "a: Required value",
            "<nil>: Invalid value: null: some validation rules were not checked because the"
                + " object was invalid; correct the existing errors to complete validation");
  }

  @Test
  void summarizesAsAStatusDoes() {
    List<FieldError> errors =
        compiled("{type: object, properties: {a: {type: string}, b: {type: string}}}")
            .validate(object("{a: 1, b: 2}"), null);

    assertThat(FieldError.summary(errors)).startsWith("[a: Invalid value").endsWith("]");
    assertThat(FieldError.summary(errors.subList(0, 1))).startsWith("a: Invalid value");
    assertThat(errors.get(0).errorType().reason()).isEqualTo("FieldValueTypeInvalid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{spec: {known: 1, odd: 2}} | {spec: {known: 1}} | spec.odd",
        "{spec: {list: [{known: 1}, {odd: 1}]}} | {spec: {list: [{known: 1}, {}]}} | spec.list[1].odd",
        "{spec: {map: {k: {odd: 1}}}} | {spec: {map: {k: {}}}} | spec.map.k.odd",
        "{spec: {free: {odd: 1, known: {odd: 2}}}} | {spec: {free: {odd: 1, known: {}}}} | spec.free.known.odd",
        "{odd: 1, apiVersion: v, kind: k, metadata: {anything: 1}} | {apiVersion: v, kind: k, metadata: {anything: 1}} | odd",
        "{spec: {embedded: {metadata: {name: n}, kind: k, odd: 1}}} | {spec: {embedded: {metadata: {name: n}, kind: k}}} | spec.embedded.odd",
        "{spec: {any: {a: [1]}}} | {spec: {any: {a: [1]}}} |",
      })
  void prunes(String object, String pruned, String unknown) {
    CompiledSchema schema =
        compiled(
            """
            type: object
            properties:
              spec:
                type: object
                properties:
                  known: {type: integer}
                  list: {type: array, items: {type: object, properties: {known: {type: integer}}}}
                  map: {type: object, additionalProperties: {type: object}}
                  any: {type: object, additionalProperties: true}
                  embedded: {type: object, x-kubernetes-embedded-resource: true}
                  free:
                    type: object
                    x-kubernetes-preserve-unknown-fields: true
                    properties: {known: {type: object}}
            """);

    assertThat(schema.prune(object(object))).isEqualTo(object(pruned));
    assertThat(schema.unknownFields(object(object)))
        .isEqualTo(unknown == null ? List.of() : List.of(unknown));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {}",
        "{a: {}} | {a: {b: 1, c: {d: x}, e: q}}",
        "{a: {b: 2, c: {d: y}}} | {a: {b: 2, c: {d: y}, e: q}}",
        "{a: {b: null, e: null}} | {a: {b: 1, e: null, c: {d: x}}}",
        "{a: {f: null}} | {a: {b: 1, c: {d: x}, e: q}}",
        "{list: [{}, {k: v}]} | {list: [{k: z}, {k: v}]}",
      })
  void fillsInDefaults(String object, String expected) {
    CompiledSchema schema =
        compiled(
            """
            type: object
            properties:
              a:
                type: object
                properties:
                  b: {type: integer, default: 1}
                  c: {type: object, default: {}, properties: {d: {type: string, default: x}}}
                  e: {type: string, nullable: true, default: q}
                  f: {type: string}
              list: {type: array, items: {type: object, properties: {k: {type: string, default: z}}}}
            """);

    assertThat(schema.applyDefaults(object(object))).isEqualTo(object(expected));
  }

  @Test
  void objectsShareNoDefaults() {
    CompiledSchema schema =
        compiled("{type: object, properties: {a: {type: object, default: {}}}}");

    schema.applyDefaults(object("{}")).withObject("/a").put("touched", true);

    assertThat(schema.applyDefaults(object("{}"))).isEqualTo(object("{a: {}}"));
  }
}
