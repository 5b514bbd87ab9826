// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** What the scheduler costs, measured by hand: see docs/benchmarks.md. */
@NullMarked
package io.github.kueue4j.core.benchmark;

import org.jspecify.annotations.NullMarked;
