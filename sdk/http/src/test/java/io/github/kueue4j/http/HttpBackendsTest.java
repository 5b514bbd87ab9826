// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What backends keep, and for how long. */
class HttpBackendsTest {
  private static final AddressRules LOOPBACK =
      AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1"));

  @Test
  void certificatesThatNoEndpointUsesAnyMoreAreForgotten() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (HttpBackends backends =
        new HttpBackends(SecretTexts.none(), LOOPBACK, false, nanos::get)) {
      HttpEndpoint before = trusting(new TestAuthority());
      HttpEndpoint after = trusting(new TestAuthority());
      ask(backends, before);
      nanos.addAndGet(HttpBackends.UNUSED_FOR.toNanos());
      ask(backends, after);
      assertThat(backends.clients()).isEqualTo(2);

      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      ask(backends, after);

      assertThat(backends.clients()).isEqualTo(1);
    }
  }

  @Test
  void connectionsAreClosedWithThem() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (RawServer server =
        RawServer.start(
            (request, connection) -> {
              RawServer.write(
                  connection,
                  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
              RawServer.awaitClose(connection);
              closed.countDown();
            })) {
      HttpBackends backends = HttpBackends.of(SecretTexts.none(), LOOPBACK);
      backends.at(HttpEndpoint.of(server.uri())).send(HttpCall.get());
      assertThat(closed.getCount()).isEqualTo(1);

      backends.close();

      assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Nothing listens there, which is told after the certificates were read. */
  private static HttpEndpoint trusting(TestAuthority authority) throws Exception {
    return new HttpEndpoint(
        URI.create("https://127.0.0.1:1/"),
        Optional.empty(),
        Optional.of(TextSource.value(authority.pem())),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  private static void ask(HttpBackends backends, HttpEndpoint endpoint) {
    assertThatThrownBy(() -> backends.at(endpoint).send(HttpCall.get()))
        .isInstanceOf(EndpointUnavailableException.class)
        .hasMessageContaining("can't be reached");
  }
}
