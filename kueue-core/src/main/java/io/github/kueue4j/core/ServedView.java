// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import org.apiguardian.api.API;

/**
 * The server of a core for people to look at, such as a page of its queues and Workloads: see
 * {@link KueueCore.Builder#view}. It is made with the core, starts after it, and is closed before
 * it.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface ServedView extends AutoCloseable {
  /**
   * Serves it from now on.
   *
   * @throws io.github.kueue4j.runtime.http.HttpPortException if the port can't be bound
   */
  void start();

  /** The port of its server; -1 if it isn't served. */
  int port();

  /** Ends its server; a view that never started is closed, too. */
  @Override
  void close();
}
