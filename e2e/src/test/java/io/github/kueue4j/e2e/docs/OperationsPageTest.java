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
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.explain.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** docs/guides/operations.md names every reason that an explanation can give. */
class OperationsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "guides", "operations.md");

  @Test
  void everyReasonOfAnExplanationIsInTheTable() throws IOException {
    String page = Files.readString(PAGE);
    String table = page.substring(page.indexOf("| Who acts | Reasons |"));
    Set<String> words =
        new TreeSet<>(Arrays.asList(table.substring(0, table.indexOf("\n\n")).split("\\W+")));
    assertThat(Arrays.stream(Reason.values()).map(Reason::code).toList()).allMatch(words::contains);
  }
}
