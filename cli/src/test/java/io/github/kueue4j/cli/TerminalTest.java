// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.cli.TerminalScenario.Printed;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** {@code kueue4j queue} and {@code workload} on a cluster with a core. */
class TerminalTest {
  @TempDir private static Path shared;

  private static TerminalScenario scenario;

  @BeforeAll
  static void start() throws InterruptedException {
    scenario = TerminalScenario.start(shared);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  @Test
  void listsQueues() {
    assertThat(run("queue list -n team").cells())
        .isEqualTo(
            """
            NAME | COHORT | STRATEGY | PENDING | RESERVING | ADMITTED | STATE | WHY
            cq/closed | <none> | BestEffortFIFO | 0 | 0 | 0 | Stopped | stopPolicy Hold
            cq/research | lab | StrictFIFO | 2 | 1 | 1 | Active
            cq/spare | lab | BestEffortFIFO | 0 | 0 | 0 | Active

            NAME | CLUSTERQUEUE | PENDING | RESERVING | ADMITTED | STATE | WHY
            lq/astray | nowhere | 0 | 0 | 0 | Inactive | ClusterQueueDoesNotExist: Can't submit new workloads to clusterQueue
            lq/main | research | 2 | 1 | 1 | Active
            """);
  }

  @Test
  void listsWhatQueuesUse() {
    assertThat(run("queue list -A -o wide").cells())
        .contains(
            "| STATE | QUOTA | WHY\n",
            "| Active | cpu in default: 4 of 3 used, 1 borrowed\n",
            "| Active | cpu in default: 0 of 1 used\n",
            "\nNAMESPACE | NAME | CLUSTERQUEUE | PENDING | RESERVING | ADMITTED | STATE | USED | WHY\n",
            "\nteam | lq/main | research | 2 | 1 | 1 | Active | cpu in default: 4 used\n");
  }

  @Test
  void listsWorkloads() {
    assertThat(run("workload list -n team").cells())
        .isEqualTo(
            """
            NAME | OWNER | QUEUE | CLUSTERQUEUE | PHASE | PRIORITY | AGE | SINCE
            first | <none> | main | research | Queued | 5 | AGE | AGE
            job-training-HASH | job/training | main | research | Admitted | 0 | AGE | AGE
            second | <none> | main | research | Queued | 1 | AGE | AGE
            unwanted | <none> | main | research | Deactivated | 0 | AGE | AGE
            """);
    assertThat(run("workload list -A -o wide --status deactivated").cells())
        .isEqualTo(
            """
            NAMESPACE | NAME | OWNER | QUEUE | CLUSTERQUEUE | PHASE | PRIORITY | AGE | SINCE | DELAYED-UNTIL | CHECKS
            team | unwanted | <none> | main | research | Deactivated | 0 | AGE | AGE | <none> | <none>
            """);
  }

  @Test
  void listsWorkloadsOfAQueue() {
    assertThat(run("workload list -n team -q main").out()).hasLineCount(5);
    assertThat(run("workload list -n team -q cq/research --status queued").out()).hasLineCount(3);
    assertThat(run("workload list -n team -q cq/spare").out()).hasLineCount(1);
  }

  @Test
  void printsTheObjectsThemselves() {
    JsonObject json =
        JsonParser.parseString(run("queue list -n team -o json").out()).getAsJsonObject();
    assertThat(json.get("kind").getAsString()).isEqualTo("List");
    assertThat(json.getAsJsonArray("items"))
        .extracting(item -> item.getAsJsonObject().get("kind").getAsString())
        .containsExactly(
            "ClusterQueue", "ClusterQueue", "ClusterQueue", "LocalQueue", "LocalQueue");

    Map<String, Object> yaml =
        new Yaml().load(run("workload list -n team --status queued -o yaml").out());
    assertThat((List<?>) yaml.get("items")).hasSize(2);
    assertThat(yaml.toString()).contains("apiVersion=kueue.x-k8s.io/v1beta2", "cpu=2");
  }

  @Test
  void watchesUntilNothingReads() {
    StringWriter out = new StringWriter();
    GoneWriter reader = new GoneWriter(out);
    try (Actors users = Actors.named("user")) {
      Act<Integer> watch =
          users.ask(
              () ->
                  Main.run(
                      new PrintWriter(reader),
                      new PrintWriter(new StringWriter()),
                      scenario.words("workload list -n team -q main --watch")));
      await().until(() -> out.toString().contains("\nunwanted "));
      scenario.server().apply(TerminalScenario.workload("late", -1, false));
      await().until(() -> out.toString().contains("\nlate "));
      assertThat(out.toString().lines().filter(line -> line.startsWith("first"))).hasSize(1);

      reader.goes();
      scenario.server().apply(TerminalScenario.workload("later", -1, false));

      assertThat(watch.get()).isZero();
    }
    try (ClusterConnection connection =
        ClusterConnection.builder("test").url(scenario.server().uri()).connect()) {
      for (String name : List.of("late", "later")) {
        connection
            .api()
            .delete(KueueTypes.WORKLOAD, new ObjectKey("team", name), DeleteOptions.background());
      }
    }
    await().until(() -> !run("workload list -n team").out().contains("late"));
  }

  @Test
  void stopsAndResumesAQueue() {
    String before = run("queue list -n team").cells();
    assertThat(run("queue stop research").out())
        .isEqualTo(
            "cq/research is stopped (stopPolicy Hold): 1 admitted go on, 0 with a reservation only"
                + " lose it, 2 go on waiting\n");
    assertThat(run("queue stop research").out())
        .isEqualTo("cq/research is stopped already (stopPolicy Hold)\n");
    await().until(() -> run("queue list").cells().contains("Stopped | stopPolicy Hold\ncq/spare"));
    assertThat(run("queue resume cq/research").out())
        .isEqualTo("cq/research is resumed: 2 wait in it\n");
    assertThat(run("queue resume cq/research").out()).isEqualTo("cq/research is not stopped\n");
    assertThat(run("queue stop lq/astray -n team --drain").out())
        .startsWith(
            "lq/astray in team is stopped (stopPolicy HoldAndDrain): 0 admitted are evicted");
    assertThat(run("queue resume astray -n team").out()).contains("is resumed: 0 wait");
    await().until(() -> run("queue list -n team").cells().equals(before));
  }

  @Test
  void showsAQueue() {
    assertThat(run("queue show research").cells())
        .isEqualTo(
            """
            cq/research
             | State | Active
             | Cohort | lab
             | Strategy | StrictFIFO
             | Workloads | 2 pending, 1 reserving, 1 admitted

            FLAVOR | RESOURCE | USED | NOMINAL | BORROWED | MAY-BORROW | MAY-LEND
            default | cpu | 4 | 3 | 1 | <none> | <none>

            2 wait for quota:
            PLACE | NAMESPACE | NAME | QUEUE | PRIORITY | AGE
            1 | team | first | main | 5 | AGE
            2 | team | second | main | 1 | AGE
            spec.admissionScope has no effect: admission fair sharing is off (admissionFairSharing of the configuration).
            In the order that the objects tell: priority, then the time since when each queues. What the core keeps in memory is not in them: preemptors go first, and refused Workloads of a BestEffortFIFO queue are passed by others.

            CONDITION | STATUS | REASON | MESSAGE
            Active | True | Ready | Can admit new workloads. spec.admissionScope has no effect: admission fair sharing is off (admissionFairSharing of the configuration)
            """);
    assertThat(run("queue show main -n team").cells())
        .startsWith("lq/main in team\n | State | Active\n | ClusterQueue | research\n")
        .contains("cpu in default: 4 used", "\n2 | team | second | main | 1 | AGE\n");
  }

  @Test
  void showsAWorkload() {
    assertThat(run("workload show job/training -n team").cells())
        .startsWith(
            """
            workload/job-training-HASH in team
             | Owner | job/training
             | Queue | main
             | ClusterQueue | research
             | Priority | 0
             | Phase | Admitted for AGE
             | Delayed until | <none>
             | Pods | 1 in main

            CONDITION | STATUS | REASON | MESSAGE
            """)
        .contains("\nteam/job-training-HASH: ", "\nEvidence\n", "\nWho acts: ");
  }

  @Test
  void tellsThePlaceOfAWorkload() {
    assertThat(run("workload position second -n team").cells())
        .startsWith(
            """
            team/second: place 2 of 2 in cq/research, place 2 of 2 in lq/main
            Ahead of it
            PLACE | NAMESPACE | NAME | QUEUE | PRIORITY | AGE
            1 | team | first | main | 5 | AGE
            spec.admissionScope has no effect: admission fair sharing is off (admissionFairSharing of the configuration).
            In the order that the objects tell:""");
    Printed admitted = run("workload position job/training -n team");
    assertThat(admitted.status()).isOne();
    assertThat(admitted.out()).contains("doesn't wait for quota");
  }

  @Test
  void namesSimilarQueues() {
    Printed unknown = run("queue stop cq/reserach");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("'cq/reserach'", "did you mean cq/research?")
        .hasLineCount(1);
    assertThat(run("queue resume flavor/default").err()).contains("give cq/NAME or lq/NAME");
  }

  @Test
  void stopsAndResumesAWorkload() {
    String before = run("queue list -n team").cells();
    assertThat(run("workload stop second -n team").out())
        .isEqualTo("team/second is stopped: it no longer waits\n");
    assertThat(run("workload stop second -n team").out()).contains("is stopped already");
    await().until(() -> run("workload list -n team --status deactivated").out().contains("second"));
    assertThat(run("workload resume workload/second -n team").out())
        .isEqualTo("team/second is resumed: it queues again\n");
    await().until(() -> run("workload list -n team --status queued").out().contains("second"));
    await().until(() -> run("queue list -n team").cells().equals(before));
    assertThat(run("workload stop secnd -n team").err()).contains("did you mean second?");
  }

  @Test
  void refusesWhatContradictsItself() {
    assertThat(run("queue list -A -n team").err()).contains("-A excludes -n team").hasLineCount(1);
    assertThat(run("workload list --watch -o json").err()).contains("--watch").hasLineCount(1);
  }

  private static Printed run(String line) {
    return scenario.run(line);
  }
}
