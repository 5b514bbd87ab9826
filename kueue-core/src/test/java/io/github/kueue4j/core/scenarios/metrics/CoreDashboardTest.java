// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.http.MetricsText;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the core's dashboard asks for is documented, and served by a core at work. */
@Simulated
class CoreDashboardTest {
  private static final Path DOCS = Checkout.root().resolve("docs");
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:kueue4j|kueue|workqueue|leader_election)_[a-z0-9_]+");
  private static final Pattern SELECTED = Pattern.compile("([a-z0-9_]+)\\{([^}]*)}");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?:=~|!=|=)\"");

  /** Of a core that elects; the SDK's own dashboard is tested with it. */
  private static final Map<String, List<String>> ELECTED =
      Map.of("leader_election_master_status", List.of("name"));

  @Test
  void whatIsShownIsDocumented() throws IOException {
    String page = Files.readString(DOCS.resolve("metrics.md"));

    List<String> expressions = expressions();

    assertThat(expressions).hasSizeGreaterThan(14);
    for (String expression : expressions) {
      for (String name : names(expression)) {
        assertThat(page)
            .as(expression)
            .contains("`" + name.replaceFirst("_(bucket|sum|count)$", "") + "`");
      }
    }
  }

  @ExpectedLog(logger = "ConfiguredSettings", message = "metrics.enableClusterQueueResources")
  @Test
  void whatIsShownIsServed() throws IOException {
    Map<String, List<String>> served = metricsOfACoreAtWork();
    served.putAll(ELECTED);
    List<String> expressions = expressions();

    assertThat(expressions).hasSizeGreaterThan(14);
    for (String expression : expressions) {
      assertThat(served.keySet()).as(expression).containsAll(names(expression));
      Matcher selected = SELECTED.matcher(expression);
      while (selected.find()) {
        Matcher label = LABEL.matcher(selected.group(2));
        while (label.find()) {
          assertThat(served.get(selected.group(1))).as(expression).contains(label.group(1));
        }
      }
    }
  }

  private static List<String> expressions() throws IOException {
    JsonObject dashboard =
        JsonParser.parseString(
                Files.readString(DOCS.resolve("../charts/kueue-core/files/dashboards/core.json")))
            .getAsJsonObject();
    List<String> all = new ArrayList<>();
    for (JsonElement panel : dashboard.getAsJsonArray("panels")) {
      for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
        all.add(target.getAsJsonObject().get("expr").getAsString());
      }
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

  /** Name of each sample to the names of its labels, after a retry and a preemption. */
  private static Map<String, List<String>> metricsOfACoreAtWork() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(
          "admissionChecksStrategy: {admissionChecks: [{name: budget}]},"
              + " preemption: {withinClusterQueue: LowerPriority}",
          "default=1");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: WorkloadPriorityClass
          metadata: {name: urgent}
          value: 1000
          """);
      KueueCore core =
          cluster.startCore("metrics: {bindAddress: \"0\", enableClusterQueueResources: true}\n");
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.answer("first", "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));
      cluster.awaitThat(
          "the delay is measured",
          world -> samples(core).containsKey("kueue4j_check_backoff_until_seconds"));
      Map<String, List<String>> samples = samples(core);
      cluster.settle();
      cluster.time.advance(Duration.ofMinutes(10));
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.answer("first", "budget", CheckState.READY, null);
      cluster.awaitWorkload("first", TestCluster::admitted);
      cluster.apply(TestJob.named("second").queue("lq").priority("urgent").cpus(1).yaml());
      cluster.awaitThat(
          "preempted, and its quota measured",
          world ->
              samples(core)
                  .keySet()
                  .containsAll(
                      List.of(
                          "kueue_preempted_workloads_total", "kueue_cluster_queue_nominal_quota")));
      samples.putAll(samples(core));
      return samples;
    }
  }

  private static Map<String, List<String>> samples(KueueCore core) {
    Map<String, List<String>> samples = new TreeMap<>();
    MetricsText.of((PrometheusMeterRegistry) core.meters())
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line ->
                samples.put(
                    line.replaceFirst("[{ ].*", ""),
                    LABEL.matcher(line).results().map(match -> match.group(1)).toList()));
    return samples;
  }
}
