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
package io.github.kueue4j.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The demo's examples, with the core killed and restarted midway. */
class DemoScenarioTest {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();

  @Test
  void everyJobFinishesAlthoughTheCoreIsKilled() throws InterruptedException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    boolean succeeded =
        DemoRun.run(
            new DemoRun.Options(EXAMPLES, true, false, 200, 50),
            new PrintStream(text, true, StandardCharsets.UTF_8),
            () -> false);

    String out = text.toString(StandardCharsets.UTF_8);
    assertThat(succeeded).describedAs("%s", out).isTrue();
    assertThat(out)
        .contains("chaos: the core was killed", "chaos: the core is back")
        .contains("Daily budget exhausted. Will retry at midnight.")
        .contains("Jobs finished        7 of 7");
  }
}
