// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.CommandGroup;
import io.github.kueue4j.cli.Subcommands;
import java.util.List;
import org.apiguardian.api.API;

/** The commands that need the embedded API server; found by the launcher as a service. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class CheckoutSubcommands implements Subcommands {
  @Override
  public List<Subcommand> subcommands() {
    return List.of(
        new Subcommand(CommandGroup.SANDBOX, new DemoCommand()),
        new Subcommand(CommandGroup.SANDBOX, new UpCommand()),
        new Subcommand(CommandGroup.CLUSTER, new E2eCommand()),
        new Subcommand(CommandGroup.CHECK_AUTHORS, new ConformanceCommand()),
        new Subcommand(CommandGroup.MEASUREMENT, new BenchCommand()),
        new Subcommand(CommandGroup.MEASUREMENT, new BenchStartCommand()),
        new Subcommand(CommandGroup.MEASUREMENT, new BenchSoakCommand()),
        new Subcommand(CommandGroup.PACKAGING, new AotCacheCommand()));
  }
}
