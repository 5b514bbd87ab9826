// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import io.github.kueue4j.runtime.http.HttpAddress;
import java.io.IOException;
import java.net.ServerSocket;

/** Finds addresses for servers that no client has to know beforehand. */
final class FreePorts {
  private FreePorts() {}

  /** The address, or any free port of its host if another process listens there. */
  static HttpAddress insteadOfTaken(HttpAddress wanted) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(wanted.socket());
      return wanted;
    } catch (IOException taken) {
      return new HttpAddress(wanted.host(), 0);
    }
  }
}
