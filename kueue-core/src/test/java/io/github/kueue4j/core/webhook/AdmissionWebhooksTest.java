// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.admission.DefaultingContext;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.tls.TlsOptions;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The objects that the API server stores after a review. The refusals are tested by a table in the
 * module e2e, which runs on every kind of cluster.
 */
class AdmissionWebhooksTest {
  private static final String NAMESPACE = "kueue-system";
  private static final String SERVICE = "kueue-webhook-service";
  private static final String CLUSTER_QUEUES = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues";
  private static final String FLAVORS = "/apis/kueue.x-k8s.io/v1beta2/resourceflavors";
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private static final String PLAIN_JOBS = "/apis/batch/v1/namespaces/plain/jobs";

  private static final Map<String, String> KINDS =
      Map.of(
          "clusterqueues", "ClusterQueue",
          "resourceflavors", "ResourceFlavor",
          "workloads", "Workload",
          "jobs", "Job",
          "jobsets", "JobSet");

  private static final List<String> FRAMEWORKS = List.of("batch/job", "jobset.x-k8s.io/jobset");

  private static final EmbeddedApiServer server =
      EmbeddedApiServer.builder().webhookPatience(Duration.ofMinutes(1)).start();
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
            Integrations.of(FRAMEWORKS),
            null);
    server.apply(KueueJson.toJson(registration.mutating()));
    server.apply(KueueJson.toJson(registration.validating()));
    webhooks.start();
    await().until(() -> webhooks.problems().isEmpty());
    server.routeService(NAMESPACE, SERVICE, webhooks.port());
  }

  private static Webhooks serve() {
    return Webhooks.on(
        connection,
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
                new DefaultsInNamespace())
            .reviewers(),
        TlsOptions.defaults(),
        new SimpleMeterRegistry());
  }

  @AfterAll
  static void close() {
    client.close();
    webhooks.close();
    connection.close();
    server.close();
  }

  /** A namespace with default queue and class. */
  private static final class DefaultsInNamespace implements DefaultingContext {
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
    public boolean managesOwner(String namespace, V1OwnerReference owner, ChildJob child) {
      return owner.getKind().equals("Job") && owner.getName().equals("parent");
    }

    @Override
    public boolean createsJobs(String apiVersion, String kind) {
      return kind.equals("Job");
    }

    @Override
    public boolean excludes(String clusterQueue, String namespace) {
      return false;
    }

    @Override
    public Set<String> cohorts() {
      return Set.of();
    }
  }

  private static String queue(String spec) {
    return "{\"metadata\": {\"name\": \"row\"}, \"spec\": {" + spec + "}}";
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

  private static final String OWNED =
      """
      "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "parent",
        "uid": "1", "controller": true}],\
      """;

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

  /** Adds apiVersion and kind, which the path implies. */
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
  void queuesAndFlavorsGetTheirFinalizerAtCreation() {
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
  void explicitQueueAndClassAreKept() {
    JsonObject stored =
        created(JOBS, job(label("queue-name", "a") + ", " + label("priority-class", "b"), "", ""));

    assertThat(stored.getAsJsonObject("spec").get("suspend").getAsBoolean()).isTrue();
    JsonObject labels = stored.getAsJsonObject("metadata").getAsJsonObject("labels");
    assertThat(labels.get("kueue.x-k8s.io/queue-name").getAsString()).isEqualTo("a");
    assertThat(labels.get("kueue.x-k8s.io/priority-class").getAsString()).isEqualTo("b");
    delete(JOBS);
  }

  @Test
  void aJobOfAManagedOwnerIsNotChanged() {
    JsonObject stored =
        created(JOBS, job("", "", "").replace("\"metadata\": {", "\"metadata\": {" + OWNED));

    assertThat(stored.getAsJsonObject("spec").get("suspend").getAsBoolean()).isFalse();
    delete(JOBS);
  }

  /** Its owner would resume it whenever the core suspends it. */
  @Test
  void aJobOfAnUnqueuedOwnerGetsNoQueue() {
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
  void jobsInNamespacesThatAreNotManagedAreNotChanged() {
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

  /** At its creation, and when it begins to ask; a Job that isn't managed isn't looked at. */
  @Test
  void theClientIsWarnedOfWhatIsAskedForInVain() {
    String elastic = "\"kueue.x-k8s.io/elastic-job\": \"true\"";
    assertThat(warnings(send("POST", JOBS, job("", elastic, ""))))
        .singleElement()
        .asString()
        .contains("metadata.annotations[kueue.x-k8s.io/elastic-job] ", "is not supported here");
    assertThat(warnings(patch(JOBS + "/row", "{\"spec\": {\"parallelism\": 2}}"))).isEmpty();
    delete(JOBS);
    assertThat(warnings(send("POST", JOBS, job("", "", "")))).isEmpty();
    assertThat(
            warnings(patch(JOBS + "/row", "{\"metadata\": {\"annotations\": {" + elastic + "}}}")))
        .hasSize(1);
    delete(JOBS);
    assertThat(warnings(send("POST", PLAIN_JOBS, job("", elastic, "")))).isEmpty();
    delete(PLAIN_JOBS);

    assertThat(
            warnings(
                send(
                    "POST",
                    FLAVORS,
                    queue("\"nodeLabels\": {\"a\": \"b\"}, \"topologyName\": \"racks\""))))
        .singleElement()
        .asString()
        .contains("spec.topologyName", "admit nothing");
    delete(FLAVORS);

    assertThat(
            warnings(
                send("POST", CLUSTER_QUEUES, queue("\"concurrentAdmissionPolicy\": {\"a\": 1}"))))
        .singleElement()
        .asString()
        .contains("spec.concurrentAdmissionPolicy", "one flavor at a time");
    delete(CLUSTER_QUEUES);

    String podSet =
        "\"podSets\": [{\"name\": \"main\", \"topologyRequest\": {\"required\": \"rack\"},"
            + " \"template\": {\"spec\": {\"containers\": []}}}]";
    assertThat(
            warnings(
                send(
                    "POST",
                    WORKLOADS,
                    queue(podSet + ", \"preemptionGates\": [{\"name\": \"g\"}]"))))
        .hasSize(2)
        .anyMatch(each -> each.contains("spec.preemptionGates"))
        .anyMatch(each -> each.contains("spec.podSets[0].topologyRequest"));
    assertThat(warnings(patch(WORKLOADS + "/row", "{\"spec\": {\"priority\": 2}}"))).isEmpty();
    String flavors = "\"kueue.x-k8s.io/workload-allowed-resource-flavors\": \"spot\"";
    assertThat(
            warnings(
                patch(WORKLOADS + "/row", "{\"metadata\": {\"annotations\": {" + flavors + "}}}")))
        .singleElement()
        .asString()
        .contains("every flavor of its ClusterQueue is tried");
    delete(WORKLOADS);
  }

  private static List<String> warnings(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    return answer.headers().allValues("Warning");
  }

  private static boolean suspended(JsonObject job) {
    return job.getAsJsonObject("spec").get("suspend").getAsBoolean();
  }
}
