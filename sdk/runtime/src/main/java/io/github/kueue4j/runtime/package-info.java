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

/**
 * Running controllers safely on the official Kubernetes client.
 *
 * <p>A controller in a few lines; everything that a process needs around it is in the host:
 *
 * <pre>{@code
 * try (var connection = ClusterConnection.builder("my-check").kubeconfig(path, null).connect();
 *     var time = TimeSource.system();
 *     var informers = Informers.on(connection)) {
 *   Informer<Workload> workloads =
 *       informers.of(KueueTypes.WORKLOAD).index("queue", w -> List.of(w.spec().queueName())).register();
 *   Controller controller =
 *       Controller.builder("workloads", key -> {
 *             Optional<Workload> before = workloads.get(key);
 *             // decide ..., then write only what changed:
 *             connection.api().patchStatus(KueueTypes.WORKLOAD, GuardedPatch.between(before, after));
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
 * <p>Of the client library only its models show through: every class of its informers, work queues
 * and leader election stays behind this package, since several of them fail in ways that a
 * controller can't see. Each known failure has a test in {@code runtime.hazards}.
 *
 * <p>Two kinds of time: the {@link io.github.kueue4j.api.time.TimeSource} that the host is given
 * drives controllers (it may run faster than a wall clock in a simulation); what belongs to sockets
 * (watchdog, back-off towards the server, the lease) follows the connection's own {@linkplain
 * ClusterConnection.Builder#wireTime wire time}, by default the system's.
 */
@NullMarked
package io.github.kueue4j.runtime;

import org.jspecify.annotations.NullMarked;
