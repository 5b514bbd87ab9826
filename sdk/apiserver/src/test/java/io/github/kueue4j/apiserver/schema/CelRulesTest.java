// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import static io.github.kueue4j.apiserver.schema.Yaml.compiled;
import static io.github.kueue4j.apiserver.schema.Yaml.object;
import static io.github.kueue4j.apiserver.schema.Yaml.refusals;
import static io.github.kueue4j.apiserver.schema.Yaml.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelRulesTest {

  private static final String PROPERTIES =
      """
      type: object
      properties:
        spec:
          type: object
          x-kubernetes-validations:
          - rule: %s
            message: nope
          properties:
            n: {type: integer}
            m: {type: integer}
            ratio: {type: number}
            s: {type: string}
            namespace: {type: string}
            dash-ed/name.x: {type: string}
            quota: {x-kubernetes-int-or-string: true}
            at: {type: string, format: date-time}
            for: {type: string, format: duration}
            list: {type: array, items: {type: string}}
            numbers: {type: array, items: {type: integer}}
            map: {type: object, additionalProperties: {type: string}}
            free: {x-kubernetes-preserve-unknown-fields: true}
            conditions:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [type]
              items:
                type: object
                required: [type]
                properties: {type: {type: string}, status: {type: string}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "self.n == 1 | {n: 1} | true",
        "self.n == 1 | {n: 2} | false",
        "self.n <= self.m | {n: 1, m: 1.0} | true",
        "self.ratio > 0.5 | {ratio: 1} | true",
        "has(self.n) | {} | false",
        "!has(self.n) | {} | true",
        "size(self.list) == 2 | {list: [a, b]} | true",
        "self.list.all(x, x.startsWith('a')) | {list: [a1, b]} | false",
        "self.list.exists(x, x == 'b') && self.list.map(x, x + '!') == ['a!', 'b!'] | {list: [a, b]} | true",
        "self.map['k'] == 'v' && 'k' in self.map && self.map.all(k, self.map[k].size() < 9) | {map: {k: v}} | true",
        "self.map.k == 'v' | {map: {k: v}} | true",
        "self.__namespace__ == 'x' | {namespace: x} | true",
        "self.dash__dash__ed__slash__name__dot__x == 'x' | {dash-ed/name.x: x} | true",
        "type(self.quota) == string ? isQuantity(self.quota) : self.quota >= 0 | {quota: 100m} | true",
        "type(self.quota) == string ? isQuantity(self.quota) : self.quota >= 0 | {quota: -1} | false",
        "quantity(self.s).isGreaterThan(quantity('1')) | {s: 1500m} | true",
        "quantity(self.s).add(quantity('500m')).compareTo(quantity('2')) == 0 | {s: 1500m} | true",
        "quantity(self.s).sub(1).asInteger() == 1024*1024*1024 - 1 && quantity(self.s).sign() == 1 | {s: 1Gi} | true",
        "quantity(self.s) == quantity('1000m') | {s: '1'} | true",
        "self.s.find('[0-9]+') == '12' | {s: ab12c3} | true",
        "self.s.findAll('[0-9]') == ['1', '2', '3'] && self.s.findAll('[0-9]', 2).size() == 2 | {s: ab12c3} | true",
        "self.s.matches('^a.c$') | {s: abc} | true",
        "isURL(self.s) && url(self.s).getHost() == 'h:80' && url(self.s).getScheme() == 'http' | {s: 'http://h:80/p?a=b'} | true",
        "url(self.s).getQuery()['a'] == ['b'] && url(self.s).getPort() == '80' && url(self.s).getHostname() == 'h' | {s: 'http://h:80/p?a=b'} | true",
        "isURL(self.s) | {s: 'a b'} | false",
        "ip(self.s).family() == 4 && ip(self.s).isLoopback() && isIP(self.s) && ip.isCanonical(self.s) | {s: 127.0.0.1} | true",
        "cidr('10.0.0.0/8').containsIP(self.s) && cidr('10.0.0.0/8').prefixLength() == 8 | {s: 10.1.2.3} | true",
        "isCIDR(self.s) | {s: 10.0.0.0/33} | false",
        "self.numbers.isSorted() && self.numbers.sum() == 6 && self.numbers.min() == 1 && self.numbers.max() == 3 | {numbers: [1, 2, 3]} | true",
        "self.numbers.indexOf(2) == 1 && self.numbers.lastIndexOf(2) == 3 | {numbers: [1, 2, 3, 2]} | true",
        "self.list.indexOf('b') == 1 && self.s.indexOf('c') == 2 && self.list.isSorted() | {list: [a, b], s: abc} | true",
        "self.s.split(',').join('-').upperAscii().replace('-', '+') == 'A+B' | {s: 'a,b'} | true",
        "self.s.trim().lowerAscii().substring(0, 2) == 'ab' && self.s.charAt(1) == 'A' | {s: ' ABC'} | true",
        "self.at > timestamp('2026-01-01T00:00:00Z') && self.at.getFullYear() == 2026 | {at: '2026-05-05T00:00:00Z'} | true",
        "self.__for__ > duration('1m') && self.__for__ == duration('90s') | {for: 1m30s} | true",
        "self.?n.orValue(7) == 7 && !self.?s.hasValue() | {} | true",
        "self.n in [1, 2] && [1, 2].exists_one(x, x == self.n) && self.n < 1.5 | {n: 1} | true",
        "sets.contains(self.list, ['a']) | {list: [a, b]} | true",
        "self.conditions.exists(c, c.type == 'A' && c.status == 'True') | {conditions: [{type: A, status: 'True'}]} | true",
        "self.conditions.filter(c, has(c.status)).size() == 1 | {conditions: [{type: A, status: 'True'}, {type: B}]} | true",
        "self.map.all(k, v, k != v) | {map: {k: v}} | true",
        "self.n % 2 == 0 && self.n / 2 == 2 && -self.n < 0 && (self.n > 1 ? true : false) | {n: 4} | true",
        "int(self.s) == 12 && string(self.n) == '3' && double(self.n) == 3.0 | {s: '12', n: 3} | true",
        "self.s.format([1]) == 'a1' | {s: 'a%d'} | true",
      })
  void evaluates(String rule, String spec, boolean holds) {
    CompiledSchema schema = compiled(PROPERTIES.formatted("\"" + rule + "\""));

    List<String> errors = texts(schema.validate(object("{spec: " + spec + "}"), null));

    assertThat(errors)
        .isEqualTo(holds ? List.of() : List.of("spec: Invalid value: \"object\": nope"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "self.mispelt == 1 | undefined field 'mispelt'",
        "self.n == 'x' | no matching overload for '_==_'",
        "self.n | must evaluate to a bool",
        "self.n == | mismatched input",
        "self.free == 1 | undefined field 'free'",
        "nothing(self.n) | undeclared reference to 'nothing'",
        "self.list.all(c, c.type == 'A') | type 'string' does not support field selection",
      })
  void refusesWhatCannotBeCompiled(String rule, String why) {
    assertThat(refusals(PROPERTIES.formatted("\"" + rule + "\"")))
        .singleElement()
        .asString()
        .startsWith("schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: \"")
        .contains(why);
  }

  @Test
  void reportsAnErrorOfEvaluation() {
    CompiledSchema schema = compiled(PROPERTIES.formatted("self.n == 1"));

    assertThat(texts(schema.validate(object("spec: {m: 1}"), null)))
        .singleElement()
        .asString()
        .contains("no such key: n")
        .endsWith("evaluating rule: nope");
  }
}
