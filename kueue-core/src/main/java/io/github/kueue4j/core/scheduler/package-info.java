// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The quota scheduler as a pure function: {@link
 * io.github.kueue4j.core.scheduler.SchedulingCycle#run} turns a {@link
 * io.github.kueue4j.core.scheduler.Snapshot} and the heads of the queues into {@link
 * io.github.kueue4j.core.scheduler.Decision}s. It reads no clock, takes no lock and writes nothing.
 */
@NullMarked
package io.github.kueue4j.core.scheduler;

import org.jspecify.annotations.NullMarked;
