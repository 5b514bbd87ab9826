// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.discovery.Discovery;
import io.github.kueue4j.apiserver.discovery.OpenApi;
import io.github.kueue4j.apiserver.discovery.OpenApiV2;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.tree.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Answers what is no resource: discovery, OpenAPI, health, version and metrics. */
final class PathHandler {
  private final Discovery discovery;
  private final OpenApi openApi;
  private final OpenApiV2 openApiV2;
  private final MetricsPage metrics;

  PathHandler(Discovery discovery, OpenApi openApi, OpenApiV2 openApiV2, MetricsPage metrics) {
    this.discovery = discovery;
    this.openApi = openApi;
    this.openApiV2 = openApiV2;
    this.metrics = metrics;
  }

  void handle(Exchange exchange) throws IOException {
    String method = exchange.method();
    String path = exchange.api().path().replaceAll("(?<=.)/+$", "");
    if (!method.equals("GET") && !method.equals("HEAD")) {
      throw ApiErrors.methodNotAllowed(method);
    }
    switch (path) {
      case "/healthz", "/readyz", "/livez" -> exchange.text(200, "ok");
      case "/version" -> exchange.answer(200, version());
      case "/metrics" ->
          exchange.answer(
              200,
              "text/plain; version=0.0.4; charset=utf-8",
              metrics.text().getBytes(StandardCharsets.UTF_8));
      case "/api", "/apis" -> discoveryRoot(exchange, path);
      case "/openapi/v3" -> exchange.answer(200, openApi.index());
      case "/openapi/v2" -> openApiV2(exchange);
      case "/", "" -> exchange.answer(200, discovery.paths());
      default -> other(exchange, path);
    }
  }

  private void discoveryRoot(Exchange exchange, String path) throws IOException {
    MediaType mediaType = exchange.discoveryForm();
    boolean core = path.equals("/api");
    if (mediaType == MediaType.AGGREGATED) {
      exchange.answer(
          200,
          mediaType.contentType(),
          discovery.aggregated(core).toString().getBytes(StandardCharsets.UTF_8));
    } else {
      exchange.answer(200, core ? discovery.coreVersions() : discovery.groups());
    }
  }

  private void openApiV2(Exchange exchange) throws IOException {
    switch (SchemaForm.of(exchange.accept())) {
      case JSON -> exchange.answer(200, openApiV2.json());
      case PROTOBUF ->
          exchange.answer(200, SchemaForm.PROTOBUF.contentType(), openApiV2.protobuf());
    }
  }

  private void other(Exchange exchange, String path) throws IOException {
    Optional<ObjectNode> found = Optional.empty();
    if (path.startsWith("/openapi/v3/")) {
      found = openApi.document(path.substring("/openapi/v3/".length()));
    } else if (path.startsWith("/healthz/")
        || path.startsWith("/readyz/")
        || path.startsWith("/livez/")) {
      exchange.text(200, "ok");
      return;
    } else if (path.startsWith("/api/")) {
      found = discovery.resources("", path.substring("/api/".length()));
    } else if (path.startsWith("/apis/")) {
      String[] parts = path.substring("/apis/".length()).split("/", -1);
      found =
          parts.length == 1
              ? discovery.group(parts[0])
              : parts.length == 2 ? discovery.resources(parts[0], parts[1]) : Optional.empty();
    }
    exchange.answer(200, found.orElseThrow(ApiErrors::noSuchPath));
  }

  private static ObjectNode version() {
    ObjectNode version = Trees.empty();
    version.put("major", "1").put("minor", "33").put("gitVersion", "v1.33.0+kueue4j");
    version.put("gitCommit", "").put("gitTreeState", "clean");
    version.put("buildDate", "2026-01-01T00:00:00Z").put("goVersion", "go1.24.0");
    version.put("compiler", "gc").put("platform", "linux/amd64");
    return version;
  }
}
