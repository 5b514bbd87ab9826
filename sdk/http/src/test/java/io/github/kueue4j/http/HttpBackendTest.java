// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.github.kueue4j.http.EndpointUnavailableException.Kind;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.github.kueue4j.sdk.objects.ForbiddenException;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.HeardLog;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to servers on loopback, honest and otherwise. */
@Tag("quick")
class HttpBackendTest {
  private static final AddressRules LOOPBACK =
      AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8"));

  @TempDir Path folder;

  private final FakeObjects<V1Secret> secrets = new FakeObjects<>();
  private final HttpBackends backends =
      HttpBackends.of(new SecretTexts(secrets::get, "checks"), LOOPBACK);

  @AfterEach
  void close() {
    backends.close();
  }

  private void secret(String name, Map<String, String> data) {
    V1Secret secret = new V1Secret().metadata(new V1ObjectMeta().namespace("checks").name(name));
    data.forEach((key, text) -> secret.putDataItem(key, text.getBytes(StandardCharsets.UTF_8)));
    secrets.put(secret);
  }

  private EndpointUnavailableException refusal(HttpEndpoint endpoint, HttpCall call) {
    return catchThrowableOfType(
        EndpointUnavailableException.class, () -> backends.at(endpoint).send(call));
  }

  private EndpointUnavailableException refusal(URI uri) {
    return refusal(HttpEndpoint.of(uri), HttpCall.get());
  }

  private static HttpEndpoint with(URI uri, HttpEndpoint.Authorization authorization) {
    return new HttpEndpoint(
        uri,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(authorization),
        List.of());
  }

  private static HttpEndpoint.Authorization bearer(TextSource token) {
    return new HttpEndpoint.Authorization(Optional.of(token), Optional.empty());
  }

  @Test
  void aDocumentIsPostedAndTheAnswerRead() throws Exception {
    try (RawServer server =
        RawServer.saying(
            "HTTP/1.1 200 OK\nContent-Type: application/json; charset=utf-8\nContent-Length: 9\n\n{\"a\":\"ü\"}"
                .replace("Length: 9", "Length: 10"))) {
      HttpAnswer answer =
          backends
              .at(HttpEndpoint.of(server.uri()))
              .send(HttpCall.postJson("{\"name\":\"ä\"}").withHeader("Idempotency-Key", "7"));

      assertThat(answer)
          .isEqualTo(new HttpAnswer(200, "application/json", "{\"a\":\"ü\"}", Optional.empty()));
      assertThat(server.requests().getFirst())
          .startsWith("POST /check HTTP/1.1\r\n")
          .contains("Content-Type: application/json\r\n", "Idempotency-Key: 7\r\n")
          .endsWith("\r\n\r\n{\"name\":\"ä\"}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:PORT, api/v1/query, /api/v1/query?q=a%20%7B%26%7D",
    "http://127.0.0.1:PORT/, /api/v1/query, /api/v1/query?q=a%20%7B%26%7D",
    "http://127.0.0.1:PORT/prom, api/v1/query, /prom/api/v1/query?q=a%20%7B%26%7D",
    "http://127.0.0.1:PORT/prom/, api, /prom/api?q=a%20%7B%26%7D",
    "http://127.0.0.1:PORT/prom, '', /prom?q=a%20%7B%26%7D"
  })
  void pathsLieBelowTheEndpoints(String url, String path, String expected) throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 204 No Content\n\n")) {
      URI uri = URI.create(url.replace("PORT", "" + server.port()));

      backends.at(HttpEndpoint.of(uri)).send(HttpCall.get(path).withQuery("q", "a {&}"));

      assertThat(server.requests().getFirst()).startsWith("GET " + expected + " HTTP/1.1\r\n");
    }
  }

  @Test
  void aFormIsPosted() throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 204 No Content\n\n")) {
      backends
          .at(HttpEndpoint.of(server.uri()))
          .send(HttpCall.post("").withForm("query", "up == 1").withForm("time", "7"));

      assertThat(server.requests().getFirst())
          .contains("Content-Type: application/x-www-form-urlencoded\r\n")
          .endsWith("\r\n\r\nquery=up+%3D%3D+1&time=7");
    }
  }

  @Test
  void credentialsComeFromSecretsAndAreReadAnew() throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 204 No Content\n\n")) {
      secret("login", Map.of("token", "first\n", "user", "me", "password", "pass"));
      HttpEndpoint endpoint = with(server.uri(), bearer(TextSource.secret("login", "token")));
      HttpEndpoint basic =
          new HttpEndpoint(
              server.uri(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.of(
                  new HttpEndpoint.Authorization(
                      Optional.empty(),
                      Optional.of(
                          new HttpEndpoint.Basic(
                              TextSource.secret("login", "user"),
                              TextSource.secret("login", "password"))))),
              List.of(new HttpEndpoint.Header("X-Scope-OrgID", TextSource.value("team-a"))));

      backends.at(endpoint).send(HttpCall.get());
      secret("login", Map.of("token", "second", "user", "me", "password", "pass"));
      backends.at(endpoint).send(HttpCall.get());
      backends.at(basic).send(HttpCall.get());

      assertThat(server.requests().get(0)).contains("Authorization: Bearer first\r\n");
      assertThat(server.requests().get(1)).contains("Authorization: Bearer second\r\n");
      assertThat(server.requests().get(2))
          .contains("Authorization: Basic bWU6cGFzcw==\r\n", "X-Scope-OrgID: team-a\r\n");
    }
  }

  @Test
  void aSecretThatMayNotBeReadIsNamedWithTheRemedy() {
    SecretTexts forbidden =
        new SecretTexts(
            key -> {
              throw new ForbiddenException("get " + key, new IllegalStateException());
            },
            "checks");
    try (HttpBackends strict = HttpBackends.of(forbidden, LOOPBACK)) {
      HttpEndpoint endpoint =
          with(URI.create("http://127.0.0.1:1/"), bearer(TextSource.secret("login", "token")));

      assertThat(
              catchThrowableOfType(
                  EndpointUnavailableException.class,
                  () -> strict.at(endpoint).send(HttpCall.get())))
          .hasMessage(
              "the controller may not read the Secret 'checks/login': if endpoints may have it, name"
                  + " it in the value secrets.names of the check's chart, or let the controller's"
                  + " account get it")
          .extracting(EndpointUnavailableException::kind)
          .isEqualTo(Kind.MISCONFIGURED);
    }
  }

  @Test
  void missingSecretsAreNamedWithTheRemedy() {
    secret("login", Map.of("other", "x", "empty", ""));
    URI uri = URI.create("http://127.0.0.1:1/");

    assertThat(refusal(with(uri, bearer(TextSource.secret("nope", "token"))), HttpCall.get()))
        .hasMessage(
            "there is no Secret 'nope' in the namespace 'checks': create it with the key 'token'")
        .extracting(EndpointUnavailableException::kind)
        .isEqualTo(Kind.MISCONFIGURED);
    assertThat(refusal(with(uri, bearer(TextSource.secret("login", "token"))), HttpCall.get()))
        .hasMessage(
            "the key 'token' of the Secret 'checks/login' is missing: add it to the Secret");
    assertThat(refusal(with(uri, bearer(TextSource.secret("login", "empty"))), HttpCall.get()))
        .hasMessage("the key 'empty' of the Secret 'checks/login' is empty: add it to the Secret");
  }

  @Test
  void aTokenThatCantBeSentIsNotShown() {
    secret("login", Map.of("token", "geheim\r\nHost: evil"));

    assertThat(
            refusal(
                with(
                    URI.create("http://127.0.0.1:1/"), bearer(TextSource.secret("login", "token"))),
                HttpCall.get()))
        .hasMessageContaining("authorization.bearerToken")
        .hasMessageNotContaining("geheim")
        .hasNoCause();
  }

  @Test
  void filesAreReadOnlyWhereTheyAreAllowed() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "from-a-file\n");
    try (RawServer server = RawServer.saying("HTTP/1.1 204 No Content\n\n");
        HttpBackends withFiles = HttpBackends.withFiles(SecretTexts.none(), LOOPBACK)) {
      HttpEndpoint endpoint = with(server.uri(), bearer(TextSource.file(token.toString())));

      assertThat(refusal(endpoint, HttpCall.get()))
          .hasMessageContaining("this controller reads no files")
          .extracting(EndpointUnavailableException::kind)
          .isEqualTo(Kind.MISCONFIGURED);
      withFiles.at(endpoint).send(HttpCall.get());

      assertThat(server.requests()).hasSize(1);
      assertThat(server.requests().getFirst()).contains("Authorization: Bearer from-a-file\r\n");
    }
  }

  @Test
  void redirectsAreAnswersAndNotFollowed() throws Exception {
    try (RawServer other = RawServer.saying("HTTP/1.1 200 OK\nContent-Length: 0\n\n");
        RawServer server =
            RawServer.saying(
                "HTTP/1.1 307 Temporary Redirect\nLocation: "
                    + other.uri()
                    + "\nContent-Length: 0\n\n")) {
      HttpAnswer answer = backends.at(HttpEndpoint.of(server.uri())).send(HttpCall.postJson("{}"));

      assertThat(answer.status()).isEqualTo(307);
      assertThat(answer.isSuccess()).isFalse();
      assertThat(other.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"429, OVERLOADED", "503, OVERLOADED", "500, FAILED", "502, FAILED", "599, FAILED"})
  void whatServersFailWithIsNoAnswer(int status, Kind kind) throws Exception {
    try (RawServer server =
        RawServer.saying(
            "HTTP/1.1 "
                + status
                + " No\nRetry-After: 120\nContent-Length: 20\n\nback\u0007 at\nnoon, sorry")) {
      EndpointUnavailableException refusal = refusal(server.uri());

      assertThat(refusal.kind()).isEqualTo(kind);
      assertThat(refusal.retryAfter()).contains(Duration.ofMinutes(2));
      assertThat(refusal)
          .hasMessageStartingWith(server.uri() + " answered " + status)
          .hasMessageNotContaining("noon");
    }
  }

  /** A page that repeats the request, with the password of a database. */
  @ParameterizedTest
  @ValueSource(ints = {200, 302, 403, 404, 429, 500, 503})
  void whatAPageRepeatsReachesNeitherMessagesNorTheLog(int status) throws Exception {
    secret("login", Map.of("token", "geheim-4711"));
    try (RawServer server =
            RawServer.start(
                (request, connection) -> {
                  String page = request + "\nurl=jdbc:x://app:datenbank@db/main\nNo seat.";
                  RawServer.write(
                      connection,
                      ("HTTP/1.1 "
                              + status
                              + " token geheim-4711\r\nContent-Length: "
                              + page.length()
                              + "\r\n\r\n"
                              + page)
                          .getBytes(StandardCharsets.UTF_8));
                });
        HeardLog log = HeardLog.listen()) {
      HttpEndpoint endpoint = with(server.uri(), bearer(TextSource.secret("login", "token")));
      String told;
      try {
        HttpAnswer answer = backends.at(endpoint).send(HttpCall.get());
        told = answer.statusText() + answer.excerpt();
      } catch (EndpointUnavailableException e) {
        told = e + e.summary();
      }

      assertThat(told).contains("" + status).doesNotContain("geheim", "datenbank");
      List<String> logged =
          log.lines().stream().filter(line -> line.contains(server.uri().toString())).toList();
      assertThat(logged).hasSize(status == 200 ? 0 : 1);
      assertThat(log.lines())
          .allSatisfy(line -> assertThat(line).doesNotContain("geheim", "datenbank"));
      if (status != 200) {
        assertThat(logged.getFirst())
            .contains("INFO", "status=\"" + status + "\"", "GET /check HTTP/1.1", "***");
      }
    }
  }

  @Test
  void whatIsNoHttpIsNotRepeated() throws Exception {
    try (RawServer server = RawServer.saying("SSH-2.0 password=hunter2\n\n");
        HeardLog log = HeardLog.listen()) {
      assertThat(refusal(server.uri()))
          .hasMessage(server.uri() + " does not speak HTTP")
          .hasNoCause();
      assertThat(log.lines())
          .anyMatch(line -> line.contains(server.uri().toString()) && line.contains("SSH-2.0"))
          .noneMatch(line -> line.contains("hunter2"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', ",
    "'Retry-After: 0', PT0S",
    "'Retry-After: 90', PT1M30S",
    "'Retry-After: -5', ",
    "'Retry-After: soon', ",
    "'Retry-After: 99999999999999999999', ",
    "'Date: Sun, 22 Nov 2026 10:00:00 GMT|Retry-After: Sun, 22 Nov 2026 10:05:00 GMT', PT5M",
    "'Date: Sun, 22 Nov 2026 10:00:00 GMT|Retry-After: Sun, 22 Nov 2026 09:00:00 GMT', PT0S"
  })
  void retryAfterIsSecondsOrADate(String headers, Duration expected) throws Exception {
    try (RawServer server =
        RawServer.saying(
            "HTTP/1.1 429 Later\n"
                + headers.replace("|", "\n")
                + (headers.isEmpty() ? "" : "\n")
                + "Content-Length: 0\n\n")) {
      assertThat(refusal(server.uri()).retryAfter()).isEqualTo(Optional.ofNullable(expected));
    }
  }

  @Test
  void anAnswerEndsAtTheLimit() throws Exception {
    byte[] chunk = "10\r\n0123456789abcdef\r\n".getBytes(StandardCharsets.UTF_8);
    CountDownLatch ended = new CountDownLatch(1);
    try (RawServer server =
        RawServer.start(
            (request, connection) -> {
              try {
                RawServer.write(
                    connection,
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8));
                while (true) {
                  RawServer.write(connection, chunk);
                }
              } finally {
                ended.countDown();
              }
            })) {
      EndpointUnavailableException refusal =
          refusal(HttpEndpoint.of(server.uri()), HttpCall.get().withLongestAnswer(1000));

      assertThat(refusal.kind()).isEqualTo(Kind.UNREADABLE);
      assertThat(refusal).hasMessageContaining("more than 1000 bytes");
      ended.await();
    }
  }

  @Test
  void anAnswerOfExactlyTheLimitIsRead() throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 200 OK\nContent-Length: 5\n\nabcde")) {
      assertThat(
              backends
                  .at(HttpEndpoint.of(server.uri()))
                  .send(HttpCall.get().withLongestAnswer(5))
                  .body())
          .isEqualTo("abcde");
    }
  }

  /** Nothing at all, half a head, half a body. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"
      })
  void theTimeoutCoversTheWholeCall(String beginning) throws Exception {
    try (RawServer server =
        RawServer.start(
            (request, connection) -> {
              RawServer.write(connection, beginning.getBytes(StandardCharsets.UTF_8));
              RawServer.awaitClose(connection);
            })) {
      EndpointUnavailableException refusal =
          refusal(
              HttpEndpoint.of(server.uri()).withTimeout(Duration.ofMillis(150)), HttpCall.get());

      assertThat(refusal.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(refusal).hasMessageContaining(server.uri() + " did not answer within 0.15s");
    }
  }

  @Test
  void aCallMayHaveLessTimeThanItsEndpoint() throws Exception {
    try (RawServer server =
        RawServer.start((request, connection) -> RawServer.awaitClose(connection))) {
      EndpointUnavailableException refusal =
          refusal(
              HttpEndpoint.of(server.uri()).withTimeout(Duration.ofMinutes(5)),
              HttpCall.get().withTimeout(Duration.ofMillis(100)));

      assertThat(refusal.kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2\n",
        "HTTP/1.1 200 OK\nContent-Length: 50\n\nhalf",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n"
      })
  void whatIsNoHttpIsUnreadable(String garbage) throws Exception {
    try (RawServer server = RawServer.saying(garbage)) {
      assertThat(refusal(server.uri()).kind()).isEqualTo(Kind.UNREADABLE);
    }
  }

  @Test
  void whatIsNoUtf8IsUnreadable() throws Exception {
    try (RawServer server =
        RawServer.start(
            (request, connection) ->
                RawServer.write(
                    connection,
                    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nü"
                        .getBytes(StandardCharsets.ISO_8859_1)))) {
      assertThat(refusal(server.uri()))
          .hasMessageContaining("no UTF-8")
          .extracting(EndpointUnavailableException::kind)
          .isEqualTo(Kind.UNREADABLE);
    }
  }

  @Test
  void aBrokenOrClosedConnectionIsUnreachable() throws Exception {
    try (RawServer server = RawServer.start((request, connection) -> connection.close())) {
      assertThat(refusal(server.uri()).kind()).isEqualTo(Kind.UNREACHABLE);
    }
    assertThat(refusal(URI.create("http://127.0.0.1:" + closedPort() + "/")).kind())
        .isEqualTo(Kind.UNREACHABLE);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Names, short forms and numbers that resolve to loopback are judged as what they lead to. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "0.0.0.0"
      })
  void refusedAddressesGetNoConnection(String host) throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 204 No Content\n\n");
        HttpBackends strict = HttpBackends.of(SecretTexts.none(), AddressRules.defaults())) {
      HttpEndpoint endpoint =
          HttpEndpoint.of(URI.create("http://" + host + ":" + server.port() + "/"));

      assertThatThrownBy(() -> strict.at(endpoint).send(HttpCall.get()))
          .hasMessageContaining("which the controller's address rules refuse")
          .asInstanceOf(type(EndpointUnavailableException.class))
          .extracting(EndpointUnavailableException::kind)
          .isEqualTo(Kind.MISCONFIGURED);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void aCallThatIsInterruptedEnds() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (RawServer server =
            RawServer.start(
                (request, connection) -> {
                  asked.countDown();
                  RawServer.awaitClose(connection);
                });
        Actors callers = Actors.named("caller")) {
      Act<Throwable> ended =
          callers.ask(
              () ->
                  catchThrowableOfType(
                      Throwable.class,
                      () ->
                          backends
                              .at(HttpEndpoint.of(server.uri()).withTimeout(Duration.ofMinutes(5)))
                              .send(HttpCall.get())));
      asked.await();
      ended.thread().interrupt();

      assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    }
  }
}
