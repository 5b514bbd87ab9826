// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code kueue4j page} in front of a core whose view is on. */
class PageCommandTest {
  private static final User TENANT = User.serviceAccount("team-a", "tenant");
  private static final Pattern PRINTED =
      Pattern.compile("(http://localhost:\\d+)/open\\?key=([0-9a-f]{48})(\\S*)");

  @TempDir private static Path folder;

  private static TimeSource time;
  private static EmbeddedApiServer server;
  private static RunningCore core;
  private static String token;
  private static ServiceProxyFront front;

  private final StringWriter out = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    time = TimeSource.system();
    server = EmbeddedApiServer.builder().secure().objects(Crds.kueue()).start();
    server.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}
        ---
        {apiVersion: v1, kind: Namespace, metadata: {name: team-a}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: tenant, namespace: team-a}
        rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: tenant, namespace: team-a}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: tenant}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: main, namespace: team-a}
        spec: {clusterQueue: shared}
        """
            .formatted(TENANT.name()));
    core =
        QuietCore.start(
            server.kubeconfig(folder.resolve("kubeconfig")),
            time,
            "kueue4j: {view: {bindAddress: \"127.0.0.1:0\"}}");
    token = server.token(TENANT);
    front =
        new ServiceProxyFront(
            server.uri(), token, "https:kueue-view-service:https", core.viewPort());
  }

  @AfterAll
  static void stop() {
    front.close();
    core.close();
    server.close();
    time.close();
  }

  @Test
  void passesThePageOnWithTheUsersToken() throws Exception {
    try (Interruption interruption = Interruption.listen();
        ClusterConnection connection = connection();
        HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        Actors users = Actors.named("user")) {
      Act<Boolean> page = serve(users, connection, interruption);
      Matcher printed = await().until(() -> PRINTED.matcher(out.toString()), Matcher::find);
      URI base = URI.create(printed.group(1));
      assertThat(printed.group(3)).isEqualTo("#/workloads?namespace=team-a");

      assertThat(get(browser, base.resolve("/view/v1/queues")).statusCode()).isEqualTo(403);
      HttpResponse<String> entered = get(browser, base.resolve("/open?key=" + printed.group(2)));
      assertThat(entered.statusCode()).isEqualTo(303);
      HttpResponse<String> html = get(browser, base.resolve("/"));
      assertThat(html.body()).contains("<!doctype html>");
      assertThat(html.headers().firstValue("Content-Security-Policy"))
          .hasValueSatisfying(policy -> assertThat(policy).contains("script-src 'self'"));
      HttpResponse<String> queues = get(browser, base.resolve("/view/v1/queues?namespace=team-a"));
      assertThat(queues.body()).contains("\"main\"");
      HttpResponse<String> all = get(browser, base.resolve("/view/v1/queues"));
      assertThat(all.statusCode()).isEqualTo(403);
      assertThat(all.body()).contains("may not list workloads");
      assertThat(get(browser, base.resolve("/view/v1/../x")).statusCode()).isEqualTo(404);
      for (HttpResponse<String> answer : List.of(entered, html, queues, all)) {
        assertThat(answer.headers() + answer.body()).doesNotContain(token, "Bearer");
      }
      assertThat(firstLine(browser, base.resolve("/view/v1/events?namespace=team-a")))
          .isEqualTo("retry: 1000");

      interruption.ask("the test is done");
      page.get();
    }
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    Path noRight =
        Files.writeString(folder.resolve("no-right"), front.kubeconfig("{token: other}", "team-a"));
    assertThat(refused("--kubeconfig", noRight.toString()))
        .contains("no right", "needs 'get' on services/proxy of https:kueue-view-service:https");
    assertThat(refused("--server", server.uri().toString()))
        .contains("the core knows people by tokens", "--token-file");
    Path unknown = Files.writeString(folder.resolve("token"), "no-token-of-anybody");
    assertThat(refused("--token-file", unknown.toString(), "--kubeconfig", kubeconfig().toString()))
        .contains("doesn't know your token");
    assertThat(refused("--service", "other", "--kubeconfig", kubeconfig() + ""))
        .contains("is the view on");
    assertThat(refused("--port", "" + server.uri().getPort(), "--kubeconfig", kubeconfig() + ""))
        .contains("can't serve the page on port", "choose another --port");
  }

  private Act<Boolean> serve(
      Actors users, ClusterConnection connection, Interruption interruption) {
    PageCommand command = new PageCommand();
    new CommandLine(command).parseArgs("--port", "0");
    return users.start(() -> command.serve(connection, new PrintWriter(out), interruption));
  }

  /** Of a tenant whose token comes from an exec plugin. */
  private static Path kubeconfig() throws Exception {
    Path credential =
        Files.writeString(
            folder.resolve("credential"),
            """
            {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
              "status": {"token": "%s"}}
            """
                .formatted(token));
    return Files.writeString(
        folder.resolve("tenant"),
        front.kubeconfig(
            """
            {exec: {apiVersion: client.authentication.k8s.io/v1, command: cat, args: ["%s"],
              interactiveMode: Never}}
            """
                .formatted(credential)
                .replace("\n", " "),
            "team-a"));
  }

  private static ClusterConnection connection() throws Exception {
    return ClusterConnection.builder("test").kubeconfig(kubeconfig(), null).connect();
  }

  private static String refused(String... options) {
    StringWriter err = new StringWriter();
    String[] words = Stream.concat(Stream.of("page"), Stream.of(options)).toArray(String[]::new);
    int status = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), words);
    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).hasLineCount(1);
    return err.toString();
  }

  private static HttpResponse<String> get(HttpClient browser, URI address) throws Exception {
    return browser.send(
        HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String firstLine(HttpClient browser, URI address) throws Exception {
    HttpResponse<InputStream> answer =
        browser.send(
            HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader body =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      return body.readLine();
    }
  }
}
