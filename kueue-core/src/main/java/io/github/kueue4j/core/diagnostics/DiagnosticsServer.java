// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.diagnostics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.AnswerSender;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.runtime.http.RequestThreads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeErrorException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves what a JVM has in place of Go's pprof: its threads, the contents of its heap, and flight
 * recordings. It has no access control, so that it belongs on the loopback address.
 */
@API(status = API.Status.INTERNAL)
public final class DiagnosticsServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DiagnosticsServer.class);
  private static final String INDEX =
      """
      This process runs on a JVM; Go's profiles under /debug/pprof don't exist here. Instead:

      /debug/threads               all platform threads with their stacks and locks
      /debug/heap                  number and size of live objects by class; runs the collector
      /debug/recording?seconds=30  a flight recording of the next 1 to 300 s, for JDK Mission Control
      """;

  /** The bean that has {@code jcmd}'s commands. */
  static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

  private static final Pattern SECONDS = Pattern.compile("seconds=(\\d{1,3})");
  private static final int DEFAULT_SECONDS = 30;
  private static final int MOST_SECONDS = 300;
  private static final int MOST_REQUESTS = 8;

  /** The longest recording, and the time to send it. */
  private static final Duration DEADLINE = Duration.ofSeconds(MOST_SECONDS + 60);

  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpServer server;
  private final RequestThreads threads;
  private final MBeanServer beans;
  private final Semaphore recording = new Semaphore(1);
  private final CountDownLatch closing = new CountDownLatch(1);

  private DiagnosticsServer(HttpServer server, RequestThreads threads, MBeanServer beans) {
    this.server = server;
    this.threads = threads;
    this.beans = beans;
  }

  /**
   * A server that answers from now on.
   *
   * @param time real time that isn't set back or forward
   * @param fatalErrors what happens after an Error on a thread of the server
   * @throws HttpPortException if the port can't be bound
   */
  public static DiagnosticsServer start(
      HttpAddress address, TimeSource time, FatalErrors fatalErrors) {
    return start(address, time, fatalErrors, ManagementFactory.getPlatformMBeanServer());
  }

  /** A server that asks these beans. */
  static DiagnosticsServer start(
      HttpAddress address, TimeSource time, FatalErrors fatalErrors, MBeanServer beans) {
    HttpServer http;
    try {
      http = HttpServer.create(address.socket(), 0);
    } catch (IOException | UnresolvedAddressException e) {
      throw new HttpPortException(
          "can't serve diagnostics on "
              + address
              + " ("
              + e.getMessage()
              + "): choose another port in pprofBindAddress, or remove it",
          e);
    }
    DiagnosticsServer diagnostics =
        new DiagnosticsServer(
            http,
            new RequestThreads("diagnostics", MOST_REQUESTS, DEADLINE, time, fatalErrors),
            beans);
    http.setExecutor(diagnostics.threads);
    http.createContext("/", diagnostics::answer);
    http.start();
    log.atInfo().addKeyValue("port", diagnostics.port()).log("Serving diagnostics");
    return diagnostics;
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        AnswerSender.send(exchange, 405, TEXT, "only GET is possible\n");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/debug/threads" ->
            AnswerSender.send(exchange, 200, TEXT, command("threadPrint", "-l"));
        case "/debug/heap" -> AnswerSender.send(exchange, 200, TEXT, command("gcClassHistogram"));
        case "/debug/recording" -> record(exchange);
        case "/", "/debug", "/debug/" -> AnswerSender.send(exchange, 200, TEXT, INDEX);
        default -> AnswerSender.send(exchange, 404, TEXT, INDEX);
      }
    }
  }

  /** One of the commands that {@code jcmd} knows, by the name of its operation. */
  private String command(String operation, String... arguments) {
    try {
      return String.valueOf(
          beans.invoke(
              new ObjectName(COMMANDS),
              operation,
              new Object[] {arguments},
              new String[] {String[].class.getName()}));
    } catch (RuntimeErrorException e) {
      // Wrapped it would look like a fault of this request only.
      throw e.getTargetError();
    } catch (JMException e) {
      log.atWarn()
          .setCause(e)
          .addKeyValue("command", operation)
          .log("The JVM can't run a diagnostic command");
      return "this JVM has no such command: " + e + "\n";
    }
  }

  private void record(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    int seconds = DEFAULT_SECONDS;
    if (query != null) {
      Matcher asked = SECONDS.matcher(query);
      seconds = asked.matches() ? Integer.parseInt(asked.group(1)) : 0;
    }
    if (seconds < 1 || seconds > MOST_SECONDS) {
      AnswerSender.send(
          exchange, 400, TEXT, "write ?seconds=N with N from 1 to " + MOST_SECONDS + "\n");
      return;
    }
    if (!recording.tryAcquire()) {
      AnswerSender.send(
          exchange, 409, TEXT, "another recording is under way; try again when it has ended\n");
      return;
    }
    try {
      record(exchange, Duration.ofSeconds(seconds));
    } catch (ParseException e) {
      log.atWarn().setCause(e).log("Can't read the JVM's settings for flight recordings");
      AnswerSender.send(exchange, 500, TEXT, "this JVM can't record: " + e.getMessage() + "\n");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      recording.release();
    }
  }

  private void record(HttpExchange exchange, Duration duration)
      throws IOException, ParseException, InterruptedException {
    Path file = Files.createTempFile("kueue4j-", ".jfr");
    try (Recording flight = new Recording(Configuration.getConfiguration("profile"))) {
      flight.start();
      if (closing.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
        log.atInfo().log("A flight recording ends early because the process ends");
      }
      flight.stop();
      flight.dump(file);
      exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
      exchange
          .getResponseHeaders()
          .set("Content-Disposition", "attachment; filename=\"kueue4j.jfr\"");
      exchange.sendResponseHeaders(200, Files.size(file));
      Files.copy(file, exchange.getResponseBody());
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.close();
  }
}
