/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.table;

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
