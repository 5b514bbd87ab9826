// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import org.apiguardian.api.API;

/** A timer that can be cancelled. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface Cancellable {

  /** Cancels the timer. Does nothing if it has run or is running. */
  void cancel();
}
