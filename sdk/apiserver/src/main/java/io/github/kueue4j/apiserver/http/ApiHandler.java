// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.cel.IpAddress;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request through faults and counting to the handler of its verb. */
final class ApiHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

  private final ResourceRegistry registry;
  private final Faults faults;
  private final RequestCounters counters;
  private final Consumer<ApiRequest> onRequest;
  private final Authorizer authorizer;
  private final ReadHandler reads;
  private final WatchHandler watches;
  private final WriteHandler writes;
  private final PathHandler paths;
  private final Reviews reviews;
  private final Predicate<Connection> turnsAway;

  ApiHandler(
      ResourceRegistry registry,
      Faults faults,
      RequestCounters counters,
      Consumer<ApiRequest> onRequest,
      Authorizer authorizer,
      ReadHandler reads,
      WatchHandler watches,
      WriteHandler writes,
      PathHandler paths,
      Reviews reviews,
      Predicate<Connection> turnsAway) {
    this.registry = registry;
    this.faults = faults;
    this.counters = counters;
    this.onRequest = onRequest;
    this.authorizer = authorizer;
    this.reads = reads;
    this.watches = watches;
    this.writes = writes;
    this.paths = paths;
    this.reviews = reviews;
    this.turnsAway = turnsAway;
  }

  /** Answers a request; waits until the answer is complete. */
  void handle(Connection connection) {
    Query query;
    ApiRequest api;
    boolean orderly = true;
    String agent = connection.header("User-Agent");
    String path = connection.path();
    try {
      query = new Query(connection.parameters());
      api = RequestPath.read(connection.method(), path, query, agent);
    } catch (IllegalArgumentException e) {
      query = new Query(new Fields());
      api = new ApiRequest("get", path, null, "");
      orderly = false;
    }
    Exchange exchange = new Exchange(api, connection, query, counters::answered);
    try {
      if (!orderly) {
        throw ApiErrors.badRequest("the request's URL can't be decoded: " + path);
      }
      onRequest.accept(api);
      checkHost(connection);
      if (turnsAway.test(connection)) {
        throw ApiErrors.starting();
      }
      if (connection.secure()) {
        exchange.identify(authorizer.check(api, connection.header("Authorization")));
      }
      disturb(exchange);
      orderly = dispatch(exchange);
      finish(connection, orderly && !exchange.isCut());
    } catch (ApiException refusal) {
      refuse(exchange, refusal, connection);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      connection.end(e);
    } catch (IOException e) {
      // The client has closed the connection, so there is no response to send.
      LOG.atDebug().addKeyValue("path", path).setCause(e).log("connection lost");
      connection.end(e);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("path", path).setCause(e).log("request failed");
      refuse(exchange, ApiErrors.internal(e.toString()), connection);
    } finally {
      exchange.count();
    }
  }

  /**
   * The plain port trusts everybody who can reach it, so it has to be a program on this machine
   * that meant to: a page in a browser reaches it under a name of its own that it lets point here.
   */
  private static void checkHost(Connection connection) {
    String host = connection.serverName();
    if (!connection.secure() && !isLoopback(host)) {
      throw ApiErrors.denied(
          403,
          "Forbidden",
          "the plain port answers to localhost and loopback addresses only, not to '"
              + host
              + "'; the port of secure() takes any name and asks for a token");
    }
  }

  private static boolean isLoopback(@Nullable String host) {
    if (host == null) {
      return true;
    }
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return name.equalsIgnoreCase("localhost")
        || IpAddress.parse(name).filter(ip -> ip.address().isLoopbackAddress()).isPresent();
  }

  private static void finish(Connection connection, boolean orderly) {
    connection.end(orderly ? null : new EOFException("cut off"));
  }

  private static void refuse(Exchange exchange, ApiException refusal, Connection connection) {
    if (exchange.committed()) {
      connection.end(refusal);
      return;
    }
    try {
      exchange.drain();
      exchange.refuse(refusal);
      finish(connection, !exchange.isCut());
    } catch (IOException e) {
      // The client is gone.
      connection.end(e);
    }
  }

  private void disturb(Exchange exchange) throws InterruptedException {
    ApiRequest api = exchange.api();
    Faults.Disturbance disturbance = faults.disturb(api);
    if (!disturbance.delay().isZero()) {
      Thread.sleep(disturbance.delay());
    }
    if (disturbance.cut()) {
      exchange.cutAnswer();
    }
    if (disturbance.fails()) {
      throw ApiErrors.forStatus(disturbance.failure(), api.group(), api.resource(), api.name());
    }
  }

  /** Returns false if the connection is to be cut off. */
  private boolean dispatch(Exchange exchange) throws IOException, InterruptedException {
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
