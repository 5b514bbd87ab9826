// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The verdict of an admission check on a workload. It is no enum: compare by {@code equals}.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckState(String value) implements OpenValue {
  /** The check has not decided yet. */
  public static final CheckState PENDING = new CheckState("Pending");

  /** The check lets the workload through. */
  public static final CheckState READY = new CheckState("Ready");

  /** The quota is released and the workload is tried again later. */
  public static final CheckState RETRY = new CheckState("Retry");

  /** The workload is deactivated. */
  public static final CheckState REJECTED = new CheckState("Rejected");

  static CheckState of(String word) {
    return Stream.of(PENDING, READY, RETRY, REJECTED)
        .filter(known -> known.value().equals(word))
        .findFirst()
        .orElseGet(() -> new CheckState(word));
  }

  @Override
  public String toString() {
    return value;
  }
}
