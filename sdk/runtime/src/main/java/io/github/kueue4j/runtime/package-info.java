// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Running controllers safely on the official Kubernetes client.
 *
 * <p>Each errand has a package: {@link io.github.kueue4j.runtime.client client} reads and writes,
 * with changes of {@link io.github.kueue4j.runtime.patch patch}; {@link
 * io.github.kueue4j.runtime.informer informer} keeps objects at hand; {@link
 * io.github.kueue4j.runtime.controller controller} acts on changes and runs a process, one of
 * several replicas with {@link io.github.kueue4j.runtime.lease lease}; {@link
 * io.github.kueue4j.runtime.http http} is for servers of its own. This package has what they share:
 * threads, fatal errors, and the end of a process.
 *
 * <p>A controller in a few lines; the host contains the infrastructure of a process:
 *
 * <pre>{@code
 * try (var connection = ClusterConnection.builder("my-check").kubeconfig(path, null).connect();
 *     var time = TimeSource.system();
 *     var informers = Informers.on(connection)) {
 *   Informer<Workload> workloads =
 *       informers.of(KueueTypes.WORKLOAD).index("queue", w -> List.of(w.spec().queueName())).register();
 *   Controller controller =
 *       Controller.builder("workloads", key -> {
 *             Workload before = workloads.get(key).orElse(null);
 *             if (before == null) {
 *               return Requeue.never();
 *             }
 *             Workload after = decided(before);
 *             // Only what differs is written, if the object is still as it was read.
 *             connection.api().patchStatus(KueueTypes.WORKLOAD, GuardedPatch.ofStatus(before, after));
 *             return Requeue.after(Duration.ofMinutes(5));
 *           })
 *           .watch(workloads)
 *           .workers(4)
 *           .build();
 *   try (var host =
 *       ControllerHost.builder(connection, time)
 *           .informers(informers)
 *           .controller(controller)
 *           .leaderElection(LeaderElection.named("kueue-system", "my-check"))
 *           .httpPort(8080)
 *           .build()) {
 *     host.start();
 *     host.awaitTermination();
 *   }
 * }
 * }</pre>
 *
 * <p>Of the client library only the models appear in the API of these packages. Its informers, work
 * queues and leader election are hidden, because several of them fail in ways that a controller
 * can't detect. Each known failure has a test in {@code runtime.hazards}.
 *
 * <p>Two kinds of time: the {@link io.github.kueue4j.api.time.TimeSource} that the host is given
 * drives controllers (it may run faster than a wall clock in a simulation); network operations
 * (watchdog, backoff towards the server, the lease) use the connection's own {@linkplain
 * io.github.kueue4j.runtime.client.ClusterConnection.Builder#wireTime wire time}, by default the
 * system's.
 */
@NullMarked
package io.github.kueue4j.runtime;

import org.jspecify.annotations.NullMarked;
