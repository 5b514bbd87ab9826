// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code kueue4j top} on objects that another implementation could have written. */
class TopTest {
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: team}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        cohortName: lab
        resourceGroups:
        - coveredResources: [cpu, memory]
          flavors:
          - name: default
            resources: [{name: cpu, nominalQuota: 3}, {name: memory, nominalQuota: 8Gi}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: fresh}
      spec:
        cohortName: lab
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: research}
      """;

  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().objects(Crds.kueue()).start();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).connect();
  private final Actors users = Actors.named("user");
  private final StringWriter out = new StringWriter();

  @BeforeEach
  void create() {
    server.apply(OBJECTS);
    server.apply(TerminalScenario.workload("waiting", 0, true));
    server.apply(TerminalScenario.workload("delayed", 0, true));
    connection
        .api()
        .patchStatus(
            KueueTypes.CLUSTER_QUEUE,
            ObjectKey.cluster("research"),
            patch(
                """
                {"status": {"pendingWorkloads": 2, "admittedWorkloads": 1,
                  "conditions": [{"type": "Active", "status": "True", "reason": "Ready",
                    "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
                  "flavorsReservation": [{"name": "default", "resources": [
                    {"name": "cpu", "total": "4", "borrowed": "1"},
                    {"name": "memory", "total": "2Gi"}]}]}}
                """));
    delay("2999-01-01T00:00:00Z", "No seat\u001b[2J is free.");
  }

  private void delay(String until, String message) {
    connection
        .api()
        .patchStatus(
            KueueTypes.WORKLOAD,
            new ObjectKey("team", "delayed"),
            patch(
                """
                {"status": {"requeueState": {"requeueAt": "%s"},
                  "conditions": [{"type": "Requeued", "status": "False",
                    "reason": "AdmissionCheck", "message": "",
                    "lastTransitionTime": "2026-01-01T00:00:00Z"}],
                  "admissionChecks": [{"name": "licence", "state": "Retry", "message": "%s",
                    "requeueAfterSeconds": 1, "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
                """
                    .formatted(until, message.replace("\u001b", "\\u001b"))));
  }

  private static MergePatch patch(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  @AfterEach
  void stop() {
    users.close();
    connection.close();
    server.close();
  }

  @Test
  void printsOneFrameWhereTheOutputIsNoTerminal() {
    int status =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(new StringWriter()),
            "top",
            "-n",
            "team",
            "--server",
            server.uri().toString());

    assertThat(status).isZero();
    assertThat(cells(out.toString()))
        .startsWith("kueue4j top at ")
        .contains("namespace team of " + server.uri() + "\n")
        .endsWith(
            """

            QUEUE | COHORT | PENDING | ADMITTED | FLAVOR | RESOURCE | USED | NOMINAL | BORROWED | USE | STATE | WHY
            cq/fresh | lab | ? | ? | default | cpu | ? | 1 | ? | ? | Unknown | no condition Active; is a core running?
            cq/research | lab | 2 | 1 | default | cpu | 4 | 3 | 1 | 133% | Active
             | default | memory | 2Gi | 8Gi | 0 | 25%

            NAMESPACE | NAME | CLUSTERQUEUE | PENDING | RESERVING | ADMITTED | STATE | USED | WHY
            team | lq/main | research | <none> | <none> | <none> | Unknown | <none> | no condition Active; is a core running?

            Workloads: 1 Queued, 1 Backoff
            WORKLOAD | QUEUE | DELAYED-BY | UNTIL | IN | SAYS
            team/delayed | main | requeueState | 2999-01-01T00:00:00Z | TIME

            No core has written the status of cq/fresh: ? stands for what is not known.
            """);
  }

  /** A check's own delay names it; its message can't change the terminal. */
  @Test
  void namesTheCheckThatDelays() {
    delay("2026-01-01T00:00:00Z", "No seat\u001b[2J is free.");

    Main.run(
        new PrintWriter(out),
        new PrintWriter(new StringWriter()),
        "top",
        "-A",
        "--once",
        "--server",
        server.uri().toString());

    assertThat(cells(out.toString()))
        .contains(
            ", all namespaces of ",
            "\nteam/delayed | main | licence | 2026-01-01T00:00:01Z | over | No seat [2J is free.\n");
  }

  @Test
  void drawsWhatChangesUntilQIsPressed() {
    FakeTerminal terminal = new FakeTerminal();
    Act<Boolean> top = start(terminal);
    await().until(() -> out.toString().contains("cq/research"));
    assertThat(out.toString())
        .startsWith(LiveScreen.ENTER)
        .contains("team/delayed", "; q ends")
        .doesNotContain(LiveScreen.LEAVE);

    server.apply(TerminalScenario.workload("another", 0, true));
    await().until(() -> out.toString().contains("Workloads: 2 Queued, 1 Backoff"));

    terminal.size = new Terminal.Size(6, 30);
    await().until(() -> lastFrame().size() == 6);
    assertThat(lastFrame()).allMatch(line -> line.length() <= 30);

    terminal.press('x');
    assertThat(top.hasEnded()).isFalse();
    terminal.press('q');
    top.get();
    assertThat(out.toString()).endsWith(LiveScreen.LEAVE);
  }

  @Test
  void saysThatTheServerDoesNotAnswer() {
    FakeTerminal terminal = new FakeTerminal();
    Act<Boolean> top = start(terminal);
    await().until(() -> out.toString().contains("cq/research"));

    server.close();

    await().until(() -> out.toString().contains("; not up to date: "));
    terminal.press('q');
    top.get();
  }

  private Act<Boolean> start(FakeTerminal terminal) {
    TopCommand command = new TopCommand();
    new CommandLine(command).parseArgs("-n", "team", "--interval", "5ms");
    return users.start(
        () -> {
          try (Interruption interruption = Interruption.listen()) {
            command.live(connection, new PrintWriter(out), terminal, false, interruption);
          }
        });
  }

  /** The lines of the last frame that is complete. */
  private List<String> lastFrame() {
    String all = out.toString();
    int end = all.lastIndexOf("\u001b[J");
    String frame = all.substring(all.lastIndexOf("\u001b[H", end) + 3, end);
    return List.of(frame.replace("\u001b[K", "").split("\r\n", -1));
  }

  private static String cells(String text) {
    return text.replaceAll("(?m)(?<= )(\\d+[dhms])+(?= |$)", "TIME").replaceAll(" {2,}", " | ");
  }

  /** A terminal whose size changes, and whose keys the test presses. */
  private static final class FakeTerminal implements Terminal {
    private final AtomicReference<@Nullable IntConsumer> keys = new AtomicReference<>();
    private volatile Size size = new Size(50, 200);

    void press(char key) {
      IntConsumer listener = await().until(keys::get, each -> each != null);
      if (listener != null) {
        listener.accept(key);
      }
    }

    @Override
    public Size size() {
      return size;
    }

    @Override
    public void onKey(IntConsumer listener) {
      keys.set(listener);
    }

    @Override
    public void close() {}
  }
}
