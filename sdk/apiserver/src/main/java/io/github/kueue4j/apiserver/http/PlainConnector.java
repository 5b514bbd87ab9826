// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A listener in plain HTTP on loopback that leaves no connection open when it stops. Jetty's own
 * forgets one that it accepts at that moment: its client would wait for ever.
 */
final class PlainConnector extends ServerConnector {
  private final Set<Socket> accepted = ConcurrentHashMap.newKeySet();

  /** A listener that begins with its server. */
  PlainConnector(Server jetty, int port) {
    // Without threads of its own for accepting: one that is about to accept when this stops would
    // hand its connection over afterwards.
    super(jetty, 0, 1, http());
    setHost("127.0.0.1");
    setPort(port);
    setIdleTimeout(Duration.ofHours(1).toMillis());
  }

  private static HttpConnectionFactory http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    return new HttpConnectionFactory(http);
  }

  @Override
  protected void configure(Socket socket) {
    super.configure(socket);
    accepted.removeIf(Socket::isClosed);
    accepted.add(socket);
    if (!isRunning()) {
      close(socket);
    }
  }

  @Override
  protected void doStop() throws Exception {
    super.doStop();
    accepted.forEach(PlainConnector::close);
    accepted.clear();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("a connection could not be closed", e);
    }
  }
}
