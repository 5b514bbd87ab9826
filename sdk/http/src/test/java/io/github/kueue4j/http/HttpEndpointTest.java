// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.InvalidFieldException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in a spec. */
class HttpEndpointTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ftp://example.com/ | begin with https:// or http://",
        "example.com | begin with https:// or http://",
        "https://me:secret@example.com/ | leave out the user",
        "https://example.com/?a=b | leave out what follows ? and #",
        "https://example.com/#a | leave out what follows ? and #",
        "https:///check | write a URL with a host",
        "https://exa_mple/ | write a URL with a host"
      })
  void urlsThatCantBeUsedAreRefused(String url, String remedy) {
    assertThatThrownBy(() -> HttpEndpoint.of(URI.create(url)))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining(remedy)
        .hasMessageNotContaining("secret");
  }

  @Test
  void certificatesNeedHttps() {
    URI plain = URI.create("http://example.com/");
    Optional<TextSource> ca = Optional.of(TextSource.value("x"));
    Optional<HttpEndpoint.ClientCertificate> own =
        Optional.of(new HttpEndpoint.ClientCertificate("x"));

    for (ThrowingCallable endpoint :
        List.<ThrowingCallable>of(
            () -> endpoint(plain, ca, Optional.empty()),
            () -> endpoint(plain, Optional.empty(), own))) {
      assertThatThrownBy(endpoint)
          .hasMessage(
              "url is 'http://example.com/': begin url with https://, or leave out ca and"
                  + " clientCertificate");
    }
    assertThatCode(() -> endpoint(URI.create("HTTPS://example.com/"), ca, own))
        .doesNotThrowAnyException();
  }

  private static HttpEndpoint endpoint(
      URI url, Optional<TextSource> ca, Optional<HttpEndpoint.ClientCertificate> own) {
    return new HttpEndpoint(url, Optional.empty(), ca, own, Optional.empty(), List.of());
  }

  @Test
  void timeoutsAreBounded() {
    HttpEndpoint endpoint = HttpEndpoint.of(URI.create("https://example.com/"));

    assertThatThrownBy(() -> endpoint.withTimeout(Duration.ZERO))
        .hasMessageContaining("timeout is 'PT0S'");
    assertThatThrownBy(() -> endpoint.withTimeout(Duration.ofMinutes(6)))
        .hasMessageContaining("at most 5m");
    assertThat(endpoint.withTimeout(Duration.ofMinutes(5)).timeout())
        .contains(Duration.ofMinutes(5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "Authorization",
        "Idempotency-Key",
        "cache-control",
        "a b",
        "",
        "X:Y"
      })
  void headersOfTheControllerCantBeSet(String name) {
    assertThatThrownBy(() -> new HttpEndpoint.Header(name, TextSource.value("x")))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageStartingWith("name is '" + name + "'");
  }

  @Test
  void aTextHasOneSource() {
    assertThatThrownBy(() -> new TextSource(Optional.empty(), Optional.empty(), Optional.empty()))
        .hasMessageContaining("write exactly one of value, secretKeyRef and file");
    assertThatThrownBy(() -> new TextSource(Optional.of("a"), Optional.empty(), Optional.of("b")))
        .hasMessageContaining("write exactly one of value, secretKeyRef and file");
    assertThatThrownBy(() -> new HttpEndpoint.Authorization(Optional.empty(), Optional.empty()))
        .hasMessageContaining("write one of bearerToken and basic");
  }

  @Test
  void anotherPathKeepsTheServer() {
    HttpEndpoint endpoint = HttpEndpoint.of(URI.create("https://example.com:8443/check"));

    assertThat(endpoint.withPath("/healthz/live").url())
        .isEqualTo(URI.create("https://example.com:8443/healthz/live"));
    assertThatThrownBy(() -> endpoint.withPath("@evil.example/")).hasMessageContaining("/healthz");
    assertThat(endpoint.withPath("//evil.example/").url().getHost()).isEqualTo("example.com");
  }
}
