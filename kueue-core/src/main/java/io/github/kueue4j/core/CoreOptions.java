// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ProbePort;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts that a core is built from.
 *
 * @param connection to the cluster
 * @param configuration of the core
 * @param time for deadlines and timestamps
 * @param pace for the intervals between writes that spare the API server
 * @param identity of this replica in the leader election; null for a random one
 * @param probePort of the health probes, if it is taken already
 * @param view makes the view that the configuration asks for; null if there is none
 * @param drain how long webhooks are answered after it was closed, not negative
 * @param onLeadershipLost called once after the core has stopped because it lost its lease
 */
record CoreOptions(
    ClusterConnection connection,
    Configuration configuration,
    TimeSource time,
    TimeSource pace,
    @Nullable String identity,
    @Nullable ProbePort probePort,
    @Nullable Function<ViewedCore, ServedView> view,
    Duration drain,
    Runnable onLeadershipLost) {
  CoreOptions {
    ViewSettings settings = configuration.extensions().view();
    if (view == null && settings.address().isPresent()) {
      throw new IllegalArgumentException(
          "kueue4j.view.bindAddress is "
              + settings.address().get()
              + ", but this core has no view: pass one to KueueCore.Builder.view, or remove the"
              + " address");
    }
  }
}
