// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.approvalcheck.Standing;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kueue4j deny NAME}. */
@Command(
    name = "deny",
    description =
        "Denies a Workload that waits for a person: it is deactivated when the check is next"
            + " asked, for which it needs free quota.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class DenyCommand extends DecisionCommand {
  @Option(
      names = "--comment",
      paramLabel = "TEXT",
      required = true,
      description = "why, for the owner of the Workload")
  private String comment = "";

  DenyCommand() {
    super(Standing.Denied.class, "denied", "'approve' replaces it");
  }

  @Override
  Map<String, String> decision(Instant now) {
    if (comment.isBlank()) {
      throw new UserError("--comment is empty: say why the Workload is denied");
    }
    return Map.of("decision", "Deny", "comment", comment);
  }
}
