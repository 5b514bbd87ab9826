// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.observe.forecast.CheckDurations;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code kueue4j when} on a cluster without a core, which it doesn't need. */
class WhenCommandTest {
  private static EmbeddedApiServer server;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    server.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: team}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: default}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 2}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: cq}
        """
            + workload("small", 1)
            + workload("large", 9)
            + workload("inactive", 1)
                .replace("spec: {queueName", "spec: {active: false, queueName"));
  }

  private static String workload(String name, int cpus) {
    return """
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: %s, namespace: team}
    spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {
      restartPolicy: Never, containers: [{name: c, image: busybox, resources: {requests: {cpu: %d}}}]}}}]}
    """
        .formatted(name, cpus);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void saysWhenItGetsQuota() {
    CommandRun small = run("workload/small");
    assertThat(small.status()).as(small.err()).isZero();
    assertThat(small.out()).startsWith("team/small: gets quota at once\n");

    CommandRun large = run("workload/large");
    assertThat(large.out())
        .startsWith("team/large: not known\n")
        .contains("insufficient")
        .contains("the core's configuration can't be read from here")
        .doesNotContain("isn't known");
  }

  @Test
  void whatIsDeactivatedNeverGetsQuota() {
    assertThat(run("workload/inactive").out())
        .startsWith(
            "team/inactive: is deactivated, and gets no quota unless a user activates it again\n");
    assertThat(
            JsonParser.parseString(run("workload/inactive", "-o", "json").out())
                .getAsJsonObject()
                .get("waits")
                .getAsBoolean())
        .isFalse();
  }

  @Test
  void saysWhyNothingIsKnown() {
    QuotaForecast forecast =
        new QuotaForecast(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("How long team/runs takes isn't known."),
            Optional.empty(),
            OptionalInt.of(0),
            List.of(),
            Optional.empty(),
            Optional.empty());

    assertThat(ForecastText.of("w", forecast, "It waits.").text())
        .isEqualTo("w: not known\n\n  It waits.\n\n  How long team/runs takes isn't known.\n");
  }

  @Test
  void saysWhenTheDelayOfACheckEnds() {
    ForecastText text =
        ForecastText.of(
            "w",
            new QuotaForecast(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("Its check approval delays it."),
                Optional.empty(),
                OptionalInt.of(0),
                List.of(),
                Optional.of(Duration.ofMinutes(90)),
                Optional.of(
                    new CheckDurations(
                        Duration.ofMinutes(2), Duration.ofMinutes(10), OptionalInt.of(38)))),
            "It waits.");

    assertThat(text.text())
        .isEqualTo(
            "w: not known; its delay ends in 1h30m unless a check changes that\n\n"
                + "  It waits.\n\n"
                + "  Its check approval delays it.\n"
                + "  After the reservation its checks took 2m to 10m once they let it through (eight in"
                + " ten of 38 that finished in its ClusterQueue).\n");
    assertThat(text.tree())
        .containsEntry("delayEndsSeconds", 5400L)
        .containsEntry("checksShortestSeconds", 120L)
        .containsEntry("checksLongestSeconds", 600L)
        .containsEntry("checksOf", 38)
        .containsEntry("unknownBecause", "Its check approval delays it.")
        .doesNotContainKeys("earliestSeconds", "likelySeconds", "latestSeconds");
  }

  @Test
  void tellsAProgramTheSame() {
    JsonObject json =
        JsonParser.parseString(run("workload/small", "-o", "json").out()).getAsJsonObject();

    assertThat(json.get("waits").getAsBoolean()).isTrue();
    assertThat(json.get("likelySeconds").getAsInt()).isZero();
    assertThat(json.get("finished").getAsInt()).isZero();
  }

  /** One count of what waits before it, in one set of words. */
  @Test
  void saysWhyAsExplainDoes() {
    String why =
        JsonParser.parseString(run("workload/large", "-o", "json").out())
            .getAsJsonObject()
            .get("why")
            .getAsString();

    assertThat(why).isNotEmpty();
    assertThat(
            CommandRun.of(
                    "explain", "workload/large", "-n", "team", "--server", server.uri().toString())
                .out())
        .contains("\n  " + why + "\n");
  }

  @Test
  void refusesWhatIsNotThere() {
    CommandRun missing = run("workload/smal");

    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("small").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          20 | 42 | 65 | 240 | w: gets quota in about 42m           | Eight times in ten: in 20m to 1h5m
          20 | 42 |    |     | w: gets quota in about 42m           | Eight times in ten: in 20m to no known time
          20 |    |    | 240 | w: gets quota in 4h if all take their maximum execution time | nothing comes before it: in 4h
             |    |    |     | w: not known                         | It waits.
          """)
  void saysWhatIsKnown(
      @Nullable Integer earliest,
      @Nullable Integer likely,
      @Nullable Integer latest,
      @Nullable Integer most,
      String title,
      String line) {
    QuotaForecast forecast =
        new QuotaForecast(
            minutes(earliest),
            minutes(likely),
            minutes(latest),
            minutes(most),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.of(7),
            List.of(),
            Optional.empty(),
            Optional.empty());

    assertThat(ForecastText.of("w", forecast, "It waits.").text())
        .startsWith(title + "\n")
        .contains(line);
  }

  private static Optional<Duration> minutes(@Nullable Integer count) {
    return Optional.ofNullable(count).map(Duration::ofMinutes);
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(
        Stream.of(
                Stream.of("when"),
                Stream.of(arguments),
                Stream.of("-n", "team", "--server", server.uri().toString()))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }
}
