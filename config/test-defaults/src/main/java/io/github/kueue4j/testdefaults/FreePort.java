// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.apiguardian.api.API;

/** A port for a process that has to be told one. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class FreePort {
  private FreePort() {}

  /**
   * A port of the loopback interface that stays free for a minute: a connection to it was closed on
   * this side, and a kernel that is asked for any port gives none that such a connection has just
   * had. Another process may bind it by naming it.
   *
   * @throws IOException if no port is free
   */
  public static int take() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      server.accept().close();
      // The end of the connection, after which it is this side's to forget.
      client.getInputStream().read();
      return server.getLocalPort();
    }
  }
}
