// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.List;

/** The commands of every distribution. */
final class OwnSubcommands implements Subcommands {
  @Override
  public List<Subcommand> subcommands() {
    return List.of(
        new Subcommand(CommandGroup.CLUSTER, new CoreCommand()),
        new Subcommand(CommandGroup.CLUSTER, new CheckCommand()),
        new Subcommand(CommandGroup.CLUSTER, new ExplainCommand()),
        new Subcommand(CommandGroup.CLUSTER, new TryCommand()),
        new Subcommand(CommandGroup.CLUSTER, new WhenCommand()),
        new Subcommand(CommandGroup.CLUSTER, new RecordCommand()),
        new Subcommand(CommandGroup.CLUSTER, new ReplayCommand()),
        new Subcommand(CommandGroup.CLUSTER, new QueueCommand()),
        new Subcommand(CommandGroup.CLUSTER, new WorkloadCommand()),
        new Subcommand(CommandGroup.CLUSTER, new ApprovalsCommand()),
        new Subcommand(CommandGroup.CLUSTER, new ApproveCommand()),
        new Subcommand(CommandGroup.CLUSTER, new DenyCommand()),
        new Subcommand(CommandGroup.CLUSTER, new BudgetCommand()),
        new Subcommand(CommandGroup.CLUSTER, new TopCommand()),
        new Subcommand(CommandGroup.CLUSTER, new PageCommand()),
        new Subcommand(CommandGroup.CLUSTER, new ReadyCommand()),
        new Subcommand(CommandGroup.CLUSTER, new CrdsCommand()),
        new Subcommand(CommandGroup.CLUSTER, new KindCommand()),
        new Subcommand(CommandGroup.CLUSTER, new PolicyCommand()),
        new Subcommand(CommandGroup.CLUSTER, new MigrateCommand()),
        new Subcommand(CommandGroup.CLUSTER, new BackupCommand()),
        new Subcommand(CommandGroup.CLUSTER, new RestoreCommand()),
        new Subcommand(CommandGroup.CLUSTER, new AfterUninstallCommand()),
        new Subcommand(CommandGroup.CHECK_AUTHORS, new NewCheckCommand()),
        new Subcommand(CommandGroup.CHECK_AUTHORS, new RbacCommand()),
        new Subcommand(CommandGroup.SHELL, new CompletionCommand()));
  }
}
