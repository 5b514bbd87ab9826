// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.view.CoreView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to the view that ask for too much, or try what no page does. */
class ViewRequestsTest {
  private static final int MOST_STREAMS = 16;

  private final TestCluster cluster = new TestCluster();
  private final List<Socket> open = new ArrayList<>();
  private KueueCore core;

  @BeforeEach
  void start() {
    cluster.view(CoreView::of);
    core =
        cluster.startCore(
            "kueue4j: {view: {bindAddress: \"127.0.0.1:0\", secureServing: false}}\n");
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    cluster.close();
  }

  /** Sends a request as it is, and leaves the connection open. */
  private String statusLine(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    String line =
        new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
            .readLine();
    return line == null ? "" : line;
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), core.viewPort());
    // A reset instead of a farewell, as of a browser that has died.
    socket.setSoLinger(true, 0);
    open.add(socket);
    return socket;
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private String stream() throws IOException {
    return statusLine(connect(), get("/view/v1/events"));
  }

  @Test
  void streamsAreLimitedAndAClosedOneFreesItsPlace() throws Exception {
    for (int i = 0; i < MOST_STREAMS; i++) {
      assertThat(stream()).as("stream %d", i + 1).contains(" 200 ");
    }
    assertThat(stream()).contains(" 503 ");
    assertThat(statusLine(connect(), get("/view/v1/queues"))).contains(" 200 ");

    open.removeFirst().close();
    // The server notices with the next event.
    cluster.queue("", "default=2");
    cluster.job("job", 1);
    cluster.awaitWorkload("job", TestCluster::admitted);
    await().until(this::stream, line -> line.contains(" 200 "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /view/v1/workloads?search=%3Cscript%3E%00%0D%0AX-Header:%20y | 200
          /view/v1/workloads?search=%E0%A4%A                           | 400
          /view/v1/workloads?search=%FF%FE                             | 200
          /view/v1/workloads?namespace=..%2F..%2Fkube-system           | 200
          /view/v1/workloads?namespace=*                               | 200
          /view/v1/workloads?offset=2147483647                         | 200
          /view/v1/workloads?offset=2147483648                         | 400
          /view/v1/workloads?offset=-1                                 | 400
          /view/v1/workloads?limit=1e3                                 | 400
          /view/v1/workloads?limit=501                                 | 400
          /view/v1/workloads?phase=,,QUEUED,                           | 200
          /view/v1/workloads?phase=queued                              | 400
          /view/v1/workloads?__proto__=x                               | 400
          /view/v1/workloads?&&=&                                      | 400
          /view/v1/workloads?search=a&search=a                         | 400
          /view/v1/events?namespace=a&limit=1                          | 400
          /view/v1/namespaces//workloads/                              | 404
          /view/v1/namespaces/team/workloads/%00                       | 404
          /view/v1/namespaces/team/workloads/a?search=x                | 400
          /view/v1/../../etc/passwd                                    | 404
          /view/v1                                                     | 404
          //localhost/view/v1/queues                                   | 200
          """)
  void hostileRequestsAreAnsweredAndNeverFail(String target, int status) throws Exception {
    assertThat(statusLine(connect(), get(target))).contains(" " + status + " ");
  }

  @Test
  void aLongRequestIsRefused() throws Exception {
    assertThat(statusLine(connect(), get("/view/v1/workloads?search=" + "a".repeat(257))))
        .contains(" 400 ");
    assertThat(statusLine(connect(), get("/view/v1/workloads?search=" + "a".repeat(4_096))))
        .contains(" 414 ");
  }

  @Test
  void anAnswerToHeadHasNoBodyAndKeepsTheConnection() throws Exception {
    Socket socket = connect();
    assertThat(statusLine(socket, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")).contains(" 405 ");
    assertThat(statusLine(socket, get("/"))).contains(" 200 ");
  }
}
