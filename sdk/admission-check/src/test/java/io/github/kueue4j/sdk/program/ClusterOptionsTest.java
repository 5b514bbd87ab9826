// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one kubeconfig of commands that read it themselves. */
class ClusterOptionsTest {
  @TempDir Path folder;

  @Test
  void takesTheOnlyFileOfTheVariableThatExists() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "");

    assertThat(ClusterOptions.onlyOne(folder.resolve("none") + File.pathSeparator + file))
        .isEqualTo(file);
  }

  @Test
  void refusesSeveralFilesAndNone() throws IOException {
    Path one = Files.writeString(folder.resolve("a"), "");
    Path other = Files.writeString(folder.resolve("b"), "");

    assertThatThrownBy(() -> ClusterOptions.onlyOne(one + File.pathSeparator + other))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContainingAll(one.toString(), other.toString(), "--kubeconfig");
    assertThatThrownBy(() -> ClusterOptions.onlyOne(folder.resolve("none").toString()))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining(folder + "/none");
  }
}
