// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
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

  private static final Path PAGE = Checkout.root().resolve("docs/COMPATIBILITY.md");
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
