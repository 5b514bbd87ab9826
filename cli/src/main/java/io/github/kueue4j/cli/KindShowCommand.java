// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j kind show}: a declaration that is built in. */
@Command(
    name = "show",
    description = "Prints a built-in declaration, such as to start one of your own from.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class KindShowCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      completionCandidates = KindCommand.Names.class,
      description = "its framework, such as ray.io/rayjob, or the last part of that")
  private String name = "";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.print(BuiltInKinds.find(name).orElseThrow(() -> new UserError(KindCommand.unknown(name))));
    out.flush();
    return 0;
  }
}
