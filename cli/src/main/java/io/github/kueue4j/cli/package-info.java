// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The command line {@code kueue4j} and the commands that are shipped. Other modules add commands
 * through {@link io.github.kueue4j.cli.Subcommands}.
 */
@NullMarked
package io.github.kueue4j.cli;

import org.jspecify.annotations.NullMarked;
