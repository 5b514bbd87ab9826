// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.traffic;

import org.apiguardian.api.API;

/** A disturbance in force. Closing it ends it; closing twice does nothing. */
@API(status = API.Status.EXPERIMENTAL)
public interface Fault extends AutoCloseable {

  /** How many requests (or watches) it has disturbed so far. */
  long hits();

  @Override
  void close();
}
