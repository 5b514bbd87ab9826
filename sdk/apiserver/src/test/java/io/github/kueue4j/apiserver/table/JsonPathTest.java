// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPathTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".spec.queue|q",
        ".spec.absent|",
        ".list[0].name|a",
        ".list[-1].name|b",
        ".list[*].name|a,b",
        ".list[?(@.name=='b')].value|2",
        ".list[?(@.name != \"b\")].value|1",
        ".list[?(@.name=='none')].value|",
        ".annotations['example.com/x']|y",
        ".annotations.example\\.com/x|y",
        "not a path|",
      })
  void finds(String path, String expected) throws Exception {
    JsonNode tree =
        new ObjectMapper()
            .readTree(
                """
                {"spec":{"queue":"q"},"annotations":{"example.com/x":"y"},
                 "list":[{"name":"a","value":1},{"name":"b","value":2}]}
                """);
    List<String> found = JsonPath.find(tree, path).stream().map(JsonNode::asText).toList();
    assertThat(String.join(",", found)).isEqualTo(expected == null ? "" : expected);
  }
}
