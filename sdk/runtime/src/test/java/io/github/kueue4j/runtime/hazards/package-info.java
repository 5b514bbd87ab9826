// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * One test class per known hazard of the client library: each first proves that the library fails
 * on its own, then that this runtime doesn't.
 *
 * <p>Queue and workers: {@code LostDelayedAdds}, {@code PoisonedKey}, {@code SurvivingBackoff},
 * {@code MutableKey}, {@code SwallowedInterrupt}, {@code MissingMetricsLibrary}. Leadership: {@code
 * LostLease}, {@code ExpiredLease}. Data: {@code ShiftedTimes}, {@code UnknownFields}, {@code
 * QuantityFormat}. Writes: {@code UnguardedStatus}, {@code PatchContentType}, {@code
 * PreconditionCode}. Watches: {@code SilentWatch}, {@code ExpiredVersion}, {@code QueuedDeletion},
 * {@code NoHealthSignal}. Shutdown: {@code ShutdownLeak}.
 *
 * <p>When the client library is upgraded, a failing test of the library's behaviour means that the
 * hazard is gone and that the countermeasure may be removed.
 */
@NullMarked
package io.github.kueue4j.runtime.hazards;

import org.jspecify.annotations.NullMarked;
