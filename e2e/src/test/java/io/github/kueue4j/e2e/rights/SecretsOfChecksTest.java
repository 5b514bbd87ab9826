// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointCheckOptions;
import io.github.kueue4j.httpcheck.HttpCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which Secrets the chart lets an HTTP check send to its endpoints: those that its values name, and
 * never those in which Helm keeps its releases.
 */
class SecretsOfChecksTest {
  private static final String NAMESPACE = "kueue-system";
  private static final User ACCOUNT = User.serviceAccount(NAMESPACE, "kueue-http");
  private static final ObjectKey RELEASE = new ObjectKey(NAMESPACE, "sh.helm.release.v1.checks.v1");

  private static final String SECRETS =
      """
      apiVersion: v1
      kind: Secret
      metadata: {name: sh.helm.release.v1.checks.v1, namespace: kueue-system}
      type: helm.sh/release.v1
      stringData: {release: all-values}
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: licenses, namespace: kueue-system}
      stringData: {token: of-the-release}
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: credentials}}
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: licenses, namespace: credentials}
      stringData: {token: of-the-other}
      """;

  /** An AdmissionCheck that is active once its endpoint has answered with this Secret. */
  private static final String CHECK =
      """
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: HttpCheck
      metadata: {name: NAME}
      spec:
        endpoint:
          url: http://127.0.0.1:PORT/
          authorization: {bearerToken: {secretKeyRef: {name: SECRET, key: KEY}}}
        healthPath: /healthz
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: NAME}
      spec:
        controllerName: kueue4j.io/http
        parameters: {apiGroup: checks.kueue4j.io, kind: HttpCheck, name: NAME}
      """;

  @TempDir Path folder;
  private final Set<String> sent = new ConcurrentSkipListSet<>();
  private HttpServer endpoint;

  @BeforeEach
  void listen() throws IOException {
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/",
        exchange -> {
          sent.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    endpoint.start();
  }

  @AfterEach
  void close() {
    endpoint.stop(0);
  }

  @Test
  void byDefaultNoSecretIsRead() throws Exception {
    on(
        "checks: {http: {enabled: true}}",
        HttpCheck.defaults(),
        (api, account) -> {
          await().untilAsserted(() -> refused(api, "licensed", "kueue-system/licenses"));
          await().untilAsserted(() -> refused(api, "thief", RELEASE.toString()));
          assertThat(sent).isEmpty();
          helmsReleaseCanNotBeRead(account);
        });
  }

  @Test
  void thoseThatTheValuesNameAreRead() throws Exception {
    on(
        "checks: {http: {enabled: true, secrets: {names: [licenses]}}}",
        HttpCheck.defaults(),
        (api, account) -> {
          await().untilAsserted(() -> active(api, "licensed"));
          await().untilAsserted(() -> refused(api, "thief", RELEASE.toString()));
          assertThat(sent).containsExactly("Bearer of-the-release");
          helmsReleaseCanNotBeRead(account);
        });
  }

  @Test
  void thoseOfTheNamespaceOfCredentialsAreRead() throws Exception {
    on(
        "checks: {http: {enabled: true, secrets: {namespace: credentials}}}",
        HttpCheck.defaults().withSecretsOf("credentials"),
        (api, account) -> {
          await().untilAsserted(() -> active(api, "licensed"));
          assertThat(sent).containsExactly("Bearer of-the-other");
          helmsReleaseCanNotBeRead(account);
          assertThatThrownBy(() -> get(account, new ObjectKey(NAMESPACE, "licenses")))
              .isInstanceOf(KubernetesApiException.Forbidden.class);
        });
  }

  private interface Scenario {
    /** Of an administrator, and of the check's account. */
    void play(KubernetesApi api, KubernetesApi account);
  }

  private void on(String values, EndpointCheckOptions options, Scenario scenario) throws Exception {
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().objects(initialObjects(values)).secure().start();
        ClusterConnection users =
            Target.of(server.kubeconfig(folder.resolve("administrator"))).connect("users");
        ClusterConnection connection =
            Target.of(inItsNamespace(server.kubeconfig(folder.resolve("check"), ACCOUNT)))
                .connect("http-check");
        CheckController controller =
            HttpCheck.controller(
                CheckEnvironment.of(connection),
                options.withAddresses(
                    AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8"))))) {
      controller.start();
      server.apply(check("licensed", "licenses", "token"));
      server.apply(check("thief", RELEASE.name(), "release"));
      scenario.play(users.api(), connection.api());
    }
  }

  private String check(String name, String secret, String key) {
    return CHECK
        .replace("NAME", name)
        .replace("PORT", String.valueOf(endpoint.getAddress().getPort()))
        .replace("SECRET", secret)
        .replace("KEY", key);
  }

  private static void active(KubernetesApi api, String check) {
    assertThat(condition(api, check)).startsWith("True");
  }

  private static void refused(KubernetesApi api, String check, String secret) {
    assertThat(condition(api, check))
        .startsWith("False")
        .contains("the controller may not read the Secret '" + secret + "'");
  }

  private static String condition(KubernetesApi api, String check) {
    AdmissionCheck found =
        api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(check)).orElseThrow();
    return found.status().conditions().stream()
        .filter(each -> each.type().equals("Active"))
        .map(each -> each.status() + " " + each.message())
        .findFirst()
        .orElse("");
  }

  private static void helmsReleaseCanNotBeRead(KubernetesApi account) {
    assertThatThrownBy(() -> get(account, RELEASE))
        .isInstanceOf(KubernetesApiException.Forbidden.class);
    assertThatThrownBy(() -> account.list(CoreTypes.SECRET, ListOptions.inNamespace(NAMESPACE)))
        .isInstanceOf(KubernetesApiException.Forbidden.class);
  }

  private static void get(KubernetesApi account, ObjectKey secret) {
    account.get(CoreTypes.SECRET, secret);
  }

  /** The namespace of a component is that of its pod. */
  private static Path inItsNamespace(Path kubeconfig) throws IOException {
    return Files.writeString(
        kubeconfig,
        Files.readString(kubeconfig)
            .replace("    user: user\n", "    user: user\n    namespace: " + NAMESPACE + "\n"));
  }

  private static List<String> initialObjects(String values) {
    List<String> yamls = new ArrayList<>(Crds.kueue());
    yamls.addAll(CheckName.HTTP.crds());
    yamls.add("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
    yamls.add(SECRETS);
    ObjectMapper json = new ObjectMapper();
    Chart.named("admission-checks").renderWith(values).stream()
        .filter(each -> each.kind().contains("Role"))
        .map(each -> json.<JsonNode>valueToTree(each.tree()).toString())
        .forEach(yamls::add);
    return yamls;
  }
}
