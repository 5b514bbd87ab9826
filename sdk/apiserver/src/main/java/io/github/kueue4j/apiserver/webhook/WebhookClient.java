// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/** Sends reviews to webhooks over HTTPS. Thread-safe. */
@API(status = API.Status.INTERNAL)
public final class WebhookClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Connections are shared by webhooks that are trusted alike. */
  private record Trust(String caBundle, String host) {}

  private final Services services;
  private final Duration patience;
  private final Map<Trust, HttpClient> clients = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Without any connection yet.
   *
   * @param patience the shortest timeout of a call, whatever a registration says
   */
  public WebhookClient(Services services, Duration patience) {
    this.services = services;
    this.patience = patience;
  }

  /**
   * The webhook's answer to a review.
   *
   * @param timeout of the registration for the whole call
   * @throws WebhookException if it can't be reached, can't be trusted, is too slow or answers
   *     nonsense
   */
  public ObjectNode call(ClientConfig config, ObjectNode review, Duration timeout)
      throws WebhookException {
    URI shown = config.withParameter("timeout=" + timeout.toSeconds() + "s");
    String failed = "Post \"" + shown + "\": ";
    HttpClient client = client(new Trust(config.caBundle(), shown.getHost()));
    HttpRequest request =
        HttpRequest.newBuilder(dialled(config, shown, failed))
            .timeout(timeout.compareTo(patience) < 0 ? patience : timeout)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("User-Agent", "kube-apiserver-admission")
            .POST(HttpRequest.BodyPublishers.ofString(review.toString()))
            .build();
    try {
      HttpResponse<String> response = send(client, request);
      if (response.statusCode() != 200) {
        throw new WebhookException(
            "an error on the server (\""
                + response.body().strip()
                + "\") has prevented the request from succeeding",
            null);
      }
      if (JSON.readTree(response.body()) instanceof ObjectNode answer) {
        return answer;
      }
      throw new WebhookException("the webhook's answer is no object", null);
    } catch (JsonProcessingException e) {
      throw new WebhookException("the webhook's answer is no JSON: " + e.getOriginalMessage(), e);
    } catch (HttpTimeoutException e) {
      throw new WebhookException(failed + "context deadline exceeded", e);
    } catch (ConnectException e) {
      throw new WebhookException(failed + "connect: connection refused", e);
    } catch (IOException e) {
      throw new WebhookException(failed + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WebhookException(failed + "context canceled", e);
    }
  }

  /**
   * A webhook may close a connection that it thinks idle while a review is on its way. The client
   * sends what isn't idempotent only once; reviews may be repeated.
   */
  private static HttpResponse<String> send(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).endsWith("parser received no bytes")) {
        throw e;
      }
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  private HttpClient client(Trust trust) throws WebhookException {
    HttpClient known = clients.get(trust);
    if (known != null) {
      return known;
    }
    HttpClient made =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(Certificates.trusting(trust.caBundle(), trust.host()))
            .build();
    HttpClient first = clients.putIfAbsent(trust, made);
    if (first != null) {
      made.close(); // Another call was quicker.
      return first;
    }
    // Asked only now: a close from here on finds this client.
    if (closed) {
      made.shutdownNow();
      throw new WebhookException("the server is closed", null);
    }
    return made;
  }

  private URI dialled(ClientConfig config, URI shown, String failed) throws WebhookException {
    ClientConfig.Service service = config.service();
    if (service.name().isEmpty()) {
      return shown;
    }
    int port =
        services
            .portOf(service.namespace(), service.name())
            .orElseThrow(
                () ->
                    new WebhookException(
                        failed + "service \"" + service.name() + "\" not found", null));
    return URI.create("https://127.0.0.1:" + port + shown.getRawPath() + "?" + shown.getRawQuery());
  }

  /** Ends all connections. */
  @Override
  public void close() {
    closed = true;
    clients.values().forEach(HttpClient::shutdownNow);
    clients.clear();
  }
}
