// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import com.google.gson.JsonParseException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.DelegatedAuthorizer;
import io.github.kueue4j.runtime.HttpAddress;
import io.github.kueue4j.runtime.HttpPortException;
import io.github.kueue4j.runtime.RequestAuthorizer.Decision;
import io.github.kueue4j.runtime.RequestThreads;
import io.github.kueue4j.runtime.ServiceProxy;
import io.github.kueue4j.runtime.TlsOptions;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import io.github.kueue4j.runtime.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@link DryEvaluations} over HTTPS. Its certificate is its own and lives as long as the
 * process: who asks comes by way of the API server's proxy, which verifies none. What is said of a
 * workload is told to those who may list the workloads of its namespace, since they may read the
 * answers of checks there.
 */
final class DryEvaluationServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DryEvaluationServer.class);

  /** Each may ask a backend: no more at once. */
  private static final int MOST_REQUESTS = 4;

  /** For the handshake, the request and the two questions to the API server. */
  private static final Duration BESIDES = Duration.ofSeconds(30);

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpAddress address;
  private final DryEvaluator<?> evaluator;
  private final ClusterConnection connection;
  private final DelegatedAuthorizer authorizer;
  private final RequestThreads threads;
  private @Nullable HttpsServer server; // Guarded by this.
  private boolean closed; // Guarded by this.

  /** A refusal with its status and what to do. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    RefusedException(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  /**
   * A server that isn't started.
   *
   * @param timeout of an evaluation
   */
  DryEvaluationServer(
      HttpAddress address,
      DryEvaluator<?> evaluator,
      Duration timeout,
      ClusterConnection connection) {
    this.address = address;
    this.evaluator = evaluator;
    this.connection = connection;
    this.authorizer = DelegatedAuthorizer.on(connection);
    this.threads =
        new RequestThreads(
            "dry-evaluations",
            MOST_REQUESTS,
            timeout.plus(BESIDES),
            connection.wireTime(),
            connection.fatalErrors());
  }

  /**
   * Answers from now on.
   *
   * @throws HttpPortException if the port can't be bound
   */
  synchronized void start() {
    if (closed) {
      return;
    }
    TlsIdentity identity = new TlsIdentity();
    identity.show(
        ServingCertificates.issue(
            List.of("localhost"), connection.wallClock().instant(), new SecureRandom()));
    HttpsServer bound;
    try {
      bound = HttpsServer.create(address.socket(), 0);
    } catch (IOException | UnresolvedAddressException e) {
      throw new HttpPortException(
          "can't serve dry evaluations on "
              + address
              + " ("
              + e.getMessage()
              + "): choose another port, or 0 for any",
          e);
    }
    bound.setHttpsConfigurator(TlsOptions.defaults().configurator(identity.context()));
    bound.setExecutor(threads);
    bound.createContext("/", this::answer);
    bound.start();
    server = bound;
    log.atInfo().addKeyValue("port", port()).log("Serving dry evaluations");
  }

  /** The port that it listens on; -1 if it isn't started. */
  synchronized int port() {
    return server == null ? -1 : server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        String path = exchange.getRequestURI().getPath();
        if (!path.startsWith(DryEvaluations.PATH)) {
          throw new RefusedException(
              404, "not found; dry evaluations are at " + DryEvaluations.PATH);
        }
        String check = path.substring(DryEvaluations.PATH.length());
        Workload workload = workload(exchange);
        authorize(exchange, workload.key().namespace());
        switch (evaluator.ask(check, workload)) {
          case DryEvaluator.Foreseen.WrittenEntry answered ->
              send(exchange, 200, JSON, KueueJson.toJson(answered.entry()));
          case DryEvaluator.Foreseen.NotForeseen none ->
              throw new RefusedException(501, "this check can't be asked in advance");
          case DryEvaluator.Foreseen.NoSuchCheck none ->
              throw new RefusedException(
                  404,
                  "this controller has no AdmissionCheck '"
                      + check
                      + "'; correct its annotation "
                      + DryEvaluations.ANNOTATION);
          case DryEvaluator.Foreseen.Unanswered failed ->
              throw new RefusedException(503, failed.why());
        }
      } catch (RefusedException e) {
        send(exchange, e.status, TEXT, e.getMessage() + "\n");
      } catch (InterruptedException e) {
        // The server ends, or the request has taken too long.
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Workload workload(HttpExchange exchange) throws IOException, RefusedException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      throw new RefusedException(405, "send the Workload by POST");
    }
    byte[] body = exchange.getRequestBody().readNBytes(DryEvaluations.LARGEST_WORKLOAD + 1);
    if (body.length > DryEvaluations.LARGEST_WORKLOAD) {
      throw new RefusedException(
          413, "the Workload is larger than " + DryEvaluations.LARGEST_WORKLOAD + " bytes");
    }
    try {
      Workload workload =
          KueueJson.fromServer(
              new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8),
              KueueTypes.WORKLOAD);
      if (!workload.key().namespace().isEmpty() && !workload.key().name().isEmpty()) {
        return workload;
      }
    } catch (JsonParseException | NullPointerException | IllegalArgumentException e) {
      log.atDebug().setCause(e).log("Could not read a Workload");
    }
    throw new RefusedException(
        400, "the body is no Workload of kueue.x-k8s.io/v1beta2 with a name and a namespace");
  }

  /** The API server's proxy of Services keeps Authorization for itself. */
  private void authorize(HttpExchange exchange, String namespace) throws RefusedException {
    String authorization =
        exchange.getRequestHeaders().getFirst(ServiceProxy.FORWARDED_AUTHORIZATION);
    switch (authorizer.decideList(
        authorization == null ? "" : authorization, KueueTypes.WORKLOAD, namespace)) {
      case Decision.Allowed allowed -> {}
      case Decision.Unauthenticated unknown -> throw new RefusedException(401, unknown.why());
      case Decision.Denied denied -> throw new RefusedException(403, denied.why());
      case Decision.Undecided undecided -> throw new RefusedException(503, undecided.why());
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    // Closing first reads what the client has still to send, if that ever comes.
    exchange.getResponseBody().flush();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (server != null) {
      server.stop(0);
    }
    threads.close();
  }
}
