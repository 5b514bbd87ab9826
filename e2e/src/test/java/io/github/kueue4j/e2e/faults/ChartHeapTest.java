// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The core as the chart runs it, in a process with the image's options and the chart's limit of
 * memory: a tenant fills the cluster with Jobs of 1 MB and with what no honest user creates. It
 * goes on for others, and so does one that starts when all of that is there already.
 */
@Tag("nightly")
class ChartHeapTest {
  private static final int JOBS = 1_000;
  private static final int ARGUMENT = 1_000_000;
  private static final long MEBIBYTE = 1L << 20;

  /** What the embedded server needs for the Jobs and their Workloads. */
  private static final long OWN_HEAP = 7_000 * MEBIBYTE;

  /** The server keeps old versions of objects of 1 MB. */
  private static final int HISTORY = 300;

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Heap before and after each collection, such as {@code 200M->80M(320M)}. */
  private static final Pattern COLLECTION = Pattern.compile(" (\\d+)M->(\\d+)M\\(");

  private int honest;

  @Test
  void theCoreAtTheChartsLimitSurvivesThousandJobsOfOneMegabyte(@TempDir Path folder)
      throws Exception {
    assumeTrue(
        Runtime.getRuntime().maxMemory() > OWN_HEAP,
        "the embedded API server needs a heap of 8 GB: -DargLine=-Xmx8g");
    long limit = limit();
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().historyWindow(HISTORY).objects(Crds.kueue()).start();
        ClusterConnection connection =
            ClusterConnection.builder("observer").url(server.uri()).connect()) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
      server.apply(new QueueYaml("honest", "honest", "honest").cpus(1));
      server.apply(new QueueYaml("hostile", "hostile", "hostile").cpus(3));
      OwnProcess core = start(server, folder, limit);
      try {
        long first = core.pid();
        for (int created = 0; created < JOBS; created += JOBS / 10) {
          createJobs(server.uri(), JOBS / 10);
          assertThatOthersWork(server, connection.api(), core);
        }
        HostileTenant.strike(server.uri());
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> assertThat(workloadsCreated(server)).as(core::lastLines).isGreaterThan(JOBS));
        assertThatOthersWork(server, connection.api(), core);
        print("fills up", folder, first);
        assertThat(core.ends()).as(core::lastLines).isZero();

        core.signal("KILL");
        await().atMost(PATIENCE).until(() -> core.pid() != first);
        long second = core.pid();
        assertThatOthersWork(server, connection.api(), core);
        print("starts into it", folder, second);
        assertThat(core.ends()).as(core::lastLines).isEqualTo(1);
        assertThat(residentPeak(second)).isLessThan(limit);
      } finally {
        core.close();
      }
    }
  }

  private OwnProcess start(EmbeddedApiServer server, Path folder, long limit) throws IOException {
    Path configuration =
        Files.writeString(
            folder.resolve("core.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection: {leaderElect: false}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """);
    List<String> options = new ArrayList<>(imageOptions());
    // Where the JVM takes the limit from in a container.
    options.add("-XX:MaxRAM=" + limit);
    options.add("-Xlog:gc:file=" + folder.resolve("gc-%p.log"));
    return OwnProcess.startWith(
        options,
        Main.class.getName(),
        "core",
        "--kubeconfig",
        server.kubeconfig(folder.resolve("kubeconfig")).toString(),
        "--config",
        configuration.toString());
  }

  /** The limit of the chart's container, in bytes. */
  private static long limit() throws IOException {
    Matcher found =
        Pattern.compile("limits:\\s+cpu: \\S+\\s+memory: (\\d+)Mi")
            .matcher(Files.readString(Checkout.root().resolve("charts/kueue-core/values.yaml")));
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1)) * MEBIBYTE;
  }

  /** The options of the JVM in the image. */
  private static List<String> imageOptions() throws IOException {
    Matcher found =
        Pattern.compile("<JDK_JAVA_OPTIONS>(.*?) \\$\\{image.cache.options}</JDK_JAVA_OPTIONS>")
            .matcher(Files.readString(Checkout.root().resolve("cli/pom.xml")));
    assertThat(found.find()).isTrue();
    return List.of(found.group(1).split(" "));
  }

  private static void createJobs(URI server, int count) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < count; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(server.resolve("/apis/batch/v1/namespaces/hostile/jobs"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        """
                        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {
                          "generateName": "large-",
                          "labels": {"kueue.x-k8s.io/queue-name": "hostile"}},
                         "spec": {"suspend": true, "template": {"spec": {"restartPolicy": "Never",
                          "containers": [{"name": "c", "image": "example.invalid/c",
                            "args": ["%s"], "resources": {"requests": {"cpu": "4"}}}]}}}}
                        """
                            .formatted("x".repeat(ARGUMENT))))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(() -> answer.body()).isEqualTo(201);
      }
    }
  }

  /** A Workload of another namespace is admitted, and makes room for the next. */
  private void assertThatOthersWork(EmbeddedApiServer server, KubernetesApi api, OwnProcess core) {
    String name = "honest-" + honest++;
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: honest}
        spec: {queueName: honest, podSets: [{name: main, count: 1, template: {spec: {
          restartPolicy: Never, containers: [{name: c, image: c,
            resources: {requests: {cpu: 1}}}]}}}]}
        """
            .formatted(name));
    ObjectKey key = new ObjectKey("honest", name);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(api.get(KueueTypes.WORKLOAD, key).orElseThrow().conditions().admitted())
                    .as(core::lastLines)
                    .isTrue());
    api.delete(KueueTypes.WORKLOAD, key, DeleteOptions.background());
  }

  /** Listing them would take a gigabyte. */
  private static long workloadsCreated(EmbeddedApiServer server) {
    return server
        .requests()
        .count(
            RequestMatcher.verbs("create")
                .and(RequestMatcher.resource("workloads"))
                .and(RequestMatcher.userAgent("kueue-core")),
            201);
  }

  private static void print(String when, Path folder, long pid) throws IOException {
    int before = 0;
    int after = 0;
    Matcher collections =
        COLLECTION.matcher(Files.readString(folder.resolve("gc-" + pid + ".log")));
    while (collections.find()) {
      before = Math.max(before, Integer.parseInt(collections.group(1)));
      after = Math.max(after, Integer.parseInt(collections.group(2)));
    }
    System.out.printf(
        "PRINT a core that %s: heap at most %d MiB, %d MiB after a collection; resident %d MiB%n",
        when, before, after, residentPeak(pid) / MEBIBYTE);
  }

  /** The most memory that a process had resident, in bytes. */
  private static long residentPeak(long pid) throws IOException {
    Matcher peak =
        Pattern.compile("VmHWM:\\s+(\\d+) kB")
            .matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
    assertThat(peak.find()).isTrue();
    return Long.parseLong(peak.group(1)) << 10;
  }
}
