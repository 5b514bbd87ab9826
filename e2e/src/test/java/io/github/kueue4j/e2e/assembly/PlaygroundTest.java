// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.ConfigOption;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.explain.InstalledConfiguration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.FreePort;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlaygroundTest {

  @Test
  void servesEveryKindAndHasTheCoresNamespace() throws InterruptedException {
    Configuration configuration = Playground.quietConfiguration();
    try (TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(0, configuration, Set.of(), Duration.ofSeconds(1)), time);
        ClusterConnection connection = playground.target().connect("test")) {
      assertThat(KueueTypes.ALL).allMatch(type -> connection.api().serves(type));
      assertThat(connection.api().serves(KueueTypes.PROVISIONING_REQUEST)).isTrue();
      assertThat(
              connection
                  .api()
                  .get(CoreTypes.NAMESPACE, ObjectKey.cluster(configuration.namespace())))
          .isPresent();
    }
  }

  /** Without it they don't know the kinds that a configuration declares. */
  @ExpectedLog(logger = "ConfiguredSettings", message = "without the block webhook")
  @Test
  void commandsFindTheConfigurationThatIsPublished() throws InterruptedException {
    Configuration configuration =
        Configuration.parse(
            Playground.CONFIGURATION
                + """
                health: {healthProbeBindAddress: "0"}
                metrics: {bindAddress: "0"}
                """);
    try (TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(0, configuration, Set.of(), Duration.ofSeconds(1)), time);
        ClusterConnection connection = playground.target().connect("test")) {
      playground.publishConfiguration(
          new ConfigOption().textWithWebhooks(Playground.CONFIGURATION).orElseThrow());

      assertThat(
              await("the core has its lease")
                  .until(
                      () -> InstalledConfiguration.read(connection.api(), Configuration.defaults()),
                      installed -> installed.lease() != null)
                  .configuration())
          .hasValueSatisfying(
              read ->
                  assertThat(read.integrations().frameworks())
                      .isEqualTo(configuration.integrations().frameworks()));
    }
  }

  /** A client that comes early is asked to come back, and meets the webhooks once it is let in. */
  @Test
  void theFirstClusterQueueThatIsNotPutOffIsStored() throws Exception {
    int port = FreePort.take();
    try (Actors clients = Actors.named("client");
        TimeSource time = TimeSource.system()) {
      Act<HttpResponse<String>> first = clients.ask(() -> firstThatIsNotPutOff(port));
      try (Playground playground =
          Playground.start(
              new Playground.Options(
                  port, Playground.quietConfiguration(), Set.of(), Duration.ofSeconds(1)),
              time)) {
        HttpResponse<String> answer = first.get(Duration.ofMinutes(3));

        assertThat(playground.address()).endsWith(":" + port);
        // The webhook that validates fails closed, so this says that it was asked.
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        await("the finalizer: of the webhook for defaults or, where that was late, of the core")
            .until(() -> finalizersOfEarly(playground).contains("kueue.x-k8s.io/resource-in-use"));
      }
    }
  }

  private static List<String> finalizersOfEarly(Playground playground) {
    try (ClusterConnection connection = playground.target().connect("test")) {
      return connection
          .api()
          .get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("early"))
          .map(queue -> queue.metadata().getFinalizers())
          .orElse(List.of());
    }
  }

  /** Creates a ClusterQueue, from before the port opens until another answer than 503 comes. */
  private static HttpResponse<String> firstThatIsNotPutOff(int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:" + port + "/apis/kueue.x-k8s.io/v1beta2/clusterqueues"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    """
                    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
                      "metadata": {"name": "early"}, "spec": {"namespaceSelector": {}}}
                    """))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (true) {
        try {
          HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
          if (answer.statusCode() != 503) {
            return answer;
          }
          assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        } catch (ConnectException notListening) {
          // It asks again below.
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  /** As where another one runs already, with the same configuration. */
  @Test
  void takesAnotherPortForProbesAndMetricsWhereTheirsIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      Configuration configuration =
          Configuration.parse(
              """
              apiVersion: config.kueue.x-k8s.io/v1beta2
              kind: Configuration
              leaderElection: {leaderElect: false}
              health: {healthProbeBindAddress: ":%1$d"}
              metrics: {bindAddress: ":%1$d"}
              kueue4j: {insecureMetrics: true}
              """
                  .formatted(taken.getLocalPort()));
      try (TimeSource time = TimeSource.system();
          Playground playground =
              Playground.start(
                  new Playground.Options(0, configuration, Set.of(), Duration.ofSeconds(1)), time);
          ClusterConnection connection = playground.target().connect("test")) {
        assertThat(connection.api().serves(KueueTypes.WORKLOAD)).isTrue();
      }
    }
  }

  @Test
  void olderManifestsWorkAlsoAfterTheCoreWasReplaced() throws Exception {
    try (TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0, Playground.quietConfiguration(), Set.of(), Duration.ofSeconds(1)),
                time);
        ClusterConnection connection = playground.target().connect("test")) {
      ResourceType<LocalQueue> older = KueueTypes.LOCAL_QUEUE.inVersion("v1beta1");
      await()
          .ignoreExceptionsInstanceOf(KubernetesApiException.class)
          .until(
              () ->
                  connection
                      .api()
                      .create(
                          older,
                          KueueJson.fromJson(
                              "{\"metadata\": {\"name\": \"lq\", \"namespace\": \"default\"}}",
                              LocalQueue.class)),
              Objects::nonNull);

      playground.crashCore();
      playground.startCore();

      await()
          .ignoreExceptionsInstanceOf(KubernetesApiException.class)
          .until(() -> connection.api().get(older, new ObjectKey("default", "lq")).isPresent());
    }
  }
}
