// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.jobs.kinds.JobKindTrial;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code kueue4j kind}: declarations of kinds of Jobs. */
@Command(
    name = "kind",
    description = "Shows and tries declarations of kinds of Jobs, without a cluster.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {KindListCommand.class, KindShowCommand.class, KindCheckCommand.class},
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      "1:of check: the object can't be queued, or a path that has to lead to a field leads nowhere",
      ExitStatus.USER_ERROR
    })
final class KindCommand {
  /** The names of the built-in kinds, for the completion of a shell. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return frameworks().iterator();
    }
  }

  static List<String> frameworks() {
    return BuiltInKinds.FILES.stream()
        .flatMap(file -> JobKindTrial.builtIn(file).stream())
        .map(JobKindTrial::framework)
        .sorted()
        .toList();
  }

  /** The answer that no built-in kind has this name, and which has a similar one. */
  static String unknown(String name) {
    List<String> names = Stream.concat(frameworks().stream(), BuiltInKinds.FILES.stream()).toList();
    return "no built-in kind is called '"
        + name
        + "'; "
        + NearestName.of(name, names)
            .map(nearest -> "did you mean " + nearest + "?")
            .orElseGet(() -> "choose one of " + String.join(", ", frameworks()));
  }
}
