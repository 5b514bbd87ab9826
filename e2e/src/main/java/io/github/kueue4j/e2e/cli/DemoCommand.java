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

import io.github.kueue4j.e2e.demo.DemoRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./kueue4j demo}: the examples, from submission to the end, in under 90 seconds. */
@Command(
    name = "demo",
    description =
        "Sends the Jobs of examples/ through quota, admission checks, delayed retries and admission"
            + " on an embedded API server, in scaled time.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private static final int DEFAULT_WIDTH = 120;
  private static final int DEFAULT_HEIGHT = 40;

  @Option(names = "--chaos", description = "kill and restart the core midway")
  private boolean chaos;

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    Path examples = Home.examples();
    if (!Files.isDirectory(examples)) {
      throw new UserError(
          "there is no folder " + examples + "; run the launcher ./kueue4j of a checkout");
    }
    try (Interruption interruption = Interruption.listen()) {
      boolean succeeded =
          DemoRun.run(
              new DemoRun.Options(
                  examples,
                  chaos,
                  Boolean.getBoolean("kueue4j.terminal"),
                  Integer.getInteger("kueue4j.columns", DEFAULT_WIDTH),
                  Integer.getInteger("kueue4j.lines", DEFAULT_HEIGHT)),
              System.out,
              () -> wasAsked(interruption));
      return succeeded ? 0 : 1;
    }
  }

  private static boolean wasAsked(Interruption interruption) {
    try {
      return interruption.await(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
