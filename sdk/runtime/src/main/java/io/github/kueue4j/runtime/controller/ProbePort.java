// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.runtime.client.FailedRequest;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.HttpPortException;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import org.apiguardian.api.API;

/**
 * The port of probes, taken before there is anything to answer. A kubelet that connects meanwhile
 * isn't refused but waits, until a {@link ControllerHost} serves on it. Reading the cluster's
 * credentials and connecting is most of what a start takes, so a program takes the port first.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProbePort implements AutoCloseable {
  private final HttpAddress address;
  private final HttpServer server;
  private boolean served; // Guarded by this.

  private ProbePort(HttpAddress address, HttpServer server) {
    this.address = address;
    this.server = server;
  }

  /**
   * Takes it.
   *
   * @param address port 0 takes any free one
   * @throws HttpPortException if the port can't be bound
   */
  public static ProbePort take(HttpAddress address) {
    try {
      return new ProbePort(address, HttpServer.create(address.socket(), 0));
    } catch (IOException | UnresolvedAddressException e) {
      throw notBound(address, e);
    }
  }

  static HttpPortException notBound(HttpAddress address, Exception cause) {
    return new HttpPortException(
        "can't serve probes and metrics on "
            + (address.host().isEmpty() ? "port " + address.port() : address)
            + " ("
            + FailedRequest.describe(cause)
            + "): choose another port, or 0 for any",
        cause);
  }

  /** The number of the port, also if any free one was asked for. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** As it was asked for. */
  HttpAddress address() {
    return address;
  }

  /** From now on the caller closes the server. */
  synchronized HttpServer serve() {
    if (served) {
      throw new IllegalStateException("the port of " + address + " is served already");
    }
    served = true;
    return server;
  }

  /** Gives the port back, unless a host serves on it: then that does when it closes. */
  @Override
  public synchronized void close() {
    if (!served) {
      served = true;
      // The JDK's server gives its port back only if it has run.
      server.start();
      server.stop(0);
    }
  }
}
