// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link WatchSource}; see {@link io.github.kueue4j.runtime.informer.InformerHealth}
 * for its parts.
 *
 * @param served whether the server serves the resource
 * @param watching whether a watch connection is open now
 * @param lastEventAge how long ago the last list, event or bookmark arrived; null before the first
 * @param lastActivityAge time since the last event or failure
 * @param relists the number of complete lists that were read
 * @param failuresInARow failed lists and watches since the last success
 * @param lastError the last failure, or null if the last attempt succeeded
 * @param unreadable how many objects can't be read now
 */
@API(status = API.Status.INTERNAL)
public record WatchState(
    boolean served,
    boolean watching,
    @Nullable Duration lastEventAge,
    Duration lastActivityAge,
    long relists,
    int failuresInARow,
    @Nullable String lastError,
    int unreadable) {}
