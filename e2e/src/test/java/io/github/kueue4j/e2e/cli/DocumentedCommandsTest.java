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
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.kueue4j.e2e.docs.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every call of the launcher that a page shows is one that the launcher understands. */
class DocumentedCommandsTest {
  @Test
  void areUnderstood() throws IOException {
    List<String> calls =
        Page.all(Path.of("..").toAbsolutePath().normalize()).values().stream()
            .flatMap(page -> page.launches().stream())
            .toList();

    assertThat(calls).hasSizeGreaterThan(4);
    for (String call : calls) {
      String[] arguments = call.replaceFirst("^\\./kueue4j\\s+", "").split("\\s+");
      assertThatCode(() -> Main.commandLine().parseArgs(arguments))
          .as(call)
          .doesNotThrowAnyException();
    }
  }
}
