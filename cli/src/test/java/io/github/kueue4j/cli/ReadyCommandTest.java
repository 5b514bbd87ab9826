// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code kueue4j ready}, against a server that is ready at some point or never. */
class ReadyCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicInteger refusals = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/readyz",
        exchange -> {
          boolean ready = refusals.decrementAndGet() < 0;
          byte[] text = (ready ? "ok" : "caches: not filled").getBytes(UTF_8);
          exchange.sendResponseHeaders(ready ? 200 : 503, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void waitsUntilAllHaveAnswered200() {
    refusals.set(1);

    assertThat(ready("--timeout=" + Patience.LIMIT.toSeconds() + "s", url(), url())).isZero();
    assertThat(out.toString()).isEqualTo("%s: ready%n%s: ready%n".formatted(url(), url()));
  }

  @Test
  void saysWhatTheLastAnswerWas() {
    refusals.set(Integer.MAX_VALUE);

    // A server that is slow on a busy machine has not answered.
    await()
        .untilAsserted(
            () -> {
              out.getBuffer().setLength(0);
              assertThat(ready("--timeout=1ms", url())).isEqualTo(1);
              assertThat(out.toString())
                  .isEqualTo("not ready within 1ms: %s: 503 caches: not filled%n".formatted(url()));
            });
  }

  @Test
  void saysThatNothingAnswers() {
    String url = url();
    server.stop(0);

    assertThat(ready("--timeout=1ms", url)).isEqualTo(1);
    assertThat(out.toString()).contains(url + ": no answer, java.net.");
  }

  @Test
  void refusesWhatCannotBeAsked() {
    assertThat(ready("readyz")).isEqualTo(2);
    assertThat(err.toString()).contains("'readyz' is no URL that can be asked");
    assertThat(ready()).isEqualTo(2);
  }

  private int ready(String... arguments) {
    String[] line = new String[arguments.length + 1];
    line[0] = "ready";
    System.arraycopy(arguments, 0, line, 1, arguments.length);
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), line);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/readyz";
  }
}
