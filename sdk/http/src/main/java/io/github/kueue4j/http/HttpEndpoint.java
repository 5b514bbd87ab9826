// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.InvalidFieldException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.apiguardian.api.API;

/**
 * An HTTP server that a check asks, as it stands in the spec of a custom resource:
 *
 * <pre>
 * endpoint:
 *   url: https://licenses.tools.svc/check
 *   timeout: 5s
 *   ca: {secretKeyRef: {name: tools-ca, key: ca.crt}}
 *   authorization:
 *     bearerToken: {secretKeyRef: {name: licenses, key: token}}
 * </pre>
 *
 * @param url {@code https://} or {@code http://}, without user, query and fragment; over http
 *     everything is sent as plain text, credentials too
 * @param timeout of a whole call, to the last byte of the answer; a look-up of the name that takes
 *     longer isn't interrupted, but the call fails after it; at most 5 min; absent: 10 s
 * @param ca the certificates (PEM) that the server's must be signed by; absent: those that the Java
 *     runtime trusts; only with https
 * @param clientCertificate shown to the server; only with https
 * @param authorization the {@code Authorization} header
 * @param headers further headers of every request
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpEndpoint(
    URI url,
    Optional<Duration> timeout,
    Optional<TextSource> ca,
    Optional<ClientCertificate> clientCertificate,
    Optional<Authorization> authorization,
    List<Header> headers) {

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);
  private static final int MOST_HEADERS = 20;

  /**
   * A certificate with its private key.
   *
   * @param secretName a Secret of the type {@code kubernetes.io/tls}, with the keys {@code tls.crt}
   *     and {@code tls.key}
   */
  public record ClientCertificate(String secretName) {
    /**
     * @throws InvalidFieldException if the name is empty
     */
    public ClientCertificate {
      if (secretName.isBlank()) {
        throw new InvalidFieldException("secretName", secretName, "name a Secret");
      }
    }
  }

  /** How the controller tells the server who it is: exactly one of the two. */
  public record Authorization(Optional<TextSource> bearerToken, Optional<Basic> basic) {
    /**
     * @throws InvalidFieldException unless exactly one is there
     */
    public Authorization {
      if (bearerToken.isPresent() == basic.isPresent()) {
        throw new InvalidFieldException(
            "bearerToken",
            bearerToken.isPresent() ? "given together with basic" : null,
            "write one of bearerToken and basic");
      }
    }
  }

  /** A user's name and password. */
  public record Basic(TextSource username, TextSource password) {}

  /**
   * A header of every request.
   *
   * @param name letters, digits and hyphens
   * @param value where its text comes from
   */
  public record Header(String name, TextSource value) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,99}");

    /**
     * The headers that say where a request ends and where it goes, those that fields stand for, and
     * those by which checks tell the server which request it is and that they need a fresh answer.
     */
    private static final Set<String> RESERVED =
        Set.of(
            "accept-encoding",
            "authorization",
            "cache-control",
            "connection",
            "content-length",
            "content-type",
            "expect",
            "host",
            "idempotency-key",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /**
     * @throws InvalidFieldException if no header may have this name
     */
    public Header {
      if (!NAME.matcher(name).matches()) {
        throw new InvalidFieldException("name", name, "write letters, digits and hyphens");
      }
      if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
        throw new InvalidFieldException(
            "name", name, "leave it out: the controller sets this header itself");
      }
    }
  }

  /**
   * @throws InvalidFieldException if a field makes no sense
   */
  public HttpEndpoint {
    headers = List.copyOf(headers);
    refuseUrl(url);
    if (isPlain(url) && (ca.isPresent() || clientCertificate.isPresent())) {
      throw new InvalidFieldException(
          "url", url.toString(), "begin url with https://, or leave out ca and clientCertificate");
    }
    timeout.ifPresent(HttpEndpoint::refuseTimeout);
    if (headers.size() > MOST_HEADERS) {
      throw new InvalidFieldException(
          "headers", headers.size() + " headers", "write at most " + MOST_HEADERS);
    }
  }

  /** A server without credentials. */
  public static HttpEndpoint of(URI url) {
    return new HttpEndpoint(
        url, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());
  }

  /** The same server with another timeout. */
  public HttpEndpoint withTimeout(Duration other) {
    return new HttpEndpoint(url, Optional.of(other), ca, clientCertificate, authorization, headers);
  }

  /**
   * The same server and credentials with another path.
   *
   * @param path begins with a slash
   * @throws InvalidFieldException if it is no path
   */
  public HttpEndpoint withPath(String path) {
    if (!path.startsWith("/") || path.contains("?") || path.contains("#")) {
      throw new InvalidFieldException("path", path, "write a path such as /healthz");
    }
    HttpUrl other = HttpUrl.get(url.toString()).newBuilder().encodedPath(path).build();
    return new HttpEndpoint(other.uri(), timeout, ca, clientCertificate, authorization, headers);
  }

  /** The time for a whole call where it isn't the usual one, which servers fill in. */
  public Optional<Duration> ownTimeout() {
    return timeout.filter(written -> !written.equals(DEFAULT_TIMEOUT));
  }

  /** The time for a whole call. */
  Duration callTimeout() {
    return timeout.orElse(DEFAULT_TIMEOUT);
  }

  private static boolean isPlain(URI url) {
    return "http".equalsIgnoreCase(url.getScheme());
  }

  private static void refuseUrl(URI url) {
    if (!isPlain(url) && !"https".equalsIgnoreCase(url.getScheme())) {
      throw new InvalidFieldException("url", url.toString(), "begin with https:// or http://");
    }
    if (url.getRawUserInfo() != null) {
      throw new InvalidFieldException(
          "url", "(one with a user)", "leave out the user, and name a Secret in authorization");
    }
    if (url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new InvalidFieldException("url", url.toString(), "leave out what follows ? and #");
    }
    if (url.getHost() == null || HttpUrl.parse(url.toString()) == null) {
      throw new InvalidFieldException(
          "url", url.toString(), "write a URL with a host, such as https://example.com/check");
    }
  }

  private static void refuseTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new InvalidFieldException(
          "timeout", timeout.toString(), "write a duration of at most 5m, such as 10s");
    }
  }
}
