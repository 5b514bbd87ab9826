// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Plays Kueue's part in the life of a Workload, step by step, on any API server: what a queue
 * controller would write, at the moments that a test chooses.
 */
@NullMarked
package io.github.kueue4j.testkit.script;

import org.jspecify.annotations.NullMarked;
