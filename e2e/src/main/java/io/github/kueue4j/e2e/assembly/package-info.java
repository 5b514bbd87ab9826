// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** A whole cluster in one process: server, components and simulated world, by one clock. */
@NullMarked
package io.github.kueue4j.e2e.assembly;

import org.jspecify.annotations.NullMarked;
