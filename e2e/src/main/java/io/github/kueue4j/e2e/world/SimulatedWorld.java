// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Simulates the parts of a real cluster, as an ordinary client of its API: nodes exist, Jobs,
 * RayJobs and pods run on them, and an autoscaler answers ProvisioningRequests. What has no queue
 * runs, too. Deleting a node fails its pods, as a machine's death does.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class SimulatedWorld implements AutoCloseable {
  private final ClusterConnection connection;
  private final ControllerHost host;

  private SimulatedWorld(ClusterConnection connection, ControllerHost host) {
    this.connection = connection;
    this.host = host;
  }

  /** The definitions of the kinds that it plays, as YAML texts. */
  public static List<String> definitions() {
    return Stream.concat(Crds.external().stream(), Stream.of(RayJob.DEFINITION)).toList();
  }

  /**
   * Creates the nodes and starts to play all but RayJobs and pods that come without a node. The
   * ProvisioningRequest kind must be served.
   *
   * @param time what Jobs and the autoscaler go by; stays open
   * @param jobRuntime how long Jobs, RayJobs and pods run that don't say otherwise by the
   *     annotation {@code simulation.kueue4j.io/runtime}
   * @throws InterruptedException if the thread is interrupted
   */
  public static SimulatedWorld start(Path kubeconfig, TimeSource time, Duration jobRuntime)
      throws InterruptedException {
    return start(kubeconfig, time, jobRuntime, false);
  }

  /**
   * As {@link #start}, with RayJobs and pods that come without a node. The kinds of {@link
   * #definitions} must be served.
   */
  public static SimulatedWorld startWhole(Path kubeconfig, TimeSource time, Duration jobRuntime)
      throws InterruptedException {
    return start(kubeconfig, time, jobRuntime, true);
  }

  private static SimulatedWorld start(
      Path kubeconfig, TimeSource time, Duration jobRuntime, boolean whole)
      throws InterruptedException {
    ClusterConnection connection =
        ClusterConnection.builder("simulated-world").kubeconfig(kubeconfig, null).connect();
    ControllerHost host = null;
    try {
      SimulatedNodes.createAll(connection.api());
      Nodes room = new Nodes(connection.api());
      Informers informers = Informers.on(connection);
      Informer<V1Pod> pods = informers.of(CoreTypes.POD).register();
      Controller jobs =
          Controller.builder("jobs", new JobRuns(connection.api(), room, time, jobRuntime))
              .watch(informers.of(CoreTypes.JOB).register())
              .watch(pods, JobRuns::jobsOf)
              .build();
      Informer<V1Node> nodes = informers.of(CoreTypes.NODE).register();
      Kubelets machines = new Kubelets(connection.api(), time);
      Controller kubelets =
          Controller.builder("kubelets", machines)
              .watch(pods, Kubelets::terminating)
              .watch(nodes, machines::on)
              .build();
      Controller lostNodes =
          Controller.builder("lost-nodes", new LostNodes(connection.api()))
              .watch(nodes, LostNodes::lost)
              .build();
      Controller autoscaler =
          Controller.builder("autoscaler", new Autoscaler(connection.api(), time))
              .watch(informers.of(KueueTypes.PROVISIONING_REQUEST).register())
              .build();
      ControllerHost.Builder played =
          ControllerHost.builder(connection, time)
              .informers(informers)
              .controller(jobs)
              .controller(kubelets)
              .controller(lostNodes)
              .controller(autoscaler)
              .gracePeriod(Duration.ofSeconds(2));
      if (whole) {
        played
            .controller(
                Controller.builder("ray-jobs", new RayJobs(connection.api(), time, jobRuntime))
                    .watch(informers.of(RayJob.TYPE).register())
                    .watch(pods, RayJobs::rayJobsOf)
                    .build())
            .controller(
                Controller.builder("pods", new PodRuns(connection.api(), room, time, jobRuntime))
                    .watch(pods, PodRuns::wanted)
                    .build());
      }
      host = played.build();
      host.start();
      return new SimulatedWorld(connection, host);
    } catch (RuntimeException | InterruptedException e) {
      if (host != null) {
        host.close();
      }
      connection.close();
      throw e;
    }
  }

  @Override
  public void close() {
    host.close();
    connection.close();
  }
}
