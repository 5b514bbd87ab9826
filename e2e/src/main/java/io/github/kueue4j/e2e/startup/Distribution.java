// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The distribution.
 *
 * @param folder the unpacked one, which has {@code bin} and {@code lib}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Distribution(Path folder) implements PackagedProgram {
  public Distribution {
    folder = folder.toAbsolutePath();
  }

  /** Whether a folder looks like one. */
  public static boolean is(Path folder) {
    return Files.isExecutable(script(folder));
  }

  /** The cache that its script has Java use, if there is one. */
  public Path cache() {
    return folder.resolve("lib/kueue4j.aot");
  }

  @Override
  public List<String> command(Path javaHome, List<String> javaOptions, List<String> arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "env",
                "KUEUE4J_JAVA_HOME=" + javaHome,
                "KUEUE4J_JAVA_OPTS=" + String.join(" ", javaOptions),
                script(folder).toString()));
    words.addAll(arguments);
    return List.copyOf(words);
  }

  private static Path script(Path folder) {
    return folder.resolve("bin/kueue4j");
  }
}
