// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class LabelSelectorTest {
  private static final Map<String, String> PROD = Map.of("tier", "prod");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                                   | true | true",
        "{matchLabels: {tier: prod}}                                          | true | false",
        "{matchExpressions: [{key: tier, operator: In, values: [prod, dev]}]} | true | false",
        "{matchExpressions: [{key: tier, operator: NotIn, values: [dev]}]}    | true | true",
        "{matchExpressions: [{key: tier, operator: NotIn, values: [prod]}]}   | false | true",
        "{matchExpressions: [{key: tier, operator: Exists}]}                  | true | false",
        "{matchExpressions: [{key: tier, operator: DoesNotExist}]}            | false | true",
        "{matchLabels: {tier: prod}, matchExpressions: [{key: x, operator: Exists}]} | false | false"
      })
  void allThatIsGivenMustHold(String selector, boolean ofProd, boolean withoutLabels) {
    LabelSelector read = read(selector);

    assertThat(read.matches(PROD)).isEqualTo(ofProd);
    assertThat(read.matches(Map.of())).isEqualTo(withoutLabels);
  }

  @Test
  void whatMakesNoSenseIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> read("{matchExpressions: [{key: tier, operator: Equals}]}"))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessage(
            "spec.matchExpressions[0].operator is 'Equals': write one of In, NotIn, Exists,"
                + " DoesNotExist");
    assertThatThrownBy(() -> read("{matchExpressions: [{key: tier, operator: In}]}"))
        .hasMessage(
            "spec.matchExpressions[0].values is missing: write at least one value with In and"
                + " NotIn");
    assertThatThrownBy(
            () -> read("{matchExpressions: [{key: tier, operator: Exists, values: [a]}]}"))
        .hasMessage(
            "spec.matchExpressions[0].values is '[a]': leave them out with Exists and"
                + " DoesNotExist");
  }

  private static LabelSelector read(String yaml) {
    return RecordReader.json()
        .read(new Gson().toJsonTree(new Yaml().<Object>load(yaml)), LabelSelector.class, "spec");
  }
}
