// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** The way by the network. Reads and writes block; that is cheap on a virtual thread. */
final class JettyFront extends Handler.Abstract {
  private final ApiHandler handler;

  JettyFront(ApiHandler handler) {
    this.handler = handler;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    handler.handle(
        new ByNetwork(request, response, callback, Content.Source.asInputStream(request)));
    return true;
  }

  private record ByNetwork(Request request, Response response, Callback callback, InputStream body)
      implements Connection {

    @Override
    public String method() {
      return request.getMethod();
    }

    @Override
    public String path() {
      return request.getHttpURI().getPath();
    }

    @Override
    public Fields parameters() {
      return Request.extractQueryParameters(request);
    }

    @Override
    public String header(String name) {
      String value = request.getHeaders().get(name);
      return value == null ? "" : value;
    }

    @Override
    public List<String> list(String header) {
      return request.getHeaders().getValuesList(header);
    }

    @Override
    public @Nullable String serverName() {
      return Request.getServerName(request);
    }

    @Override
    public boolean secure() {
      return request.isSecure();
    }

    @Override
    public int localPort() {
      return Request.getLocalPort(request);
    }

    @Override
    public void status(int code) {
      response.setStatus(code);
    }

    @Override
    public int status() {
      return response.getStatus();
    }

    @Override
    public void put(String header, String value) {
      response.getHeaders().put(header, value);
    }

    @Override
    public void add(String header, String value) {
      response.getHeaders().add(new HttpField(header, value));
    }

    @Override
    public void send(boolean last, ByteBuffer piece) throws IOException {
      Content.Sink.write(response, last, piece);
    }

    @Override
    public boolean committed() {
      return response.isCommitted();
    }

    @Override
    public void end(@Nullable Throwable broken) {
      if (broken == null) {
        callback.succeeded();
      } else {
        callback.failed(broken);
      }
    }
  }
}
