// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.jobs.kinds.JobKindTrial;
import io.github.kueue4j.jobs.kinds.SampleTrial;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j kind check}: a declaration, and what it makes of an object. */
@Command(
    name = "check",
    description =
        "Says whether a declaration of a kind of Jobs is valid, and what the core makes of an object"
            + " by it.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:the declaration is valid, and the object can be queued by it",
      "1:the object can't be queued, or a path that has to lead to a field leads nowhere in it",
      ExitStatus.USER_ERROR
    })
final class KindCheckCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description =
          "a declaration (YAML), as in kueue4j.jobKinds; or the framework of a built-in one")
  private String declaration = "";

  @Option(
      names = "--object",
      paramLabel = "SAMPLE",
      description =
          "an object of the kind (YAML or JSON), best as its controller leaves it: suspended, or"
              + " with a status")
  private @Nullable Path sample;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    JobKindTrial trial = declared();
    out.print(trial.summary());
    SampleTrial result = sample == null ? null : tried(trial, sample);
    if (result != null) {
      out.print("\n" + result.text());
    }
    out.flush();
    return result == null || result.sound() ? 0 : 1;
  }

  private JobKindTrial declared() {
    Path file = Path.of(declaration);
    if (!Files.exists(file)) {
      return JobKindTrial.builtIn(declaration)
          .orElseThrow(
              () ->
                  new UserError(
                      declaration
                          + ": there is no such file, and "
                          + KindCommand.unknown(declaration)));
    }
    try {
      return JobKindTrial.of(TextFile.read(file));
    } catch (InvalidConfigurationException e) {
      throw new UserError(file + ": " + e.getMessage(), e);
    }
  }

  private static SampleTrial tried(JobKindTrial trial, Path sample) {
    try {
      return trial.on(TextFile.read(sample));
    } catch (IllegalArgumentException e) {
      throw new UserError(sample + " " + e.getMessage(), e);
    }
  }
}
