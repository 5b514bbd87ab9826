// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What the chart's guards let a tenant do who may change Jobs and Workloads. */
class JobGuardTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String PYTORCH_JOBS = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs";
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";

  private static final User TENANT = User.serviceAccount("default", "tenant");
  private static final User JOB_SETS = User.serviceAccount("jobset-system", "jobset");

  /**
   * By a kind that the chart's configuration manages; the garbage collector looks for the object.
   */
  private static final String OWNED =
      "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: owner, uid: OWNER, controller: true}],";

  private static final String WAITS = job("", "suspend: true,");
  private static final String CHILD = job(OWNED, "suspend: true,");
  private static final String RUNS = job("", "");
  private static final String MANUAL =
      job("", "suspend: true, manualSelector: true, selector: {matchLabels: {own: x}},")
          .replace("template: {", "template: {metadata: {labels: {own: x}}, ");

  /** A kind whose suspension stands elsewhere. */
  private static final String PYTORCH =
      """
      apiVersion: kubeflow.org/v1
      kind: PyTorchJob
      metadata: {name: NAME, namespace: default, labels: {kueue.x-k8s.io/queue-name: q}}
      spec: {runPolicy: {suspend: true}}
      """;

  private static final String RESERVED =
      "conditions: [{type: QuotaReserved, status: 'True',"
          + " reason: r, message: m, lastTransitionTime: '2026-03-02T10:00:00Z'}],"
          + " admission: {clusterQueue: cq, podSetAssignments: [{name: main, count: 1}]}";

  /**
   * A change that a user tries.
   *
   * @param object before the change
   * @param status of the object before the change; empty for none
   * @param patch the change; empty if the user creates the object
   * @param refusal a part of the answer; empty if the change is allowed
   */
  private record Row(User user, String object, String status, String patch, String refusal) {
    String collection() {
      return object.contains("kind: Pod\n")
          ? "/api/v1/namespaces/default/pods"
          : object.contains("kind: Job")
              ? JOBS
              : object.contains("kind: PyTorchJob") ? PYTORCH_JOBS : WORKLOADS;
    }
  }

  private static Row row(User user, String job, String patch, String refusal) {
    return new Row(user, job, "", patch, refusal);
  }

  private static Row workload(User user, String status, String patch, String refusal) {
    return new Row(
        user,
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: NAME, namespace: default, labels: {kueue.x-k8s.io/job-uid: u},
          finalizers: [kueue.x-k8s.io/resource-in-use]}
        spec:
          queueName: q
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}
        """,
        status,
        patch,
        refusal);
  }

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: NAME, namespace: default, labels: {kueue.x-k8s.io/managed: "true"}}
      spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}], containers: [{name: c, image: i}]}
      """;

  private static final List<Row> ROWS =
      List.of(
          row(TENANT, POD, "{spec: {schedulingGates: null}}", "tenant may not remove"),
          row(TENANT, POD, "{metadata: {labels: null}}", "has to stay true"),
          row(
              TENANT,
              POD.replace("schedulingGates: [{name: kueue.x-k8s.io/admission}], ", ""),
              "{metadata: {labels: {kueue.x-k8s.io/managed: 'false'}}}",
              "has to stay true"),
          row(TENANT, POD, "{metadata: {labels: {own: x}}}", ""),
          row(
              TENANT,
              POD.replace("{kueue", "{kueue.x-k8s.io/pod-group-name: g, kueue"),
              "{metadata: {labels: {kueue.x-k8s.io/pod-group-name: other}}}",
              "create the pod anew with others"),
          row(
              TENANT,
              POD.replace("{kueue", "{kueue.x-k8s.io/podset: one, kueue"),
              "{metadata: {labels: {kueue.x-k8s.io/podset: two}}}",
              "create the pod anew with others"),
          row(Component.CORE.user(), POD, "{spec: {schedulingGates: null}}", ""),
          row(TENANT, WAITS, "{spec: {suspend: false}}", "tenant may not start it"),
          row(
              TENANT,
              WAITS,
              "{metadata: {labels: null}, spec: {suspend: false}}",
              "tenant may not start it"),
          row(TENANT, CHILD, "{spec: {suspend: false}}", "tenant may not start it"),
          row(JOB_SETS, WAITS, "{spec: {suspend: false}}", "jobset may not start it"),
          row(JOB_SETS, CHILD, "{spec: {suspend: false}}", ""),
          row(Component.CORE.user(), WAITS, "{spec: {suspend: false}}", ""),
          row(
              TENANT,
              WAITS.replace("kueue.x-k8s.io/queue-name", "other"),
              "{spec: {suspend: false}}",
              ""),
          row(TENANT, WAITS, "{spec: {parallelism: 3}}", ""),
          row(TENANT, RUNS, "{spec: {parallelism: 3}}", "more pods at once, 3, than the 2"),
          row(TENANT, RUNS, "{spec: {parallelism: 3, suspend: true}}", ""),
          row(TENANT, RUNS, "{spec: {parallelism: 1}}", ""),
          row(
              TENANT,
              RUNS.replace("completions: 4", "completions: 2"),
              "{spec: {parallelism: 3}}",
              ""),
          row(TENANT, WAITS, "", ""),
          row(TENANT, RUNS, "", ""),
          row(TENANT, MANUAL, "", "true is not possible for a Job that has to wait"),
          row(TENANT, MANUAL.replace("kueue.x-k8s.io/queue-name", "other"), "", ""),
          row(
              TENANT,
              MANUAL.replace("kueue.x-k8s.io/queue-name", "other"),
              "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}}",
              "true is not possible for a Job that has to wait"),
          row(TENANT, MANUAL, "{metadata: {labels: {more: label}}}", ""),
          row(
              TENANT,
              PYTORCH,
              "{spec: {runPolicy: {suspend: false}}}",
              "spec.runPolicy.suspend of PyTorchJob"),
          row(TENANT, PYTORCH, "{spec: {runPolicy: null}}", "tenant may not start it"),
          row(TENANT, PYTORCH, "{spec: {suspend: false}}", ""),
          row(
              TENANT,
              PYTORCH.replace("spec: {runPolicy: {suspend: true}}\n", ""),
              "{metadata: {labels: {more: label}}}",
              ""),
          row(Component.CORE.user(), PYTORCH, "{spec: {runPolicy: {suspend: false}}}", ""),
          row(
              TENANT,
              PYTORCH.replace("kueue.x-k8s.io/queue-name", "other"),
              "{spec: {runPolicy: {suspend: false}}}",
              ""),
          workload(
              TENANT, RESERVED, "{metadata: {finalizers: null}}", "can't be removed while quota"),
          workload(TENANT, RESERVED, "{metadata: {labels: null}}", "can't be changed while quota"),
          workload(
              TENANT,
              RESERVED,
              "{metadata: {annotations: {kueue.x-k8s.io/is-group-workload: 'true'}}}",
              "can't be changed while quota"),
          workload(TENANT, RESERVED, "{metadata: {labels: {more: label}}}", ""),
          workload(TENANT, "", "{metadata: {finalizers: null, labels: null}}", ""),
          workload(Component.CORE.user(), RESERVED, "{metadata: {finalizers: null}}", ""));

  private static String job(String metadata, String spec) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: NAME, namespace: default, %s
          labels: {kueue.x-k8s.io/queue-name: q}}
        spec: {%s parallelism: 2, completions: 4, template: {spec: {restartPolicy: Never,
          containers: [{name: c, image: i}]}}}
        """
        .formatted(metadata, spec);
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void nothingStartsOrGrowsByATenant(ScenarioCluster kind, @TempDir Path folder)
      throws IOException {
    List<String> differences = new ArrayList<>();
    try (GuardedCluster cluster = GuardedCluster.start(kind, objects(), folder);
        JsonApi administrator = cluster.administrator();
        JsonApi tenant = cluster.as(TENANT);
        JsonApi jobSets = cluster.as(JOB_SETS);
        JsonApi core = cluster.as(Component.CORE.user())) {
      Map<User, JsonApi> users =
          Map.of(TENANT, tenant, JOB_SETS, jobSets, Component.CORE.user(), core);
      administrator.create(JOBS, yaml(WAITS.replace("NAME", "owner")));
      await()
          .alias("the guards are in force")
          .until(
              () ->
                  inForce(administrator, tenant, JOBS)
                      && inForce(administrator, tenant, PYTORCH_JOBS)
                      && inForce(administrator, tenant, WORKLOADS));
      for (int index = 0; index < ROWS.size(); index++) {
        Row row = ROWS.get(index);
        String answer = answer(administrator, users.get(row.user()), row, "row-" + index);
        if (row.refusal().isEmpty() ? !answer.isEmpty() : !answer.contains(row.refusal())) {
          differences.add(row + "\n    answer: " + answer);
        }
      }
    }

    assertThat(differences).isEmpty();
  }

  /** A real API server enforces policies only a moment after they were created. */
  private static boolean inForce(JsonApi administrator, JsonApi tenant, String collection) {
    Row first =
        ROWS.stream()
            .filter(row -> row.collection().equals(collection))
            .filter(row -> row.user().equals(TENANT) && !row.refusal().isEmpty())
            .findFirst()
            .orElseThrow();
    return answer(administrator, tenant, first, "early").contains(first.refusal());
  }

  /** What the API server says of the change; empty if it makes it. */
  private static String answer(JsonApi administrator, JsonApi user, Row row, String name) {
    String collection = row.collection();
    String path = collection + "/" + name;
    String owner = administrator.get(JOBS + "/owner").orElseThrow().at("/metadata/uid").asText();
    ObjectNode object = yaml(row.object().replace("NAME", name).replace("OWNER", owner));
    try {
      if (row.patch().isEmpty()) {
        user.create(collection, object);
        return "";
      }
      administrator.create(collection, object);
      if (!row.status().isEmpty()) {
        administrator.patch(
            path + "/status", PatchFormat.MERGE, yaml("{status: {" + row.status() + "}}"));
      }
      user.patch(path, PatchFormat.MERGE, yaml(row.patch()));
      return "";
    } catch (RefusedRequestException e) {
      return String.valueOf(e.getMessage());
    } finally {
      if (administrator.get(path).isPresent()) {
        administrator.patch(path, PatchFormat.MERGE, yaml("{metadata: {finalizers: null}}"));
        administrator.delete(path);
      }
    }
  }

  private static List<JsonNode> objects() {
    List<JsonNode> objects = new ArrayList<>();
    Chart.named("kueue-core")
        .render(
            values ->
                values.set(
                    "managerConfig.controllerManagerConfigYaml",
                    "integrations: {frameworks: [batch/job, kubeflow.org/pytorchjob, pod]}\nwebhook: {port: 9443}\n"))
        .stream()
        .filter(each -> each.kind().startsWith("ValidatingAdmissionPolicy"))
        .map(each -> JSON.<JsonNode>valueToTree(each.tree()))
        .filter(
            each -> each.at("/metadata/name").asText().matches("kueue-(job|pod|workload)-guard"))
        .forEach(objects::add);
    objects.add(yaml(ForeignDefinition.of("kubeflow.org", "v1", "PyTorchJob")));
    objects.add(
        yaml(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: editor}
            rules: [{apiGroups: ["", batch, kubeflow.org, kueue.x-k8s.io], resources: [jobs, pods, pytorchjobs, workloads], verbs: [create, patch]}]
            """));
    objects.add(
        yaml(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: editor}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: editor}
            subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: system:serviceaccounts}]
            """));
    return objects;
  }

  private static ObjectNode yaml(String text) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }
}
