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

import io.github.kueue4j.testkit.conformance.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/guides/conformance.md lists the rules as the kit knows them. */
class ConformancePageTest {
  private static final Path PAGE = Path.of("..", "docs", "guides", "conformance.md");

  @Test
  void theTableHasEveryRule() throws IOException {
    assertThat(Files.readAllLines(PAGE))
        .containsSubsequence(
            Stream.of(Rule.values())
                .map(
                    rule ->
                        String.join(
                            " | ",
                            "| " + rule.number(),
                            rule.label(),
                            rule.demand(),
                            rule.source() + " |"))
                .toList());
  }
}
