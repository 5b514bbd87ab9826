// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.Main;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.e2e.bench.CoreProcess;
import io.github.kueue4j.e2e.startup.Distribution;
import io.github.kueue4j.e2e.startup.PackagedProgram;
import io.github.kueue4j.e2e.startup.PackagedProgramException;
import io.github.kueue4j.e2e.startup.UnpackedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The core that is measured: this checkout's, or one that is packaged. */
final class MeasuredCore {
  private static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      leaderElection: {leaderElect: false}
      health: {healthProbeBindAddress: "0"}
      metrics: {bindAddress: "0"}
      """;

  private static final List<String> CHECKOUT_OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

  @Option(
      names = "--program",
      paramLabel = "PROGRAM",
      description =
          "the core of the distribution in this folder, or of the image in this file, with the"
              + " options of Java that it brings (default: the core of this checkout)")
  private @Nullable Path program;

  @Option(
      names = "--core-java-option",
      paramLabel = "OPTION",
      description = "for the core's process, such as -Xmx256m; may be repeated")
  private @Nullable List<String> javaOptions;

  /** Whether a user says anything about it. */
  boolean given() {
    return program != null || javaOptions != null;
  }

  /**
   * Looks at the options, before anything is started.
   *
   * @throws UserError if there is no such program
   */
  void check() {
    if (program != null) {
      check(program);
    }
  }

  /** Starts it with its files in a folder. */
  CoreProcess start(Path kubeconfig, Path folder) {
    return start(kubeconfig, folder, "");
  }

  /**
   * As {@link #start(Path, Path)}.
   *
   * @param configuration lines of YAML that are added to the core's configuration
   */
  CoreProcess start(Path kubeconfig, Path folder, String configuration) {
    return CoreProcess.start(
        arguments -> command(folder, List.of(), arguments),
        kubeconfig,
        CONFIGURATION + configuration,
        folder);
  }

  /**
   * The words that start it.
   *
   * @param folder for its files
   * @param options of Java, besides its own and those of the user
   * @param arguments {@code core} and its options
   */
  List<String> command(Path folder, List<String> options, List<String> arguments) {
    Path java = Path.of(System.getProperty("java.home"));
    if (program != null) {
      List<String> all = new ArrayList<>(options);
      all.addAll(javaOptions == null ? List.of() : javaOptions);
      return packaged(program, folder).command(java, all, arguments);
    }
    List<String> words = new ArrayList<>();
    words.add(java.resolve("bin/java").toString());
    words.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      words.add("--sun-misc-unsafe-memory-access=allow");
    }
    words.addAll(options);
    words.addAll(javaOptions == null ? CHECKOUT_OPTIONS : javaOptions);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    words.addAll(arguments);
    return words;
  }

  /** The program in a folder or file that a user names. */
  static PackagedProgram packaged(Path given, Path folder) {
    check(given);
    try {
      return Distribution.is(given) ? new Distribution(given) : UnpackedImage.of(given, folder);
    } catch (PackagedProgramException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private static void check(Path given) {
    if (!Distribution.is(given) && !Files.isRegularFile(given)) {
      throw new UserError(
          given
              + " is neither the folder of a distribution (with bin/kueue4j) nor the file of an"
              + " image; './mvnw -DskipTests package' writes both to cli/target");
    }
  }
}
