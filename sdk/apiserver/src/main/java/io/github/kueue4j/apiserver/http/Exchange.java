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
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/** One request and its answer. Reads and writes block; that is cheap on a virtual thread. */
final class Exchange {
  private final ApiRequest api;
  private final Request request;
  private final Response response;
  private final Query query;

  /** Never closed: to close it is to fail the request, and its answer with it. */
  private final InputStream incoming;

  private User user = User.ADMINISTRATOR;
  private boolean cut;

  Exchange(ApiRequest api, Request request, Response response, Query query) {
    this.api = api;
    this.request = request;
    this.response = response;
    this.query = query;
    this.incoming = Content.Source.asInputStream(request);
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
    return request.getMethod();
  }

  String header(HttpHeader name) {
    String value = request.getHeaders().get(name);
    return value == null ? "" : value;
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
    return String.join(",", request.getHeaders().getValuesList(HttpHeader.ACCEPT));
  }

  /**
   * Reads the rest of the request's body: if the response were sent before, the connection would be
   * closed while the client wants to use it again. Beyond twice the allowed size the rest stays
   * unread, and the connection is closed.
   */
  void drain() throws IOException {
    long unread = Body.MAX_BYTES;
    while (unread > 0) {
      long skipped = incoming.skip(unread);
      if (skipped <= 0) {
        return;
      }
      unread -= skipped;
    }
  }

  Body body() throws IOException {
    return Body.read(header(HttpHeader.CONTENT_TYPE), incoming);
  }

  void warn(List<String> warnings) {
    for (String warning : warnings) {
      String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"");
      response.getHeaders().add(new HttpField("Warning", "299 - \"" + quoted + "\""));
    }
  }

  void answer(int code, ObjectNode tree) throws IOException {
    answer(code, "application/json", StoredObject.write(tree));
  }

  void answer(int code, String contentType, byte[] bytes) throws IOException {
    begin(code, contentType);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    if (cut) {
      send(bytes, bytes.length / 2);
      return;
    }
    boolean head = method().equals("HEAD");
    Content.Sink.write(response, true, head ? ByteBuffer.allocate(0) : ByteBuffer.wrap(bytes));
  }

  void text(int code, String text) throws IOException {
    answer(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /** Starts an answer of unknown length. */
  OutputStream stream(int code, String contentType) {
    begin(code, contentType);
    return cut ? new FirstHalf() : Content.Sink.asOutputStream(response);
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
        Content.Sink.write(response, false, ByteBuffer.wrap(bytes, offset, length / 2));
      }
    }
  }

  /** Sends a piece of a streamed answer at once. */
  void send(byte[] bytes, int length) throws IOException {
    Content.Sink.write(response, false, ByteBuffer.wrap(bytes, 0, length));
  }

  void end() throws IOException {
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
  }

  void refuse(ApiException refusal) throws IOException {
    Integer retryAfter = refusal.retryAfterSeconds();
    if (retryAfter != null) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, retryAfter.toString());
    }
    answer(refusal.code(), StatusObject.failure(refusal));
  }

  boolean committed() {
    return response.isCommitted();
  }

  int code() {
    return response.getStatus();
  }

  private void begin(int code, String contentType) {
    response.setStatus(code);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
  }
}
