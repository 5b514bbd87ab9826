// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.cli.TerminalScenario.Printed;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The terminal of a user who has the chart's role {@code batch-user} in one namespace. */
class NamespaceUserTest {
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: team}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: batch-user}
      rules:
      - apiGroups: [kueue.x-k8s.io]
        resources: [workloads, localqueues, workloadpriorityclasses]
        verbs: [get, list, watch]
      - {apiGroups: [batch], resources: [jobs], verbs: [get, list, watch]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: batch-users, namespace: team}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: batch-user}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: researcher}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: default}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: budget}
      spec: {controllerName: example.com/budget}
      """;

  @TempDir private static Path shared;

  private static TimeSource time;
  private static EmbeddedApiServer server;
  private static RunningCore core;
  private static Path kubeconfig;

  @BeforeAll
  static void start() throws InterruptedException {
    time = TimeSource.system();
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).secure().start();
    server.apply(OBJECTS);
    server.apply(queue("plain", ""));
    server.apply(queue("checked", "admissionChecksStrategy: {admissionChecks: [{name: budget}]}"));
    kubeconfig = server.kubeconfig(shared.resolve("user"), User.named("researcher"));
    patchStatus(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("budget"),
        """
        {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Ready",
          "message": "", "lastTransitionTime": "2026-01-05T08:00:00Z"}]}}
        """);
    core = QuietCore.start(server.kubeconfig(shared.resolve("administrator")), time, "");
    server.apply(job("done", "plain"));
    awaitPhase("job/done", "Admitted");
    patchStatus(
        CoreTypes.JOB,
        new ObjectKey("team", "done"),
        """
        {"status": {"succeeded": 1, "startTime": "2026-01-05T08:00:00Z",
          "completionTime": "2026-01-05T09:00:00Z", "conditions": [
            {"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}]}}
        """);
    awaitPhase("job/done", "Finished");
    server.apply(job("runs", "plain"));
    awaitPhase("job/runs", "Admitted");
    server.apply(job("waits", "plain"));
    server.apply(job("asks", "checked"));
    awaitPhase("job/asks", "Reserved");
    await().until(() -> run("explain job/waits -n team").out().contains("QuotaInUse"));
  }

  @AfterAll
  static void stop() {
    core.close();
    server.close();
    time.close();
  }

  @Test
  void explainsAWorkloadThatWaitsForQuota() {
    Printed waits = run("explain job/waits -n team");

    assertThat(waits.status()).as(waits.err()).isZero();
    assertThat(waits.out())
        .contains(
            ": QuotaInUse\n",
            "The core says: couldn't assign flavors",
            "ClusterQueue/plain metadata\n      can't be read",
            "get and list of clusterqueues",
            "When: 'kueue4j when -n team workload/")
        .doesNotContain("doesn't exist");
  }

  @Test
  void namesTheRightsThatATryNeeds(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("job.yaml"), job("new", "plain"));

    Printed tried = run("try " + file);

    assertThat(tried.status()).as(tried.err()).isZero();
    assertThat(tried.out())
        .startsWith("team/new (Job): Unknown\n")
        .contains(
            "What the scheduler would decide can't be foreseen: that needs get and list of"
                + " admissionchecks and clusterqueues and resourceflavors and cohorts, and of"
                + " workloads and localqueues in all namespaces.");
  }

  @Test
  void explainsAWorkloadWhoseCheckIsPending() {
    assertThat(run("explain job/asks -n team").out())
        .contains(
            ": CheckUnanswered\n",
            "\"budget\" has been pending",
            "needs get and list of admissionchecks")
        .doesNotContain("not found", "isn't active");
  }

  @Test
  void explainsWhatNeedsNoQueue() {
    assertThat(run("explain job/runs -n team").out()).contains(": PodsNotCreated\n");
    assertThat(run("explain job/done -n team").out()).contains(": Finished\n");
    assertThat(run("workload show job/waits -n team").out())
        .contains("ClusterQueue    plain\n", "Phase           Queued", ": QuotaInUse\n");
  }

  @Test
  void listsWorkloads() {
    Printed list = run("workload list -n team -q cq/plain");

    assertThat(list.status()).as(list.err()).isZero();
    assertThat(list.out().lines()).hasSize(4);
    assertThat(list.out()).containsPattern("job/waits +plain +plain +Queued");
    assertThat(list.err()).contains("needs list of clusterqueues").hasLineCount(1);
    assertThat(run("workload list -n team --status reserved -o json").out()).contains("job-asks-");
  }

  @Test
  void listsLocalQueues() {
    Printed list = run("queue list -n team");

    assertThat(list.status()).as(list.err()).isZero();
    assertThat(list.out()).startsWith("NAME ").contains("\nlq/checked ", "\nlq/plain ");
    assertThat(list.err()).contains("they aren't shown").hasLineCount(1);
    assertThat(run("queue list -n team -o yaml").out())
        .contains("kind: LocalQueue")
        .doesNotContain("kind: ClusterQueue");
  }

  @Test
  void showsALocalQueue() {
    Printed shown = run("queue show plain -n team");

    assertThat(shown.status()).as(shown.err()).isZero();
    assertThat(shown.out())
        .startsWith("lq/plain in team\n")
        .contains("\n1 wait for quota:\n", "job-waits-");
    assertThat(shown.err()).contains("needs get of clusterqueues").hasLineCount(1);
  }

  @Test
  void tellsThePlaceInTheLocalQueue() {
    Printed position = run("workload position job/waits -n team");

    assertThat(position.status()).as(position.err()).isZero();
    assertThat(position.out())
        .contains(": place 1 of 1 in lq/plain\n", "Its place in the ClusterQueue can't be told")
        .doesNotContain("in cq/");
  }

  @Test
  void watchesWhatTheNamespaceHas() {
    watches(
        "workload list --watch -n team", "job/waits", TerminalScenario.workload("late", 0, false));
    watches("queue list --watch -n team", "lq/plain", localQueue("late", "plain"));
  }

  /** Until nothing reads the rows, which a change shows. */
  private static void watches(String line, String row, String change) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    GoneWriter reader = new GoneWriter(out);
    try (Actors users = Actors.named("user")) {
      Act<Integer> watch =
          users.ask(() -> Main.run(new PrintWriter(reader), new PrintWriter(err), words(line)));
      await().until(() -> out.toString().contains(row));
      reader.goes();
      server.apply(change);

      assertThat(watch.get()).as(err.toString()).isZero();
    }
    assertThat(err.toString()).contains("may not list ClusterQueues").hasLineCount(1);
  }

  @Test
  void showsWhatTheNamespaceHas() {
    Printed top = run("top --once -n team");

    assertThat(top.status()).as(top.err()).isZero();
    assertThat(top.out())
        .contains("\nClusterQueues can't be listed", "lq/plain ", "1 Finished")
        .doesNotContain("There is no ClusterQueue");
  }

  /** That it is read needs no more rights than these. */
  @Test
  void stoppingAWorkloadNeedsItsPatchOnly() {
    Printed refused = run("workload stop job/waits -n team");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("patch workloads.kueue.x-k8s.io team/job-waits-");
  }

  @Test
  void allNamespacesNeedMoreRights() {
    for (String line :
        List.of("workload list -A", "queue list -A", "top -A", "queue show cq/plain")) {
      Printed refused = run(line);
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err()).contains("403").hasLineCount(1);
    }
    assertThat(run("workload list -A").err()).contains("give -n NS for one");
  }

  private static void awaitPhase(String job, String phase) {
    Pattern row = Pattern.compile(job + " [^\\n]*" + phase);
    await().until(() -> row.matcher(run("workload list -n team").out()).find());
  }

  private static String queue(String name, String more) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: %s}
    spec:
      namespaceSelector: {}
      %s
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
    ---
    """
            .formatted(name, more)
        + localQueue(name, name);
  }

  private static String localQueue(String name, String clusterQueue) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: %s, namespace: team}
    spec: {clusterQueue: %s}
    """
        .formatted(name, clusterQueue);
  }

  private static String job(String name, String queue) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: %s}}
    spec:
      suspend: true
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
          resources: {requests: {cpu: 1}}}]}
    """
        .formatted(name, queue);
  }

  private static void patchStatus(ResourceType<?> type, ObjectKey key, String json) {
    try (ClusterConnection administrator =
        ClusterConnection.builder("administrator").url(server.uri()).connect()) {
      administrator
          .api()
          .patchStatus(type, key, new MergePatch(JsonParser.parseString(json).getAsJsonObject()));
    }
  }

  private static String[] words(String line) {
    return Stream.concat(
            Stream.of(line.split(" ", -1)), Stream.of("--kubeconfig", kubeconfig.toString()))
        .toArray(String[]::new);
  }

  private static Printed run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), words(line));
    return new Printed(status, out.toString(), err.toString());
  }
}
