// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/** The way of a request that comes by no network. */
final class DirectConnection implements Connection {
  private final DirectRequest request;
  private final InputStream body;
  private final Map<String, List<String>> headers = new LinkedHashMap<>();
  private int status;
  private boolean committed;

  DirectConnection(DirectRequest request) {
    this.request = request;
    this.body = request.body();
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String path() {
    return request.path();
  }

  @Override
  public Fields parameters() {
    Fields fields = new Fields();
    String query = request.query();
    if (query != null) {
      UrlEncoded.decodeTo(query, fields::add, StandardCharsets.UTF_8);
    }
    return fields;
  }

  @Override
  public String header(String name) {
    List<String> values = request.headers().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }

  @Override
  public List<String> list(String header) {
    return request.headers().getOrDefault(header, List.of()).stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  @Override
  public @Nullable String serverName() {
    return null;
  }

  @Override
  public boolean secure() {
    return false;
  }

  @Override
  public int localPort() {
    return 0;
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public void status(int code) {
    status = code;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public void put(String header, String value) {
    headers.put(header, new ArrayList<>(List.of(value)));
  }

  @Override
  public void add(String header, String value) {
    headers.computeIfAbsent(header, absent -> new ArrayList<>()).add(value);
  }

  @Override
  public void send(boolean last, ByteBuffer piece) throws IOException {
    begin();
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    request.answer().piece(bytes);
  }

  private void begin() {
    if (!committed) {
      committed = true;
      request.answer().begin(status, headers);
    }
  }

  @Override
  public boolean committed() {
    return committed;
  }

  @Override
  public void end(@Nullable Throwable broken) {
    request.answer().end(broken);
  }
}
