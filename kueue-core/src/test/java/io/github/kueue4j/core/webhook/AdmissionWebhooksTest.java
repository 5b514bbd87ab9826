/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.admission.Surroundings;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the API server stores and refuses when it asks the core. */
class AdmissionWebhooksTest {
  private static final String NAMESPACE = "kueue-system";
  private static final String SERVICE = "kueue-webhook-service";
  private static final String CLUSTER_QUEUES = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues";
  private static final String COHORTS = "/apis/kueue.x-k8s.io/v1beta2/cohorts";
  private static final String FLAVORS = "/apis/kueue.x-k8s.io/v1beta2/resourceflavors";
  private static final String LOCAL_QUEUES =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/localqueues";
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private static final String PLAIN_JOBS = "/apis/batch/v1/namespaces/plain/jobs";

  /** Instead of a status: the Job runs. */
  private static final String STARTED = "started";

  private static final Map<String, String> KINDS =
      Map.of(
          "clusterqueues", "ClusterQueue",
          "cohorts", "Cohort",
          "resourceflavors", "ResourceFlavor",
          "localqueues", "LocalQueue",
          "workloads", "Workload",
          "jobs", "Job",
          "jobsets", "JobSet");

  private static final List<String> FRAMEWORKS = List.of("batch/job", "jobset.x-k8s.io/jobset");

  private static final TimeSource time = TimeSource.system();
  private static final EmbeddedApiServer server = EmbeddedApiServer.builder().start();
  private static final HttpClient client = HttpClient.newHttpClient();
  private static final ClusterConnection connection =
      ClusterConnection.builder("admission").url(server.uri()).connect();
  private static Webhooks webhooks = serve();

  @BeforeAll
  static void register() {
    server.applyCrds(Crds.kueue());
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: plain}}");
    WebhookRegistration registration =
        new WebhookRegistration(
            new ObjectKey(NAMESPACE, SERVICE),
            WebhookRegistration.allNamespacesBut(NAMESPACE),
            FRAMEWORKS,
            null);
    server.apply(KueueJson.toJson(registration.mutating()));
    server.apply(KueueJson.toJson(registration.validating()));
    webhooks.start();
    await().until(() -> webhooks.problems().isEmpty());
    server.routeService(NAMESPACE, SERVICE, webhooks.port());
  }

  private static Webhooks serve() {
    return Webhooks.on(
        connection.api(),
        WebhookSettings.onLoopback(),
        NAMESPACE,
        new AdmissionRules(
                Configuration.parse(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    featureGates: {PriorityBoost: true}
                    integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset]}
                    """),
                new Town())
            .reviewers(),
        time);
  }

  @AfterAll
  static void close() {
    client.close();
    webhooks.close();
    connection.close();
    server.close();
    time.close();
  }

  /** A namespace with default queue and class. */
  private static final class Town implements Surroundings {
    private static final Set<String> MANAGED = Set.of("default", "plain");

    @Override
    public boolean managesNamespace(String namespace) {
      return MANAGED.contains(namespace);
    }

    @Override
    public boolean hasLocalQueue(String namespace, String name) {
      return namespace.equals("default") && name.equals("default");
    }

    @Override
    public boolean hasWorkloadPriorityClass(String name) {
      return name.equals("default");
    }

    @Override
    public boolean managesOwner(String namespace, String apiVersion, String kind, String name) {
      return kind.equals("Job") && name.equals("parent");
    }

    @Override
    public boolean managesKind(String apiVersion, String kind) {
      return kind.equals("Job");
    }
  }

  /**
   * A write that is refused.
   *
   * @param before what is there first; empty for a create
   * @param status what its status is then; empty for none
   * @param after what is written
   * @param part the subresource; empty for the object
   * @param refusal parts of the message, separated by "..."
   */
  private record Row(
      String path, String before, String status, String after, String part, String refusal) {
    static Row create(String path, String object, String refusal) {
      return new Row(path, "", "", object, "", refusal);
    }

    static Row update(String path, String before, String after, String refusal) {
      return new Row(path, before, "", after, "", refusal);
    }

    @Override
    public String toString() {
      return path.substring(path.lastIndexOf('/') + 1)
          + (before.isEmpty() ? " create: " : " update: ")
          + refusal;
    }
  }

  private static String queue(String spec) {
    return "{\"metadata\": {\"name\": \"row\"}, \"spec\": {" + spec + "}}";
  }

  private static String group(String more) {
    return group("cpu", "one", "\"nominalQuota\": 5" + more);
  }

  private static String group(String resource, String flavor, String quota) {
    return """
    {"coveredResources": ["%s"],
     "flavors": [{"name": "%s", "resources": [{"name": "%s", %s}]}]}\
    """
        .formatted(resource, flavor, resource, quota);
  }

  private static String groups(String... groups) {
    return "\"resourceGroups\": [" + String.join(", ", groups) + "]";
  }

  /** Groups with this many flavors in all, 60 in each. */
  private static String flavors(int count, int resources) {
    List<String> groups = new ArrayList<>();
    for (int from = 0; from < count; from += 60) {
      List<String> names = new ArrayList<>();
      List<String> covered = new ArrayList<>();
      List<String> quotas = new ArrayList<>();
      for (int r = 0; r < resources; r++) {
        covered.add("\"example.com/g" + from + "r" + r + "\"");
        quotas.add("{\"name\": \"example.com/g" + from + "r" + r + "\", \"nominalQuota\": 1}");
      }
      for (int i = from; i < Math.min(count, from + 60); i++) {
        names.add("{\"name\": \"f" + i + "\", \"resources\": [" + String.join(", ", quotas) + "]}");
      }
      groups.add(
          "{\"coveredResources\": ["
              + String.join(", ", covered)
              + "], \"flavors\": ["
              + String.join(", ", names)
              + "]}");
    }
    return groups(groups.toArray(String[]::new));
  }

  private static String check(String flavor) {
    return """
    "admissionChecksStrategy": {"admissionChecks": [{"name": "c", "onFlavors": ["%s"]}]}\
    """
        .formatted(flavor);
  }

  static Stream<Row> refusedQueues() {
    String cohort = "\"cohortName\": \"all\", ";
    return Stream.of(
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group("a b", "one", "\"nominalQuota\": 1"))),
            "spec.resourceGroups[0].coveredResources[0]: Invalid value: \"a b\": must be a qualified"
                + " name"),
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group(""), group("cpu", "two", "\"nominalQuota\": 1"))),
            "spec.resourceGroups[1].coveredResources[0]: Duplicate value: \"cpu\"...remove it"),
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group(""), group("memory", "one", "\"nominalQuota\": 1"))),
            "spec.resourceGroups[1].flavors[0].name: Duplicate value: \"one\"...remove it"),
        Row.create(
            CLUSTER_QUEUES,
            queue(
                """
                "resourceGroups": [{"coveredResources": ["cpu", "memory"], "flavors": [
                  {"name": "one", "resources": [{"name": "memory", "nominalQuota": 1},
                                                {"name": "cpu", "nominalQuota": 1}]}]}]
                """),
            "spec.resourceGroups[0].flavors[0].resources[0].name: Invalid value: \"memory\": must"
                + " match the name in coveredResources, which is \"cpu\""),
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group("cpu", "one", "\"nominalQuota\": \"-1\""))),
            "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: Invalid value: \"-1\":"
                + " must be greater than or equal to 0"),
        Row.create(
            CLUSTER_QUEUES,
            queue(cohort + groups(group(", \"borrowingLimit\": \"-2\""))),
            "resources[0].borrowingLimit: Invalid value: \"-2\": must be greater than or equal to"
                + " 0"),
        Row.create(
            CLUSTER_QUEUES,
            queue(cohort + groups(group(", \"lendingLimit\": -3"))),
            "resources[0].lendingLimit: Invalid value: \"-3\": must be greater than or equal to 0"),
        // Carried by the schema.
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group(", \"borrowingLimit\": 1"))),
            "borrowingLimit needs a cohort"),
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group(", \"lendingLimit\": 1"))),
            "resources[0].lendingLimit: Invalid value: \"1\": must be nil when cohort is empty;"
                + " set cohortName"),
        Row.create(
            CLUSTER_QUEUES,
            queue(cohort + groups(group(", \"lendingLimit\": 6"))),
            "resources[0].lendingLimit: Invalid value: \"6\": must be less than or equal to the"
                + " nominalQuota, 5"),
        Row.create(
            CLUSTER_QUEUES,
            queue(flavors(257, 1)),
            "spec.resourceGroups: Too many: 257: must have at most 256 flavors"),
        Row.create(
            CLUSTER_QUEUES,
            queue(flavors(301, 60)),
            "spec.resourceGroups: Too many: 360: must have at most 256 resources"),
        Row.create(
            CLUSTER_QUEUES,
            queue(flavors(60, 9)),
            "spec.resourceGroups[0]: Too many: 540: must have at most 512 quotas"),
        Row.create(
            CLUSTER_QUEUES,
            queue("\"namespaceSelector\": {\"matchLabels\": {\"a b\": \"c\"}}"),
            "spec.namespaceSelector.matchLabels: Invalid value: \"a b\": must be a qualified name"),
        Row.create(
            CLUSTER_QUEUES,
            queue("\"namespaceSelector\": {\"matchLabels\": {\"a\": \"c d\"}}"),
            "spec.namespaceSelector.matchLabels[a]: Invalid value: \"c d\": must be a label value"),
        Row.create(
            CLUSTER_QUEUES,
            queue(
                "\"namespaceSelector\": {\"matchExpressions\": [{\"key\": \"a\", \"operator\":"
                    + " \"Near\"}]}"),
            "matchExpressions[0].operator: Unsupported value: \"Near\": operator is one of:"
                + " DoesNotExist, Exists, In, NotIn"),
        Row.create(
            CLUSTER_QUEUES,
            queue(
                "\"namespaceSelector\": {\"matchExpressions\": [{\"key\": \"a\", \"operator\":"
                    + " \"In\"}]}"),
            "matchExpressions[0].values: Required value: must be given with the operator In"),
        Row.create(
            CLUSTER_QUEUES,
            queue(
                "\"namespaceSelector\": {\"matchExpressions\": [{\"key\": \"a\", \"operator\":"
                    + " \"Exists\", \"values\": [\"b\"]}]}"),
            "matchExpressions[0].values: Forbidden: remove them"),
        // Carried by the schema.
        Row.create(
            CLUSTER_QUEUES,
            queue("\"preemption\": {\"borrowWithinCohort\": {\"policy\": \"LowerPriority\"}}"),
            "borrowWithinCohort needs a reclaimWithinCohort other than Never"),
        // Carried by the schema.
        Row.create(
            CLUSTER_QUEUES,
            queue("\"flavorFungibility\": {\"preference\": \"BorrowingOverPreemption\"}"),
            "preference needs whenCanBorrow and whenCanPreempt to be TryNextFlavor"),
        Row.create(
            CLUSTER_QUEUES,
            queue("\"fairSharing\": {\"weight\": \"-1\"}"),
            "spec.fairSharing.weight: Invalid value: \"-1\": must be greater than or equal to 0"),
        Row.create(
            CLUSTER_QUEUES,
            queue("\"fairSharing\": {\"weight\": \"1n\"}"),
            "spec.fairSharing.weight: Invalid value: \"1n\": must be 0 or greater than 1n"),
        Row.create(
            CLUSTER_QUEUES,
            queue(groups(group("")) + ", " + check("other")),
            "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]: Unsupported value:"
                + " \"other\": flavor of this ClusterQueue is one of: one"),
        Row.update(
            CLUSTER_QUEUES,
            queue(groups(group("")) + ", " + check("one")),
            queue(groups(group("cpu", "two", "\"nominalQuota\": 1")) + ", " + check("one")),
            "onFlavors[0]: Unsupported value: \"one\""),
        Row.update(
            CLUSTER_QUEUES,
            queue(groups(group(""))),
            queue(groups(group("cpu", "one", "\"nominalQuota\": \"-1\""))),
            "nominalQuota: Invalid value: \"-1\""),
        Row.create(
            COHORTS,
            queue(groups(group(", \"borrowingLimit\": 1"))),
            "resources[0].borrowingLimit: Invalid value: \"1\": must be nil when parent is empty;"
                + " set parentName"),
        Row.create(
            COHORTS,
            queue(groups(group(", \"lendingLimit\": 1"))),
            "resources[0].lendingLimit: Invalid value: \"1\": must be nil when parent is empty"),
        Row.create(
            COHORTS,
            queue(groups(group("cpu", "one", "\"nominalQuota\": \"-1\""))),
            "nominalQuota: Invalid value: \"-1\": must be greater than or equal to 0"),
        Row.create(
            COHORTS,
            queue(groups(group(""), group("cpu", "two", "\"nominalQuota\": 1"))),
            "coveredResources[0]: Duplicate value: \"cpu\""),
        Row.create(
            COHORTS,
            queue(groups(group(""), group("memory", "one", "\"nominalQuota\": 1"))),
            "flavors[0].name: Duplicate value: \"one\""),
        Row.create(
            COHORTS,
            queue("\"fairSharing\": {\"weight\": \"-1\"}"),
            "spec.fairSharing.weight: Invalid value: \"-1\""),
        Row.update(
            COHORTS,
            queue("\"parentName\": \"p\", " + groups(group(", \"lendingLimit\": 9"))),
            queue(groups(group(", \"lendingLimit\": 9"))),
            "lendingLimit: Invalid value: \"9\": must be nil when parent is empty"),
        Row.create(
            LOCAL_QUEUES,
            queue("\"clusterQueue\": \"x\", \"fairSharing\": {\"weight\": \"-1\"}"),
            "spec.fairSharing.weight: Invalid value: \"-1\""));
  }

  static Stream<Row> refusedFlavors() {
    return Stream.of(
        Row.create(
            FLAVORS,
            queue("\"nodeLabels\": {\"a b\": \"c\"}"),
            "spec.nodeLabels: Invalid value: \"a b\": must be a qualified name"),
        Row.create(
            FLAVORS,
            queue("\"nodeLabels\": {\"a\": \"c d\"}"),
            "spec.nodeLabels[a]: Invalid value: \"c d\": must be a label value"),
        Row.create(
            FLAVORS,
            queue("\"nodeTaints\": [{\"key\": \"a b\", \"effect\": \"NoSchedule\"}]"),
            "spec.nodeTaints[0].key: Invalid value: \"a b\": must be a qualified name"),
        Row.create(
            FLAVORS,
            queue(
                "\"nodeTaints\": [{\"key\": \"a\", \"value\": \"-\", \"effect\": \"NoSchedule\"}]"),
            "spec.nodeTaints[0].value: Invalid value: \"-\": must be a label value"),
        Row.create(
            FLAVORS,
            queue(
                """
                "nodeTaints": [{"key": "a", "effect": "NoSchedule"},
                               {"key": "a", "value": "x", "effect": "NoSchedule"}]
                """),
            "spec.nodeTaints[1]: Duplicate value: \"a:NoSchedule\": taints are unique"),
        // Carried by the schema.
        Row.create(
            FLAVORS,
            queue("\"nodeTaints\": [{\"key\": \"a\", \"effect\": \"Never\"}]"),
            "effect must be NoSchedule, PreferNoSchedule or NoExecute"),
        Row.create(
            FLAVORS,
            queue("\"tolerations\": [{\"key\": \"a b\", \"operator\": \"Exists\"}]"),
            "spec.tolerations[0].key: Invalid value: \"a b\": must be a qualified name"));
  }

  private static String workload(String podSets, String annotations) {
    return """
    {"metadata": {"name": "row", "annotations": {%s}}, "spec": {"podSets": [%s]}}\
    """
        .formatted(annotations, podSets);
  }

  private static String podSet(String name, String more, String metadata, String resources) {
    return """
    {"name": "%s"%s, "template": {"metadata": {%s}, "spec": {"containers": [
      {"name": "c", "image": "i", "resources": {%s}}]}}}\
    """
        .formatted(name, more, metadata, resources);
  }

  private static String pods(int count) {
    return podSet("main", ", \"count\": " + count, "", "\"requests\": {\"cpu\": 1}");
  }

  private static Row status(String before, String after, String refusal) {
    return new Row(WORKLOADS, workload(pods(3), ""), before, after, "status", refusal);
  }

  private static String condition(String type, String status) {
    return """
    {"type": "%s", "status": "%s", "reason": "Told", "message": "",
     "lastTransitionTime": "2026-01-01T00:00:00Z"}\
    """
        .formatted(type, status);
  }

  private static String reserved(String more) {
    return reserved("main", "3", more);
  }

  private static String reserved(String podSet, String cpu, String more) {
    return """
    {"conditions": [%s], "admission": {"clusterQueue": "cq", "podSetAssignments": [
      {"name": "%s", "count": 3, "flavors": {"cpu": "one"}, "resourceUsage": {"cpu": "%s"}}]}%s}\
    """
        .formatted(condition("QuotaReserved", "True"), podSet, cpu, more);
  }

  private static String entry(String state, String updates) {
    return """
    , "admissionChecks": [{"name": "c", "state": "%s", "message": "",
      "lastTransitionTime": "2026-01-01T00:00:00Z", "podSetUpdates": [%s]}]\
    """
        .formatted(state, updates);
  }

  private static String reclaimable(int count) {
    return ", \"reclaimablePods\": [{\"name\": \"main\", \"count\": " + count + "}]";
  }

  static Stream<Row> refusedWorkloads() {
    String gate = "\"kueue.x-k8s.io/admission-gated-by\": ";
    return Stream.of(
        Row.create(
            WORKLOADS,
            workload(podSet("main", "", "\"labels\": {\"a b\": \"c\"}", ""), ""),
            "spec.podSets[0].template.metadata.labels: Invalid value: \"a b\": must be a qualified"
                + " name"),
        Row.create(
            WORKLOADS,
            workload(podSet("main", "", "\"annotations\": {\"a b\": \"c\"}", ""), ""),
            "spec.podSets[0].template.metadata.annotations: Invalid value: \"a b\""),
        Row.create(
            WORKLOADS,
            workload(podSet("main", "", "", "\"requests\": {\"pods\": 1}"), ""),
            "containers[0].resources.requests: Invalid value: \"pods\": the key is reserved for"
                + " internal kueue use; remove it"),
        Row.create(
            WORKLOADS,
            workload(podSet("main", "", "", "\"limits\": {\"cpu\": \"-1\"}"), ""),
            "containers[0].resources.limits[cpu]: Invalid value: \"-1\": must be greater than or"
                + " equal to 0"),
        Row.create(
            WORKLOADS,
            workload(
                podSet("a", ", \"count\": 3, \"minCount\": 1", "", "")
                    + ", "
                    + podSet("b", ", \"count\": 3, \"minCount\": 1", "", ""),
                ""),
            "spec.podSets[1].minCount: Invalid value: 1: at most one podSet can use minCount"),
        Row.create(
            WORKLOADS,
            workload(pods(1), gate + "\"a,,b\""),
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid value: \"\": each of"
                + " the gates"),
        Row.create(
            WORKLOADS, workload(pods(1), gate + "\"a,a\""), "Duplicate value: \"a\": name each"),
        Row.update(
            WORKLOADS,
            workload(pods(1), gate + "\"a\""),
            workload(pods(1), gate + "\"a,b\""),
            "Invalid value: \"b\": gates can't be added after creation"),
        Row.create(
            WORKLOADS,
            workload(pods(1), "\"kueue.x-k8s.io/priority-boost\": \"high\""),
            "metadata.annotations[kueue.x-k8s.io/priority-boost]: Invalid value: \"high\": must be"
                + " an integer"),
        new Row(
            WORKLOADS,
            workload(pods(3), ""),
            reserved(""),
            workload(pods(2), ""),
            "",
            "spec.podSets: Forbidden: field is immutable while quota is reserved"),
        status(
            "",
            "{\"conditions\": [" + condition("QuotaReserved", "True") + "]}",
            "status.admission: Required value: must be set while the QuotaReserved condition is"
                + " true"),
        status(
            "",
            reserved("other", "3", ""),
            "status.admission.podSetAssignments[0].name: Not found: \"other\": name one of the"
                + " podSets: main"),
        status(
            "",
            reserved("main", "3001m", ""),
            "podSetAssignments[0].resourceUsage[cpu]: Invalid value: \"3001m\": is not a multiple"
                + " of the number of pods, 3"),
        status(
            "",
            "{\"conditions\": [" + condition("a b", "True") + "]}",
            "status.conditions[0].type"),
        status(
            "",
            "{\"conditions\": ["
                + condition("A", "True").replace("\"Told\"", "\"two words\"")
                + "]}",
            "status.conditions[0].reason"),
        status(
            "",
            "{" + reclaimable(4).substring(2) + "}",
            "status.reclaimablePods[0].count: Invalid value: 4: should be less or equal to 3"),
        status(
            "",
            "{" + reclaimable(1).substring(2).replace("main", "other") + "}",
            "status.reclaimablePods[0].name: Unsupported value: \"other\": podSet is one of: main"),
        status(
            reserved(reclaimable(2)),
            reserved(reclaimable(1)),
            "status.reclaimablePods[0].count: Invalid value: 1: cannot be less than 2"),
        status(
            reserved(reclaimable(2)),
            reserved(""),
            "status.reclaimablePods: Required value: the entry \"main\" cannot be removed"),
        status(
            reserved(""),
            reserved("main", "6", ""),
            "status.admission: Forbidden: field is immutable once set"),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"other\"}")),
            "status.admissionChecks[0].podSetUpdates[0].name: Unsupported value: \"other\""),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"main\", \"labels\": {\"a b\": \"c\"}}")),
            "podSetUpdates[0].labels: Invalid value: \"a b\""),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"main\", \"annotations\": {\"a b\": \"c\"}}")),
            "podSetUpdates[0].annotations: Invalid value: \"a b\""),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"main\", \"nodeSelector\": {\"a\": \"c d\"}}")),
            "podSetUpdates[0].nodeSelector[a]: Invalid value: \"c d\""),
        status(
            "",
            reserved(
                entry(
                    "Ready",
                    "{\"name\": \"main\", \"tolerations\": [{\"key\": \"a b\", \"operator\":"
                        + " \"Exists\"}]}")),
            "podSetUpdates[0].tolerations[0].key: Invalid value: \"a b\""),
        status(
            reserved(entry("Ready", "{\"name\": \"main\", \"labels\": {\"a\": \"b\"}}")),
            reserved(entry("Ready", "{\"name\": \"main\", \"labels\": {\"a\": \"c\"}}")),
            "status.admissionChecks[0].podSetUpdates: Forbidden: field is immutable while the check"
                + " \"c\" is Ready"));
  }

  private static String job(String labels, String annotations, String spec) {
    return """
    {"metadata": {"name": "row", "labels": {%s}, "annotations": {%s}}, "spec": {%s
      "template": {"spec": {"restartPolicy": "Never", "containers": [
        {"name": "c", "image": "i"}]}}}}\
    """
        .formatted(labels, annotations, spec);
  }

  private static String label(String name, String value) {
    return "\"kueue.x-k8s.io/" + name + "\": \"" + value + "\"";
  }

  /** A Job that was started, where Jobs have no defaults. */
  private static Row running(String before, String after, String refusal) {
    return new Row(PLAIN_JOBS, before, STARTED, after, "", refusal);
  }

  private static final String OWNED =
      """
      "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "parent",
        "uid": "1", "controller": true}],\
      """;

  static Stream<Row> refusedJobs() {
    String suspended = "\"suspend\": true,";
    return Stream.of(
        Row.create(
            JOBS,
            job(label("queue-name", "A_b"), "", ""),
            "metadata.labels[kueue.x-k8s.io/queue-name]: Invalid value: \"A_b\": must be a DNS-1123"
                + " subdomain"),
        Row.create(
            JOBS,
            job(label("prebuilt-workload-name", "A_b"), "", ""),
            "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]: Invalid value: \"A_b\""),
        Row.create(
            JOBS,
            job("", label("prebuilt-workload-name", "a/b"), ""),
            "metadata.annotations[kueue.x-k8s.io/prebuilt-workload-name]: Invalid value: \"a/b\""),
        Row.create(
            JOBS,
            job(label("max-exec-time-seconds", "0"), "", ""),
            "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]: Invalid value: \"0\": must be"
                + " an integer greater than 0"),
        Row.create(
            JOBS,
            job("", label("admission-gated-by", "a b"), ""),
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid value: \"a b\""),
        Row.create(
            JOBS,
            job("", label("job-min-parallelism", "3"), "\"parallelism\": 3,"),
            "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]: Invalid value: \"3\": should"
                + " be between 0 and 3"),
        Row.create(
            JOBS,
            job("", label("job-min-parallelism", "few"), "\"parallelism\": 3,"),
            "Invalid value: \"few\": should be between 0 and 3"),
        Row.update(
            JOBS,
            job("", label("job-min-parallelism", "2"), suspended + "\"parallelism\": 3,"),
            job("", label("job-min-parallelism", "4"), suspended + "\"parallelism\": 3,"),
            "Invalid value: \"4\": should be between 0 and 3"),
        Row.create(
            JOBS,
            job("", label("job-completions-equal-parallelism", "yes"), ""),
            "Invalid value: \"yes\": must be \"true\" or \"false\""),
        Row.create(
            JOBS,
            job("", label("job-completions-equal-parallelism", "true"), ""),
            "should not be enabled for a Job that is not Indexed"),
        Row.create(
            JOBS,
            job(
                "",
                label("job-completions-equal-parallelism", "true"),
                "\"completionMode\": \"Indexed\", \"parallelism\": 2, \"completions\": 3,"),
            "should not be enabled when completions and parallelism differ"),
        running(
            job(label("queue-name", "a"), "", ""),
            job(label("queue-name", "b"), "", ""),
            "metadata.labels[kueue.x-k8s.io/queue-name]: Forbidden: field is immutable; suspend"),
        Row.update(
            JOBS,
            job(label("queue-name", "a"), "", suspended),
            job("", "", suspended),
            "metadata.labels[kueue.x-k8s.io/queue-name]: Forbidden: can't be removed since the"
                + " namespace has a LocalQueue"),
        running(
            job(label("prebuilt-workload-name", "a"), "", ""),
            job(label("prebuilt-workload-name", "b"), "", ""),
            "prebuilt-workload-name]: Forbidden: field is immutable"),
        running(
            job(label("max-exec-time-seconds", "5"), "", ""),
            job(label("max-exec-time-seconds", "6"), "", ""),
            "max-exec-time-seconds]: Forbidden: field is immutable"),
        Row.update(
            JOBS,
            job(label("priority-class", "a"), "", suspended),
            job("", "", suspended),
            "priority-class]: Forbidden: can't be removed"),
        running(
            job("", "", ""),
            job(label("priority-class", "a"), "", ""),
            "priority-class]: Forbidden: can't be added"),
        running(
            job("", label("job-min-parallelism", "1"), "\"parallelism\": 3,"),
            job("", label("job-min-parallelism", "1"), "\"parallelism\": 2,"),
            "spec.parallelism: Forbidden: cannot change when partial admission is enabled"),
        running(
            job("", "", "\"completionMode\": \"Indexed\", \"parallelism\": 2, \"completions\": 2,"),
            job(
                "",
                label("job-completions-equal-parallelism", "true"),
                "\"completionMode\": \"Indexed\", \"parallelism\": 2, \"completions\": 2,"),
            "job-completions-equal-parallelism]: Forbidden: field is immutable"),
        running(
            job("", label("admission-gated-by", "a"), ""),
            job("", label("admission-gated-by", "a,b"), ""),
            "Invalid value: \"b\": gates can't be added"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"refusedQueues", "refusedFlavors", "refusedWorkloads", "refusedJobs"})
  void refusesWithFieldValueAndRemedy(Row row) {
    try {
      HttpResponse<String> answer;
      if (row.before().isEmpty()) {
        answer = send("POST", row.path(), row.after());
      } else {
        assertThat(send("POST", row.path(), row.before()).statusCode()).isEqualTo(201);
        if (row.status().equals(STARTED)) {
          HttpResponse<String> started =
              patch(row.path() + "/row", "{\"spec\": {\"suspend\": false}}");
          assertThat(started.statusCode()).as(started.body()).isEqualTo(200);
        } else if (!row.status().isEmpty()) {
          HttpResponse<String> set =
              patch(row.path() + "/row/status", "{\"status\": " + row.status() + "}");
          assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
        }
        answer = change(row);
      }

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
      String message =
          JsonParser.parseString(answer.body()).getAsJsonObject().get("message").getAsString();
      assertThat(message).contains(row.refusal().split("\\.\\.\\.", -1));
    } finally {
      delete(row.path());
    }
  }

  private static HttpResponse<String> change(Row row) {
    if (!row.part().isEmpty()) {
      JsonObject status = JsonParser.parseString(row.after()).getAsJsonObject();
      // A merge patch keeps what it doesn't mention.
      for (String list : List.of("reclaimablePods", "admissionChecks")) {
        if (!status.has(list)) {
          status.add(list, JsonNull.INSTANCE);
        }
      }
      JsonObject patch = new JsonObject();
      patch.add("status", status);
      return patch(row.path() + "/row/" + row.part(), patch.toString());
    }
    JsonObject stored =
        JsonParser.parseString(send("GET", row.path() + "/row", "").body()).getAsJsonObject();
    JsonObject wanted = JsonParser.parseString(row.after()).getAsJsonObject();
    wanted
        .getAsJsonObject("metadata")
        .add("resourceVersion", stored.getAsJsonObject("metadata").get("resourceVersion"));
    for (String member : List.of("selector")) {
      JsonElement kept = stored.getAsJsonObject("spec").get(member);
      if (kept != null) {
        wanted.getAsJsonObject("spec").add(member, kept);
        wanted
            .getAsJsonObject("spec")
            .add("template", stored.getAsJsonObject("spec").get("template"));
      }
    }
    return send("PUT", row.path() + "/row", wanted.toString());
  }

  private static void delete(String collection) {
    patch(collection + "/row", "{\"metadata\": {\"finalizers\": null}}");
    send("DELETE", collection + "/row?propagationPolicy=Background", "");
    assertThat(send("GET", collection + "/row", "").statusCode()).isEqualTo(404);
  }

  private static HttpResponse<String> patch(String path, String body) {
    return send(
        HttpRequest.newBuilder(server.uri().resolve(path))
            .header("Content-Type", "application/merge-patch+json")
            .method("PATCH", HttpRequest.BodyPublishers.ofString(body)));
  }

  /** Objects here leave out what the path says. */
  private static String typed(String path, String object) {
    if (!object.startsWith("{")) {
      return object;
    }
    JsonObject tree = JsonParser.parseString(object).getAsJsonObject();
    tree.addProperty(
        "apiVersion",
        path.substring(
            "/apis/".length(), path.indexOf('/', path.indexOf('/', "/apis/".length()) + 1)));
    String plural = path.replace("/row", "");
    tree.addProperty("kind", KINDS.get(plural.substring(plural.lastIndexOf('/') + 1)));
    return tree.toString();
  }

  private static HttpResponse<String> send(String method, String path, String object) {
    String body = typed(path, object);
    return send(
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonObject created(String path, String object) {
    HttpResponse<String> answer = send("POST", path, object);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @Test
  void queuesAndFlavorsAreProtectedFromTheStart() {
    for (String path : List.of(CLUSTER_QUEUES, FLAVORS)) {
      JsonObject stored = created(path, queue(""));
      assertThat(stored.getAsJsonObject("metadata").getAsJsonArray("finalizers").toString())
          .isEqualTo("[\"kueue.x-k8s.io/resource-in-use\"]");
      delete(path);
    }
  }

  @Test
  void aNewJobGetsQueueAndClassAndIsSuspended() {
    JsonObject stored = created(JOBS, job("", "", ""));

    assertThat(stored.getAsJsonObject("spec").get("suspend").getAsBoolean()).isTrue();
    JsonObject labels = stored.getAsJsonObject("metadata").getAsJsonObject("labels");
    assertThat(labels.get("kueue.x-k8s.io/queue-name").getAsString()).isEqualTo("default");
    assertThat(labels.get("kueue.x-k8s.io/priority-class").getAsString()).isEqualTo("default");
    delete(JOBS);
  }

  @Test
  void whatAJobSaysItselfStays() {
    JsonObject stored =
        created(JOBS, job(label("queue-name", "a") + ", " + label("priority-class", "b"), "", ""));

    assertThat(stored.getAsJsonObject("spec").get("suspend").getAsBoolean()).isTrue();
    JsonObject labels = stored.getAsJsonObject("metadata").getAsJsonObject("labels");
    assertThat(labels.get("kueue.x-k8s.io/queue-name").getAsString()).isEqualTo("a");
    assertThat(labels.get("kueue.x-k8s.io/priority-class").getAsString()).isEqualTo("b");
    delete(JOBS);
  }

  @Test
  void aJobThatItsManagedOwnerStartsIsLeftAlone() {
    JsonObject stored =
        created(JOBS, job("", "", "").replace("\"metadata\": {", "\"metadata\": {" + OWNED));

    assertThat(stored.getAsJsonObject("spec").get("suspend").getAsBoolean()).isFalse();
    delete(JOBS);
  }

  /** It would be started again by its owner whenever the core suspends it. */
  @Test
  void aJobOfAnOwnerThatWaitsInNoQueueGetsNoneEither() {
    JsonObject stored =
        created(
            JOBS,
            job("", "", "")
                .replace("\"metadata\": {", "\"metadata\": {" + OWNED.replace("parent", "free")));

    assertThat(suspended(stored)).isFalse();
    assertThat(stored.getAsJsonObject("metadata").has("labels")).isFalse();
    delete(JOBS);
  }

  @Test
  void withoutADefaultQueueOnlyJobsThatNameOneAreSuspended() {
    assertThat(suspended(created(PLAIN_JOBS, job("", "", "")))).isFalse();
    delete(PLAIN_JOBS);
    assertThat(suspended(created(PLAIN_JOBS, job(label("queue-name", "a"), "", "")))).isTrue();
    delete(PLAIN_JOBS);
  }

  @Test
  void wheresJobsAreNotManagedNobodyTouchesThem() {
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: foreign}}");
    String jobs = "/apis/batch/v1/namespaces/foreign/jobs";

    assertThat(suspended(created(jobs, job(label("queue-name", "a"), "", "")))).isFalse();
    delete(jobs);
  }

  @Test
  void otherKindsOfJobsAreTreatedAlike() throws IOException {
    try (InputStream definition =
        Objects.requireNonNull(
            AdmissionWebhooksTest.class.getResourceAsStream("../scenarios/jobset/crd.yaml"))) {
      server.apply(new String(definition.readAllBytes(), StandardCharsets.UTF_8));
    }
    String jobSets = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets";
    JsonObject stored = created(jobSets, queue("\"replicatedJobs\": []"));

    assertThat(suspended(stored)).isTrue();
    HttpResponse<String> refused =
        patch(
            jobSets + "/row",
            "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}}");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("vjobset.kb.io", "can't be removed");
    delete(jobSets);
  }

  private static boolean suspended(JsonObject job) {
    return job.getAsJsonObject("spec").get("suspend").getAsBoolean();
  }
}
