// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A running controller serves every metric that the dashboard queries and docs/metrics.md lists.
 */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class DashboardTest {
  private static final Path DOCS = Checkout.root().resolve("docs");
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:kueue4j|workqueue|controller_runtime|leader_election)_[a-z0-9_]+");
  private static final Pattern SELECTED = Pattern.compile("([a-z0-9_]+)\\{([^}]*)}");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?:=~|!=|=)\"");

  private final ManualTime time = ManualTime.create();

  @Test
  void whatIsShownIsServed() throws Exception {
    Map<String, List<String>> served = metricsOfAControllerAtWork();
    List<String> expressions = expressions();

    assertThat(expressions).hasSizeGreaterThan(10);
    for (String expression : expressions) {
      assertThat(served.keySet()).as(expression).containsAll(names(expression));
      Matcher selected = SELECTED.matcher(expression);
      while (selected.find()) {
        List<String> labels = served.get(selected.group(1));
        Matcher label = LABEL.matcher(selected.group(2));
        while (label.find()) {
          // Prometheus itself says which instance it is.
          if (!label.group(1).equals("instance")) {
            assertThat(labels).as(expression).isNotNull().contains(label.group(1));
          }
        }
      }
    }
  }

  @Test
  void whatThePageListsIsServed() throws Exception {
    Map<String, List<String>> served = metricsOfAControllerAtWork();
    String page = Files.readString(DOCS.resolve("metrics.md"));
    String part =
        page.substring(
            page.indexOf("## Checks on the SDK"), page.indexOf("## Metrics of single checks"));
    TreeSet<String> listed = new TreeSet<>();
    for (String row : part.lines().filter(line -> line.startsWith("| `")).toList()) {
      listed.add(row.split("`", 3)[1] + (row.contains("| histogram |") ? "_bucket" : ""));
    }
    // Only controllers with a Maintenance have it, from the first failure.
    assertThat(listed.remove("kueue4j_check_maintenance_failures_total")).isTrue();
    // A summary has no sample of its own name without quantiles.
    assertThat(listed).hasSizeGreaterThan(8);
    assertThat(
            listed.stream()
                .filter(name -> !served.containsKey(name) && !served.containsKey(name + "_count")))
        .isEmpty();
  }

  private static List<String> expressions() throws IOException {
    JsonObject dashboard =
        JsonParser.parseString(
                Files.readString(
                    DOCS.resolve(
                        "../charts/admission-checks/files/dashboards/admission-checks.json")))
            .getAsJsonObject();
    List<String> all = new ArrayList<>();
    for (JsonElement panel : dashboard.getAsJsonArray("panels")) {
      JsonArray targets = panel.getAsJsonObject().getAsJsonArray("targets");
      targets.forEach(target -> all.add(target.getAsJsonObject().get("expr").getAsString()));
    }
    for (JsonElement variable : dashboard.getAsJsonObject("templating").getAsJsonArray("list")) {
      if (variable.getAsJsonObject().get("query") instanceof JsonObject query) {
        all.add(query.get("query").getAsString());
      }
    }
    return all;
  }

  private static List<String> names(String expression) {
    return METRIC.matcher(expression).results().map(match -> match.group()).toList();
  }

  /** Name of each sample to the names of its labels. */
  private Map<String, List<String>> metricsOfAControllerAtWork() throws Exception {
    Check<NoParameters> check =
        evaluation ->
            switch (evaluation.key().name()) {
              case "good", "observed" -> Verdict.ready("fine");
              case "bad" -> Verdict.retry(Reason.of("Full"), "full", Delay.none());
              default -> throw new BackendUnavailableException("nobody home");
            };
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster =
            kueue.connect("shown", permissions -> permissions.withLease("shown"));
        CheckController controller =
            CheckController.builder(
                    "example.com/shown",
                    CheckEnvironment.of(cluster, time)
                        .withHosting(
                            host ->
                                host.httpPort(0)
                                    .leaderElection(
                                        LeaderElection.named(KueueSide.NAMESPACE, "shown"))))
                .check(
                    evaluation -> {
                      if (evaluation.key().name().equals("late")) {
                        kueue.evict(evaluation.key(), "Preempted");
                        return Verdict.ready("too late");
                      }
                      return check.evaluate(evaluation);
                    })
                .build()) {
      kueue.admissionCheck("seats", "example.com/shown");
      kueue
          .server()
          .apply(
              """
              apiVersion: kueue.x-k8s.io/v1beta2
              kind: AdmissionCheck
              metadata: {name: trial, annotations: {kueue4j.io/mode: Observe}}
              spec: {controllerName: example.com/shown}
              """);
      controller.start();
      kueue.reserve(kueue.workload("observed"), "trial");
      for (String name : List.of("good", "bad", "late", "failing")) {
        kueue.reserve(kueue.workload(name), "seats");
      }
      ObjectKey good = new ObjectKey(KueueSide.NAMESPACE, "good");
      ObjectKey bad = new ObjectKey(KueueSide.NAMESPACE, "bad");
      ObjectKey failing = new ObjectKey(KueueSide.NAMESPACE, "failing");
      await().until(() -> kueue.entry(good, "seats").is(CheckState.READY));
      await().until(() -> kueue.entry(failing, "seats").message().contains("nobody home"));
      await().until(() -> kueue.entry(bad, "seats").is(CheckState.RETRY));
      URI metrics = URI.create("http://127.0.0.1:" + controller.host().httpPort() + "/metrics");
      await().until(() -> samples(metrics).containsKey("kueue4j_check_verdicts_dropped_total"));
      await().until(() -> samples(metrics).containsKey("kueue4j_check_observed_total"));
      return samples(metrics);
    }
  }

  private static Map<String, List<String>> samples(URI uri) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Stream<String> lines =
          client
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body()
              .lines();
      Map<String, List<String>> samples = new TreeMap<>();
      lines
          .filter(line -> !line.startsWith("#"))
          .forEach(
              line ->
                  samples.put(
                      line.replaceFirst("[{ ].*", ""),
                      LABEL.matcher(line).results().map(match -> match.group(1)).toList()));
      return samples;
    }
  }
}
