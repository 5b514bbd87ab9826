// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import io.github.kueue4j.apiserver.webhook.ClientConfig;
import io.github.kueue4j.apiserver.webhook.Services;
import io.github.kueue4j.apiserver.webhook.WebhookClient;
import io.github.kueue4j.apiserver.webhook.WebhookException;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Admission webhooks: which webhook is asked about which write, and the effect of its answer. */
class AdmissionWebhookTest {
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String RULE =
      "{operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}";

  @RegisterExtension static final TestServer api = new TestServer();

  private static TestWebhook webhook;

  @BeforeAll
  static void start() throws Exception {
    webhook = new TestWebhook("hook.system.svc");
    api.server().routeService("system", "hook", webhook.port());
  }

  @AfterAll
  static void stop() {
    webhook.close();
  }

  @AfterEach
  void forgetConfigurations() {
    webhook.requests().clear();
    for (String kind : List.of("mutating", "validating")) {
      String path = CONFIGURATIONS + kind + "webhookconfigurations";
      for (JsonNode item : api.get(path).at("items")) {
        api.delete(path + "/" + item.at("/metadata/name").asText());
      }
    }
  }

  /** Configures one webhook; {@code rest} is more YAML of it. */
  private static void configure(String kind, String name, String clientConfig, String rest) {
    configure(kind, name, clientConfig, RULE, rest);
  }

  private static void configure(
      String kind, String name, String clientConfig, String rule, String rest) {
    Answer answer =
        api.post(
            CONFIGURATIONS + kind.toLowerCase(Locale.ROOT) + "webhookconfigurations",
            configuration(kind, name, clientConfig, rule, rest));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
  }

  private static String configuration(
      String kind, String name, String clientConfig, String rule, String rest) {
    return """
        apiVersion: admissionregistration.k8s.io/v1
        kind: %sWebhookConfiguration
        metadata: {name: %s}
        webhooks:
        - name: %s.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          clientConfig: %s
          rules: [%s]
        """
            .formatted(kind, name, name, clientConfig, rule)
        + rest;
  }

  private static Answer create(String name, String rest) {
    return api.post(
        MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}" + rest + "}");
  }

  @Test
  void aRefusalStopsTheWrite() {
    webhook.admits(
        "/deny",
        request ->
            "{'allowed': false, 'status': {'code': 403, 'reason': 'Forbidden', 'message': 'not today'}}");
    configure("Validating", "deny", webhook.at("/deny"), "");

    Answer refused = create("refused", "");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.at("reason").asText()).isEqualTo("Forbidden");
    assertThat(refused.at("message").asText())
        .isEqualTo("admission webhook \"deny.example.com\" denied the request: not today");
    assertThat(api.get(MAPS + "/refused").status()).isEqualTo(404);
  }

  @Test
  void aRefusalWithoutExplanation() {
    webhook.admits("/mute", request -> "{'allowed': false}");
    configure("Validating", "mute", webhook.at("/mute"), "");

    Answer refused = create("mute", "");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("message").asText())
        .isEqualTo("admission webhook \"mute.example.com\" denied the request without explanation");
  }

  /** As where it took the connection for idle while the review was on its way. */
  @Test
  void asksAgainOnceIfTheConnectionIsClosedWithoutAnAnswer() {
    webhook.on("/gone", review -> MissingNode.getInstance());
    configure("Validating", "gone", webhook.at("/gone"), "");

    assertThat(create("gone", "").at("message").asText()).contains("received no bytes");
    assertThat(webhook.requests()).hasSize(2);

    webhook.on(
        "/gone",
        review -> {
          webhook.admits("/gone", request -> TestWebhook.allowed());
          return MissingNode.getInstance();
        });
    assertThat(create("gone", "").status()).isEqualTo(201);
    assertThat(webhook.requests()).hasSize(4);
  }

  @Test
  void receivesTheUserAndTheRequest() {
    webhook.admits("/log", request -> TestWebhook.allowed());
    configure("Validating", "log", webhook.at("/log"), "");

    create("told", ", data: {a: '1'}");
    api.mergePatch(MAPS + "/told", "{\"data\":{\"a\":\"2\"}}");
    api.delete(MAPS + "/told");

    assertThat(webhook.requests())
        .extracting(request -> request.path("operation").asText())
        .containsExactly("CREATE", "UPDATE", "DELETE");
    JsonNode update = webhook.requests().get(1);
    assertThat(update.path("userInfo").path("username").asText()).isEqualTo("system:admin");
    assertThat(update.at("/kind").toString())
        .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
    assertThat(update.at("/resource/resource").asText()).isEqualTo("configmaps");
    assertThat(update.at("/name").asText()).isEqualTo("told");
    assertThat(update.at("/namespace").asText()).isEqualTo("default");
    assertThat(update.at("/dryRun").asBoolean()).isFalse();
    assertThat(update.at("/object/data/a").asText()).isEqualTo("2");
    assertThat(update.at("/oldObject/data/a").asText()).isEqualTo("1");
    assertThat(webhook.requests().get(0).path("oldObject").isNull()).isTrue();
    assertThat(webhook.requests().get(2).path("object").isNull()).isTrue();
  }

  @Test
  void aPatchChangesWhatIsStored() {
    webhook.admits(
        "/label",
        request -> TestWebhook.patch("[{'op':'add','path':'/metadata/labels','value':{'a':'b'}}]"));
    configure("Mutating", "label", webhook.at("/label"), "");
    webhook.admits("/see", request -> TestWebhook.allowed());
    configure("Validating", "see", webhook.at("/see"), "");

    Answer created = create("patched", "");

    assertThat(created.at("metadata.labels.a").asText()).isEqualTo("b");
    assertThat(api.get(MAPS + "/patched").at("metadata.labels.a").asText()).isEqualTo("b");
    assertThat(webhook.requests().get(1).at("/object/metadata/labels/a").asText()).isEqualTo("b");
  }

  @Test
  void isAskedAgainWhenOthersChangedTheObject() {
    AtomicInteger asked = new AtomicInteger();
    webhook.admits(
        "/first",
        request ->
            TestWebhook.patch(
                "[{'op':'add','path':'/data','value':{'asked':'"
                    + asked.incrementAndGet()
                    + "'}}]"));
    webhook.admits(
        "/second",
        request -> TestWebhook.patch("[{'op':'add','path':'/metadata/labels','value':{'a':'b'}}]"));
    configure("Mutating", "first", webhook.at("/first"), "  reinvocationPolicy: IfNeeded");
    configure("Mutating", "second", webhook.at("/second"), "");

    assertThat(create("again", "").at("data.asked").asText()).isEqualTo("2");
  }

  @Test
  void warningsReachTheClient() {
    webhook.admits("/warn", request -> "{'allowed': true, 'warnings': ['mind the gap']}");
    configure("Validating", "warn", webhook.at("/warn"), "");

    assertThat(create("warned", "").headers().allValues("Warning"))
        .containsExactly("299 - \"mind the gap\"");
  }

  @Test
  void aServiceIsReachedAndItsNameChecked() {
    webhook.admits(
        "/service", request -> "{'allowed': false, 'status': {'message': 'by service'}}");
    String service =
        "{service: {namespace: system, name: %s, path: /service, port: 9443}, caBundle: %s}";
    configure("Validating", "service", service.formatted("hook", webhook.caBundle()), "");
    assertThat(create("service", "").at("message").asText()).endsWith("by service");

    forgetConfigurations();
    api.server().routeService("system", "other", webhook.port());
    configure("Validating", "other", service.formatted("other", webhook.caBundle()), "");
    Answer wrongName = create("service", "");
    assertThat(wrongName.status()).isEqualTo(500);
    assertThat(wrongName.at("message").asText())
        .startsWith(
            "Internal error occurred: failed calling webhook \"other.example.com\": failed to call"
                + " webhook: Post \"https://other.system.svc:9443/service?timeout=10s\": ")
        .contains("certificate is not valid for other.system.svc");

    forgetConfigurations();
    configure("Validating", "none", service.formatted("none", webhook.caBundle()), "");
    assertThat(create("service", "").at("message").asText()).contains("service \"none\" not found");
  }

  @Test
  void aForeignAuthorityIsNotTrusted() throws Exception {
    webhook.admits("/trust", request -> TestWebhook.allowed());
    try (TestWebhook stranger = new TestWebhook()) {
      configure(
          "Validating",
          "trust",
          "{url: 'https://127.0.0.1:"
              + webhook.port()
              + "/trust', caBundle: "
              + stranger.caBundle()
              + "}",
          "");
      assertThat(create("trust", "").status()).isEqualTo(500);
    }
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void anUnreachableWebhookStopsTheWriteUnlessIgnorable() {
    configure("Validating", "broken", webhook.at("/nowhere"), "");
    Answer failed = create("broken", "");
    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.at("message").asText())
        .contains("failed calling webhook \"broken.example.com\"", "no such webhook");

    forgetConfigurations();
    configure("Validating", "broken", webhook.at("/nowhere"), "  failurePolicy: Ignore");
    assertThat(create("broken", "").status()).isEqualTo(201);
  }

  @Test
  void aSlowWebhookTimesOut() {
    CountDownLatch released = new CountDownLatch(1);
    webhook.admits(
        "/slow",
        request -> {
          try {
            assertThat(released.await(90, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return TestWebhook.allowed();
        });
    configure("Validating", "slow", webhook.at("/slow"), "  timeoutSeconds: 1");

    Answer failed = create("slow", "");
    released.countDown();

    assertThat(failed.at("message").asText()).contains("?timeout=1s", "context deadline exceeded");
  }

  @Test
  void aPatientServerWaitsLongerThanItsRegistrationsSay() throws Exception {
    webhook.admits(
        "/slow",
        request -> {
          LockSupport.parkNanos(Duration.ofMillis(1500).toNanos());
          return TestWebhook.allowed();
        });
    try (EmbeddedApiServer patient =
        EmbeddedApiServer.builder().webhookPatience(Duration.ofMinutes(10)).start()) {
      patient.apply(
          configuration("Validating", "slow", webhook.at("/slow"), RULE, "  timeoutSeconds: 1"));
      patient.apply(
          "{apiVersion: v1, kind: ConfigMap, metadata: {name: slow, namespace: default}}");
    }
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void anAnswerToSomethingElseIsNone() {
    webhook.on(
        "/nonsense", review -> TestWebhook.json("{'response': {'uid': 'x', 'allowed': true}}"));
    configure("Validating", "nonsense", webhook.at("/nonsense"), "");

    assertThat(create("nonsense", "").at("message").asText())
        .contains(
            "received invalid webhook response: expected webhook response of admission.k8s.io/v1");
  }

  @Test
  void onlyHarmlessWebhooksSeeDryRuns() {
    webhook.admits("/dry", request -> TestWebhook.allowed());
    configure("Validating", "dry", webhook.at("/dry"), "");
    String body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: dry}}";
    assertThat(api.post(MAPS + "?dryRun=All", body).status()).isEqualTo(201);
    assertThat(webhook.requests().get(0).path("dryRun").asBoolean()).isTrue();

    api.mergePatch(
        CONFIGURATIONS + "validatingwebhookconfigurations/dry",
        "{\"webhooks\":[{\"name\":\"dry.example.com\",\"admissionReviewVersions\":[\"v1\"],"
            + "\"sideEffects\":\"Some\",\"clientConfig\":{\"url\":\"https://127.0.0.1:"
            + webhook.port()
            + "/dry\",\"caBundle\":\""
            + webhook.caBundle()
            + "\"},\"rules\":[{\"operations\":[\"*\"],\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],"
            + "\"resources\":[\"configmaps\"]}]}]}");
    Answer refused = api.post(MAPS + "?dryRun=All", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("message").asText())
        .isEqualTo("admission webhook \"dry.example.com\" does not support dry run");
  }

  @Test
  void seesOnlyWhatItsRulesNameAndItsSelectorsSelect() {
    webhook.admits("/no", request -> "{'allowed': false}");
    api.post(
        "/api/v1/namespaces",
        "{apiVersion: v1, kind: Namespace, metadata: {name: strict, labels: {strict: 'yes'}}}");
    configure(
        "Validating",
        "narrow",
        webhook.at("/no"),
        "{operations: [CREATE], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps/*'], scope: Namespaced}",
        """
          namespaceSelector: {matchLabels: {strict: 'yes'}}
          objectSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}
          matchConditions:
          - {name: named, expression: "request.name != 'spared' && !has(object.data)"}
        """);
    String strict = "/api/v1/namespaces/strict/configmaps";
    String body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, labels: {a: %s}}%s}";

    assertThat(api.post(MAPS, body.formatted("n1", "b", "")).status()).isEqualTo(201);
    assertThat(api.post(strict, body.formatted("n2", "c", "")).status()).isEqualTo(201);
    assertThat(api.post(strict, body.formatted("spared", "b", "")).status()).isEqualTo(201);
    assertThat(api.post(strict, body.formatted("n3", "b", ", data: {}")).status()).isEqualTo(201);
    assertThat(api.post(strict, body.formatted("n4", "b", "")).status()).isEqualTo(400);
    assertThat(api.mergePatch(strict + "/spared", "{\"data\":{\"x\":\"y\"}}").status())
        .isEqualTo(200);
  }

  @Test
  void aSubresourceIsSeenByAWebhookThatNamesIt() {
    webhook.admits("/status", request -> "{'allowed': false, 'status': {'message': 'status'}}");
    configure(
        "Validating",
        "status",
        webhook.at("/status"),
        "{operations: [UPDATE], apiGroups: [batch], apiVersions: [v1], resources: [jobs/status]}",
        "");
    String jobs = "/apis/batch/v1/namespaces/default/jobs";
    api.post(
        jobs,
        "{apiVersion: batch/v1, kind: Job, metadata: {name: seen}, spec: {suspend: true, template:"
            + " {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}");

    assertThat(api.mergePatch(jobs + "/seen", "{\"spec\":{\"parallelism\":2}}").status())
        .isEqualTo(200);
    assertThat(
            api.mergePatch(jobs + "/seen/status", "{\"status\":{\"active\":1}}")
                .at("message")
                .asText())
        .endsWith("denied the request: status");
    assertThat(webhook.requests().get(0).path("subResource").asText()).isEqualTo("status");
  }

  @Test
  void aWebhookThatCannotBeReachedAtAllIsRefusedAtOnce() {
    String configuration =
        "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration,"
            + " metadata: {name: wrong}, webhooks: [{name: wrong.example.com, sideEffects: None,"
            + " admissionReviewVersions: [v1], clientConfig: %s}]}";
    String path = CONFIGURATIONS + "validatingwebhookconfigurations";

    assertThat(api.post(path, configuration.formatted("{}")).at("message").asText())
        .contains("webhooks[0].clientConfig: Required value: exactly one of url or service");
    assertThat(
            api.post(path, configuration.formatted("{url: 'http://localhost/x'}"))
                .at("message")
                .asText())
        .contains("'https' is the only allowed URL scheme");
  }

  @Test
  void configurationsThemselvesAreNotReviewed() {
    webhook.admits("/all", request -> "{'allowed': false}");
    configure(
        "Validating",
        "all",
        webhook.at("/all"),
        "{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}",
        "");

    assertThat(create("all", "").status()).isEqualTo(400);
    assertThat(api.delete(CONFIGURATIONS + "validatingwebhookconfigurations/all").status())
        .isEqualTo(200);
  }

  /** A write may still be under way when its server closes. */
  @Test
  void aClosedServerCallsNoWebhook() throws Exception {
    webhook.admits("/closed", request -> TestWebhook.allowed());
    WebhookClient client = new WebhookClient(new Services(), Duration.ZERO);
    ClientConfig config =
        new ClientConfig(
            "https://127.0.0.1:" + webhook.port() + "/closed",
            new ClientConfig.Service("", ""),
            webhook.caBundle());
    ObjectNode review = (ObjectNode) TestWebhook.json("{'request': {'uid': 'a'}}");
    assertThat(client.call(config, review, Patience.LIMIT).at("/response/uid").asText())
        .isEqualTo("a");

    client.close();

    assertThatThrownBy(() -> client.call(config, review, Patience.LIMIT))
        .isInstanceOf(WebhookException.class)
        .hasMessage("the server is closed");
    assertThat(webhook.requests()).hasSize(1);
  }
}
