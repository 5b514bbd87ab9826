// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Queues and Workloads as text for a person at a terminal: rows, tables and lists of objects. */
@NullMarked
package io.github.kueue4j.cli.terminal;

import org.jspecify.annotations.NullMarked;
