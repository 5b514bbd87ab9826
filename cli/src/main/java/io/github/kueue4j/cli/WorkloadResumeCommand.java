// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j workload resume}. */
@Command(name = "resume", description = "Activates a Workload again: it queues as those that wait.")
final class WorkloadResumeCommand extends ActivationCommand {
  WorkloadResumeCommand() {
    super(true);
  }
}
