// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.cel.IpAddress;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.io.EOFException;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request through faults and counting to the endpoints. */
final class ApiHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

  private final Faults faults;
  private final RequestCounters counters;
  private final Consumer<ApiRequest> onRequest;
  private final Authorizer authorizer;
  private final Predicate<Connection> turnsAway;
  private final Endpoints endpoints;

  ApiHandler(
      Faults faults,
      RequestCounters counters,
      Consumer<ApiRequest> onRequest,
      Authorizer authorizer,
      Predicate<Connection> turnsAway,
      Endpoints endpoints) {
    this.faults = faults;
    this.counters = counters;
    this.onRequest = onRequest;
    this.authorizer = authorizer;
    this.turnsAway = turnsAway;
    this.endpoints = endpoints;
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
      orderly = endpoints.answer(exchange);
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
}
