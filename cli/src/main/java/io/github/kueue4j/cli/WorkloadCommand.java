// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j workload}: where Workloads stand, and stopping them. */
@Command(
    name = "workload",
    description = "Shows Workloads, stops and resumes them.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      WorkloadListCommand.class,
      WorkloadShowCommand.class,
      WorkloadStopCommand.class,
      WorkloadResumeCommand.class,
      WorkloadPositionCommand.class,
      WorkloadObservedCommand.class
    },
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class WorkloadCommand {}
