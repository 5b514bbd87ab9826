// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.jobs.kinds.JobKindTrial;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kueue4j kind list}: the kinds whose declarations are built in. */
@Command(
    name = "list",
    description = "Lists the kinds whose declarations are built in.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class KindListCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    List<List<String>> rows =
        KindCommand.frameworks().stream()
            .flatMap(framework -> JobKindTrial.builtIn(framework).stream())
            .map(
                kind ->
                    List.of(
                        kind.framework(),
                        kind.kind(),
                        kind.apiVersion(),
                        String.join(", ", kind.podSets())))
            .toList();
    new Table(List.of("FRAMEWORK", "KIND", "API VERSION", "POD SETS"))
        .lines(rows)
        .forEach(out::println);
    out.flush();
    return 0;
  }
}
