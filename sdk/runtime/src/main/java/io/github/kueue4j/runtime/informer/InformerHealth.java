// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The state of one informer.
 *
 * @param resource the watched resource, for example {@code workloads.kueue.x-k8s.io}
 * @param synced whether the first complete list has arrived
 * @param served whether the server serves the resource, in namespaces if its type says so; false
 *     only for an {@link Informers.Spec#optional optional} one, whose cache is empty then
 * @param watching whether a watch connection is open now
 * @param lastEventAge how long ago the last list, event or bookmark arrived, in wire time; null
 *     before the first
 * @param lastActivityAge time since the last event or failure, in wire time
 * @param relists the number of complete lists that were read
 * @param failuresInARow failed lists and watches since the last success
 * @param lastError the last failure, or null if the last attempt succeeded
 * @param unreadable how many objects can't be read now; their last readable state stays in use
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record InformerHealth(
    String resource,
    boolean synced,
    boolean served,
    boolean watching,
    @Nullable Duration lastEventAge,
    Duration lastActivityAge,
    long relists,
    int failuresInARow,
    @Nullable String lastError,
    int unreadable) {

  /** The state of one that waits for its kind to be served. */
  public static InformerHealth awaiting(String resource) {
    return new InformerHealth(
        resource, false, false, false, null, Duration.ZERO, 0, 0, "not served yet", 0);
  }
}
