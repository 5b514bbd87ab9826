// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** {@code kueue4j try} on a cluster without a core, which it doesn't need. */
class TryCommandTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        parallelism: 2
        template:
          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: %d}}}]}
      ---
      """;

  @TempDir private static Path folder;

  private static EmbeddedApiServer server;

  @BeforeAll
  static void start() throws IOException {
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
        kind: AdmissionCheck
        metadata: {name: budget}
        spec: {controllerName: kueue4j.io/budget}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          cohortName: all
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: budget}]}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: lender}
        spec:
          cohortName: all
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 3}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: cq}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: other, namespace: team}
        spec: {clusterQueue: lender}
        """);
    try (ClusterConnection connection =
        Target.of(server.kubeconfig(folder.resolve("kubeconfig"))).connect("test")) {
      connection
          .api()
          .patchStatus(
              KueueTypes.ADMISSION_CHECK,
              ObjectKey.cluster("budget"),
              new MergePatch(
                  JsonParser.parseString(
                          """
                          {"status": {"conditions": [{"type": "Active", "status": "True",
                            "reason": "Ready", "message": "",
                            "lastTransitionTime": "2026-01-05T08:00:00Z"}]}}
                          """)
                      .getAsJsonObject()));
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void saysOfEachJobWhatItWouldGet() throws IOException {
    CommandRun outcome = run(JOB.formatted("first", 1) + JOB.formatted("second", 2));

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .isEqualTo(
            """
            team/first (Job): QuotaReserved

              It gets quota of ClusterQueue cq at once, and starts when its admission checks have let it through.

            Quota
              main, 2 pods: cpu 2 in default

            Borrows
              cpu 1 in default

            Checks
              budget (kueue4j.io/budget): can't be asked in advance: its AdmissionCheck names no Service to ask (annotation kueue4j.io/dry-evaluations)

            Notes
              the core's configuration can't be read from here: all supported kinds are taken as managed, and its defaults otherwise; give it with --config

            team/second (Job): Waits

              It waits in ClusterQueue cq, as number 1 of 1: couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, 2 more needed.

            Why: QuotaInUse
              Other workloads use the quota of ClusterQueue cq, and it is the next in its queue: couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, 2 more needed.

            Who acts: nobody
              It gets quota when enough is released. If that takes too long, it may need a higher priority or a queue that preempts.

            When: once it is created, 'kueue4j when -n team job/second' estimates it

            Notes
              the core's configuration can't be read from here: all supported kinds are taken as managed, and its defaults otherwise; give it with --config
            """);
  }

  @Test
  void tellsAProgramTheSame() throws IOException {
    String job = JOB.formatted("first", 1);
    JsonObject json = JsonParser.parseString(run(job, "-o", "json").out()).getAsJsonObject();
    Map<String, Object> yaml = new Yaml().load(run(job, "-o", "yaml").out());

    JsonObject result = json.getAsJsonArray("results").get(0).getAsJsonObject();
    assertThat(result.get("outcome").getAsString()).isEqualTo("QuotaReserved");
    assertThat(result.getAsJsonArray("takes"))
        .hasToString(
            "[{\"podSet\":\"main\",\"pods\":2,\"resource\":\"cpu\",\"flavor\":\"default\",\"amount\":\"2\"}]");
    assertThat(result.getAsJsonArray("borrows")).hasSize(1);
    assertThat(result.getAsJsonArray("checks")).hasSize(1);
    assertThat(JsonParser.parseString(KueueJson.toJson(yaml))).isEqualTo(json);
  }

  /** Each of its pods is queued by itself. */
  @Test
  void saysHowManyPodsOfADeploymentWouldStart() throws IOException {
    String web =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          replicas: 6
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {containers: [{name: main, image: web, resources: {requests: {cpu: 2}}}]}
        """;
    Path config =
        Files.writeString(
            folder.resolve("config.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            webhook: {port: 9443}
            integrations: {frameworks: [pod, deployment]}
            """);
    String[] options = {
      "--config", config.toString(), "--queue", "other", "--request", "cpu=1", "-o", "json"
    };

    JsonObject result =
        JsonParser.parseString(run(web, options).out())
            .getAsJsonObject()
            .getAsJsonArray("results")
            .get(0)
            .getAsJsonObject();

    assertThat(result.getAsJsonArray("parts"))
        .hasToString(
            "[{\"outcome\":\"Admitted\",\"count\":4},{\"outcome\":\"Waits\",\"count\":2}]");
    assertThat(result.getAsJsonArray("takes"))
        .hasToString(
            "[{\"podSet\":\"main\",\"pods\":4,\"resource\":\"cpu\",\"flavor\":\"default\",\"amount\":\"4\"}]");
    assertThat(result.getAsJsonArray("borrows"))
        .hasToString("[{\"resource\":\"cpu\",\"flavor\":\"default\",\"amount\":\"1\"}]");
    assertThat(run(web, Arrays.copyOf(options, 6)).out())
        .startsWith(
            """
            team/web (Deployment): Waits

              4 of 6 pods: each gets quota of ClusterQueue lender at once and starts. 2 of 6 pods:\
             the first waits in ClusterQueue lender, as number 1 of 2: couldn't assign flavors\
            """);
    assertThat(run(web, "--config", config.toString(), "--request", "cpu=1").out())
        .contains("\nChecks, asked about the first pod\n  budget (kueue4j.io/budget): ");
    assertThat(run(web).out()).startsWith("team/web (Deployment): Unknown\n");
  }

  @Test
  void answersWhatIf() throws IOException {
    String job = JOB.formatted("first", 1);

    assertThat(run(job, "--queue", "other").out())
        .startsWith("team/first (Job): Admitted\n")
        .contains("quota of ClusterQueue lender");
    assertThat(run(job, "--priority", "high").out())
        .startsWith("team/first (Job): NotQueued\n")
        .contains("Why: PriorityClassMissing", "Who acts: the owner of the Job");
    assertThat(run(job, "--without-check", "budget", "--quota", "cq/cpu=2").out())
        .startsWith("team/first (Job): Admitted\n")
        .doesNotContain("Borrows", "Checks");
    assertThat(run(job, "--request", "cpu=2").out()).contains("cpu 4 in default");
    assertThat(run(job, "--request", "cpu=30", "--without-check", "budget").out())
        .startsWith("team/first (Job): NeverFits\n");
    assertThat(run(job, "--quota", "cq/cpu=0", "--quota", "lender/default/cpu=1").out())
        .startsWith("team/first (Job): NeverFits\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --quota cp/cpu=2           | there is no ClusterQueue "cp"
          --quota cq/memory=2        | ClusterQueue cq has no quota "memory"; it has default/cpu
          --quota cq/cpu=many        | the quota of cq/cpu can't be "many"; write an amount such as 40
          --quota cq/cpu=-1          | the quota of cq/cpu can't be "-1"
          --quota cq=1               | the quota "cq" names no resource; write CLUSTERQUEUE/RESOURCE
          --quota cq                 | --quota
          --request cpu=-4           | the request of cpu can't be "-4"; write an amount such as 40
          --request cpu              | --request
          --without-check budgets    | no ClusterQueue requires the check budgets
          """)
  void refusesWhatCannotBe(String options, String complaint) throws IOException {
    CommandRun refused = run(JOB.formatted("first", 1), options.split(" ", -1));

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains(complaint);
  }

  @Test
  void whatHasNoPodsRequestsNothing() throws IOException {
    String map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}\n---\n";

    assertThat(run(map, "--request", "cpu=4").err()).contains("has no template of pods");
    assertThat(run(map + JOB.formatted("first", 1), "--request", "cpu=2").out())
        .contains("NotManaged", "cpu 4 in default");
  }

  @Test
  void refusesWhatIsNoManifest() throws IOException {
    CommandRun text = run("just text");
    assertThat(text.status()).isEqualTo(2);
    assertThat(text.err()).contains("no object").hasLineCount(1);

    CommandRun missing =
        CommandRun.of(
            "try", folder.resolve("missing").toString(), "--server", server.uri().toString());
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("missing can't be read").hasLineCount(1);
  }

  private static CommandRun run(String manifests, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("jobs.yaml"), manifests);
    return CommandRun.of(
        Stream.concat(
                List.of("try", file.toString(), "--server", server.uri().toString()).stream(),
                Stream.of(more))
            .toArray(String[]::new));
  }
}
