// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.FatalErrors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A core in a process of its own, with a heap of its own. */
class OutOfMemoryTest {

  @Test
  void endsTheProcessWithAStatusAndLastWords(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    try (TestCluster cluster = new TestCluster()) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  OutOfMemoryCore.class.getName(),
                  cluster.server.uri().toString())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
      } finally {
        process.destroyForcibly();
      }

      assertThat(process.exitValue()).isEqualTo(FatalErrors.EXIT_STATUS);
      assertThat(Files.readString(output))
          .containsPattern("ERROR.*An Error ended a thread")
          .containsPattern(
              "kueue4j: java\\.lang\\.OutOfMemoryError: .* on thread kueue4j-state; exit status 3");
    }
  }
}
