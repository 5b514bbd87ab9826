// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.kueue4j.http.EndpointUnavailableException.Kind;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom a client trusts, and as whom it shows itself. */
class TlsTest {
  private static final GeneralName HERE = new GeneralName(GeneralName.iPAddress, "127.0.0.1");

  private final TestAuthority authority = new TestAuthority();
  private final FakeObjects<V1Secret> secrets = new FakeObjects<>();
  private final HttpBackends backends =
      HttpBackends.of(
          new SecretTexts(secrets::get, "checks"),
          AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")));

  TlsTest() throws Exception {}

  @AfterEach
  void close() {
    backends.close();
  }

  private RawServer server(TestAuthority.Issued certificate, boolean clientCertificates)
      throws Exception {
    return RawServer.start(
        authority.serving(certificate, clientCertificates),
        (request, connection) ->
            RawServer.write(
                connection, "HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.UTF_8)));
  }

  private static HttpEndpoint endpoint(
      URI uri, Optional<TextSource> ca, Optional<HttpEndpoint.ClientCertificate> own) {
    return new HttpEndpoint(uri, Optional.empty(), ca, own, Optional.empty(), List.of());
  }

  private Optional<TextSource> ca() throws Exception {
    return Optional.of(TextSource.value(authority.pem()));
  }

  private EndpointUnavailableException refusal(HttpEndpoint endpoint) {
    return catchThrowableOfType(
        EndpointUnavailableException.class, () -> backends.at(endpoint).send(HttpCall.get()));
  }

  private void secret(String name, String key, String text, String otherKey, String otherText) {
    secrets.put(
        new V1Secret()
            .metadata(new V1ObjectMeta().namespace("checks").name(name))
            .putDataItem(key, text.getBytes(StandardCharsets.UTF_8))
            .putDataItem(otherKey, otherText.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aServerOfTheNamedAuthorityIsTrusted() throws Exception {
    try (RawServer server = server(authority.issue(HERE), false)) {
      HttpEndpoint endpoint = endpoint(server.httpsUri(), ca(), Optional.empty());

      assertThat(backends.at(endpoint).send(HttpCall.get()).status()).isEqualTo(204);
    }
  }

  @Test
  void aServerOfNoKnownAuthorityIsNot() throws Exception {
    try (RawServer server = server(authority.issue(HERE), false)) {
      assertThat(refusal(endpoint(server.httpsUri(), Optional.empty(), Optional.empty())).kind())
          .isEqualTo(Kind.UNTRUSTED);
      assertThat(
              refusal(
                      endpoint(
                          server.httpsUri(),
                          Optional.of(TextSource.value(new TestAuthority().pem())),
                          Optional.empty()))
                  .kind())
          .isEqualTo(Kind.UNTRUSTED);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void aCertificateOfAnotherNameIsNotTrusted() throws Exception {
    try (RawServer server =
        server(authority.issue(new GeneralName(GeneralName.dNSName, "other.example")), false)) {
      assertThat(refusal(endpoint(server.httpsUri(), ca(), Optional.empty())).kind())
          .isEqualTo(Kind.UNTRUSTED);
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theClientShowsItsCertificate(boolean pkcs8) throws Exception {
    try (RawServer server = server(authority.issue(HERE), true)) {
      TestAuthority.Issued own = authority.issue(HERE);
      String key = pkcs8 ? own.pkcs8Pem() : own.sec1Pem();
      secret("client", "tls.crt", own.certificatePem(), "tls.key", key);
      HttpEndpoint with =
          endpoint(
              server.httpsUri(), ca(), Optional.of(new HttpEndpoint.ClientCertificate("client")));

      assertThat(refusal(endpoint(server.httpsUri(), ca(), Optional.empty()))).isNotNull();
      assertThat(backends.at(with).send(HttpCall.get()).status()).isEqualTo(204);
    }
  }

  @Test
  void whatIsNoCertificateIsNamed() {
    HttpEndpoint endpoint =
        endpoint(
            URI.create("https://127.0.0.1:1/"),
            Optional.of(TextSource.value("-----BEGIN NONSENSE-----")),
            Optional.empty());

    assertThat(refusal(endpoint))
        .hasMessageContaining("write certificates and keys in PEM")
        .extracting(EndpointUnavailableException::kind)
        .isEqualTo(Kind.MISCONFIGURED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "AAAA", "TUlJRQ=="})
  void aKeyThatIsNoneIsNamed(String key) throws Exception {
    secret(
        "client",
        "tls.crt",
        authority.issue(HERE).certificatePem(),
        "tls.key",
        "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
    HttpEndpoint endpoint =
        endpoint(
            URI.create("https://127.0.0.1:1/"),
            ca(),
            Optional.of(new HttpEndpoint.ClientCertificate("client")));

    assertThat(refusal(endpoint))
        .hasMessageContaining("write certificates and keys in PEM")
        .extracting(EndpointUnavailableException::kind)
        .isEqualTo(Kind.MISCONFIGURED);
  }

  @Test
  void aRenewedAuthorityIsUsedWithTheNextRequest() throws Exception {
    try (RawServer server = server(authority.issue(HERE), false)) {
      HttpEndpoint endpoint =
          endpoint(
              server.httpsUri(), Optional.of(TextSource.secret("ca", "ca.crt")), Optional.empty());
      secret("ca", "ca.crt", new TestAuthority().pem(), "x", "x");
      assertThat(refusal(endpoint).kind()).isEqualTo(Kind.UNTRUSTED);

      secret("ca", "ca.crt", authority.pem(), "x", "x");

      assertThat(backends.at(endpoint).send(HttpCall.get()).status()).isEqualTo(204);
    }
  }
}
