/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

/**
 * One test class per known hazard of the client library: each first shows the library on its own
 * failing, then this runtime holding.
 *
 * <p>Queue and workers: {@code LostDelayedAdds}, {@code PoisonedKey}, {@code SurvivingBackoff},
 * {@code MutableKey}, {@code SwallowedInterrupt}, {@code MissingMetricsLibrary}. Leadership: {@code
 * LostLease}, {@code ExpiredLease}. Data: {@code ShiftedTimes}, {@code UnknownFields}, {@code
 * QuantityFormat}. Writes: {@code UnguardedStatus}, {@code PatchContentType}, {@code
 * PreconditionCode}. Watches: {@code SilentWatch}, {@code ExpiredVersion}, {@code NoHealthSignal}.
 * The end: {@code ShutdownLeak}.
 *
 * <p>When the client library is upgraded, a test of the library's half that fails is good news: the
 * hazard is gone, and the defence may go too.
 */
@NullMarked
package io.github.kueue4j.runtime.hazards;

import org.jspecify.annotations.NullMarked;
