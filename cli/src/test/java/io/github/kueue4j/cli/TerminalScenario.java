// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A cluster with a core, two queues of a cohort, a Job that runs and two Workloads that wait. */
record TerminalScenario(TimeSource time, EmbeddedApiServer server, RunningCore core)
    implements AutoCloseable {
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: team}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: default}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        cohortName: lab
        queueingStrategy: StrictFIFO
        admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 3}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: spare}
      spec:
        cohortName: lab
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: closed}
      spec: {stopPolicy: Hold, namespaceSelector: {}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: astray, namespace: team}
      spec: {clusterQueue: nowhere}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: training, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        suspend: true
        template:
          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 4}}}]}
      """;

  /** What a command line came to. */
  record Printed(int status, String out, String err) {
    /** The output with {@code AGE} for every age, and columns divided by bars. */
    String cells() {
      return out.replaceAll("(?m)(?<= )(\\d+[dhms])+(?= |$)", "AGE")
          .replaceAll("job-training-\\w+", "job-training-HASH")
          .replaceAll(" {2,}", " | ");
    }
  }

  static TerminalScenario start(Path folder) throws InterruptedException {
    TimeSource time = TimeSource.system();
    EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    RunningCore core = QuietCore.start(server.kubeconfig(folder.resolve("kubeconfig")), time, "");
    TerminalScenario scenario = new TerminalScenario(time, server, core);
    server.apply(OBJECTS);
    await().until(() -> scenario.run("workload list -n team").out().contains("Admitted"));
    server.apply(workload("first", 5, true));
    server.apply(workload("second", 1, true));
    server.apply(workload("unwanted", 0, false));
    await().until(() -> settled(scenario.run("queue list -n team").cells()));
    return scenario;
  }

  private static boolean settled(String queues) {
    return Stream.of(
            "cq/closed | <none> | BestEffortFIFO | 0 | 0 | 0 | Stopped",
            "cq/research | lab | StrictFIFO | 2 | 1 | 1 | Active",
            "cq/spare | lab | BestEffortFIFO | 0 | 0 | 0 | Active",
            "lq/astray | nowhere | 0 | 0 | 0 | Inactive",
            "lq/main | research | 2 | 1 | 1 | Active")
        .allMatch(queues::contains);
  }

  static String workload(String name, int priority, boolean active) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: %s, namespace: team}
    spec:
      active: %s
      queueName: main
      priority: %d
      podSets:
      - name: main
        count: 1
        template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]}}
    """
        .formatted(name, active, priority);
  }

  /** A command line, completed by the address of the server. */
  String[] words(String line) {
    return Stream.concat(
            Stream.of(line.split(" ", -1)), Stream.of("--server", server.uri().toString()))
        .toArray(String[]::new);
  }

  Printed run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), words(line));
    return new Printed(status, out.toString(), err.toString());
  }

  @Override
  public void close() {
    core.close();
    server.close();
    time.close();
  }
}
