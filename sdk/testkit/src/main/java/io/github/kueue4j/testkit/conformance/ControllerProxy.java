// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import io.github.kueue4j.testkit.client.JsonApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import org.apiguardian.api.API;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the controller and the API server, on the loopback address, in plain HTTP, and
 * adds the kit's own credentials. Only so can the kit bring about what takes place within a
 * controller's own request: it holds a write back until the world has changed, and cuts the
 * controller off for a while.
 *
 * @see Conformance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControllerProxy implements AutoCloseable {
  private static final Set<String> NOT_PASSED_ON =
      Set.of(
          "host",
          "connection",
          "content-length",
          "transfer-encoding",
          "accept-encoding",
          "content-encoding",
          "authorization",
          "keep-alive",
          "upgrade");
  private static final int UNAVAILABLE = 503;

  private final JsonApi api;
  private final Server jetty;
  private final ServerConnector connector;
  private final Set<Call> open = ConcurrentHashMap.newKeySet();
  private final List<HeldWrite> holds = new CopyOnWriteArrayList<>();
  private final List<PassedWrite> writes = new CopyOnWriteArrayList<>();

  /**
   * Grows with each {@link #cut} and each {@link #restore}, and is odd while the controller is cut
   * off. An exchange passes on what it received under the number that it began with: a canceled
   * call may still read for some milliseconds what the server sends.
   */
  private final AtomicInteger line = new AtomicInteger();

  /**
   * A write that came through.
   *
   * @param path of the object, with its subresource
   * @param status the server's answer
   */
  record PassedWrite(String path, int status) {}

  private ControllerProxy(JsonApi api) {
    this.api = api;
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setName("conformance-proxy");
    threads.setDaemon(true);
    // Requests are passed on by virtual threads.
    threads.setMinThreads(1);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("proxy-"));
    this.jetty = new Server(threads);
    this.connector =
        new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(new HttpConfiguration()));
    connector.setHost("127.0.0.1");
    connector.setIdleTimeout(Duration.ofHours(1).toMillis());
    jetty.addConnector(connector);
    jetty.setHandler(new Passing());
    jetty.setStopTimeout(0);
  }

  /**
   * Opens a free port in front of this server.
   *
   * @param api stays open when the proxy closes
   */
  public static ControllerProxy before(JsonApi api) {
    ControllerProxy proxy = new ControllerProxy(api);
    try {
      proxy.jetty.start();
    } catch (Exception e) {
      throw new IllegalStateException("the proxy did not start", e);
    }
    return proxy;
  }

  /** Where the controller shall find its API server. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  /**
   * Writes a kubeconfig for the controller.
   *
   * @return the same path
   * @throws UncheckedIOException if the file can't be written
   */
  public Path kubeconfig(Path file) {
    String text =
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: conformance
          cluster:
            server: %s
        users:
        - name: controller
          user: {}
        contexts:
        - name: conformance
          context:
            cluster: conformance
            user: controller
        current-context: conformance
        """
            .formatted(uri());
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("can't write the kubeconfig " + file, e);
    }
  }

  /** Holds the next write back whose path this accepts. */
  HeldWrite hold(Predicate<String> path) {
    HeldWrite held = new HeldWrite(path);
    holds.add(held);
    return held;
  }

  /** Ends every connection of the controller and refuses new requests until {@link #restore}. */
  void cut() {
    line.updateAndGet(number -> number | 1);
    open.forEach(Call::cancel);
  }

  void restore() {
    line.updateAndGet(number -> (number + 1) & ~1);
  }

  /** The writes that came through so far, oldest first. */
  List<PassedWrite> writes() {
    return List.copyOf(writes);
  }

  @Override
  public void close() {
    holds.forEach(HeldWrite::letGo);
    cut();
    try {
      jetty.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the proxy did not stop", e);
    }
  }

  /** Passes requests on. */
  private final class Passing extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int began = line.get();
      if (isCut(began)) {
        response.setStatus(UNAVAILABLE);
        callback.succeeded();
        return true;
      }
      String method = request.getMethod();
      String path = request.getHttpURI().getPath();
      boolean writes = !method.equals("GET") && !method.equals("HEAD");
      boolean watch = !writes && isWatch(request.getHttpURI().getQuery());
      @Nullable Call call = null;
      try {
        call = api.exchange(method, request.getHttpURI().getPathQuery(), passedOn(request), watch);
        open.add(call);
        HeldWrite held = writes ? awaitLeave(path) : null;
        requireUp(began);
        try (okhttp3.Response answer = call.execute()) {
          if (writes) {
            ControllerProxy.this.writes.add(new PassedWrite(path, answer.code()));
          }
          passBack(answer, response, watch, began);
          if (held != null) {
            held.done(answer.code());
          }
        }
        callback.succeeded();
      } catch (IOException e) {
        // One of the two sides is gone, or is meant to believe it.
        if (response.isCommitted()) {
          callback.failed(e);
        } else {
          response.setStatus(UNAVAILABLE);
          callback.succeeded();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        callback.failed(e);
      } finally {
        if (call != null) {
          open.remove(call);
        }
      }
      return true;
    }

    private static boolean isCut(int number) {
      return (number & 1) == 1;
    }

    private void requireUp(int began) throws IOException {
      if (line.get() != began) {
        throw new IOException("the controller was cut off meanwhile");
      }
    }

    private static boolean isWatch(@Nullable String query) {
      return query != null && (query.contains("watch=true") || query.contains("watch=1"));
    }

    private okhttp3.Request.Builder passedOn(Request request) throws IOException {
      okhttp3.Request.Builder builder = new okhttp3.Request.Builder().url("http://unset/");
      String type = "application/json";
      for (HttpField field : request.getHeaders()) {
        if (field.getName().equalsIgnoreCase("content-type")) {
          type = field.getValue();
        } else if (!NOT_PASSED_ON.contains(field.getName().toLowerCase(Locale.ROOT))) {
          builder.addHeader(field.getName(), field.getValue());
        }
      }
      byte[] body;
      try (InputStream in = Content.Source.asInputStream(request)) {
        body = in.readAllBytes();
      }
      String method = request.getMethod();
      boolean none = method.equals("GET") || method.equals("HEAD");
      return builder.method(method, none ? null : RequestBody.create(body, MediaType.parse(type)));
    }

    private @Nullable HeldWrite awaitLeave(String path) throws InterruptedException {
      for (HeldWrite held : holds) {
        if (held.takes(path)) {
          holds.remove(held);
          held.awaitLeave();
          return held;
        }
      }
      return null;
    }

    private void passBack(okhttp3.Response answer, Response response, boolean watch, int began)
        throws IOException {
      requireUp(began);
      response.setStatus(answer.code());
      answer
          .headers()
          .forEach(
              header -> {
                if (!NOT_PASSED_ON.contains(header.getFirst().toLowerCase(Locale.ROOT))) {
                  response.getHeaders().add(header.getFirst(), header.getSecond());
                }
              });
      ResponseBody body = answer.body();
      if (body == null) {
        return;
      }
      if (!watch) {
        byte[] whole = body.bytes();
        requireUp(began);
        Content.Sink.write(response, true, ByteBuffer.wrap(whole));
        return;
      }
      Content.Sink.write(response, false, ByteBuffer.allocate(0));
      BufferedSource source = body.source();
      while (source.request(1)) {
        byte[] piece = source.readByteArray(source.getBuffer().size());
        requireUp(began);
        Content.Sink.write(response, false, ByteBuffer.wrap(piece));
      }
      Content.Sink.write(response, true, ByteBuffer.allocate(0));
    }
  }
}
