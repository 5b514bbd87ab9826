// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import com.sun.net.httpserver.HttpsConfigurator;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.state.StateSnapshot;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The part of a core that a view reads. None of it changes what the core decides.
 *
 * @param configuration of the core; {@code kueue4j.view} says where the view is served, and to whom
 * @param tls of a server with the core's certificate; empty if the view is served over HTTP
 * @param connection for reads of what isn't cached, with the core's own permissions, and for asking
 *     what a user may see
 * @param caches of what the core has observed, empty until it starts
 * @param snapshots asks the thread that owns queues and quota what it has decided
 * @param time that the core goes by
 */
@API(status = API.Status.EXPERIMENTAL)
public record ViewedCore(
    Configuration configuration,
    Optional<HttpsConfigurator> tls,
    ClusterConnection connection,
    CoreInformers caches,
    Supplier<CompletableFuture<StateSnapshot>> snapshots,
    TimeSource time) {}
