// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.status.StatusObject;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ObjIntConsumer;

/** One request and its answer. */
final class Exchange {
  private final ApiRequest api;
  private final Connection connection;
  private final Query query;

  private final ObjIntConsumer<ApiRequest> answered;
  private User user = User.ADMINISTRATOR;
  private boolean cut;
  private boolean counted;

  /**
   * An exchange that begins.
   *
   * @param answered told the status once, before the first byte of the answer is sent: a client
   *     that has an answer finds its request counted
   */
  Exchange(
      ApiRequest api, Connection connection, Query query, ObjIntConsumer<ApiRequest> answered) {
    this.api = api;
    this.connection = connection;
    this.query = query;
    this.answered = answered;
  }

  /** Counts the answer, unless that was done when it began. */
  void count() {
    if (!counted) {
      counted = true;
      answered.accept(api, code() == 0 ? 200 : code());
    }
  }

  ApiRequest api() {
    return api;
  }

  /** The user who sends the request: the administrator until {@link #identify} sets another. */
  User user() {
    return user;
  }

  void identify(User sender) {
    user = sender;
  }

  /** Sends only half of the answer; the connection has to be cut off then. */
  void cutAnswer() {
    cut = true;
  }

  /** Whether the connection has to be cut off instead of going on with the next request. */
  boolean isCut() {
    return cut;
  }

  Query query() {
    return query;
  }

  String method() {
    return connection.method();
  }

  /** The form that the client accepts. */
  MediaType form() {
    return MediaType.of(accept(), false);
  }

  MediaType discoveryForm() {
    return MediaType.of(accept(), true);
  }

  /** What the client accepts, in the words of the Accept header; empty if it doesn't say. */
  String accept() {
    return String.join(",", connection.list("Accept"));
  }

  /**
   * Reads the rest of the request's body: if the response were sent before, the connection would be
   * closed while the client wants to use it again. Beyond twice the allowed size the rest stays
   * unread, and the connection is closed.
   */
  void drain() throws IOException {
    long unread = Body.MAX_BYTES;
    while (unread > 0) {
      long skipped = connection.body().skip(unread);
      if (skipped <= 0) {
        return;
      }
      unread -= skipped;
    }
  }

  Body body() throws IOException {
    return Body.read(connection.header("Content-Type"), connection.body());
  }

  void warn(List<String> warnings) {
    for (String warning : warnings) {
      String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"");
      connection.add("Warning", "299 - \"" + quoted + "\"");
    }
  }

  void answer(int code, ObjectNode tree) throws IOException {
    answer(code, "application/json", StoredObject.write(tree));
  }

  void answer(int code, String contentType, byte[] bytes) throws IOException {
    begin(code, contentType);
    connection.put("Content-Length", Integer.toString(bytes.length));
    if (cut) {
      send(bytes, bytes.length / 2);
      return;
    }
    boolean head = method().equals("HEAD");
    send(true, head ? ByteBuffer.allocate(0) : ByteBuffer.wrap(bytes));
  }

  void text(int code, String text) throws IOException {
    answer(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /** Starts an answer of unknown length. */
  OutputStream stream(int code, String contentType) {
    begin(code, contentType);
    return cut ? new FirstHalf() : new EachPiece();
  }

  /** Sends each piece at once. */
  private final class EachPiece extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      send(false, ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
      end();
    }
  }

  /** Sends half of the first piece and forgets the rest. */
  private final class FirstHalf extends OutputStream {
    private boolean sent;

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (!sent) {
        sent = true;
        send(false, ByteBuffer.wrap(bytes, offset, length / 2));
      }
    }
  }

  /** Sends a piece of a streamed answer at once. */
  void send(byte[] bytes, int length) throws IOException {
    send(false, ByteBuffer.wrap(bytes, 0, length));
  }

  void end() throws IOException {
    send(true, ByteBuffer.allocate(0));
  }

  private void send(boolean last, ByteBuffer piece) throws IOException {
    count();
    connection.send(last, piece);
  }

  void refuse(ApiException refusal) throws IOException {
    Integer retryAfter = refusal.details().retryAfterSeconds();
    if (retryAfter != null) {
      connection.put("Retry-After", retryAfter.toString());
    }
    answer(refusal.code(), StatusObject.failure(refusal));
  }

  boolean committed() {
    return connection.committed();
  }

  int code() {
    return connection.status();
  }

  private void begin(int code, String contentType) {
    connection.status(code);
    connection.put("Content-Type", contentType);
    connection.put("Cache-Control", "no-cache, private");
  }
}
