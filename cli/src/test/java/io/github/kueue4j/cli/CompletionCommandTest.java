// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real bash completes with the script. */
class CompletionCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kueue4j ch                      | check",
        "./kueue4j ch                    | check",
        "kueue4j check g                 | gpu",
        "kueue4j core --cont             | --context",
        "kueue4j core --install          | --install-crds",
        "kueue4j explain job --out       | --output",
        "kueue4j explain job --output y  | yaml",
        "kueue4j rbac --for bud          | budget",
        "kueue4j kind li                 | list",
        "kueue4j kind show ray.io/rayj   | ray.io/rayjob",
        "kueue4j completion z            | zsh",
      })
  void bashCompletesCommandsOptionsAndValues(String line, String expected) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no /bin/bash here");
    Path script = Files.writeString(folder.resolve("completion"), completion("bash"));

    assertThat(completed(script, line)).contains(expected);
  }

  @Test
  void zshGetsTheSameScriptWhichTurnsOnItsEmulation() {
    assertThat(completion("zsh")).isEqualTo(completion("bash")).contains("bashcompinit");
  }

  @Test
  void thePluginOfKubectlCompletesTheProgramBesideIt() {
    StringWriter out = new StringWriter();
    Main.commandLine()
        .setCommandName("kubectl kueue4j")
        .setOut(new PrintWriter(out))
        .execute("completion", "bash");

    assertThat(out.toString()).isEqualTo(completion("bash"));
  }

  private static String completion(String shell) {
    StringWriter out = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(out), "completion", shell);
    assertThat(status).as(out.toString()).isZero();
    return out.toString();
  }

  /** As bash does it: the function that is registered for the first word fills COMPREPLY. */
  private static List<String> completed(Path script, String line) throws Exception {
    Process bash =
        new ProcessBuilder(
                "/bin/bash",
                "--norc",
                "-c",
                """
                source "$1"
                COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2; COMP_POINT=${#2}
                function=$(complete -p kueue4j | sed 's/.*-F \\([^ ]*\\).*/\\1/')
                $function
                printf '%s\\n' "${COMPREPLY[@]}"
                """,
                "bash",
                script.toString(),
                line)
            .redirectErrorStream(true)
            .start();
    String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return printed.lines().map(String::strip).toList();
  }
}
