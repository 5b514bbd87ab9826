// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send slowly, never or too much, and the probes that are answered meanwhile. */
class SlowClientsTest {

  private static final String PROBE = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final ManualTime time = ManualTime.create();
  private final ProbeServer server =
      ProbeServer.on(new HttpAddress("127.0.0.1", 0), time, FatalErrors.endProcess());
  private final List<Socket> clients = new ArrayList<>();

  SlowClientsTest() {
    server.probe("/healthz", List::of);
    server.probe("/large", () -> List.of("x".repeat(32 << 20)));
    server.start();
  }

  @AfterEach
  void close() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    server.close();
    time.close();
  }

  private Socket send(String text) throws IOException {
    var client = new Socket(InetAddress.getLoopbackAddress(), server.port());
    client.setSoTimeout((int) Patience.LIMIT.toMillis());
    clients.add(client);
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    client.getOutputStream().flush();
    return client;
  }

  /** The first bytes of the answer. */
  private static String status(Socket client) throws IOException {
    return new String(client.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
  }

  private void assertAnswersProbes() throws IOException {
    assertThat(status(send(PROBE))).isEqualTo("HTTP/1.1 200 OK");
  }

  private static void assertClosed(Socket client) {
    assertThat(readable(client)).as("bytes that follow").isEqualTo(-1);
  }

  private static int readable(Socket client) {
    try {
      return client.getInputStream().read();
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection is still open", e);
    } catch (IOException reset) {
      return -1;
    }
  }

  @Test
  void twoStalledRequestsBlockNothing() throws IOException {
    send("GET /heal");
    send("GET /heal");
    await().until(() -> time.pendingTimers() == 2);

    assertAnswersProbes();
  }

  @Test
  void moreStalledRequestsThanThreadsGiveWayToAProbe() throws IOException {
    for (int i = 0; i < ProbeServer.MOST_REQUESTS; i++) {
      send("GET /heal");
      int taken = i + 1;
      await().until(() -> time.pendingTimers() == taken);
    }

    for (int i = 0; i < 5; i++) {
      assertAnswersProbes();
    }
    assertClosed(clients.getFirst());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nbody",
        "POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
      })
  void aRequestWithoutEndIsClosedAtItsDeadline(String beginning) throws IOException {
    Socket slow = send(beginning);
    await().until(() -> time.pendingTimers() == 1);

    time.advance(ProbeServer.DEADLINE.minusMillis(1));
    // It goes on sending, which doesn't help it.
    slow.getOutputStream().write('x');
    assertThat(time.pendingTimers()).isEqualTo(1);
    time.advance(Duration.ofMillis(1));

    drainToTheEnd(slow);
    await().until(() -> time.pendingTimers() == 0);
    assertAnswersProbes();
  }

  /** Reads the answer, if there is one, and the end of the connection. */
  private static void drainToTheEnd(Socket client) {
    int read = 0;
    while (readable(client) >= 0) {
      assertThat(++read).as("length of the answer").isLessThan(1000);
    }
  }

  /** The client sees the answer, and may use the connection for its next request. */
  @ParameterizedTest
  @ValueSource(ints = {8, 300_000})
  void aBodyThatIsNotAskedForIsReadToItsEnd(int length) throws IOException {
    String half = "x".repeat(length / 2);
    String head = "POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
    Socket client = send(head + length + "\r\n\r\n" + half);
    assertThat(status(client)).isEqualTo("HTTP/1.1 200 OK");

    client.getOutputStream().write((half + PROBE).getBytes(StandardCharsets.US_ASCII));

    StringBuilder answers = new StringBuilder();
    while (!answers.toString().contains("HTTP/1.1 200 OK")) {
      int read = client.getInputStream().read();
      assertThat(read).as("the byte after " + answers).isNotNegative();
      answers.append((char) read);
    }
  }

  @Test
  void anAnswerThatTheClientDoesNotReadIsGivenUpAtTheDeadline() throws IOException {
    Socket deaf = send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(status(deaf)).isEqualTo("HTTP/1.1 503 Se");
    assertThat(time.pendingTimers()).isEqualTo(1);

    time.advance(ProbeServer.DEADLINE);

    await().until(() -> time.pendingTimers() == 0);
    assertAnswersProbes();
  }

  @Test
  void aHalfClosedClientGetsItsAnswer() throws IOException {
    Socket client = send(PROBE);
    client.shutdownOutput();

    assertThat(status(client)).isEqualTo("HTTP/1.1 200 OK");
  }

  @Test
  void aClientThatIsHalfClosedWithinItsRequestIsClosedAtOnce() throws IOException {
    Socket client = send("GET /heal");
    client.shutdownOutput();

    assertClosed(client);
    assertAnswersProbes();
  }

  @Test
  void theDeadlineIsOfARequestAndNotOfAConnection() throws IOException {
    Socket client = send(PROBE);
    assertThat(status(client)).isEqualTo("HTTP/1.1 200 OK");
    await().until(() -> time.pendingTimers() == 0);
    time.advance(ProbeServer.DEADLINE.multipliedBy(2));

    client.getOutputStream().write(PROBE.getBytes(StandardCharsets.US_ASCII));

    String rest = new String(client.getInputStream().readNBytes(140), StandardCharsets.US_ASCII);
    assertThat(rest).contains("HTTP/1.1 200 OK");
  }
}
