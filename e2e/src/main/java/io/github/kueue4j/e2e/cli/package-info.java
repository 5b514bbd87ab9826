// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The commands that a checkout's launcher has in addition; they need the embedded API server. */
@NullMarked
package io.github.kueue4j.e2e.cli;

import org.jspecify.annotations.NullMarked;
