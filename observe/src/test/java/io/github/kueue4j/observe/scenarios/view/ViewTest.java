// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.view.BudgetReader;
import io.github.kueue4j.observe.view.CoreView;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the view says of queues and Workloads, on the loopback address. */
class ViewTest {
  private static final String ON =
      "kueue4j: {view: {bindAddress: \"127.0.0.1:0\", secureServing: false}}\n";

  private final TestCluster cluster = new TestCluster();
  private final HttpClient client = HttpClient.newHttpClient();
  private KueueCore core;

  @BeforeEach
  void start() {
    // A forecast takes as long as it takes on a busy machine.
    cluster.view(viewed -> CoreView.of(viewed, BudgetReader.none(), cluster.time));
    core = cluster.startCore(ON);
  }

  @AfterEach
  void close() {
    client.close();
    cluster.close();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + core.viewPort() + path));
  }

  /** The answer to a request; the State may be too slow for one on a busy machine. */
  private HttpResponse<String> answer(String path) {
    return await()
        .until(
            () -> client.send(request(path).build(), HttpResponse.BodyHandlers.ofString()),
            answer -> answer.statusCode() != 503);
  }

  private JsonObject json(String path) {
    HttpResponse<String> answer = answer(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  /** Asks until the answer is as expected: a snapshot may be a second old. */
  private JsonObject json(String path, Predicate<JsonObject> expected) {
    return await().alias(path).until(() -> json(path), expected);
  }

  private static Stream<JsonObject> all(JsonArray array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonElement::getAsJsonObject);
  }

  private static List<String> names(JsonArray array) {
    return all(array).map(each -> each.get("name").getAsString()).toList();
  }

  private String name(String job) {
    return ObjectKey.of(cluster.workload(job)).name();
  }

  @Test
  void aQueueShowsItsQuotaAndTheOrderInWhichItServes() throws Exception {
    cluster.queue("", "default=2");
    cluster.job("first", 2);
    cluster.awaitWorkload("first", TestCluster::admitted);
    cluster.job("second", 2);
    cluster.settle();
    cluster.job("third", 1);
    cluster.settle();

    JsonObject queue =
        json(
                "/view/v1/queues",
                found ->
                    all(found.getAsJsonArray("clusterQueues"))
                        .anyMatch(
                            each -> each.getAsJsonObject("counts").get("pending").getAsInt() == 2))
            .getAsJsonArray("clusterQueues")
            .get(0)
            .getAsJsonObject();
    JsonObject quota = queue.getAsJsonArray("quota").get(0).getAsJsonObject();
    assertThat(quota.get("flavor").getAsString()).isEqualTo("default");
    assertThat(quota.get("nominal").getAsDouble()).isEqualTo(2);
    assertThat(quota.get("used").getAsDouble()).isEqualTo(2);

    JsonObject waiting = json("/view/v1/workloads?clusterQueue=cq&phase=QUEUED");
    assertThat(names(waiting.getAsJsonArray("items")))
        .containsExactly(name("second"), name("third"));
    assertThat(all(waiting.getAsJsonArray("items")).map(each -> each.get("place").getAsInt()))
        .containsExactly(1, 2);
    assertThat(waiting.getAsJsonObject("phases").get("ADMITTED").getAsInt()).isEqualTo(1);

    JsonObject page = json("/view/v1/workloads?clusterQueue=cq&offset=1&limit=1");
    assertThat(page.get("total").getAsInt()).isEqualTo(3);
    assertThat(names(page.getAsJsonArray("items"))).containsExactly(name("third"));
  }

  @Test
  void whatAMemberBorrowsIsLentByTheOther() throws Exception {
    cluster.queue("cohortName: both", "default=2");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: lender}
        spec: {cohortName: both, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 3}]}]}]}
        """);
    cluster.job("large", 4);
    cluster.awaitWorkload("large", TestCluster::admitted);

    JsonObject found =
        json(
            "/view/v1/queues",
            queues ->
                all(queues.getAsJsonArray("clusterQueues"))
                    .anyMatch(
                        each -> each.getAsJsonObject("counts").get("admitted").getAsInt() == 1));
    assertThat(amounts(found.getAsJsonArray("clusterQueues"), "borrowed"))
        .containsExactly(2.0, 0.0);
    assertThat(amounts(found.getAsJsonArray("clusterQueues"), "lent")).containsExactly(0.0, 2.0);
    assertThat(amounts(found.getAsJsonArray("cohorts"), "quota")).containsExactly(5.0);
    assertThat(amounts(found.getAsJsonArray("cohorts"), "used")).containsExactly(4.0);
    assertThat(amounts(found.getAsJsonArray("cohorts"), "lent")).containsExactly(2.0);

    assertThat(json("/view/v1/history").getAsJsonArray("times")).isEmpty();
    cluster.advance(Duration.ofMinutes(1));
    JsonObject history =
        json("/view/v1/history", shown -> shown.getAsJsonArray("times").size() == 1);
    assertThat(names(history.getAsJsonArray("shares"))).containsExactly("cq");
    double now = clusterQueue(found, "cq").getAsJsonObject("share").get("weighted").getAsDouble();
    assertThat(now).isPositive();
    assertThat(
            all(history.getAsJsonArray("shares"))
                .map(share -> share.getAsJsonArray("values").get(0).getAsDouble()))
        .containsExactly(now);
  }

  private static JsonObject clusterQueue(JsonObject queues, String name) {
    return all(queues.getAsJsonArray("clusterQueues"))
        .filter(queue -> queue.get("name").getAsString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Double> amounts(JsonArray nodes, String amount) {
    return all(nodes)
        .map(node -> node.getAsJsonArray("quota").get(0).getAsJsonObject())
        .map(quota -> quota.get(amount).getAsDouble())
        .toList();
  }

  @Test
  void aWorkloadSaysWhoDelaysItUntilWhenAndWhatItsChecksDid() throws Exception {
    cluster.check("budget");
    cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=2");
    cluster.job("job", 1);
    cluster.awaitWorkload(
        "job", workload -> workload.status().admissionCheck("budget").isPresent());
    cluster.api.patchStatus(
        KueueTypes.WORKLOAD,
        ObjectKey.of(cluster.workload("job")),
        TestCluster.merge(
            """
            {"status": {"admissionChecks": [{"name": "budget", "state": "Retry",
              "message": "<b>spent</b>", "lastTransitionTime": "%s", "requeueAfterSeconds": 3600}]}}
            """
                .formatted(ApiTime.format(cluster.time.instant()))));
    Workload delayed =
        cluster.awaitWorkload("job", workload -> workload.conditions().heldForDelay());
    cluster.settle(); // Explanations come from the informers, which the State is ahead of.

    JsonObject item =
        json("/view/v1/workloads?phase=BACKOFF", found -> found.get("total").getAsInt() == 1)
            .getAsJsonArray("items")
            .get(0)
            .getAsJsonObject();
    JsonObject delay = item.getAsJsonArray("delays").get(0).getAsJsonObject();
    assertThat(delay.get("by").getAsString()).isEqualTo("budget");
    assertThat(delay.get("message").getAsString()).isEqualTo("<b>spent</b>");
    assertThat(item.get("nextWake").getAsString())
        .isEqualTo(String.valueOf(delayed.status().requeueState().requeueAt()));

    String path = "/view/v1/namespaces/team/workloads/" + ObjectKey.of(delayed).name();
    assertThat(answer(path).body()).doesNotContain("<b>");
    JsonObject whole = json(path);
    assertThat(whole.getAsJsonObject("explanation").get("reason").getAsString())
        .isEqualTo("RetryDelayed");
    assertThat(whole.getAsJsonObject("explanation").get("nextWake"))
        .isEqualTo(item.get("nextWake"));
    assertThat(
            all(whole.getAsJsonArray("strips").get(0).getAsJsonObject().getAsJsonArray("spans"))
                .map(span -> span.get("state").getAsString()))
        .startsWith("Pending", "Retry");
    assertThat(json("/view/v1/checks").getAsJsonArray("checks")).hasSize(1);
  }

  @Test
  void aCheckThatComesAfterAnotherIsNotAskedYet() throws Exception {
    cluster.check("budget");
    cluster.check("gpu");
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("gpu"),
        TestCluster.merge("{\"metadata\": {\"annotations\": {\"kueue4j.io/after\": \"budget\"}}}"));
    cluster.settle(); // The order is known before the Job comes.
    cluster.queue(
        "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu}]}", "default=2");
    cluster.job("job", 1);
    String path =
        "/view/v1/namespaces/team/workloads/"
            + ObjectKey.of(cluster.awaitWorkload("job", TestCluster::reserved)).name();
    cluster.settle(); // What isn't asked yet comes from the informers.

    JsonObject waits = json(path, found -> !found.getAsJsonArray("strips").isEmpty());
    assertThat(waits.getAsJsonArray("notAsked"))
        .hasToString("[{\"check\":\"gpu\",\"after\":[\"budget\"]}]");
    assertThat(waits.getAsJsonArray("strips")).hasSize(1);

    cluster.answer("job", "budget", CheckState.READY, null);
    cluster.settle();
    JsonObject asked = json(path, found -> found.getAsJsonArray("strips").size() == 2);
    assertThat(asked.getAsJsonArray("notAsked")).isEmpty();
  }

  @Test
  void aWaitingWorkloadIsToldWhenItGetsQuota() throws Exception {
    cluster.queue("", "default=2");
    cluster.apply(
        TestJob.named("runs")
            .queue("lq")
            .cpus(2)
            .label("kueue.x-k8s.io/max-exec-time-seconds", "600")
            .yaml());
    Workload runs = cluster.awaitWorkload("runs", TestCluster::admitted);
    cluster.job("waits", 1);
    cluster.settle();

    String path = "/view/v1/namespaces/team/workloads/";
    JsonObject forecast = json(path + name("waits") + "/when");
    Instant end =
        runs.conditions().trueSince(WorkloadConditions.ADMITTED).orElseThrow().plusSeconds(600);
    assertThat(forecast.get("waits").getAsBoolean()).isTrue();
    assertThat(forecast.has("asOf")).isTrue();
    assertThat(forecast.has("time")).as("which a page takes for the present").isFalse();
    assertThat(forecast.get("answer").getAsString()).startsWith("gets quota in about ");
    for (String time : List.of("earliest", "likely", "latest", "atMost")) {
      assertThat(Instant.parse(forecast.get(time).getAsString()))
          .as(time)
          .isBetween(end.minusSeconds(1), end.plusSeconds(1));
    }
    assertThat(forecast.getAsJsonArray("basis").toString()).contains("Eight times in ten");

    JsonObject other = json(path + ObjectKey.of(runs).name() + "/when");
    assertThat(other.get("waits").getAsBoolean()).isFalse();
    assertThat(other.get("answer").getAsString()).isEqualTo("has quota");
    assertThat(problem(path + "none/when", 404)).contains("none", "team");
    assertThat(problem(path + name("waits") + "/then", 404)).contains("/when");
  }

  @Test
  void aStreamGoesOnAfterTheLastEventThatTheClientHas() throws Exception {
    cluster.queue("", "default=2");
    cluster.job("first", 1);
    cluster.awaitWorkload("first", TestCluster::admitted);
    List<String> before = events("", 2);
    assertThat(before.getLast()).contains("\"kind\":\"ADMITTED\"", name("first"));

    cluster.job("second", 1);
    cluster.awaitWorkload("second", TestCluster::admitted);
    List<String> after = events(id(before.getLast()), 2);
    assertThat(after).allSatisfy(event -> assertThat(event).contains(name("second")));

    List<String> elsewhere = events("00000000-1", 1);
    assertThat(elsewhere.getFirst()).contains("reset");
  }

  private static String id(String event) {
    return event
        .lines()
        .filter(line -> line.startsWith("id: "))
        .findFirst()
        .orElseThrow()
        .substring(4);
  }

  /** The first events of a stream, each with its lines; an event without data isn't counted. */
  private List<String> events(String lastEvent, int count) throws Exception {
    HttpRequest.Builder asked = request("/view/v1/events");
    if (!lastEvent.isEmpty()) {
      asked.header("Last-Event-ID", lastEvent);
    }
    HttpResponse<Stream<String>> stream =
        client.send(asked.build(), HttpResponse.BodyHandlers.ofLines());
    List<String> found = new ArrayList<>();
    try (Stream<String> lines = stream.body()) {
      StringBuilder event = new StringBuilder();
      var each = lines.iterator();
      while (found.size() < count && each.hasNext()) {
        String line = each.next();
        event.append(line).append('\n');
        if (line.isEmpty()) {
          if (event.indexOf("data: ") >= 0) {
            found.add(event.toString());
          }
          event.setLength(0);
        }
      }
    }
    return found;
  }

  @Test
  void badInputIsNamed() throws Exception {
    assertThat(problem("/view/v1/workloads?limit=0", 400)).contains("limit=0", "1 to 500");
    assertThat(problem("/view/v1/workloads?offset=x", 400)).contains("offset=x");
    assertThat(problem("/view/v1/workloads?phase=Waiting", 400)).contains("Waiting", "QUEUED");
    assertThat(problem("/view/v1/queues?search=a", 400)).contains("\"search\"", "namespace");
    assertThat(problem("/view/v1/queues?namespace=a&namespace=b", 400)).contains("twice");
    assertThat(problem("/view/v1/nothing", 404)).contains("/view/v1/queues");
    assertThat(problem("/view/v1/namespaces/team/workloads/none", 404)).contains("none", "team");
    assertThat(problem("/view/v1/namespaces/team/workloads/..%2F..%2Fx", 404)).contains("no");
    assertThat(problem("/page/../../Secret.class", 404)).contains("no such page");
    HttpResponse<String> posted =
        client.send(
            request("/view/v1/queues").POST(HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(posted.statusCode()).isEqualTo(405);
  }

  private String problem(String path, int status) {
    HttpResponse<String> answer = answer(path);
    assertThat(answer.statusCode()).as(path).isEqualTo(status);
    return JsonParser.parseString(answer.body())
        .getAsJsonObject()
        .getAsJsonObject("error")
        .get("message")
        .getAsString();
  }

  @Test
  void thePageIsServedWithAStrictPolicyAndUnderNamesOfThisMachineOnly() throws Exception {
    HttpResponse<String> page = answer("/");
    assertThat(page.body()).contains("main.js").doesNotContain("<style", " style=", "onclick");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'; script-src 'self'")
        .doesNotContain("unsafe");
    String tag = answer("/main.js").headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> same =
        client.send(
            request("/main.js").header("If-None-Match", tag).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(same.statusCode()).isEqualTo(304);
    assertThat(same.body()).isEmpty();
    assertThat(answer("/views.js").headers().firstValue("ETag"))
        .isPresent()
        .get()
        .isNotEqualTo(tag);
    assertThat(answer("/main.js").headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/javascript");

    assertThat(asHost("attacker.example")).startsWith("HTTP/1.1 421");
    assertThat(asHost("localhost:" + core.viewPort())).startsWith("HTTP/1.1 200");
  }

  private String asHost(String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), core.viewPort());
        InputStream answer = socket.getInputStream()) {
      socket
          .getOutputStream()
          .write(
              ("GET /view/v1/queues HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n")
                  .getBytes(StandardCharsets.UTF_8));
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
