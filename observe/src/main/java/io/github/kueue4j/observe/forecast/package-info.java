// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * When a Workload that waits gets quota: the scheduler, run ahead of time on the State of a dry
 * run. Nothing is written.
 */
@NullMarked
package io.github.kueue4j.observe.forecast;

import org.jspecify.annotations.NullMarked;
