// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.testdefaults.Patience;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An API server with checks that a test plays, and a queue of theirs. A core runs while the test
 * has started one.
 */
final class PlayedCheckCluster implements AutoCloseable {
  final KubernetesApi api;
  final ClusterWait wait;

  private final Target target;
  private final TimeSource time;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  /**
   * Starts the server, with these objects.
   *
   * @param folder for the kubeconfig
   * @param objects as YAML: the AdmissionChecks, and the queue {@code main} in the namespace {@code
   *     ml}
   */
  PlayedCheckCluster(Path folder, String objects) {
    EmbeddedApiServer server = opened(EmbeddedApiServer.start());
    time = opened(TimeSource.system());
    target = Target.of(server.kubeconfig(folder.resolve("kubeconfig")));
    api = opened(target.connect("administrator")).api();
    wait = ClusterWait.on(api, Patience.LIMIT);
    Definitions.installKueueUnconverted(api);
    Manifests.parse(objects).createIn(api);
  }

  private <T extends AutoCloseable> T opened(T one) {
    running.push(one);
    return one;
  }

  /** A core, which the caller closes. */
  RunningCore startCore() throws InterruptedException {
    return RunningCore.start(target, Playground.quietConfiguration(), time);
  }

  /** Has a check answer the AdmissionChecks of a controller's name from now on. */
  void play(String controllerName, Check<NoParameters> check) throws InterruptedException {
    ClusterConnection own = opened(target.connect("check"));
    opened(CheckController.builder(controllerName, own).check(check).build()).start();
  }

  /** Creates a Workload of one CPU. */
  void create(String name) {
    Manifests.parse(
            """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: %s, namespace: ml}
      spec:
        queueName: main
        podSets:
        - name: main
          count: 1
          template:
            spec:
              restartPolicy: Never
              containers:
              - {name: c, image: example.com/c, resources: {requests: {cpu: "1"}}}
      """
                .formatted(name))
        .createIn(api);
  }

  Workload workload(String name) {
    return api.get(KueueTypes.WORKLOAD, new ObjectKey("ml", name)).orElseThrow();
  }

  @Override
  public void close() {
    IllegalStateException failed = new IllegalStateException("cannot close what the test started");
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        failed.addSuppressed(e);
      }
    }
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}
