// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.testdefaults.Actors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;

/** A server on loopback that writes what a test wants, HTTP or not, to every request. */
final class RawServer implements AutoCloseable {
  private static final Charset UTF_8 = StandardCharsets.UTF_8;
  private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");

  /** Answers one request; the connection is closed afterwards. */
  interface Reply {
    void to(String request, Socket connection) throws IOException;
  }

  private final ServerSocket listener;
  private final Actors threads = Actors.named("raw-server");
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private RawServer(ServerSocket listener) {
    this.listener = listener;
  }

  /** Writes this text and closes the connection. */
  static RawServer saying(String answer) throws IOException {
    return start(
        (request, connection) -> write(connection, answer.replace("\n", "\r\n").getBytes(UTF_8)));
  }

  static RawServer start(Reply reply) throws IOException {
    return start(ServerSocketFactory.getDefault(), reply);
  }

  static RawServer start(ServerSocketFactory factory, Reply reply) throws IOException {
    ServerSocket listener = factory.createServerSocket();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    RawServer server = new RawServer(listener);
    server.threads.start(() -> server.accept(reply));
    return server;
  }

  /** Blocks until the other side closes the connection. */
  static void awaitClose(Socket connection) throws IOException {
    while (connection.getInputStream().read() >= 0) {
      // Nothing more is expected.
    }
  }

  static void write(Socket connection, byte[] bytes) throws IOException {
    OutputStream out = connection.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  int port() {
    return listener.getLocalPort();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port() + "/check");
  }

  URI httpsUri() {
    return URI.create("https://127.0.0.1:" + port() + "/check");
  }

  /** All requests so far, heads with their bodies. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void accept(Reply reply) {
    while (!listener.isClosed()) {
      try {
        Socket connection = listener.accept();
        open.add(connection);
        threads.start(() -> serve(connection, reply));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection, Reply reply) {
    try (connection) {
      String request = read(connection.getInputStream());
      requests.add(request);
      reply.to(request, connection);
    } catch (IOException gone) {
      // The client ended it, which is what some tests are about.
      return;
    } finally {
      open.remove(connection);
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (!read.toString(UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no request");
      }
      read.write(next);
    }
    String head = read.toString(UTF_8);
    Matcher length = LENGTH.matcher(head.toLowerCase(Locale.ROOT));
    return length.find()
        ? head + new String(in.readNBytes(Integer.parseInt(length.group(1))), UTF_8)
        : head;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket each : open) {
      each.close();
    }
    threads.close();
  }
}
