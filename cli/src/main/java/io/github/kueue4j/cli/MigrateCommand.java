// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j migrate}: from another core to this one, and back. */
@Command(
    name = "migrate",
    description = "Helps to move a cluster to this core, and back.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {MigrateCheckCommand.class, MigrateStorageCommand.class},
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class MigrateCommand {}
