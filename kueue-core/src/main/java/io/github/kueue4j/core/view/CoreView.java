// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.view;

import com.sun.net.httpserver.HttpsConfigurator;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.HttpAddress;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The view of one core: its page, its JSON API and the events that it has seen. */
@API(status = API.Status.INTERNAL)
public final class CoreView implements AutoCloseable {
  private final HttpAddress address;
  private final @Nullable HttpsConfigurator tls;
  private final ViewAccess access;
  private final ClusterConnection connection;
  private final ViewApi api;
  private final Transitions transitions;
  private final HistorySampler sampler;
  private volatile @Nullable ViewServer server;

  private CoreView(
      HttpAddress address,
      @Nullable HttpsConfigurator tls,
      ViewAccess access,
      ClusterConnection connection,
      ViewApi api,
      Transitions transitions,
      HistorySampler sampler) {
    this.address = address;
    this.tls = tls;
    this.access = access;
    this.connection = connection;
    this.api = api;
    this.transitions = transitions;
    this.sampler = sampler;
  }

  /**
   * A view that isn't served yet, and hears of Workloads from now on.
   *
   * @param address of its server
   * @param tls null for plain HTTP
   * @param access who may see what
   * @param connection for what isn't cached
   * @param loop whose State is shown
   * @param time of the core
   */
  public static CoreView of(
      HttpAddress address,
      @Nullable HttpsConfigurator tls,
      ViewAccess access,
      ClusterConnection connection,
      CoreInformers caches,
      Configuration configuration,
      StateLoop loop,
      TimeSource time) {
    Transitions transitions = new Transitions(time);
    caches.workloads().onChange(transitions::seen);
    ViewSnapshots snapshots = new ViewSnapshots(loop::snapshot, time, connection.wireTime());
    UsageHistory history = new UsageHistory();
    ViewApi api =
        new ViewApi(snapshots, history, transitions, connection.api(), caches, configuration, time);
    return new CoreView(
        address,
        tls,
        access,
        connection,
        api,
        transitions,
        new HistorySampler(snapshots, history, time));
  }

  /**
   * Serves it from now on.
   *
   * @throws io.github.kueue4j.runtime.HttpPortException if the port can't be bound
   */
  public void start() {
    server =
        ViewServer.start(
            address, tls, api, new EventStream(transitions, EventStream.LIFE), access, connection);
    sampler.start();
  }

  /** The port of its server; -1 if it isn't served. */
  public int port() {
    ViewServer started = server;
    return started == null ? -1 : started.port();
  }

  @Override
  public void close() {
    sampler.close();
    ViewServer started = server;
    if (started != null) {
      started.close();
    }
  }
}
