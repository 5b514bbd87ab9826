/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.http;

import io.github.kueue4j.testkit.traffic.Faults;
import io.github.kueue4j.testkit.traffic.RequestCounters;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import org.apiguardian.api.API;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The parts of the embedded server put together, and the listener in front of them. */
@API(status = API.Status.INTERNAL)
public final class ServerCore implements AutoCloseable {

  /**
   * How a server is set up.
   *
   * @param port TCP port on loopback, 0 for any free one
   * @param clock source of creation and deletion timestamps
   * @param historyWindow changes per resource that a watch can resume over, at least 1
   * @param bookmarkInterval real time between bookmarks on an idle watch
   */
  public record Settings(
      int port, InstantSource clock, int historyWindow, Duration bookmarkInterval) {}

  private final RequestCounters requests = new RequestCounters();
  private final Faults faults;
  private final Server jetty;
  private final ServerConnector connector;
  private int port;

  public ServerCore(Settings settings) {
    this.faults = new Faults(new FaultTarget());
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setName("embedded-api");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("api-"));
    this.jetty = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(true);
    this.connector = new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(settings.port());
    connector.setIdleTimeout(Duration.ofHours(1).toMillis());
    jetty.addConnector(connector);
    jetty.setStopTimeout(0);
  }

  public void start() {
    try {
      jetty.start();
      port = connector.getLocalPort();
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(
          "cannot listen on 127.0.0.1:" + connector.getPort() + "; choose another port", e);
    } catch (Exception e) {
      close();
      throw new IllegalStateException("the embedded API server did not start", e);
    }
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  public int port() {
    return port;
  }

  public Faults faults() {
    return faults;
  }

  public RequestCounters requests() {
    return requests;
  }

  public void apply(String yaml) {
    if (!yaml.isBlank()) {
      throw new UnsupportedOperationException("objects can't be applied yet");
    }
  }

  @Override
  public void close() {
    faults.clear();
    stopQuietly();
  }

  private void stopQuietly() {
    try {
      jetty.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded API server did not stop", e);
    }
  }

  private final class FaultTarget implements Faults.Target {
    @Override
    public int dropWatches(RequestMatcher matcher) {
      return 0;
    }

    @Override
    public void expireHistory() {}

    @Override
    public void acceptConnections(boolean accept) {
      try {
        if (accept) {
          connector.setPort(port);
          connector.start();
        } else {
          connector.stop();
        }
      } catch (Exception e) {
        throw new IllegalStateException("the listener on port " + port + " did not change", e);
      }
    }
  }
}
