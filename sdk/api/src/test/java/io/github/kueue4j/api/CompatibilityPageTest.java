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
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/COMPATIBILITY.md lists exactly the extension fields that the CRDs have. */
class CompatibilityPageTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "COMPATIBILITY.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\w+) \\| `([^`]+)` \\|");

  @Test
  void thePageListsTheExtensionFieldsOfTheCrds() throws IOException {
    assertThat(listed()).isEqualTo(marked());
  }

  @Test
  void theFieldsLeftOutAreNamedToo() throws IOException {
    String page = Files.readString(PAGE);
    CrdDocument.all()
        .forEach(
            crd ->
                new SchemaNode(crd.schema())
                    .visit(
                        "",
                        (path, node) -> {
                          if (node.isOutOfScope()) {
                            assertThat(page)
                                .contains("`" + path.substring(path.lastIndexOf('.') + 1) + "`");
                          }
                        }));
  }

  private static Set<String> listed() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf("## Extension fields");
    Matcher row = ROW.matcher(page.substring(from, page.indexOf("\n## ", from + 1)));
    Set<String> fields = new TreeSet<>();
    while (row.find()) {
      fields.add(row.group(1) + ' ' + row.group(2));
    }
    return fields;
  }

  private static Set<String> marked() {
    Set<String> fields = new TreeSet<>();
    CrdDocument.all()
        .forEach(
            crd ->
                new SchemaNode(crd.schema())
                    .visit(
                        "",
                        (path, node) -> {
                          if (node.isExtension()) {
                            fields.add(crd.type().kind() + ' ' + path);
                          }
                        }));
    return fields;
  }
}
