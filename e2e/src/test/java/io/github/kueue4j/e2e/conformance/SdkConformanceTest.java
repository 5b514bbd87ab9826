// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.FakePrometheus;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.conformance.Conformance;
import io.github.kueue4j.testkit.conformance.ConformanceReport;
import io.github.kueue4j.testkit.conformance.ControllerProxy;
import io.github.kueue4j.testkit.conformance.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the SDK makes of a check keeps every rule, whatever the check says. A build tries one;
 * before a landing it tries those that say one thing, and those with objects or answers of other
 * kinds; a nightly build the others, too.
 */
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "the kit refuses writes, before or after the controller has sent its last")
class SdkConformanceTest {
  private static final List<String> GPU_WORKLOAD =
      List.of("{\"requests\":{\"cpu\":\"1\",\"nvidia.com/gpu\":\"1\"}}");

  @TempDir Path folder;

  /** Starts a controller on the cluster of a kubeconfig. */
  private interface Starter {
    AutoCloseable start(Path kubeconfig, TimeSource time) throws Exception;
  }

  private static Starter check(Check<NoParameters> check) {
    return (kubeconfig, time) -> {
      ClusterConnection connection = Target.of(kubeconfig).connect("conformant");
      CheckController controller =
          CheckController.builder("example.com/sdk", CheckEnvironment.of(connection, time))
              .check(check)
              .build();
      controller.start();
      return () -> {
        controller.close();
        connection.close();
      };
    };
  }

  private static Starter reference(CheckName name) {
    return (kubeconfig, time) -> RunningCheck.start(name, Target.of(kubeconfig), time);
  }

  @Tag("landing")
  @Test
  void oneThatSaysReady() {
    ConformanceReport report =
        run("example.com/sdk", check(evaluation -> Verdict.ready("fine")), "", kit -> kit);

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).isEmpty();
  }

  @Test
  void oneThatSaysRetry() {
    ConformanceReport report =
        run(
            "example.com/sdk",
            check(
                evaluation ->
                    Verdict.retry(
                        Reason.of("Full"), "no room", Delay.exactly(Duration.ofHours(3)))),
            "",
            kit -> kit);

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).containsExactly(Rule.ADMITTED_LEFT_ALONE);
  }

  @Tag("landing")
  @Test
  void oneThatSaysRejected() {
    ConformanceReport report =
        run(
            "example.com/sdk",
            check(evaluation -> Verdict.rejected(Reason.of("Forbidden"), "never")),
            "",
            kit -> kit);

    assertThat(report.broken()).as(report.toText()).isEmpty();
  }

  @Tag("landing")
  @Test
  void budget() {
    ConformanceReport report =
        run(
            "kueue4j.io/budget",
            reference(CheckName.BUDGET),
            """
            apiVersion: checks.kueue4j.io/v1alpha1
            kind: BudgetPolicy
            metadata: {name: plenty}
            spec:
              limit: 1000000
              prices: [{resource: cpu, price: 1}]
              window: {type: Daily}
              runtime: {undeclared: Assume, assumed: 1h}
            """,
            kit -> kit.parameters("checks.kueue4j.io", "BudgetPolicy", "plenty"));

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).isEmpty();
  }

  @Test
  @Tag("nightly")
  void gpuAvailability() throws Exception {
    ObjectNode workload =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    """
                    {"spec": {"queueName": "q", "podSets": [{"name": "main", "count": 1, "template":
                      {"spec": {"restartPolicy": "Never", "containers": [{"name": "c",
                        "image": "example.invalid/c", "resources": %s}]}}}]}}
                    """
                        .formatted(GPU_WORKLOAD.getFirst()));

    ConformanceReport report =
        run(
            "kueue4j.io/gpu-availability",
            reference(CheckName.GPU),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: gpus}
            status: {capacity: {nvidia.com/gpu: "64"}, allocatable: {nvidia.com/gpu: "64"},
              conditions: [{type: Ready, status: "True"}]}
            """,
            kit -> kit.workload(workload));

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).isEmpty();
  }

  @Tag("landing")
  @Test
  void provisioning() {
    ConformanceReport report =
        run(
            "kueue.x-k8s.io/provisioning-request",
            reference(CheckName.PROVISIONING),
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ProvisioningRequestConfig
            metadata: {name: spot}
            spec:
              provisioningClassName: queued.example.com
              parameters: {simulation.kueue4j.io/takes: 1s}
            """,
            kit -> kit.parameters("kueue.x-k8s.io", "ProvisioningRequestConfig", "spot"));

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).isEmpty();
  }

  @Test
  @Tag("nightly")
  void http() throws IOException {
    HttpServer endpoint =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    endpoint.start();
    try {
      ConformanceReport report =
          run(
              "kueue4j.io/http",
              reference(CheckName.HTTP),
              """
              apiVersion: checks.kueue4j.io/v1alpha1
              kind: HttpCheck
              metadata: {name: ready}
              spec: {endpoint: {url: "http://127.0.0.1:%d/"}}
              """
                  .formatted(endpoint.getAddress().getPort()),
              kit -> kit.parameters("checks.kueue4j.io", "HttpCheck", "ready"));

      assertThat(report.broken()).as(report.toText()).isEmpty();
      assertThat(report.skipped()).as(report.toText()).isEmpty();
    } finally {
      endpoint.stop(0);
    }
  }

  @Test
  @Tag("nightly")
  void policy() {
    ConformanceReport report =
        run(
            "kueue4j.io/policy",
            reference(CheckName.POLICY),
            """
            apiVersion: checks.kueue4j.io/v1alpha1
            kind: PolicyCheck
            metadata: {name: rules}
            spec: {rules: [{name: all, answer: Ready, when: "workload.pods > 0"}]}
            """,
            kit -> kit.parameters("checks.kueue4j.io", "PolicyCheck", "rules"));

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).isEmpty();
  }

  /** A person who never comes. */
  @Tag("landing")
  @Test
  void approval() {
    ConformanceReport report =
        run("kueue4j.io/approval", reference(CheckName.APPROVAL), "", kit -> kit);

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).containsExactly(Rule.ADMITTED_LEFT_ALONE);
  }

  @Tag("landing")
  @Test
  void dependency() {
    ConformanceReport report =
        run("kueue4j.io/dependency", reference(CheckName.DEPENDENCY), "", kit -> kit);

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).as(report.toText()).isEmpty();
  }

  @Test
  @Tag("nightly")
  void prometheus() {
    try (FakePrometheus prometheus = FakePrometheus.start().values("1")) {
      ConformanceReport report =
          run(
              "kueue4j.io/prometheus",
              reference(CheckName.PROMETHEUS),
              """
              apiVersion: checks.kueue4j.io/v1alpha1
              kind: PrometheusCheck
              metadata: {name: up}
              spec: {endpoint: {url: "%s"}, query: up, readyWhen: "> 0"}
              """
                  .formatted(prometheus.uri()),
              kit -> kit.parameters("checks.kueue4j.io", "PrometheusCheck", "up"));

      assertThat(report.broken()).as(report.toText()).isEmpty();
      assertThat(report.skipped()).as(report.toText()).isEmpty();
    }
  }

  private ConformanceReport run(
      String controllerName, Starter starter, String objects, UnaryOperator<Conformance> setUp) {
    List<String> definitions = new ArrayList<>(Crds.kueue());
    definitions.addAll(Crds.external());
    for (CheckName name : CheckName.values()) {
      definitions.addAll(name.crds());
    }
    try (TimeSource time = TimeSource.system();
        EmbeddedApiServer server =
            EmbeddedApiServer.builder().kubelets().objects(definitions).start();
        JsonApi api = JsonApi.at(server.uri());
        ControllerProxy proxy = ControllerProxy.before(api)) {
      server.apply(objects);
      Path direct = server.kubeconfig(folder.resolve("direct"));
      try (SimulatedWorld world = SimulatedWorld.start(direct, time, Duration.ofSeconds(1));
          Restartable controller =
              new Restartable(starter, proxy.kubeconfig(folder.resolve("proxy")), time)) {
        assertThat(world).isNotNull();
        controller.start();
        return setUp
            .apply(Conformance.of(controllerName, api, time, new Random(1)))
            .proxy(proxy)
            .restart(controller)
            .quiet(Duration.ofMillis(200))
            .patience(Duration.ofMinutes(2))
            .run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static final class Restartable implements Conformance.Restart, AutoCloseable {
    private final Starter starter;
    private final Path kubeconfig;
    private final TimeSource time;
    private @Nullable AutoCloseable running;

    Restartable(Starter starter, Path kubeconfig, TimeSource time) {
      this.starter = starter;
      this.kubeconfig = kubeconfig;
      this.time = time;
    }

    @Override
    public void stop() {
      try {
        if (running != null) {
          running.close();
        }
      } catch (Exception e) {
        throw new AssertionError("the controller did not stop", e);
      }
    }

    @Override
    public void start() {
      try {
        running = starter.start(kubeconfig, time);
      } catch (Exception e) {
        throw new AssertionError("the controller did not start", e);
      }
    }

    @Override
    public void close() {
      stop();
    }
  }
}
