// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import io.github.kueue4j.runtime.tls.TlsOptions;
import io.github.kueue4j.testdefaults.AnyCertificate;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1Secret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLog(logger = "CertificateKeeper", message = "No valid certificate")
@ExpectedLog(logger = "CertificateSecret", message = "Replacing the invalid certificate")
class WebhooksTest {
  private static final ObjectKey SECRET =
      new ObjectKey("kueue-system", "kueue-webhook-server-cert");
  private static final ObjectKey QUEUES = ObjectKey.cluster("clusterqueues.kueue.x-k8s.io");
  private static final String REVIEW =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {
        "uid": "7", "desiredAPIVersion": "kueue.x-k8s.io/v1beta2", "objects": [%s]}}
      """;

  private final ManualTime time = new ManualTime(Instant.now());
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().webhookPatience(Duration.ofMinutes(1)).start();
  private final ClusterConnection connection =
      ClusterConnection.builder("webhooks")
          .url(server.uri())
          .wireTime(time)
          .wallClock(time)
          .connect();
  private final KubernetesApi api = connection.api();

  WebhooksTest() {
    server.applyCrds(Crds.kueue());
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
    time.close();
  }

  private static WebhookSettings settings(String more) {
    return Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            webhook: {port: 0, host: 127.0.0.1%s
            """
                .formatted(more))
        .webhook()
        .orElseThrow();
  }

  private Webhooks webhooks() {
    return webhooks(settings("}"));
  }

  private Webhooks webhooks(WebhookSettings settings) {
    return Webhooks.on(
        connection,
        settings,
        "kueue-system",
        Map.of(),
        TlsOptions.defaults(),
        new SimpleMeterRegistry());
  }

  /** Lets a little time pass at each look: a timer that is set may be that of a request. */
  private void passUntil(Callable<Boolean> expected) {
    await()
        .until(
            () -> {
              boolean holds = expected.call();
              if (!holds) {
                time.advance(Duration.ofMinutes(2));
              }
              return holds;
            });
  }

  private static void awaitReady(Webhooks webhooks) {
    await().until(() -> webhooks.problems().isEmpty());
  }

  private byte @Nullable [] bundle() {
    return api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, QUEUES)
        .orElseThrow()
        .getSpec()
        .getConversion()
        .getWebhook()
        .getClientConfig()
        .getCaBundle();
  }

  private void awaitTrust(Webhooks webhooks) {
    await()
        .untilAsserted(
            () -> {
              assertThat(webhooks.problems()).isEmpty();
              assertThat(trusted(shown(webhooks), bundle())).isTrue();
            });
  }

  /**
   * Whether one of the authorities has signed it; dates are ignored, because clocks are simulated.
   */
  private static boolean trusted(X509Certificate certificate, byte @Nullable [] bundle) {
    return bundle != null
        && ServingCertificates.certificates(new String(bundle, StandardCharsets.UTF_8)).stream()
            .anyMatch(authority -> signedBy(certificate, authority));
  }

  private static boolean signedBy(X509Certificate certificate, X509Certificate authority) {
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException otherAuthority) {
      return false;
    }
  }

  private static X509Certificate shown(Webhooks webhooks) throws Exception {
    return (X509Certificate)
        send(webhooks, "/", "{}").sslSession().orElseThrow().getPeerCertificates()[0];
  }

  /** Whatever the name and the dates of the server's certificate. */
  private static HttpResponse<String> send(Webhooks webhooks, String path, String body)
      throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(AnyCertificate.trusted()).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://localhost:" + webhooks.port() + path))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void convertsOverHttps() throws Exception {
    try (Webhooks webhooks = webhooks()) {
      webhooks.start();
      awaitTrust(webhooks);

      HttpResponse<String> answer =
          send(
              webhooks,
              "/convert",
              REVIEW.formatted(
                  """
                  {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue",
                   "spec": {"cohort": "all", "big": 9007199254740993}}
                  """));

      assertThat(answer.statusCode()).isEqualTo(200);
      JsonObject review = JsonParser.parseString(answer.body()).getAsJsonObject();
      assertThat(review.get("kind").getAsString()).isEqualTo("ConversionReview");
      assertThat(review.getAsJsonObject("response"))
          .isEqualTo(
              JsonParser.parseString(
                  """
                  {"uid": "7", "result": {"status": "Success"}, "convertedObjects": [
                    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
                     "spec": {"cohortName": "all", "big": 9007199254740993}}]}
                  """));
    }
  }

  @Test
  void theApiServerServesTheOlderVersionThroughIt() {
    try (Webhooks webhooks = webhooks()) {
      webhooks.start();
      awaitTrust(webhooks);
      server.routeService("kueue-system", "kueue-webhook-service", webhooks.port());

      server.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta1
          kind: ClusterQueue
          metadata: {name: older}
          spec: {cohort: all}
          """);

      ClusterQueue newer =
          api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("older")).orElseThrow();
      assertThat(newer.spec().cohortName()).isEqualTo("all");
    }
  }

  @Test
  void aBodyThatIsNoReviewIsRefused() throws Exception {
    try (Webhooks webhooks = webhooks()) {
      webhooks.start();
      awaitReady(webhooks);

      assertThat(send(webhooks, "/convert", "no JSON").statusCode()).isEqualTo(400);
      assertThat(send(webhooks, "/convert", "[]").statusCode()).isEqualTo(400);
      assertThat(send(webhooks, "/convert", "{}").statusCode()).isEqualTo(400);
      assertThat(send(webhooks, "/converted", "{}").statusCode()).isEqualTo(404);
      HttpResponse<String> unknown =
          send(
              webhooks,
              "/convert",
              REVIEW.formatted(
                  "{\"apiVersion\": \"kueue.x-k8s.io/v1beta1\", \"kind\": \"Topology\"}"));
      assertThat(unknown.body()).contains("\"Failure\"", "kind Topology can't be converted");
    }
  }

  @Test
  void replicasShareOneCertificate() throws Exception {
    try (Webhooks first = webhooks();
        Webhooks second = webhooks()) {
      first.start();
      second.start();
      awaitTrust(first);
      awaitTrust(second);

      assertThat(shown(second)).isEqualTo(shown(first));
    }
  }

  @Test
  void certificatesAreRenewedInTime() throws Exception {
    try (Webhooks webhooks = webhooks()) {
      webhooks.start();
      awaitTrust(webhooks);
      X509Certificate before = shown(webhooks);

      time.advance(Duration.ofDays(270));

      passUntil(() -> !shown(webhooks).equals(before));
      assertThat(shown(webhooks).getNotAfter().toInstant())
          .isAfter(time.instant().plus(Duration.ofDays(300)));
      assertThat(trusted(shown(webhooks), bundle())).isTrue();
      assertThat(trusted(before, bundle())).isTrue();
    }
  }

  @Test
  void anInvalidSecretIsReplaced() throws Exception {
    try (Webhooks webhooks = webhooks()) {
      webhooks.start();
      awaitTrust(webhooks);
      X509Certificate before = shown(webhooks);

      api.patch(
          CoreTypes.SECRET,
          SECRET,
          JsonPatch.of(
              new JsonPatch.Operation(
                  JsonPatch.Kind.REPLACE, "/data/tls.key", new JsonPrimitive("b2Rk"))));

      passUntil(() -> !shown(webhooks).equals(before) && trusted(shown(webhooks), bundle()));
      V1Secret mended = api.get(CoreTypes.SECRET, SECRET).orElseThrow();
      assertThat(mended.getData().get("tls.key")).hasSizeGreaterThan(100);
    }
  }

  @Test
  void certificateFilesOfAnExternalTool(@TempDir Path folder) throws Exception {
    ServingCertificates mounted =
        ServingCertificates.issue(List.of("localhost"), time.instant(), new Random(1));
    try (Webhooks webhooks =
        webhooks(
            settings(
                ", certDir: %s}\ninternalCertManagement: {enable: false}".formatted(folder)))) {
      webhooks.start();
      await()
          .untilAsserted(
              () ->
                  assertThat(webhooks.problems())
                      .singleElement()
                      .asString()
                      .contains("there is no " + folder.resolve("tls.crt"), "mount it"));

      write(folder.resolve("tls.crt"), ServingCertificates.pem(mounted.chain()));
      write(folder.resolve("tls.key"), ServingCertificates.pem(List.of(mounted.key())));

      passUntil(() -> webhooks.problems().isEmpty());
      assertThat(shown(webhooks)).isEqualTo(mounted.chain().getFirst());
      assertThat(api.get(CoreTypes.SECRET, SECRET)).isEmpty();
      assertThat(bundle()).isNull();
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }

  @Test
  void anAuthorityThatWasReplacedStaysTrustedUntilItExpires() {
    Instant start = time.instant();
    Random serials = new Random(1);
    List<String> hosts = List.of("a.b.svc");
    ServingCertificates first = ServingCertificates.issue(hosts, start, serials);

    Instant late = start.plus(Duration.ofDays(3000));
    ServingCertificates second = first.renewed(hosts, late, serials);
    assertThat(second.authorities()).hasSize(2).contains(first.authorities().getFirst());
    assertThat(signedBy(second.chain().getFirst(), second.authorities().getFirst())).isTrue();

    ServingCertificates third = second.renewed(hosts, start.plus(Duration.ofDays(3700)), serials);
    assertThat(third.authorities()).containsExactly(second.authorities().getFirst());
    assertThat(second.renewed(hosts, late, serials)).isSameAs(second);
  }

  @Test
  void aNewServiceNameNeedsANewCertificate() {
    Random serials = new Random(1);
    ServingCertificates first =
        ServingCertificates.issue(List.of("a.b.svc"), time.instant(), serials);

    ServingCertificates second = first.renewed(List.of("c.b.svc"), time.instant(), serials);

    assertThat(second.authorities()).isEqualTo(first.authorities());
    assertThat(second.chain()).isNotEqualTo(first.chain());
  }

  @Test
  void otherDataInTheSecretIsKept() {
    server.apply(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: kueue-webhook-server-cert, namespace: kueue-system}
        data: {note: aGk=}
        """);
    try (Webhooks webhooks = webhooks()) {
      webhooks.start();
      awaitTrust(webhooks);

      Map<String, byte[]> data = api.get(CoreTypes.SECRET, SECRET).orElseThrow().getData();
      assertThat(data).containsKeys("note", "ca.crt", "ca.key", "tls.crt", "tls.key");
    }
  }
}
