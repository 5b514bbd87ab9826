// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** TLS, tokens and roles on the server's second port. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurePortTest {
  private static final String ROLES =
      """
      {apiVersion: v1, kind: Namespace, metadata: {name: home}}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: reader, namespace: home}
      rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: readers, namespace: home}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
      subjects: [{kind: ServiceAccount, name: robot, namespace: home}]
      """;
  private static final User ROBOT = User.serviceAccount("home", "robot");
  private static final String MAPS = "/api/v1/namespaces/home/configmaps";
  private static final ObjectMapper JSON = new ObjectMapper();

  private EmbeddedApiServer server;
  private HttpClient client;

  private record Answer(int status, JsonNode body) {
    String message() {
      return body.path("message").asText();
    }
  }

  @BeforeAll
  void start() throws IOException, GeneralSecurityException {
    server = EmbeddedApiServer.builder().secure().start();
    server.apply(ROLES);
    client = HttpClient.newBuilder().sslContext(trusting(server)).build();
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void aRoleAllowsWhatItSaysWhereItIsBound() throws Exception {
    String robot = token(ROBOT);

    assertThat(get(MAPS, robot).status()).isEqualTo(200);
    Answer elsewhere = get("/api/v1/namespaces/default/configmaps", robot);
    assertThat(elsewhere.status()).isEqualTo(403);
    assertThat(elsewhere.message())
        .isEqualTo(
            "configmaps is forbidden: User \"system:serviceaccount:home:robot\" cannot list"
                + " resource \"configmaps\" in API group \"\" in the namespace \"default\"");
    assertThat(get("/apis/batch/v1/jobs", robot).message())
        .isEqualTo(
            "jobs.batch is forbidden: User \"system:serviceaccount:home:robot\" cannot list"
                + " resource \"jobs\" in API group \"batch\" at the cluster scope");
    assertThat(send("DELETE", MAPS + "/x", robot).message())
        .startsWith("configmaps \"x\" is forbidden: User");
  }

  @Test
  void rolesTakeEffectAtOnce() throws Exception {
    String late = token(User.named("late"));
    assertThat(get(MAPS, late).status()).isEqualTo(403);

    server.apply(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: latecomers, namespace: home}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
        subjects: [{kind: User, name: late}]
        """);

    assertThat(get(MAPS, late).status()).isEqualTo(200);
  }

  @Test
  void anUnknownUserMayReadLittle() throws Exception {
    assertThat(get("/version", "").status()).isEqualTo(200);
    assertThat(get("/apis", "").status()).isEqualTo(403);
    assertThat(get("/metrics", "").message())
        .isEqualTo("forbidden: User \"system:anonymous\" cannot get path \"/metrics\"");
    Answer invented = get("/version", "invented");
    assertThat(invented.status()).isEqualTo(401);
    assertThat(invented.body().path("reason").asText()).isEqualTo("Unauthorized");
  }

  @Test
  void everyKnownUserMayDiscover() throws Exception {
    String robot = token(ROBOT);

    assertThat(get("/apis/batch/v1", robot).status()).isEqualTo(200);
    assertThat(get("/openapi/v3", robot).status()).isEqualTo(200);
    assertThat(get("/metrics", robot).status()).isEqualTo(403);
  }

  @Test
  void mastersMayDoAnything() throws Exception {
    assertThat(get("/apis/batch/v1/jobs", token(User.named("root", "system:masters"))).status())
        .isEqualTo(200);
  }

  @Test
  void thePlainPortStaysOpen() throws Exception {
    try (HttpClient anonymous = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          anonymous.send(
              HttpRequest.newBuilder(URI.create(server.uri() + MAPS)).build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(response.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void itsCertificateMustBeTrusted() {
    try (HttpClient suspicious = HttpClient.newHttpClient()) {
      assertThatThrownBy(
              () ->
                  suspicious.send(
                      HttpRequest.newBuilder(URI.create(server.secureUri() + "/version")).build(),
                      HttpResponse.BodyHandlers.discarding()))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void aServerWithoutThePortSaysHowToGetIt() {
    try (EmbeddedApiServer plain = EmbeddedApiServer.start()) {
      assertThatThrownBy(plain::secureUri)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("secure()");
    }
  }

  private String token(User user) {
    return at(server.kubeconfig(user), "users", "user").path("token").asText();
  }

  private Answer get(String path, String token) throws IOException, InterruptedException {
    return send("GET", path, token);
  }

  private Answer send(String method, String path, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.secureUri() + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), JSON.readTree(response.body()));
  }

  private static SSLContext trusting(EmbeddedApiServer server)
      throws IOException, GeneralSecurityException {
    String authority =
        at(server.kubeconfig(ROBOT), "clusters", "cluster")
            .path("certificate-authority-data")
            .asText();
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "authority",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Base64.getDecoder().decode(authority))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
  }

  private static JsonNode at(String kubeconfig, String list, String part) {
    Object config = new Yaml(new SafeConstructor(new LoaderOptions())).load(kubeconfig);
    return JSON.<JsonNode>valueToTree(config).path(list).path(0).path(part);
  }
}
