// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.io.IOException;
import java.util.List;

/** The handlers of the verbs and paths, and which of them answers a request. */
record Endpoints(
    ResourceRegistry registry,
    ReadHandler reads,
    WatchHandler watches,
    WriteHandler writes,
    PathHandler paths,
    Reviews reviews) {

  /** Returns false if the connection is to be cut off. */
  boolean answer(Exchange exchange) throws IOException, InterruptedException {
    ApiRequest api = exchange.api();
    if (!api.resourceRequest()) {
      paths.handle(exchange);
      return true;
    }
    ServedResource resource =
        registry
            .find(api.group(), api.version(), api.resource())
            .orElseThrow(ApiErrors::noSuchPath);
    checkScope(api, resource);
    if (!resource.warning().isEmpty()) {
      exchange.warn(List.of(resource.warning()));
    }
    if (resource.isReview()) {
      if (!api.verb().equals("create")) {
        throw ApiErrors.methodNotAllowed(exchange.method());
      }
      reviews.create(exchange, resource);
      return true;
    }
    Key key = new Key(api.namespace(), api.name());
    boolean subresource = !api.subresource().isEmpty();
    switch (api.verb()) {
      case "get" -> reads.get(exchange, resource, key);
      case "list" -> reads.list(exchange, resource);
      case "watch" -> {
        return watches.watch(exchange, resource);
      }
      case "create" -> {
        if (subresource) {
          writes.createSubresource(exchange, resource, key);
        } else if (api.name().isEmpty()) {
          writes.create(exchange, resource);
        } else {
          throw ApiErrors.methodNotAllowed(exchange.method());
        }
      }
      case "update" -> writes.update(exchange, resource, named(exchange, key));
      case "patch" -> writes.patch(exchange, resource, named(exchange, key));
      case "delete" -> {
        if (subresource) {
          throw ApiErrors.methodNotAllowed(exchange.method());
        }
        writes.delete(exchange, resource, key);
      }
      case "deletecollection" -> writes.deleteCollection(exchange, resource);
      default -> throw ApiErrors.methodNotAllowed(exchange.method());
    }
    return true;
  }

  private static Key named(Exchange exchange, Key key) {
    if (key.name().isEmpty()) {
      throw ApiErrors.methodNotAllowed(exchange.method());
    }
    return key;
  }

  private static void checkScope(ApiRequest api, ServedResource resource) {
    boolean misplaced =
        resource.namespaced()
            ? api.namespace().isEmpty() && !api.name().isEmpty()
            : !api.namespace().isEmpty();
    if (misplaced
        || (!api.subresource().isEmpty() && !resource.subresources().contains(api.subresource()))) {
      throw ApiErrors.noSuchPath();
    }
  }
}
