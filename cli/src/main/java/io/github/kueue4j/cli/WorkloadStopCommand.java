// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import picocli.CommandLine.Command;

/** {@code kueue4j workload stop}. */
@Command(
    name = "stop",
    description =
        "Deactivates a Workload: it is evicted if it holds quota, and queues no more until it is resumed.")
final class WorkloadStopCommand extends ActivationCommand {
  WorkloadStopCommand() {
    super(false);
  }
}
