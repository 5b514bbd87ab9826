// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import com.sun.net.httpserver.HttpsConfigurator;
import io.github.kueue4j.core.ServedView;
import io.github.kueue4j.core.ViewedCore;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.http.DelegatedAuthorizer;
import io.github.kueue4j.runtime.http.HttpAddress;
import java.time.InstantSource;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The view of one core: its page, its JSON API and the events that it has seen. */
@API(status = API.Status.EXPERIMENTAL)
public final class CoreView implements ServedView {
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
   * A view that isn't served yet, and hears of Workloads from now on: for {@link
   * io.github.kueue4j.core.KueueCore.Builder#view}.
   *
   * @param core whose configuration has an address for a view
   */
  public static CoreView of(ViewedCore core) {
    return of(core, BudgetReader.none());
  }

  /** The same with the budgets of the cluster. */
  public static CoreView of(ViewedCore core, BudgetReader budgets) {
    return of(core, budgets, core.connection().wireTime());
  }

  /**
   * The same with a clock for how long a forecast takes.
   *
   * @param effort limits how long it may take; a clock that stands still switches the limit off
   */
  public static CoreView of(ViewedCore core, BudgetReader budgets, InstantSource effort) {
    ClusterConnection connection = core.connection();
    Transitions transitions = new Transitions(core.time());
    core.caches().workloads().onChange(transitions::seen);
    ViewSnapshots snapshots =
        new ViewSnapshots(core.snapshots(), core.time(), connection.wireTime(), ViewApi.PATIENCE);
    UsageHistory history = new UsageHistory();
    ViewSettings settings = core.configuration().extensions().view();
    return new CoreView(
        settings.address().orElseThrow(),
        core.tls().orElse(null),
        settings.secure() ? DelegatedAuthorizer.on(connection)::decideList : ViewAccess.everyone(),
        connection,
        new ViewApi(
            core,
            snapshots,
            history,
            transitions,
            new ViewBudgets(
                budgets,
                connection.api(),
                () -> namespaces(core),
                core.time(),
                connection.wireTime()),
            effort),
        transitions,
        new HistorySampler(snapshots, history, core.time()));
  }

  /** The namespaces in which Workloads can be queued, so that something may be booked. */
  private static SortedSet<String> namespaces(ViewedCore core) {
    SortedSet<String> namespaces = new TreeSet<>();
    core.caches().localQueues().list().forEach(queue -> namespaces.add(queue.key().namespace()));
    return namespaces;
  }

  @Override
  public void start() {
    server =
        ViewServer.start(
            address, tls, api, new EventStream(transitions, EventStream.LIFE), access, connection);
    sampler.start();
  }

  @Override
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
