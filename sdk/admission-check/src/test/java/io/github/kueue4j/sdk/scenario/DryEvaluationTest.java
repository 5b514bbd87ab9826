// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.HttpAddress;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.ResourceClient;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.AnyCertificate;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A check that is asked in advance, over HTTPS, by people with and without rights. */
class DryEvaluationTest {
  private static final User TENANT = User.serviceAccount(KueueSide.NAMESPACE, "tenant");
  private static final User STRANGER = User.serviceAccount(KueueSide.NAMESPACE, "stranger");

  private final ManualTime time = ManualTime.create();
  private final KueueSide kueue = new KueueSide(time);
  private final HttpClient client =
      HttpClient.newBuilder().sslContext(AnyCertificate.trusted()).build();
  private ClusterConnection cluster;
  private CheckController controller;

  /** What it says depends on the name of the Workload. */
  private record Seats(ResourceClient resources) implements Check<NoParameters> {
    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      throw new IllegalStateException("asked in earnest");
    }

    @Override
    public Optional<Verdict> dryEvaluate(Evaluation<NoParameters> evaluation) {
      return switch (evaluation.key().name()) {
        case "silent" -> Optional.empty();
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

  @BeforeEach
  void start() throws InterruptedException {
    kueue
        .server()
        .grant(TENANT, "{apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: [list]}");
    kueue.admissionCheck("seats", "example.com/seats");
    kueue.admissionCheck("others", "example.com/others");
    cluster =
        kueue.connect(
            "seats",
            permissions ->
                permissions.owning("podtemplates", KueueSide.NAMESPACE).answeringInAdvance());
    CheckController.Builder builder =
        CheckController.builder(
            "example.com/seats",
            CheckEnvironment.of(cluster, time).withAnswers(new HttpAddress("127.0.0.1", 0)));
    controller = builder.check(new Seats(builder.resources())).build();
    assertThat(controller.answersPort()).isEqualTo(-1);
    controller.start();
  }

  @AfterEach
  void close() {
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
    assertThat(ask(TENANT, "seats", "{}").statusCode()).isEqualTo(400);
    assertThat(ask(TENANT, "seats", "no JSON").statusCode()).isEqualTo(400);
    assertThat(ask(TENANT, "seats", " ".repeat(DryEvaluations.LARGEST_WORKLOAD + 1)).statusCode())
        .isEqualTo(413);
  }

  @Test
  void whoMayNotListWorkloadsLearnsNothing() throws Exception {
    assertThat(ask(STRANGER, "seats", workload("job", "1")).statusCode()).isEqualTo(403);
    assertThat(send(request("seats", workload("job", "1"))).statusCode()).isEqualTo(401);
    assertThat(
            send(HttpRequest.newBuilder(address("seats"))
                    .header("Kueue4j-Authorization", "Bearer " + kueue.server().token(TENANT)))
                .statusCode())
        .isEqualTo(405);
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

  private URI address(String check) {
    return URI.create(
        "https://127.0.0.1:" + controller.answersPort() + DryEvaluations.PATH + check);
  }

  private HttpRequest.Builder request(String check, String body) {
    return HttpRequest.newBuilder(address(check)).POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private HttpResponse<String> ask(User user, String check, String body) throws Exception {
    return send(
        request(check, body)
            .header("Kueue4j-Authorization", "Bearer " + kueue.server().token(user)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
