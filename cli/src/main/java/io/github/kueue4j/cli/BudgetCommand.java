// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j budget}: what is used of budgets. */
@Command(
    name = "budget",
    description = "Reports who has used how much of which budget.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = BudgetReportCommand.class,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class BudgetCommand {}
