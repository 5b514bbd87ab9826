// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ServiceProxy;
import io.github.kueue4j.runtime.http.AnswerSender;
import io.github.kueue4j.runtime.http.DelegatedAuthorizer;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.runtime.http.RequestAuthorizer.Decision;
import io.github.kueue4j.runtime.http.RequestThreads;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import io.github.kueue4j.runtime.tls.TlsIdentity;
import io.github.kueue4j.runtime.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
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
 * process: who asks comes by way of the API server's proxy, which verifies none. Answers are for
 * those who may list the workloads of the namespace, and get the AdmissionCheck. Until that is
 * known nothing of the body is read.
 *
 * <p>On loopback it answers over plain HTTP, and every program of this machine, as the API server
 * beside it does. Pages in a browser are refused: what names another host or has an origin, and
 * what isn't sent as JSON.
 */
final class DryEvaluationServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DryEvaluationServer.class);

  /** As many connections wait for a sender; fewer authors are asked at once. */
  private static final int MOST_REQUESTS = 32;

  /** For the handshake, the request and the two questions to the API server. */
  private static final Duration BESIDES = Duration.ofSeconds(30);

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpAddress address;
  private final boolean onLoopback;
  private final DryEvaluator<?> evaluator;
  private final ClusterConnection connection;
  private final DelegatedAuthorizer authorizer;
  private final RequestThreads threads;
  private @Nullable HttpServer server; // Guarded by this.
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
   * @param onLoopback whether it answers to every program of this machine
   * @param timeout of an evaluation
   */
  DryEvaluationServer(
      HttpAddress address,
      boolean onLoopback,
      DryEvaluator<?> evaluator,
      Duration timeout,
      ClusterConnection connection) {
    this.address = address;
    this.onLoopback = onLoopback;
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
    HttpServer bound;
    try {
      bound = onLoopback ? HttpServer.create(address.socket(), 0) : encrypted();
    } catch (IOException | UnresolvedAddressException e) {
      throw new HttpPortException(
          "can't serve dry evaluations on %s (%s): choose another port, or 0 for any"
              .formatted(address, e.getMessage()),
          e);
    }
    bound.setExecutor(threads);
    bound.createContext("/", this::answer);
    bound.start();
    server = bound;
    log.atInfo().addKeyValue("port", port()).log("Serving dry evaluations");
  }

  private HttpsServer encrypted() throws IOException {
    TlsIdentity identity = new TlsIdentity();
    identity.show(
        ServingCertificates.issue(
            List.of("localhost"), connection.wallClock().instant(), new SecureRandom()));
    HttpsServer bound = HttpsServer.create(address.socket(), 0);
    bound.setHttpsConfigurator(TlsOptions.defaults().configurator(identity.context()));
    return bound;
  }

  /** The port that it listens on; -1 if it isn't started. */
  synchronized int port() {
    return server == null ? -1 : server.getAddress().getPort();
  }

  /**
   * The path of a question.
   *
   * @param namespace of the Workload
   */
  private record AskedPath(String namespace, String check) {
    static AskedPath of(HttpExchange exchange) throws RefusedException {
      String path = exchange.getRequestURI().getPath();
      String[] names =
          path.startsWith(DryEvaluations.PATH)
              ? path.substring(DryEvaluations.PATH.length()).split("/", -1)
              : new String[0];
      if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
        throw new RefusedException(
            404, "not found; dry evaluations are at " + DryEvaluations.path("NAMESPACE", "CHECK"));
      }
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.getResponseHeaders().set("Allow", "POST");
        throw new RefusedException(405, "send the Workload by POST");
      }
      return new AskedPath(names[0], names[1]);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream body = exchange.getRequestBody()) {
      try {
        // A client that is answered before it has sent its body can't use the connection again.
        exchange.getResponseHeaders().set("Connection", "close");
        AskedPath question = AskedPath.of(exchange);
        authorize(exchange, question);
        String workload = read(body);
        exchange.getResponseHeaders().remove("Connection");
        answer(exchange, question, workload);
      } catch (RefusedException e) {
        AnswerSender.send(exchange, e.status, TEXT, e.getMessage() + "\n");
      } catch (InterruptedException e) {
        // The server ends, or the request has taken too long.
        Thread.currentThread().interrupt();
      }
    }
  }

  private void answer(HttpExchange exchange, AskedPath question, String workload)
      throws IOException, InterruptedException, RefusedException {
    switch (evaluator.ask(question.check(), question.namespace(), workload)) {
      case DryEvaluator.Foreseen.WrittenEntry answered ->
          AnswerSender.send(exchange, 200, JSON, KueueJson.toJson(answered.entry()));
      case DryEvaluator.Foreseen.NotForeseen none ->
          throw new RefusedException(501, "this check can't be asked in advance");
      case DryEvaluator.Foreseen.NoSuchCheck none ->
          throw new RefusedException(
              404,
              "this controller has no AdmissionCheck '"
                  + question.check()
                  + "'; correct its annotation "
                  + DryEvaluations.ANNOTATION);
      case DryEvaluator.Foreseen.StrangeBody none ->
          throw new RefusedException(
              400,
              "the body is no Workload of kueue.x-k8s.io/v1beta2 with a name and the namespace "
                  + question.namespace());
      case DryEvaluator.Foreseen.Unanswered failed -> throw new RefusedException(503, failed.why());
    }
  }

  private static String read(InputStream body) throws IOException, RefusedException {
    byte[] read = body.readNBytes(DryEvaluations.LARGEST_WORKLOAD + 1);
    if (read.length > DryEvaluations.LARGEST_WORKLOAD) {
      throw new RefusedException(
          413, "the Workload is larger than " + DryEvaluations.LARGEST_WORKLOAD + " bytes");
    }
    return new String(read, StandardCharsets.UTF_8);
  }

  /** The API server's proxy of Services keeps Authorization for itself. */
  private void authorize(HttpExchange exchange, AskedPath question) throws RefusedException {
    if (onLoopback) {
      requireNoPage(exchange);
      return;
    }
    String authorization =
        exchange.getRequestHeaders().getFirst(ServiceProxy.FORWARDED_AUTHORIZATION);
    if (authorization == null) {
      throw new RefusedException(
          401,
          "send the token of a user: \""
              + ServiceProxy.FORWARDED_AUTHORIZATION
              + ": Bearer TOKEN\"");
    }
    require(authorizer.decideList(authorization, KueueTypes.WORKLOAD, question.namespace()));
    require(
        authorizer.decideGet(
            authorization, KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(question.check())));
  }

  /** A page sends its origin, and JSON only once it has asked whether it may. */
  private static void requireNoPage(HttpExchange exchange) throws RefusedException {
    Headers headers = exchange.getRequestHeaders();
    String host = "127.0.0.1:" + exchange.getLocalAddress().getPort();
    if (!host.equals(headers.getFirst("Host"))) {
      throw new RefusedException(403, "ask at http://" + host);
    }
    if (headers.containsKey("Origin")) {
      throw new RefusedException(403, "pages in a browser may not ask; leave out Origin");
    }
    if (!JSON.equals(headers.getFirst("Content-Type"))) {
      throw new RefusedException(415, "send the Workload with Content-Type: " + JSON);
    }
  }

  private static void require(Decision decision) throws RefusedException {
    switch (decision) {
      case Decision.Allowed allowed -> {}
      case Decision.Unauthenticated unknown -> throw new RefusedException(401, unknown.why());
      case Decision.Denied denied -> throw new RefusedException(403, denied.why());
      case Decision.Undecided undecided -> throw new RefusedException(503, undecided.why());
    }
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
