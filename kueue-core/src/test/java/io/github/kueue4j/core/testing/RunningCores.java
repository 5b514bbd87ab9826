// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.CoreRest;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.ServedView;
import io.github.kueue4j.core.ViewedCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.InformersRest;
import io.github.kueue4j.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The cores of a {@link TestCluster}: each has a connection of its own, as a process would. */
final class RunningCores implements AutoCloseable {
  private final TestCluster cluster;
  private final List<Runnable> closing = new ArrayList<>();
  private final Map<KueueCore, CoreRest> running = new LinkedHashMap<>();
  private @Nullable KueueCore latest;
  private @Nullable Function<ViewedCore, ServedView> view;

  /** No core runs. */
  RunningCores(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Shows the cores that start from now on. */
  void view(Function<ViewedCore, ServedView> maker) {
    view = maker;
  }

  /**
   * Starts a core.
   *
   * @param configuration the lines of its configuration below apiVersion and kind
   * @param time its clock
   * @param pace what spares the API server
   */
  KueueCore start(String configuration, TimeSource time, TimeSource pace) {
    ClusterConnection own = SimulatedCluster.connection("kueue-core", cluster.server).connect();
    closing.add(own::close);
    KueueCore.Builder builder =
        KueueCore.builder(
                own,
                Configuration.parse(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    """
                        + configuration),
                time)
            .pace(pace);
    KueueCore started = (view == null ? builder : builder.view(view)).build();
    latest = started;
    closing.add(started::close);
    try {
      started.start();
      running.put(
          started,
          new CoreRest(started, new InformersRest(cluster.server, cluster.api), this::requests));
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the core was starting", e);
    }
    return started;
  }

  /** Kills the core that was started last. */
  void crash() {
    Objects.requireNonNull(latest).crash();
    running.remove(latest);
  }

  /**
   * Whether the cores have observed everything that was written so far and have nothing to do.
   *
   * @param silenced the plurals of the types whose watches deliver nothing
   */
  boolean rest(Set<String> silenced) {
    return running.values().stream().allMatch(each -> each.now(silenced));
  }

  private long requests() {
    return cluster.server.requests().byUserAgent().entrySet().stream()
        .filter(entry -> entry.getKey().contains("kueue-core"))
        .mapToLong(entry -> entry.getValue())
        .sum();
  }

  @Override
  public void close() {
    closing.reversed().forEach(Runnable::run);
  }
}
