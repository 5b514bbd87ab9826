// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.dryrun.DryRunResult.AskedCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read if a check, or who stands where it should, answers anything at all. */
class CheckAnswersTest {
  private static final String TOKEN = "the-secret-token";
  private static final String SERVICE =
      "/api/v1/namespaces/kueue-system/services/https:c:https/proxy";

  private static final String PORTS =
      "/api/v1/namespaces/kueue-system/configmaps/kueue4j-dry-evaluations";

  @TempDir private Path folder;

  private final Actors threads = Actors.named("proxy");
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> authorized = new CopyOnWriteArrayList<>();
  private final CountDownLatch ends = new CountDownLatch(1);

  /** At which port of this machine the check is; 0 if it is asked as on all clusters. */
  private volatile int here;

  private volatile Reply reply = new Reply(200, "application/json", "");
  private HttpServer server;
  private ClusterConnection connection;

  /** What the API server answers, for the Service or for itself. */
  private record Reply(int status, String type, String body) {}

  private static Reply json(String body) {
    return new Reply(200, "application/json", body);
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: u, user: {token: %s}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """
                .formatted(server.getAddress().getPort(), TOKEN));
    connection = ClusterConnection.builder("test").kubeconfig(kubeconfig, null).open();
  }

  @AfterEach
  void stop() {
    ends.countDown();
    connection.close();
    server.stop(0);
    threads.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      boolean version = path.equals("/version");
      Reply now =
          version
              ? json("{\"gitVersion\": \"v1.33.1%s\"}".formatted(here == 0 ? "" : "+kueue4j"))
              : path.equals(PORTS)
                  ? json(
                      """
                      {"apiVersion": "v1", "kind": "ConfigMap",
                       "metadata": {"name": "kueue4j-dry-evaluations", "namespace": "kueue-system"},
                       "data": {"ports.json": "{\\"example.com/c\\": %d}"}}
                      """
                          .formatted(here))
                  : reply;
      if (!version) {
        asked.add(path);
      }
      if (exchange.getRequestHeaders().containsKey("Authorization")) {
        authorized.add(path);
      }
      if (now.status() == 0) {
        if (!now.body().isEmpty()) {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(now.body().getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
        }
        ends.await();
        return;
      }
      if (now.status() == 307) {
        exchange.getResponseHeaders().set("Location", "/elsewhere");
      }
      byte[] body = now.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", now.type());
      exchange.sendResponseHeaders(now.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CheckAnswers answers(Duration within) {
    return new CheckAnswers(connection, new TokenOption(), "kueue-system", within);
  }

  private String told(String where, Workload workload) {
    return words(answers(Duration.ofMinutes(1)), where, workload);
  }

  private static String words(CheckAnswers answers, String where, Workload workload) {
    CheckAnswers.ForeseenAnswer answer =
        answers.of(new AskedCheck("c", "example.com/c", check(where), workload));
    return answer instanceof CheckAnswers.ForeseenAnswer.None none ? none.why() : answer.toString();
  }

  private static AdmissionCheck check(String where) {
    return KueueJson.fromServer(
        new StringReader(
            """
            {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheck",
             "metadata": {"name": "c", "annotations": {"%s": "%s"}},
             "spec": {"controllerName": "example.com/c"}}
            """
                .formatted(DryEvaluations.ANNOTATION, where)),
        KueueTypes.ADMISSION_CHECK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | application/json | null                    | its answer can't be read
          200 | application/json | {}                      | what it answered is no entry of this check
          200 | application/json | {"name": "other"}       | what it answered is no entry of this check
          200 | text/html        | <p>Hello                | its answer can't be read
          307 | text/plain       | go on                   | go on
          401 | text/plain       | renew your token        | renew your token
          404 | text/plain       | not found               | not found
          500 | text/plain       | ''                      | it answered 500
          503 | application/json | {"kind": "Status", "code": 503, "message": "error trying to reach service: tls: first record does not look like a TLS handshake"} | post services/proxy kueue-system/https:c:https
          403 | application/json | {"kind": "Status", "code": 403, "reason": "Forbidden", "message": "no"} | you may not reach it; that needs 'create' on services/proxy of https:c:https in kueue-system
          """)
  void whatIsWrongIsSaid(int status, String type, String body, String words) {
    reply = new Reply(status, type, body);

    assertThat(told("kueue-system/c:https", Workload.named("team", "job")))
        .startsWith("can't be asked in advance: " + words)
        .doesNotContain(TOKEN);
    assertThat(asked).containsExactly(SERVICE + DryEvaluations.path("team", "c"));
  }

  @Test
  void aCheckThatForeseesNothingSaysSo() {
    reply = new Reply(501, "text/plain", "this check can't be asked in advance");

    assertThat(told("kueue-system/c:https", Workload.named("team", "job")))
        .isEqualTo("can't be asked in advance");
  }

  @Test
  void longAnswersAreCut() {
    reply =
        new Reply(
            200,
            "application/json",
            "{\"name\": \"c\", \"message\": \"" + "x".repeat(300_000) + "\"}");
    assertThat(told("kueue-system/c:https", Workload.named("team", "job")))
        .startsWith("can't be asked in advance: its answer can't be read");

    reply = new Reply(500, "text/plain", "x".repeat(300_000));
    assertThat(told("kueue-system/c:https", Workload.named("team", "job"))).hasSizeLessThan(1100);
  }

  @Test
  void theTokenGoesToOneNamespaceOnly() {
    assertThat(told("team/c:https", Workload.named("team", "job")))
        .isEqualTo(
            "can't be asked in advance: its Service is in the namespace team, and your token goes"
                + " to kueue-system only; if you trust it, --checks-namespace team");
    assertThat(asked).isEmpty();
  }

  @Test
  void largeWorkloadsAreNotSent() {
    Workload large = Workload.named("team", "job");
    large
        .metadata()
        .putAnnotationsItem("example.com/notes", "x".repeat(DryEvaluations.LARGEST_WORKLOAD));

    assertThat(told("kueue-system/c:https", large))
        .isEqualTo("can't be asked in advance: the Workload is larger than 131072 bytes of JSON");
    assertThat(asked).isEmpty();
  }

  @Test
  void oneThatDoesNotAnswerIsNotWaitedForAgain() {
    reply = new Reply(0, "", "");
    CheckAnswers answers = answers(Duration.ofMillis(300));

    assertThat(words(answers, "kueue-system/c:https", Workload.named("team", "one")))
        .startsWith(
            "can't be asked in advance: post services/proxy kueue-system/https:c:https: no answer");
    assertThat(words(answers, "kueue-system/c:https", Workload.named("team", "two")))
        .isEqualTo("can't be asked in advance: it hasn't answered before");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | {"name": "c", "state": "Ready"} | Given[entry=
          501 | no                              | can't be asked in advance
          503 | The counter is being read.      | can't be asked in advance: The counter is being read.
          500 | ''                              | can't be asked in advance: it answered 500
          200 | <p>Hello                        | can't be asked in advance: its answer can't be read
          200 | {"name": "other"}               | can't be asked in advance: what it answered is no entry of this check
          """)
  void oneOfThisMachineIsAskedThereWithoutAToken(int status, String body, String words) {
    here = server.getAddress().getPort();
    reply = new Reply(status, "text/plain", body);

    assertThat(told("kueue-system/c:https", Workload.named("team", "job"))).startsWith(words);
    assertThat(asked).containsExactly(PORTS, DryEvaluations.path("team", "c"));
    assertThat(authorized).contains(PORTS).doesNotContain(DryEvaluations.path("team", "c"));
  }

  @Test
  void ofLongAnswersOfThisMachineNoMoreIsKept() {
    here = server.getAddress().getPort();
    reply = json("{\"name\": \"c\", \"message\": \"" + "x".repeat(300_000) + "\"}");

    assertThat(told("kueue-system/c:https", Workload.named("team", "job")))
        .startsWith("can't be asked in advance: its answer can't be read");
  }

  @Test
  void answersOfThisMachineThatDoNotEndAreNotWaitedFor() {
    here = server.getAddress().getPort();
    reply = new Reply(0, "", "{\"name\": ");
    CheckAnswers answers = answers(Duration.ofMillis(300));

    assertThat(words(answers, "kueue-system/c:https", Workload.named("team", "one")))
        .isEqualTo("can't be asked in advance: no whole answer from 127.0.0.1:" + here);
    assertThat(words(answers, "kueue-system/c:https", Workload.named("team", "two")))
        .isEqualTo("can't be asked in advance: it hasn't answered before");
  }

  @Test
  void noListenerIsSaidSo() throws IOException {
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      here = silent.getLocalPort();
      CheckAnswers answers = answers(Duration.ofMinutes(1));

      assertThat(words(answers, "kueue-system/c:https", Workload.named("team", "one")))
          .isEqualTo(
              "can't be asked in advance: nothing answers at 127.0.0.1:%d; is './kueue4j up' still running?"
                  .formatted(here));
      assertThat(words(answers, "kueue-system/c:https", Workload.named("team", "two")))
          .isEqualTo("can't be asked in advance: it hasn't answered before");
    }
  }
}
