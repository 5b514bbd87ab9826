// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shell blocks of a page, run by bash as a reader would paste them. What can't end by itself is
 * bent: watches are asked once, lines that start this project's own launcher are left out (their
 * options are checked elsewhere), and the port of the pages becomes the test server's.
 */
final class Commands {
  private static final int OLDEST_KUBECTL_MINOR = 28;
  private static final long SECONDS = 600;
  private static final Set<String> OURS = Set.of("./kueue4j", "./mvnw");
  private static final Pattern VARIABLE =
      Pattern.compile("^(?:export )?([A-Z_]+)=", Pattern.MULTILINE);
  private static final Pattern WATCH =
      Pattern.compile("^((?:kubectl|k) (?:.* )?get .*?) (?:-w|--watch)\\b", Pattern.MULTILINE);

  private final Path folder;
  private final Path kubeconfig;
  private final String server;

  /**
   * @param folder where the commands run
   * @param server what {@code http://127.0.0.1:8001} stands for
   */
  Commands(Path folder, Path kubeconfig, String server) {
    this.folder = folder;
    this.kubeconfig = kubeconfig;
    this.server = server;
  }

  /** Whether a block does anything besides starting the launcher or a build. */
  static boolean hasSomethingToRun(String script) {
    return !runnable(script).isBlank();
  }

  private static String runnable(String script) {
    return script
        .replace("\\\n", " ")
        .lines()
        .filter(line -> !OURS.contains(line.strip().split("\\s+", 2)[0]))
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .collect(joining("\n"));
  }

  /** Why this shell block can't run on this machine, if it can't. */
  static Optional<String> whyUnavailable(String script) {
    for (String program : List.of("bash", "curl", "jq", "kubectl")) {
      if ((program.equals("bash") || mentions(script, program))
          && List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
              .stream()
              .noneMatch(entry -> Files.isExecutable(Path.of(entry, program)))) {
        return Optional.of("no " + program + " on the PATH");
      }
    }
    return mentions(script, "kubectl") ? Kubectl.WHY_TOO_OLD : Optional.empty();
  }

  /** Whether the block runs it; {@code k} is the pages' name for kubectl. */
  private static boolean mentions(String script, String program) {
    String names = program.equals("kubectl") ? "(kubectl|k)" : program;
    return Pattern.compile("(^|[|(]\\s*|&& |;\\s*)" + names + " ", Pattern.MULTILINE)
        .matcher(runnable(script))
        .find();
  }

  /** The one on the PATH, which is asked once. */
  private static final class Kubectl {
    static final Optional<String> WHY_TOO_OLD = whyTooOld();

    private static Optional<String> whyTooOld() {
      try {
        Process version =
            new ProcessBuilder("kubectl", "version", "--client", "-ojson")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Matcher minor =
            Pattern.compile("\"minor\": \"([0-9]+)")
                .matcher(
                    new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        return minor.find() && Integer.parseInt(minor.group(1)) >= OLDEST_KUBECTL_MINOR
            ? Optional.empty()
            : Optional.of("kubectl is older than 1." + OLDEST_KUBECTL_MINOR);
      } catch (IOException e) {
        throw new UncheckedIOException("kubectl can't be started", e);
      }
    }
  }

  /** What a block sets stays set for the next, as in the reader's shell. */
  private static String withSettings(String script) {
    String variables =
        VARIABLE.matcher(script).results().map(each -> each.group(1)).collect(joining(" "));
    return """
    shopt -s expand_aliases
    touch settings
    . ./settings
    set -euo pipefail
    %s
    { alias; %s } >> settings
    """
        .formatted(script, variables.isEmpty() ? "" : "declare -p " + variables + ";");
  }

  /**
   * Runs a block after the settings (variables, aliases) of the earlier ones; fails with its output
   * if a command fails.
   */
  void run(String script) throws IOException, InterruptedException {
    String bent =
        WATCH
            .matcher(runnable(script))
            .replaceAll("$1")
            .replace("http://127.0.0.1:8001", server)
            // As long as other tests wait; readers have no other work on their machine.
            .replace("--timeout=60s", "--timeout=" + Patience.LIMIT.toSeconds() + "s");
    Path log = Files.createTempFile(folder, "commands", ".log");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", withSettings(bent))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("HOME", folder.toString());
    // kubectl is written in Go; without its collector a call takes a quarter less processor time.
    builder.environment().put("GOGC", "off");
    Process process = builder.start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    assertThat(ended && process.exitValue() == 0)
        .as("%s:%n%s%nprinted:%n%s", ended ? "failed" : "didn't end", bent, Files.readString(log))
        .isTrue();
  }
}
