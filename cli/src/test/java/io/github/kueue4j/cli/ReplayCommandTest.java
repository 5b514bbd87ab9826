// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.xml.sax.InputSource;

/** {@code kueue4j record} beside no core at all, and {@code kueue4j replay} of what it wrote. */
@Isolated("swaps System.out and System.err")
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
