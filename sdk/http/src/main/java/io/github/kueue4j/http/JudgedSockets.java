// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.SocketFactory;

/**
 * Opens connections to allowed addresses only. The address is judged in the call that connects to
 * it: nothing can change it in between, and numbers in URLs, which are never looked up, pass here
 * too.
 */
final class JudgedSockets extends SocketFactory {

  /** A connection that was not opened, because the rules refuse its address. */
  static final class AddressRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    AddressRefusedException(String message) {
      super(message);
    }
  }

  private final AddressRules rules;

  JudgedSockets(AddressRules rules) {
    this.rules = rules;
  }

  @Override
  public Socket createSocket() {
    return new JudgedSocket(rules);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  private Socket connected(SocketAddress address) throws IOException {
    Socket socket = createSocket();
    socket.connect(address);
    return socket;
  }

  private static final class JudgedSocket extends Socket {
    private final AddressRules rules;

    JudgedSocket(AddressRules rules) {
      // Else the system's properties could name a SOCKS proxy that connects in its place.
      super(Proxy.NO_PROXY);
      this.rules = rules;
    }

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
      connect(endpoint, 0);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
      if (!(endpoint instanceof InetSocketAddress address) || address.isUnresolved()) {
        throw new AddressRefusedException(endpoint + " is no resolved address");
      }
      Optional<String> refusal = rules.refusal(address.getAddress());
      if (refusal.isPresent()) {
        throw new AddressRefusedException(
            address.getAddress().getHostAddress() + " is " + refusal.get());
      }
      super.connect(endpoint, timeout);
    }
  }
}
