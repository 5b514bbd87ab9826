// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The components as they run: each with a connection of its own, as if it were a process. */
@NullMarked
package io.github.kueue4j.cli.components;

import org.jspecify.annotations.NullMarked;
