// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j policy}: rules of the policy check. */
@Command(
    name = "policy",
    description = "Tries the rules of a PolicyCheck, without a cluster.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = PolicyCheckCommand.class,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      "1:a rule can't be evaluated about a Workload",
      ExitStatus.USER_ERROR
    })
final class PolicyCommand {}
