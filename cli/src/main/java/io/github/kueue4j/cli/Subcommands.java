// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import picocli.CommandLine.Command;

/**
 * Commands that a module adds to the launcher. {@link Main} finds the implementations with {@link
 * java.util.ServiceLoader}; a distribution has none but its own, a checkout also those of {@code
 * e2e}, which need the embedded API server.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public interface Subcommands {
  /** The commands in the order in which the help lists them. */
  List<Subcommand> subcommands();

  /**
   * One command.
   *
   * @param group the heading of the help under which it stands
   * @param command an object whose class itself has picocli's {@code @Command}, which names it
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  record Subcommand(CommandGroup group, Object command) {
    /**
     * Checks that the command has a name.
     *
     * @throws IllegalArgumentException if its class has no {@code @Command}
     */
    public Subcommand {
      if (!command.getClass().isAnnotationPresent(Command.class)) {
        throw new IllegalArgumentException(
            command.getClass().getName() + " has no @Command of its own: add one that names it");
      }
    }

    String name() {
      return Objects.requireNonNull(command.getClass().getAnnotation(Command.class)).name();
    }
  }
}
