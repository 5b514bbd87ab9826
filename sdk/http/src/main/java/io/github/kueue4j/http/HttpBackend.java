// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.http.EndpointUnavailableException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSource;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One endpoint that requests are sent to.
 *
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HttpBackend {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final int SERVER_ERROR = 500;
  private static final MediaType JSON = MediaType.get("application/json");
  private static final Logger log = LoggerFactory.getLogger(HttpBackend.class);

  /** The bytes of the body of an error, for the log. */
  private static final int ERROR_BYTES = Redaction.WINDOW;

  private final HttpEndpoint endpoint;
  private final Credentials credentials;
  private final Function<Trust, OkHttpClient> clients;

  HttpBackend(
      HttpEndpoint endpoint, Credentials credentials, Function<Trust, OkHttpClient> clients) {
    this.endpoint = endpoint;
    this.credentials = credentials;
    this.clients = clients;
  }

  /**
   * Sends a request and waits for the whole answer, on the calling thread. A request that met a
   * connection which the server had just closed is sent a second time, so requests should be
   * idempotent.
   *
   * <p>An answer whose status is no success is logged with the beginning of its body, the
   * credentials struck out. The body is in no exception's message: those reach the people whose
   * Workloads wait.
   *
   * @return the answer: any status below 500 but 429
   * @throws EndpointUnavailableException if there is none, or its status is 429 or at least 500
   * @throws InterruptedException if the thread is interrupted
   */
  public HttpAnswer send(HttpCall call) throws InterruptedException {
    OkHttpClient client = clients.apply(credentials.trust(endpoint));
    Request request = request(call);
    Redaction redaction = Redaction.of(request, call);
    Call sent = client.newCall(request);
    Duration limit = limit(call);
    sent.timeout().timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
    try (Response response = sent.execute()) {
      return answer(response, call, redaction);
    } catch (IOException e) {
      throw failure(e, limit, redaction);
    }
  }

  private Duration limit(HttpCall call) {
    Duration own = endpoint.callTimeout();
    Duration limit = call.timeout().filter(asked -> asked.compareTo(own) < 0).orElse(own);
    // Zero would mean: no limit.
    return limit.isPositive() ? limit : Duration.ofNanos(1);
  }

  private Request request(HttpCall call) {
    Request.Builder request =
        new Request.Builder().url(url(call)).method(call.method(), body(call));
    request.header("User-Agent", "kueue4j").header("Accept", "application/json");
    request.header("Accept-Encoding", "identity");
    call.headers().forEach(field -> request.header(field.name(), field.value()));
    credentials.addTo(request, endpoint);
    return request.build();
  }

  private HttpUrl url(HttpCall call) {
    HttpUrl.Builder url = HttpUrl.get(endpoint.url().toString()).newBuilder();
    if (!call.path().isEmpty()) {
      HttpUrl base = HttpUrl.get(endpoint.url().toString());
      String last = base.pathSegments().getLast();
      if (last.isEmpty()) {
        url.removePathSegment(base.pathSize() - 1);
      }
      for (String segment : call.path().replaceFirst("^/+", "").split("/", -1)) {
        url.addPathSegment(segment);
      }
    }
    call.query().forEach(field -> url.addQueryParameter(field.name(), field.value()));
    return url.build();
  }

  private static @Nullable RequestBody body(HttpCall call) {
    if (call.method().equals("GET")) {
      return null;
    }
    if (call.json().isPresent()) {
      // As bytes: a text would get a charset, which JSON doesn't have.
      return RequestBody.create(call.json().get().getBytes(StandardCharsets.UTF_8), JSON);
    }
    FormBody.Builder form = new FormBody.Builder(StandardCharsets.UTF_8);
    call.form().forEach(field -> form.add(field.name(), field.value()));
    return form.build();
  }

  private HttpAnswer answer(Response response, HttpCall call, Redaction redaction)
      throws IOException {
    Optional<Duration> retryAfter = RetryAfter.of(response);
    int status = response.code();
    if (status == TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
      boolean overloaded = status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE;
      logError(status, beginning(response, redaction));
      throw new EndpointUnavailableException(
          overloaded ? Kind.OVERLOADED : Kind.FAILED,
          endpoint.url(),
          status,
          retryAfter.orElse(null));
    }
    String body = text(response, call);
    HttpAnswer answer =
        new HttpAnswer(status, contentType(response), body, retryAfter, redaction.excerpt(body));
    if (!answer.isSuccess()) {
      logError(status, answer.excerpt());
    }
    return answer;
  }

  private void logError(int status, String excerpt) {
    log.atInfo()
        .addKeyValue("url", endpoint.url())
        .addKeyValue("status", status)
        .addKeyValue("body", excerpt)
        .log("An endpoint answered with an error");
  }

  private static String contentType(Response response) {
    String header = String.valueOf(response.header("Content-Type", ""));
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private String text(Response response, HttpCall call) throws IOException {
    BufferedSource source = response.body().source();
    if (source.request(call.longestAnswer() + 1L)) {
      throw new EndpointUnavailableException(
          Kind.UNREADABLE,
          endpoint.url()
              + " answered more than "
              + call.longestAnswer()
              + " bytes, which is the limit");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(source.readByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new EndpointUnavailableException(
          Kind.UNREADABLE, endpoint.url() + " answered what is no UTF-8", e);
    }
  }

  /** The readable beginning of an error; never another error. */
  private static String beginning(Response response, Redaction redaction) throws IOException {
    BufferedSource source = response.body().source();
    boolean cut = source.request(ERROR_BYTES);
    long there = Math.min(ERROR_BYTES, source.getBuffer().size());
    String text = new String(source.readByteArray(there), StandardCharsets.UTF_8);
    return redaction.excerpt(text, cut);
  }

  private EndpointUnavailableException failure(IOException e, Duration limit, Redaction redaction)
      throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      // As for any method that throws it: the flag is clear.
      Thread.interrupted();
      throw interrupted(e);
    }
    Optional<String> refused = refusedAddress(e);
    if (refused.isPresent()) {
      return new EndpointUnavailableException(
          Kind.MISCONFIGURED,
          endpoint.url()
              + " can't be asked: "
              + refused.get()
              + ", which the controller's address rules refuse; allow it there, or correct the URL",
          e);
    }
    return switch (e) {
      case SSLException untrusted ->
          unavailable(Kind.UNTRUSTED, "has a TLS certificate or settings that don't fit", e);
      case InterruptedIOException late ->
          unavailable(Kind.TIMEOUT, "did not answer within " + readable(limit), e);
      case UnknownHostException unknown ->
          unavailable(Kind.UNREACHABLE, "has a host name that can't be resolved", e);
      case ProtocolException odd -> noHttp(odd, redaction);
      default ->
          refusesConnections(e)
              ? new EndpointUnavailableException(
                  Kind.UNREACHABLE, endpoint.url() + " can't be reached: connection refused", e)
              : unavailable(Kind.UNREACHABLE, "can't be reached", e);
    };
  }

  /** The client's message names addresses, and not what happened. */
  private static boolean refusesConnections(IOException failure) {
    return failure instanceof ConnectException
        && Stream.of(failure, failure.getCause())
            .filter(ConnectException.class::isInstance)
            .map(Throwable::getMessage)
            .anyMatch(said -> said != null && said.contains("Connection refused"));
  }

  /** Its message quotes what the server said: that goes to the log, and no further. */
  private EndpointUnavailableException noHttp(ProtocolException odd, Redaction redaction) {
    log.atInfo()
        .addKeyValue("url", endpoint.url())
        .addKeyValue("problem", redaction.excerpt(String.valueOf(odd.getMessage())))
        .log("What an endpoint answered is no HTTP");
    return new EndpointUnavailableException(
        Kind.UNREADABLE, endpoint.url() + " does not speak HTTP");
  }

  private static InterruptedException interrupted(IOException cause) {
    InterruptedException interrupted = new InterruptedException("interrupted in an HTTP call");
    interrupted.initCause(cause);
    return interrupted;
  }

  private EndpointUnavailableException unavailable(Kind kind, String what, IOException cause) {
    String detail = cause.getMessage() == null ? "" : " (" + Excerpt.of(cause.getMessage()) + ")";
    return new EndpointUnavailableException(kind, endpoint.url() + " " + what + detail, cause);
  }

  private static String readable(Duration limit) {
    return limit.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static Optional<String> refusedAddress(Throwable failure) {
    if (failure instanceof JudgedSockets.AddressRefusedException refused) {
      return Optional.ofNullable(refused.getMessage());
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      Optional<String> found = refusedAddress(suppressed);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
