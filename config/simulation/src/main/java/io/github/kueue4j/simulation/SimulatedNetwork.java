// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.http.DirectRequest;
import io.github.kueue4j.runtime.client.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;

/**
 * The network of a simulation between clients and an API server. Each request is answered by a
 * thread of its own, and takes some time in both directions.
 */
final class SimulatedNetwork implements Wire {
  private static final Duration SLOWEST = Duration.ofMillis(3);

  private final Simulation simulation;
  private final EmbeddedApiServer server;
  private final Map<Call, ArrivingAnswer> answers = new ConcurrentHashMap<>();

  SimulatedNetwork(Simulation simulation, EmbeddedApiServer server) {
    this.simulation = simulation;
    this.server = server;
  }

  @Override
  public Response send(Call call, Request request, Duration timeout) throws IOException {
    String path = request.url().encodedPath();
    if (Simulation.current().filter(simulation::equals).isEmpty()) {
      // It would come at a moment that no seed decides.
      throw new IllegalStateException(
          "%s %s comes from outside of the simulation, by %s; start that thread by Actors, in the test"
              .formatted(request.method(), path, Thread.currentThread()));
    }
    simulation.note(request.method() + ' ' + path + ' ' + request.url().encodedQuery());
    ArrivingAnswer answer = new ArrivingAnswer(this::travel, timeout);
    answers.put(call, answer);
    try {
      travel();
      if (call.isCanceled()) {
        throw new IOException("Canceled");
      }
      DirectRequest direct =
          new DirectRequest(
              request.method(),
              path,
              request.url().encodedQuery(),
              headers(request),
              new ByteArrayInputStream(body(request)),
              answer);
      simulation
          .threads()
          .name("api " + request.method() + ' ' + path)
          .start(() -> serve(direct, answer));
      return answer.begun(request);
    } catch (IOException | RuntimeException e) {
      answers.remove(call);
      throw e;
    }
  }

  private void serve(DirectRequest request, ArrivingAnswer answer) {
    try {
      server.answer(request);
    } catch (IOException refused) {
      answer.end(refused);
    }
  }

  /** Takes the time that a message takes. */
  private void travel() throws InterruptedIOException {
    try {
      Thread.sleep(Duration.ofNanos(simulation.random().nextLong(SLOWEST.toNanos())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private static Map<String, List<String>> headers(Request request) {
    Map<String, List<String>> headers = new TreeMap<>(request.headers().toMultimap());
    RequestBody body = request.body();
    MediaType type = body == null ? null : body.contentType();
    if (type != null) {
      headers.put("content-type", List.of(type.toString()));
    }
    return headers;
  }

  private static byte[] body(Request request) throws IOException {
    RequestBody body = request.body();
    if (body == null) {
      return new byte[0];
    }
    Buffer bytes = new Buffer();
    body.writeTo(bytes);
    return bytes.readByteArray();
  }

  @Override
  public void cancelled(Call call) {
    ArrivingAnswer answer = answers.remove(call);
    if (answer != null) {
      answer.cancel();
    }
  }
}
