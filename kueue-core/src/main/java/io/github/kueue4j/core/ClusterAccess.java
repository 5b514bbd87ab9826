// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.Trimming;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.LeaseGuard;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.informer.Informers;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * How the core reads and writes the objects of the cluster.
 *
 * @param connection limited as the configuration says
 * @param api for reads and writes of the leader, until it is revoked
 * @param leaseGuard refuses its writes while the lease may have expired
 * @param informers registers those of Jobs, and starts all
 * @param caches of all kinds that the core knows
 * @param workloads as the core's own writes have left them
 * @param clusterQueues as the core's own writes have left them
 * @param events until they are silenced
 */
record ClusterAccess(
    ClusterConnection connection,
    RevocableApi api,
    LeaseGuard leaseGuard,
    Informers informers,
    CoreInformers caches,
    FreshCache<Workload> workloads,
    FreshCache<ClusterQueue> clusterQueues,
    RecorderSwitch events) {

  static ClusterAccess over(
      ClusterConnection unlimited,
      Configuration configuration,
      TimeSource time,
      MeterRegistry registry) {
    ClusterConnection connection = limited(unlimited, configuration);
    LeaseGuard leaseGuard = new LeaseGuard();
    ClusterConnection guarded = connection.guardedBy(leaseGuard);
    RevocableApi api = new RevocableApi(guarded.api());
    Informers informers = Informers.on(connection);
    CoreInformers caches = CoreInformers.register(informers);
    return new ClusterAccess(
        connection,
        api,
        leaseGuard,
        informers,
        caches,
        FreshCache.over(
            caches.workloads(), KueueTypes.WORKLOAD, api, Trimming::workload, (read, live) -> read),
        FreshCache.over(caches.clusterQueues(), KueueTypes.CLUSTER_QUEUE, api),
        new RecorderSwitch(EventRecorder.on(guarded, time, registry)));
  }

  private static ClusterConnection limited(
      ClusterConnection connection, Configuration configuration) {
    double perSecond = configuration.queriesPerSecond();
    return perSecond > 0 ? connection.limited(perSecond, configuration.burst()) : connection;
  }

  /** Begins a controller whose reconciler ends silently once the access is revoked. */
  Controller.Builder controller(String name, Reconciler reconciler) {
    return Controller.builder(name, api.endingWithIt(reconciler));
  }

  /** Lets nothing more reach the cluster, as if the process had been killed. */
  void revoke() {
    api.revoke();
    events.silence();
  }
}
