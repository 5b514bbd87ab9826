// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** One request and the way back for its answer, whichever way they travel. */
interface Connection {

  String method();

  /** The URL's path, as it was sent. */
  String path();

  /**
   * The parameters of the URL.
   *
   * @throws IllegalArgumentException if they can't be decoded
   */
  Fields parameters();

  /** The header's value, empty without one. */
  String header(String name);

  /** The items in a header's list, also if it is spread over several. */
  List<String> list(String header);

  /** The name by which the client calls the server; null if it doesn't say. */
  @Nullable String serverName();

  /** Whether it came by TLS, so that the client has to say who it is. */
  boolean secure();

  /** The port that it came by. */
  int localPort();

  /**
   * The request's body. Never closed: to close it is to fail the request, and its answer with it.
   */
  InputStream body();

  /** Sets the answer's status. */
  void status(int code);

  /** The answer's status; 0 before it is set. */
  int status();

  /** Sets a header of the answer. */
  void put(String header, String value);

  /** Adds a header to the answer. */
  void add(String header, String value);

  /**
   * Sends a piece of the answer; its status and headers go before the first one.
   *
   * @throws IOException if the client is gone
   */
  void send(boolean last, ByteBuffer piece) throws IOException;

  /** Whether the status and the headers have been sent. */
  boolean committed();

  /** Ends the answer: in an orderly way, or by a break. */
  void end(@Nullable Throwable broken);
}
