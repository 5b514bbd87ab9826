// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.testdefaults.AnyCertificate;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A check that is asked in advance, over HTTPS, by people with and without rights. */
class DryEvaluationTest {
  private static final User TENANT = User.serviceAccount(KueueSide.NAMESPACE, "tenant");
  private static final User READER = User.serviceAccount(KueueSide.NAMESPACE, "reader");
  private static final User STRANGER = User.serviceAccount(KueueSide.NAMESPACE, "stranger");

  private final ManualTime time = ManualTime.create();
  private final KueueSide kueue = new KueueSide(time);
  private final HttpClient client =
      HttpClient.newBuilder().sslContext(AnyCertificate.trusted()).build();
  private final Stuck stuck = new Stuck();
  private ClusterConnection cluster;
  private CheckController controller;

  /** What it says depends on the name of the Workload. */
  private record Seats(ResourceClient resources, Stuck stuck) implements Check<NoParameters> {
    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      throw new IllegalStateException("asked in earnest");
    }

    @Override
    public Optional<Verdict> dryEvaluate(Evaluation<NoParameters> evaluation) {
      return switch (evaluation.key().name()) {
        case "silent" -> Optional.empty();
        case "stuck" -> stuck.stay();
        case "unknown" -> Optional.of(Verdict.unchanged("The counter is being read."));
        case "broken" -> throw new IllegalStateException("The counter is out of order.");
        case "writes" -> {
          resources.createIfAbsent(
              CoreTypes.POD_TEMPLATE,
              new V1PodTemplate().metadata(new V1ObjectMeta().namespace("default").name("seat")));
          yield Optional.of(Verdict.ready("Taken."));
        }
        default ->
            Optional.of(
                evaluation.requested("cpu").isZero()
                    ? Verdict.ready("Needs no seat.")
                    : Verdict.retry(
                        Reason.of("NoSeats"),
                        "Of 3 none is left; again in {delay}.",
                        Delay.exactly(Duration.ofMinutes(10))));
      };
    }
  }

  /** A call that ignores that it is interrupted. */
  private static final class Stuck {
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch ends = new CountDownLatch(1);

    Optional<Verdict> stay() {
      calls.incrementAndGet();
      while (true) {
        try {
          ends.await();
          return Optional.empty();
        } catch (InterruptedException e) {
          // It goes on.
        }
      }
    }
  }

  @BeforeEach
  void start() throws InterruptedException {
    kueue
        .server()
        .grant(
            TENANT,
            "{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}, {apiGroups:"
                + " [kueue.x-k8s.io], resources: [admissionchecks], verbs: [get]}");
    kueue
        .server()
        .grant(READER, "{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}");
    kueue.admissionCheck("seats", "example.com/seats");
    kueue.admissionCheck("others", "example.com/others");
    cluster =
        kueue.connect(
            "seats",
            permissions ->
                permissions
                    .owning("podtemplates", KueueSide.NAMESPACE)
                    .withLease("seats")
                    .answeringInAdvance());
    controller = controller(CheckEnvironment.of(cluster, time), Guards.defaults());
    assertThat(controller.answersPort()).isEqualTo(-1);
    controller.start();
  }

  private CheckController controller(CheckEnvironment environment, Guards guards) {
    CheckController.Builder builder =
        CheckController.builder(
            "example.com/seats", environment.withAnswers(new HttpAddress("127.0.0.1", 0)));
    return builder.guards(guards).check(new Seats(builder.resources(), stuck)).build();
  }

  private void startAnother(CheckEnvironment environment, Guards guards)
      throws InterruptedException {
    controller.close();
    controller = controller(environment, guards);
    controller.start();
  }

  @AfterEach
  void close() {
    stuck.ends.countDown();
    client.close();
    controller.close();
    cluster.close();
    kueue.close();
    time.close();
  }

  @Test
  void answersByTheEntryThatItWouldWrite() throws Exception {
    HttpResponse<String> answer = ask(TENANT, "seats", workload("job", "\"1\""));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    AdmissionCheckState entry = KueueJson.fromJson(answer.body(), AdmissionCheckState.class);
    assertThat(entry.name()).isEqualTo("seats");
    assertThat(entry.is(CheckState.RETRY)).isTrue();
    assertThat(entry.message()).isEqualTo("Of 3 none is left; again in 10 min.");
    assertThat(entry.requeueAfterSeconds()).isEqualTo(600);
    assertThat(ask(TENANT, "seats", workload("job", "0")).body())
        .contains("\"Ready\"", "Needs no seat.");
  }

  @Test
  void writesNothing() throws Exception {
    ask(TENANT, "seats", workload("job", "1"));
    HttpResponse<String> answer = ask(TENANT, "seats", workload("writes", "1"));

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("dryEvaluate must not write");
    assertThat(kueue.requests()).extracting(ApiRequest::resource).doesNotContain("podtemplates");
  }

  @Test
  void saysWhyThereIsNone() throws Exception {
    assertThat(ask(TENANT, "seats", workload("silent", "1")).statusCode()).isEqualTo(501);
    assertThat(ask(TENANT, "seats", workload("unknown", "1")).body())
        .isEqualTo("The counter is being read.\n");
    assertThat(ask(TENANT, "seats", workload("broken", "1")).body())
        .isEqualTo("The counter is out of order.\n");
    assertThat(ask(TENANT, "others", workload("job", "1")).statusCode()).isEqualTo(404);
    for (String body :
        List.of(
            "",
            "null",
            "{}",
            "no JSON",
            workload("job", "1").replace("\"default\"", "\"elsewhere\""),
            workload("", "1"),
            workload("job", "{}"),
            workload("job", "1").replace("[{\"name\": \"c\"", "[null, {\"name\": \"c\""),
            workload("job", "1")
                .replace("\"spec\": {\"queueName\"", "\"spec\": 3, \"x\": {\"y\""))) {
      assertThat(ask(TENANT, "seats", body))
          .as(body)
          .returns(400, HttpResponse::statusCode)
          .returns(
              "the body is no Workload of kueue.x-k8s.io/v1beta2 with a name and the namespace"
                  + " default\n",
              HttpResponse::body);
    }
    assertThat(ask(TENANT, "seats", " ".repeat(DryEvaluations.LARGEST_WORKLOAD + 1)).statusCode())
        .isEqualTo(413);
  }

  @Test
  void whoMayNotListWorkloadsLearnsNothing() throws Exception {
    assertThat(ask(STRANGER, "seats", workload("job", "1")).statusCode()).isEqualTo(403);
    assertThat(ask(READER, "seats", workload("job", "1")))
        .returns(403, HttpResponse::statusCode)
        .returns(
            READER.name()
                + " may not get admissionchecks.kueue.x-k8s.io seats; bind it to a role with this"
                + " permission\n",
            HttpResponse::body);
    assertThat(send(request("seats", workload("job", "1"))))
        .returns(401, HttpResponse::statusCode)
        .returns(
            "send the token of a user: \"Kueue4j-Authorization: Bearer TOKEN\"\n",
            HttpResponse::body);
    assertThat(
            send(HttpRequest.newBuilder(address(DryEvaluations.path("default", "seats")))
                    .header("Kueue4j-Authorization", "Bearer " + kueue.server().token(TENANT)))
                .statusCode())
        .isEqualTo(405);
  }

  @Test
  void withoutATokenNothingIsReadOfTheBody() throws Exception {
    try (Socket socket =
        AnyCertificate.trusted()
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), controller.answersPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST "
                      + DryEvaluations.path("default", "seats")
                      + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));

      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      assertThat(answer.readLine()).startsWith("HTTP/1.1 401");
      assertThat(Stream.generate(() -> line(answer)).takeWhile(line -> !line.isEmpty()))
          .contains("Connection: close");
    }
  }

  private static String line(BufferedReader lines) {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void namesThatCannotBeAreNotAskedAbout() throws Exception {
    long before = kueue.requests().stream().filter(DryEvaluationTest::isReview).count();

    for (String path :
        List.of(
            DryEvaluations.path("x".repeat(64), "seats"),
            DryEvaluations.path("Default", "seats"))) {
      assertThat(
              send(HttpRequest.newBuilder(address(path))
                      .POST(HttpRequest.BodyPublishers.ofString(workload("job", "1")))
                      .header("Kueue4j-Authorization", "Bearer " + kueue.server().token(TENANT)))
                  .statusCode())
          .isEqualTo(403);
    }
    assertThat(kueue.requests().stream().filter(DryEvaluationTest::isReview).count())
        .isEqualTo(before);
    assertThat(ask(TENANT, "x".repeat(254), workload("job", "1")).statusCode()).isEqualTo(403);
    assertThat(ask(TENANT, "seats/more", workload("job", "1")).statusCode()).isEqualTo(404);
  }

  private static boolean isReview(ApiRequest request) {
    return request.resource().endsWith("reviews");
  }

  @Test
  void callsThatGoOnAfterTheirTimeoutKeepTheirPlaces() throws Exception {
    startAnother(
        CheckEnvironment.of(cluster, time), Guards.defaults().withTimeout(Duration.ofMillis(200)));

    while (stuck.calls.get() < 4) {
      assertThat(ask(TENANT, "seats", workload("stuck", "1")).body())
          .startsWith("no answer within");
      time.advance(Duration.ofMillis(200));
    }
    assertThat(ask(TENANT, "seats", workload("job", "1")))
        .returns(503, HttpResponse::statusCode)
        .returns("too many ask the check in advance; try again\n", HttpResponse::body);

    stuck.ends.countDown();
    await()
        .until(
            () -> {
              time.advance(Duration.ofMillis(200));
              return ask(TENANT, "seats", workload("job", "1")).statusCode() == 200;
            });
  }

  @Test
  void manyQuestionsInOneMomentAreRefused() throws Exception {
    for (int question = 0; question < 20; question++) {
      assertThat(ask(TENANT, "seats", workload("job", "1")).statusCode()).isEqualTo(200);
    }
    assertThat(ask(TENANT, "seats", workload("job", "1")).body()).startsWith("too many ask");

    time.advance(Duration.ofMillis(200));
    assertThat(ask(TENANT, "seats", workload("job", "1")).statusCode()).isEqualTo(200);
    assertThat(ask(TENANT, "seats", workload("job", "1")).body()).startsWith("too many ask");
  }

  @Test
  void twoAskAtOnceAndBothAreAnswered() {
    List<CompletableFuture<HttpResponse<String>>> answers =
        Stream.of("1", "0")
            .map(
                cpus ->
                    client.sendAsync(
                        signed(TENANT, request("seats", workload("job", cpus))).build(),
                        HttpResponse.BodyHandlers.ofString()))
            .toList();

    assertThat(answers)
        .map(CompletableFuture::join)
        .map(HttpResponse::body)
        .satisfiesExactly(
            first -> assertThat(first).contains("\"Retry\""),
            second -> assertThat(second).contains("\"Ready\""));
  }

  @Test
  void aReplicaThatDoesNotLeadAnswersToo() throws Exception {
    kueue
        .server()
        .apply(
            """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: seats, namespace: %s}
            spec: {holderIdentity: another, leaseDurationSeconds: 3600,
              acquireTime: "2026-01-05T08:00:00.000000Z", renewTime: "2026-01-05T08:00:00.000000Z"}
            """
                .formatted(KueueSide.NAMESPACE));
    startAnother(
        CheckEnvironment.of(cluster, time)
            .withHosting(
                host -> host.leaderElection(LeaderElection.named(KueueSide.NAMESPACE, "seats"))),
        Guards.defaults());

    assertThat(ask(TENANT, "seats", workload("job", "1")).statusCode()).isEqualTo(200);
    assertThat(controller.host().leading()).isFalse();
  }

  /** As the API server beside it does. A page in a browser isn't answered. */
  @Test
  void onLoopbackItAnswersWithoutAToken() throws Exception {
    controller.close();
    cluster.close();
    cluster = ClusterConnection.builder("seats").url(kueue.server().uri()).open();
    CheckController.Builder builder =
        CheckController.builder(
            "example.com/seats", CheckEnvironment.of(cluster, time).withLoopbackAnswers());
    controller = builder.check(new Seats(builder.resources(), stuck)).build();
    controller.start();
    assertThat(controller.controllerName()).isEqualTo("example.com/seats");

    assertThat(askPlainly("127.0.0.1:" + controller.answersPort()))
        .startsWith("HTTP/1.1 200 ")
        .contains("\"Retry\"");
    assertThat(askPlainly("rebound.example.com")).startsWith("HTTP/1.1 403 ");
    assertThat(askPlainly("rebound.example.com:" + controller.answersPort()))
        .startsWith("HTTP/1.1 403 ")
        .contains("ask at http://127.0.0.1:" + controller.answersPort());
    String here = "127.0.0.1:" + controller.answersPort();
    assertThat(askPlainly(here + "\r\nOrigin: null"))
        .startsWith("HTTP/1.1 403 ")
        .contains("pages in a browser may not ask");
    assertThat(askPlainly(here, "text/plain"))
        .startsWith("HTTP/1.1 415 ")
        .contains("send the Workload with Content-Type: application/json");
  }

  @Test
  void withoutATokenItAnswersBesideAnOpenClusterOnly() {
    CheckEnvironment encrypted = CheckEnvironment.of(cluster);
    assertThatThrownBy(encrypted::withLoopbackAnswers)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("for an API server at plain http on 127.0.0.1")
        .hasMessageContaining("https://")
        .hasMessageContaining("; take withAnswers(ADDRESS)");
    try (ClusterConnection plain =
        ClusterConnection.builder("seats").url(kueue.server().uri()).open()) {
      CheckEnvironment open = CheckEnvironment.of(plain).withLoopbackAnswers();
      assertThatThrownBy(
              () ->
                  new CheckEnvironment(
                      plain,
                      null,
                      open.random(),
                      open.hosting(),
                      open.guards(),
                      new HttpAddress("", 0),
                      true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("they are served at 127.0.0.1 only, but the address is :0");
    }
  }

  private String askPlainly(String host) throws IOException {
    return askPlainly(host, "application/json");
  }

  private String askPlainly(String host, String type) throws IOException {
    byte[] body = workload("job", "1").getBytes(StandardCharsets.UTF_8);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), controller.answersPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST "
                  + DryEvaluations.path("default", "seats")
                  + " HTTP/1.1\r\nHost: "
                  + host
                  + "\r\nContent-Type: "
                  + type
                  + "\r\nConnection: close\r\nContent-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.write(body);
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String workload(String name, String cpus) {
    return """
    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
     "metadata": {"name": "%s", "namespace": "default", "uid": "u"},
     "spec": {"queueName": "lq", "podSets": [{"name": "main", "count": 1, "template": {"spec":
       {"containers": [{"name": "c", "resources": {"requests": {"cpu": %s}}}]}}}]}}
    """
        .formatted(name, cpus);
  }

  private URI address(String path) {
    return URI.create("https://127.0.0.1:" + controller.answersPort() + path);
  }

  private HttpRequest.Builder request(String check, String body) {
    return HttpRequest.newBuilder(address(DryEvaluations.path("default", check)))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private HttpResponse<String> ask(User user, String check, String body) throws Exception {
    return send(signed(user, request(check, body)));
  }

  private HttpRequest.Builder signed(User user, HttpRequest.Builder request) {
    return request.header("Kueue4j-Authorization", "Bearer " + kueue.server().token(user));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
