// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.github.kueue4j.api.time.TimeSource;
import java.net.URI;
import org.apiguardian.api.API;

/**
 * A program that works on an API server, such as the controller of an admission check. The SDK
 * makes them and the testkit runs them, and neither depends on the other.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface ServerProgram {

  /**
   * Starts it.
   *
   * @param server the base URL, which needs no credentials
   * @param time the clock that it goes by; stays open when the program ends
   * @return what ends it
   * @throws Exception if it doesn't start; nothing of it runs then
   */
  AutoCloseable start(URI server, TimeSource time) throws Exception;
}
