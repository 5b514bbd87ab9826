// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import okhttp3.Request;

/** The parts of an endpoint that come from Secrets and files, read anew for each request. */
final class Credentials {

  private static final int LONGEST_FILE = 1 << 20;

  private final SecretTexts secrets;
  private final boolean filesAllowed;

  Credentials(SecretTexts secrets, boolean filesAllowed) {
    this.secrets = secrets;
    this.filesAllowed = filesAllowed;
  }

  Trust trust(HttpEndpoint endpoint) {
    return new Trust(
        endpoint.ca().map(this::text),
        endpoint
            .clientCertificate()
            .map(
                certificate ->
                    new Trust.Own(
                        secrets.text(new SecretKeyRef(certificate.secretName(), "tls.crt")),
                        secrets.text(new SecretKeyRef(certificate.secretName(), "tls.key")))));
  }

  void addTo(Request.Builder request, HttpEndpoint endpoint) {
    Optional<HttpEndpoint.Authorization> authorization = endpoint.authorization();
    authorization
        .flatMap(HttpEndpoint.Authorization::bearerToken)
        .ifPresent(
            token ->
                request.header(
                    "Authorization", "Bearer " + headerText(token, "authorization.bearerToken")));
    authorization
        .flatMap(HttpEndpoint.Authorization::basic)
        .ifPresent(basic -> request.header("Authorization", basic(basic)));
    for (HttpEndpoint.Header header : endpoint.headers()) {
      request.header(header.name(), headerText(header.value(), "the header " + header.name()));
    }
  }

  private String basic(HttpEndpoint.Basic basic) {
    String both = text(basic.username()) + ':' + text(basic.password());
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  /** OkHttp would refuse it as well, and show it in the message. */
  private String headerText(TextSource source, String what) {
    String text = text(source);
    if (!text.chars().allMatch(each -> each >= ' ' && each <= '~')) {
      throw misconfigured(
          "the value of " + what + " can't be sent: a header holds printable ASCII in one line");
    }
    return text;
  }

  private String text(TextSource source) {
    if (source.secretKeyRef().isPresent()) {
      return secrets.text(source.secretKeyRef().get());
    }
    return source.file().map(this::fileText).orElseGet(() -> source.value().orElseThrow());
  }

  private String fileText(String path) {
    if (!filesAllowed) {
      throw misconfigured(
          "the endpoint names the file '"
              + path
              + "', and this controller reads no files: name a Secret instead, or start the controller"
              + " with the option that allows files");
    }
    try {
      Path file = Path.of(path);
      if (Files.size(file) > LONGEST_FILE) {
        throw misconfigured("the file '" + path + "' is longer than 1 MiB: name another one");
      }
      return Files.readString(file).strip();
    } catch (IOException | RuntimeException e) {
      if (e instanceof EndpointUnavailableException known) {
        throw known;
      }
      throw new EndpointUnavailableException(
          EndpointUnavailableException.Kind.MISCONFIGURED,
          "the file '" + path + "' can't be read: mount it into the controller's container",
          e);
    }
  }

  private static EndpointUnavailableException misconfigured(String message) {
    return new EndpointUnavailableException(
        EndpointUnavailableException.Kind.MISCONFIGURED, message);
  }
}
