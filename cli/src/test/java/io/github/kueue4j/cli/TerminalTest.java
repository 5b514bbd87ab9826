// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.DeleteOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** {@code kueue4j queue} and {@code workload} on a cluster with a core. */
class TerminalTest {
  @TempDir private static Path shared;

  private static TimeSource time;
  private static EmbeddedApiServer server;
  private static RunningCore core;

  /** What a command line came to; every age is {@code AGE}, and columns are divided by bars. */
  private record Printed(int status, String out, String err) {
    String cells() {
      return out.replaceAll("(?m)(?<= )(\\d+[dhms])+(?= |$)", "AGE")
          .replaceAll("job-training-\\w+", "job-training-HASH")
          .replaceAll(" {2,}", " | ");
    }
  }

  @BeforeAll
  static void start() throws InterruptedException {
    time = TimeSource.system();
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    core =
        RunningCore.start(
            Target.of(server.kubeconfig(shared.resolve("kubeconfig"))),
            Configuration.parse(
                """
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                leaderElection: {leaderElect: false}
                health: {healthProbeBindAddress: "0"}
                metrics: {bindAddress: "0"}
                """),
            time);
    server.apply(
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
        """);
    await().until(() -> run("workload list -n team").out().contains("Admitted"));
    server.apply(workload("first", 5, true) + "---\n" + workload("second", 1, true));
    server.apply(workload("unwanted", 0, false));
    await().until(() -> run("queue list").out().matches("(?s).*research .* 2 +1 +1 .*"));
  }

  @AfterAll
  static void stop() {
    core.close();
    server.close();
    time.close();
  }

  @Test
  void listsQueues() {
    assertThat(run("queue list -n team").cells())
        .isEqualTo(
            """
            NAME | COHORT | STRATEGY | PENDING | RESERVING | ADMITTED | STATE | WHY
            cq/closed | <none> | BestEffortFIFO | 0 | 0 | 0 | Stopped | stopPolicy Hold
            cq/research | lab | StrictFIFO | 2 | 1 | 1 | Active
            cq/spare | lab | BestEffortFIFO | 0 | 0 | 0 | Active

            NAME | CLUSTERQUEUE | PENDING | RESERVING | ADMITTED | STATE | WHY
            lq/astray | nowhere | 0 | 0 | 0 | Inactive | ClusterQueueDoesNotExist: Can't submit new workloads to clusterQueue
            lq/main | research | 2 | 1 | 1 | Active
            """);
  }

  @Test
  void listsWhatQueuesUse() {
    assertThat(run("queue list -A -o wide").cells())
        .contains(
            "| STATE | QUOTA | WHY\n",
            "| Active | cpu in default: 4 of 3 used, 1 borrowed\n",
            "| Active | cpu in default: 0 of 1 used\n",
            "\nNAMESPACE | NAME | CLUSTERQUEUE | PENDING | RESERVING | ADMITTED | STATE | USED | WHY\n",
            "\nteam | lq/main | research | 2 | 1 | 1 | Active | cpu in default: 4 used\n");
  }

  @Test
  void listsWorkloads() {
    assertThat(run("workload list -n team").cells())
        .isEqualTo(
            """
            NAME | OWNER | QUEUE | CLUSTERQUEUE | PHASE | PRIORITY | AGE | SINCE
            first | <none> | main | research | Queued | 5 | AGE | AGE
            job-training-HASH | job/training | main | research | Admitted | 0 | AGE | AGE
            second | <none> | main | research | Queued | 1 | AGE | AGE
            unwanted | <none> | main | research | Deactivated | 0 | AGE | AGE
            """);
    assertThat(run("workload list -A -o wide --status deactivated").cells())
        .isEqualTo(
            """
            NAMESPACE | NAME | OWNER | QUEUE | CLUSTERQUEUE | PHASE | PRIORITY | AGE | SINCE | DELAYED-UNTIL | CHECKS
            team | unwanted | <none> | main | research | Deactivated | 0 | AGE | AGE | <none> | <none>
            """);
  }

  @Test
  void listsWorkloadsOfAQueue() {
    assertThat(run("workload list -n team -q main").out()).hasLineCount(5);
    assertThat(run("workload list -n team -q cq/research --status queued").out()).hasLineCount(3);
    assertThat(run("workload list -n team -q cq/spare").out()).hasLineCount(1);
  }

  @Test
  void printsTheObjectsThemselves() {
    JsonObject json =
        JsonParser.parseString(run("queue list -n team -o json").out()).getAsJsonObject();
    assertThat(json.get("kind").getAsString()).isEqualTo("List");
    assertThat(json.getAsJsonArray("items"))
        .extracting(item -> item.getAsJsonObject().get("kind").getAsString())
        .containsExactly(
            "ClusterQueue", "ClusterQueue", "ClusterQueue", "LocalQueue", "LocalQueue");

    Map<String, Object> yaml =
        new Yaml().load(run("workload list -n team --status queued -o yaml").out());
    assertThat((List<?>) yaml.get("items")).hasSize(2);
    assertThat(yaml.toString()).contains("apiVersion=kueue.x-k8s.io/v1beta2", "cpu=2");
  }

  @Test
  void watchesUntilNothingReads() {
    StringWriter out = new StringWriter();
    GoneWriter reader = new GoneWriter(out);
    CompletableFuture<Integer> watch =
        CompletableFuture.supplyAsync(
            () ->
                Main.run(
                    new PrintWriter(reader),
                    new PrintWriter(new StringWriter()),
                    words("workload list -n team -q main --watch")));
    await().until(() -> out.toString().contains("\nunwanted "));
    server.apply(workload("late", -1, false));
    await().until(() -> out.toString().contains("\nlate "));
    assertThat(out.toString().lines().filter(line -> line.startsWith("first"))).hasSize(1);

    reader.gone = true;
    server.apply(workload("later", -1, false));

    assertThat(watch.join()).isZero();
    try (ClusterConnection connection =
        ClusterConnection.builder("test").url(server.uri()).connect()) {
      for (String name : List.of("late", "later")) {
        connection
            .api()
            .delete(KueueTypes.WORKLOAD, new ObjectKey("team", name), DeleteOptions.background());
      }
    }
  }

  @Test
  void refusesWhatContradictsItself() {
    assertThat(run("queue list -A -n team").err()).contains("-A excludes -n team").hasLineCount(1);
    assertThat(run("workload list --watch -o json").err()).contains("--watch").hasLineCount(1);
  }

  /** A pipe whose reader may have ended. */
  private static final class GoneWriter extends java.io.FilterWriter {
    private volatile boolean gone;

    GoneWriter(StringWriter out) {
      super(out);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      if (gone) {
        throw new IOException("broken pipe");
      }
      super.write(text, from, length);
    }
  }

  private static String workload(String name, int priority, boolean active) {
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

  private static String[] words(String line) {
    return Stream.concat(
            Stream.of(line.split(" ", -1)), Stream.of("--server", server.uri().toString()))
        .toArray(String[]::new);
  }

  private static Printed run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), words(line));
    return new Printed(status, out.toString(), err.toString());
  }
}
