// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which schemas a CRD may have. */
class StructuralSchemaTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | schema.type: Required value: must not be empty at the root",
        "{type: array, items: {type: string}} | schema.type: Invalid value: \"array\": must be object at the root",
        "{type: object, properties: {a: {}}} | schema.properties[a].type: Required value: must not be empty for specified object fields",
        "{type: object, properties: {a: {type: text}}} | schema.properties[a].type: Unsupported value: \"text\": supported values: \"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\"",
        "{type: object, properties: {a: {type: array}}} | schema.properties[a].items: Required value: must be specified",
        "{type: object, properties: {a: {type: array, items: {}}}} | schema.properties[a].items.type: Required value: must not be empty for specified array items",
        "{type: object, properties: {a: {type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}}} | schema.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
        "{type: object, properties: {a: {type: string, pattern: '('}}} | schema.properties[a].pattern: Invalid value: \"(\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`",
        "{type: object, properties: {a: {type: array, uniqueItems: true, items: {type: string}}}} | schema.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        "{type: object, properties: {a: {$ref: x, type: object}}} | schema.properties[a].$ref: Forbidden: must be empty to be structural",
        "{type: object, properties: {a: {type: string, x-kubernetes-int-or-string: true}}} | schema.properties[a].type: Invalid value: \"string\": must be empty if x-kubernetes-int-or-string is true",
        "{type: object, properties: {a: {type: string, allOf: [{type: string}]}}} | schema.properties[a].allOf[0].type: Forbidden: must be empty to be structural",
        "{type: object, anyOf: [{properties: {b: {minimum: 1}}}]} | schema.anyOf[0].properties[b]: Required value: must be defined in the structural part as well",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, items: {type: object}}}} | schema.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object}}}} | schema.properties[a].x-kubernetes-list-map-keys[0]: Invalid value: \"k\": entries must all be names of item properties",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}}}}}} | schema.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}}} | schema.properties[a].items.x-kubernetes-map-type: Invalid value: \"granular\": must be atomic as item of a list with x-kubernetes-list-type=set",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: bag, items: {type: string}}}} | schema.properties[a].x-kubernetes-list-type: Unsupported value: \"bag\": supported values: \"atomic\", \"set\", \"map\"",
        "{type: object, properties: {a: {type: integer, default: x}}} | schema.properties[a].default: Invalid value: \"x\": Invalid value: \"string\": default in body must be of type integer: \"string\"",
        "{type: object, properties: {a: {type: object, default: {b: 1}}}} | schema.properties[a].default: Invalid value: {\"b\":1}: must not have unknown fields",
        "{type: object, properties: {a: {type: object, default: {}, properties: {b: {type: integer, default: 3}}, x-kubernetes-validations: [{rule: self.b > 2}]}}} | schema.properties[a].default: Invalid value: \"object\": no such key: b evaluating rule: self.b > 2",
        "{type: object, properties: {a: {type: string, x-kubernetes-validations: [{message: m}]}}} | schema.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified",
        "{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: 'true', message: ' '}]}}} | schema.properties[a].x-kubernetes-validations[0].message: Invalid value: \" \": message must be non-empty if specified",
        "{type: object, properties: {a: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}}} | schema.properties[a].items.x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema within schema.properties[a]",
        "{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: 'true', optionalOldSelf: true}]}}} | schema.properties[a].x-kubernetes-validations[0].optionalOldSelf: Invalid value: \"true\": may not be set if oldSelf is not used in rule",
        "{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: 'true', messageExpression: 'self.size()'}]}}} | schema.properties[a].x-kubernetes-validations[0].messageExpression: Invalid value: \"self.size()\": must evaluate to a string",
        "{type: object, properties: {a: {type: object, x-kubernetes-validations: [{rule: 'true', fieldPath: .b}]}}} | schema.properties[a].x-kubernetes-validations[0].fieldPath: Invalid value: \".b\": fieldPath must be a valid path: does not refer to a valid field",
      })
  void refuses(String schema, String error) {
    assertThat(Yaml.refusals(schema)).containsExactly(error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: object, x-kubernetes-preserve-unknown-fields: true}",
        "{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}}}",
        "{type: object, properties: {a: {type: object, additionalProperties: true}}}",
        "{type: object, properties: {a: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}",
        "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}}}",
        "{type: object, properties: {a: {type: object, default: {}, properties: {b: {type: integer, default: 3}}, x-kubernetes-validations: [{rule: 'has(self.b) ? self.b > 2 : true'}]}}}",
        "{type: object, x-kubernetes-validations: [{rule: self.metadata.name.size() < 9 && self.kind != ''}]}",
        "{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}",
      })
  void takes(String schema) {
    assertThat(Yaml.refusals(schema)).isEmpty();
  }

  @Test
  void reportsEveryMistakeAtOnce() {
    assertThat(Yaml.refusals("{type: object, properties: {a: {}, b: {type: odd}}}"))
        .hasSize(2)
        .anyMatch(text -> text.startsWith("schema.properties[a].type"))
        .anyMatch(text -> text.startsWith("schema.properties[b].type"));
  }
}
