// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.observe.recording.ForecastOutcome;
import io.github.kueue4j.observe.recording.ForecastOutcome.WaitEnd;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** {@code kueue4j record} beside no core at all, and {@code kueue4j replay} of what it wrote. */
class ReplayCommandTest {
  @TempDir private static Path folder;
  private static EmbeddedApiServer server;
  private static CommandRun recorded;
  private static Path file;

  @BeforeAll
  static void record() {
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
        metadata: {name: team-a}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 2}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: team-a}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: large, namespace: team}
        spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {
          restartPolicy: Never, containers: [{name: c, image: busybox,
            resources: {requests: {cpu: 3}}}]}}}]}
        """);
    file = folder.resolve("load.jsonl.gz");
    recorded = CommandRun.of("record", file.toString(), "--for", "1s", "--server", url());
  }

  private static String url() {
    return server.uri().toString();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aRecordingSaysWhatItHas() {
    assertThat(recorded.status()).as(recorded.err()).isZero();
    assertThat(recorded.out())
        .startsWith("Recording to " + file + "; Ctrl-C ends it\n")
        .endsWith("the time of --for is over\n");
    assertThat(recorded.err()).contains("give it to replay with --config");
  }

  @Test
  void aReplayComparesByQueue() throws Exception {
    CommandRun same = replay();
    assertThat(same.status()).as(same.err()).isZero();
    assertThat(same.out())
        .startsWith("1 Workloads from ")
        .contains("CLUSTERQUEUE", "team-a         recorded   0          1              to the end")
        .contains("0 of 0 recorded decisions are the same in the replay, which took 0.\n");

    Path picture = folder.resolve("use.svg");
    CommandRun more = replay("--quota", "team-a/cpu=4", "--picture", picture.toString());
    assertThat(more.out())
        .contains("replayed   1          0 ", "75 % of 4 default/cpu")
        .contains("1 runs were never recorded to their end");
    var svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(Files.readString(picture))));
    assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(3);
  }

  @Test
  void aProgramReadsTheSame() {
    JsonObject json =
        JsonParser.parseString(replay("-o", "json", "--quota", "team-a/cpu=4").out())
            .getAsJsonObject();

    JsonObject queue = json.getAsJsonArray("queues").get(0).getAsJsonObject();
    assertThat(queue.get("clusterQueue").getAsString()).isEqualTo("team-a");
    assertThat(queue.getAsJsonObject("recorded").get("longestWaitSeconds").isJsonNull()).isTrue();
    assertThat(queue.getAsJsonObject("replayed").get("admitted").getAsInt()).isEqualTo(1);
    assertThat(json.get("replayedDecisions").getAsInt()).isEqualTo(1);
  }

  /**
   * One runs from 0:00 for at most ten minutes, three come at 0:02: the band of the first begins
   * and ends at 0:10, and those behind it have to wait for what isn't known.
   */
  @Test
  void forecastsAreComparedWithWhatCame() throws Exception {
    Path load = forecasts("forecasts.jsonl.gz", text -> text);
    Path picture = folder.resolve("bands.svg");
    CommandRun text =
        CommandRun.of("replay", load.toString(), "--when", "--picture", picture.toString());
    assertThat(text.status()).as(text.err()).isZero();
    assertThat(text.out())
        .isEqualTo(
            """
            CLUSTERQUEUE   ASKED   AT ONCE   NOT AT ONCE   NOT KNOWN   OPEN   DELETED   UNDECIDED   EARLIER   IN THE BAND   LATER   HELD
            q              2       0         0             0           0      0         0           0         1             1       50 %
            all            2       0         0             0           0      0         0           0         1             1       50 %

            Of 2 waits, 1 were in the band of the forecast: 50 %, where eight of ten should be.
            """);
    var svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(Files.readString(picture))));
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(2);

    JsonObject json =
        JsonParser.parseString(
                CommandRun.of("replay", load.toString(), "--when", "-o", "json").out())
            .getAsJsonObject();
    JsonObject next = json.getAsJsonArray("forecasts").get(0).getAsJsonObject();
    assertThat(next.get("workload").getAsString()).isEqualTo("team/next");
    assertThat(next.get("likelySeconds").getAsInt()).isEqualTo(479);
    assertThat(next.get("waitedSeconds").getAsInt()).isEqualTo(479);
    assertThat(json.get("later").getAsInt()).isEqualTo(1);
    refused(
        CommandRun.of("replay", load.toString(), "--when", "--quota", "q/cpu=2"),
        "leave out --quota and --without-check");
  }

  /** A recording with two Workloads that wait, and the changes that a test makes to its text. */
  private Path forecasts(String name, UnaryOperator<String> changes) throws IOException {
    Path load = folder.resolve(name);
    String text =
        """
          {"kueue4jRecording":1,"from":"2026-01-05T00:00:00Z"}
          {"at":"2026-01-05T00:00:00Z","present":true,"kind":"Namespace","name":"team","object":{"metadata":{"name":"team"}}}
          {"at":"2026-01-05T00:00:00Z","present":true,"kind":"ResourceFlavor","name":"default","object":{"metadata":{"name":"default"}}}
          {"at":"2026-01-05T00:00:00Z","present":true,"kind":"ClusterQueue","name":"q","object":{"metadata":{"name":"q"},"spec":{"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"default","resources":[{"name":"cpu","nominalQuota":"1"}]}]}]}}}
          {"at":"2026-01-05T00:00:00Z","present":true,"kind":"LocalQueue","namespace":"team","name":"lq","object":{"metadata":{"name":"lq","namespace":"team"},"spec":{"clusterQueue":"q"}}}
          %s
          %s
          %s
          %s
          {"at":"2026-01-05T00:30:00Z","end":"the test has ended it"}
          """
            .formatted(
                workload("00:00:00", "runs", 600, "00:00:00"),
                workload("00:02:00", "next", 60, ""),
                workload("00:03:00", "last", 60, ""),
                workload("00:10:00", "next", 60, "00:10:00"));
    try (var lines =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(load)), StandardCharsets.UTF_8)) {
      lines.write(changes.apply(text));
    }
    return load;
  }

  @Test
  void whyThereWasNoForecastIsSaid() throws Exception {
    Path endless =
        forecasts(
            "endless.jsonl.gz", text -> text.replace("\"maximumExecutionTimeSeconds\":600,", ""));

    assertThat(CommandRun.of("replay", endless.toString(), "--when").out())
        .endsWith(
            """
            No Workload waited of which a forecast knew when it gets quota.
            Not known in q: 2. How long others take isn't known: fewer than 5 of their queue had finished, and they have no maximum execution time.
            """);
    assertThat(
            JsonParser.parseString(
                    CommandRun.of("replay", endless.toString(), "--when", "-o", "json").out())
                .getAsJsonObject()
                .getAsJsonArray("forecasts"))
        .hasSize(2)
        .allSatisfy(
            each ->
                assertThat(each.getAsJsonObject().get("unknownBecause").getAsString())
                    .startsWith("How long team/runs takes isn't known"));
  }

  private static ForecastOutcome outcome(
      @Nullable Duration earliest, @Nullable Duration atMost, @Nullable String obstacle) {
    Instant asked = Instant.parse("2026-01-05T00:00:00Z");
    return new ForecastOutcome(
        new ObjectKey("team", "w"),
        "q",
        asked,
        new QuotaForecast(
            Optional.ofNullable(earliest),
            Optional.empty(),
            Optional.empty(),
            Optional.ofNullable(atMost),
            Optional.ofNullable(obstacle),
            Optional.empty(),
            OptionalInt.of(9),
            List.of(),
            Optional.empty(),
            Optional.empty()),
        Duration.ofMinutes(2),
        WaitEnd.RESERVED,
        asked.plus(Duration.ofHours(1)));
  }

  @Test
  void equalReasonsAreOneLine() {
    Duration minute = Duration.ofMinutes(1);
    String delay = "Its check a delays it until 2026-01-05T0%d:00:00Z unless the check changes it.";
    ForecastReplayText replayed =
        new ForecastReplayText(
            List.of(
                outcome(null, null, delay.formatted(1)),
                outcome(null, null, delay.formatted(2)),
                outcome(null, minute, null),
                outcome(null, null, null),
                outcome(minute, minute, "It was given up.")));

    assertThat(replayed.text())
        .endsWith(
            """
            Not known in q: 2. Its check a delays it until a later time unless the check changes it.
            Not known in q: 1. Only a bound was known: when it gets quota if all take their maximum execution time, and nothing comes before it.
            Not known in q: 1. Time alone brings no quota.
            """);
    assertThat(replayed.tree())
        .extractingByKey("forecasts", InstanceOfAssertFactories.list(Map.class))
        .map(each -> String.valueOf(each.get("unknownBecause")))
        .satisfiesExactly(
            why -> assertThat(why).isEqualTo(delay.formatted(1)),
            why -> assertThat(why).isEqualTo(delay.formatted(2)),
            why -> assertThat(why).startsWith("Only a bound was known: "),
            why -> assertThat(why).isEqualTo("Time alone brings no quota."),
            why -> assertThat(why).as("of a band without an end").isEqualTo("null"));
  }

  private static String workload(String at, String name, int most, String reserved) {
    String status =
        reserved.isEmpty()
            ? "{}"
            : """
            {"admission":{"clusterQueue":"q","podSetAssignments":[{"name":"main","count":1,"flavors":{"cpu":"default"},"resourceUsage":{"cpu":"1"}}]},
            "conditions":[{"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"","lastTransitionTime":"2026-01-05T%1$sZ"},
            {"type":"Admitted","status":"True","reason":"Admitted","message":"","lastTransitionTime":"2026-01-05T%1$sZ"}]}
            """
                .formatted(reserved)
                .replace("\n", "");
    return """
        {"at":"2026-01-05T%1$sZ","kind":"Workload","namespace":"team","name":"%2$s","object":{"metadata":{"name":"%2$s","namespace":"team","uid":"%2$s","creationTimestamp":"2026-01-05T%1$sZ"},
        "spec":{"queueName":"lq","maximumExecutionTimeSeconds":%3$d,"podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}}]},
        "status":%4$s}}"""
        .formatted(at, name, most, status)
        .replace("\n", "");
  }

  @Test
  void whatCanNotBeDoneIsSaidInOneLine() throws IOException {
    refused(
        replay("--quota", "team-b/cpu=4"), "has no ClusterQueue \"team-b\"; did you mean team-a?");
    refused(replay("--config", folder.resolve("none.yaml").toString()), "none.yaml");
    refused(replay("--picture", folder.resolve("none/use.svg").toString()), "can't be written");
    refused(CommandRun.of("replay", folder.resolve("none").toString()), "can't be read");
    Path text = Files.writeString(folder.resolve("text"), "no recording");
    refused(CommandRun.of("replay", text.toString()), "is no recording");
    refused(CommandRun.of("record", text.toString(), "--server", url()), "exists already");
    assertThat(text).as("it is kept").hasContent("no recording");
    refused(replay("--picture", file.toString()), "would overwrite the recording");
    assertThat(file).isNotEmptyFile();
    refused(
        CommandRun.of(
            "record", folder.resolve("new").toString(), "--max-size", "0", "--server", url()),
        "--max-size must be at least 1");

    byte[] whole = Files.readAllBytes(file);
    Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length - 40));
    assertThat(CommandRun.of("replay", cut.toString()).out())
        .contains("The file is cut off after ", "what came later is lost.");
  }

  private static CommandRun replay(String... options) {
    String[] line = new String[options.length + 2];
    line[0] = "replay";
    line[1] = file.toString();
    System.arraycopy(options, 0, line, 2, options.length);
    return CommandRun.of(line);
  }

  private static void refused(CommandRun run, String why) {
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("kueue4j: ").contains(why);
    assertThat(run.err().strip().lines()).hasSize(1);
  }
}
