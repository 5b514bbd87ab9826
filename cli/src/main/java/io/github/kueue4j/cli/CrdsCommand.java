// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.cli.components.CheckName;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kueue4j crds}: the definitions of the kinds, for kubectl. */
@Command(
    name = "crds",
    description =
        "Prints the CustomResourceDefinitions that a cluster needs, for 'kubectl apply -f -'.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class CrdsCommand implements Callable<Integer> {
  @Option(
      names = "--for",
      paramLabel = "CHECK",
      converter = Converters.Check.class,
      completionCandidates = Converters.CheckWords.class,
      description = "only the kinds of this check's parameters (default: those of kueue.x-k8s.io)")
  private @Nullable CheckName check;

  @Option(names = "--all", description = "those of kueue.x-k8s.io and of all checks")
  private boolean all;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    for (String definition : definitions()) {
      out.println("---");
      out.print(definition);
    }
    out.flush();
    return 0;
  }

  private List<String> definitions() {
    if (all && check != null) {
      throw new UserError("--all and --for exclude each other", null);
    }
    if (all) {
      return Stream.concat(
              Crds.kueue().stream(),
              Arrays.stream(CheckName.values()).flatMap(one -> one.crds().stream()))
          .toList();
    }
    if (check == null) {
      return Crds.kueue();
    }
    if (check.crds().isEmpty()) {
      throw new UserError(
          "the check " + check.word() + " has no kinds of its own; leave out --for", null);
    }
    return check.crds();
  }
}
