// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j queue}: what queues hold, and stopping them. */
@Command(
    name = "queue",
    description = "Shows ClusterQueues and LocalQueues, stops and resumes them.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      QueueListCommand.class,
      QueueShowCommand.class,
      QueueStopCommand.class,
      QueueResumeCommand.class
    },
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class QueueCommand {}
