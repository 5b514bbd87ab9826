// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.cluster.Jobs;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.httpcheck.HttpCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects of one story: a namespace, a ClusterQueue of the same name, and what they need. When
 * closed, all of them are gone.
 */
final class StoryWorld implements AutoCloseable {
  /** How all that stories make is called. */
  static final String PREFIX = "kueue4j-e2e-";

  private static final String QUEUE = "main";

  private static final ResourceType<CustomResource<GpuPolicy>> GPU_POLICIES =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "GpuAvailabilityPolicy", GpuPolicy.class);

  final KubernetesApi api;
  final Jobs jobs;
  private final String namespace;
  private final Site site;
  private final ClusterConnection connection;
  private final ClusterWait wait;

  /** What is made beside the namespace, the last one first. */
  private final Deque<Runnable> removals = new ArrayDeque<>();

  /** What a story sets of a GpuAvailabilityPolicy. */
  private record GpuPolicy(List<String> resources) {}

  StoryWorld(Site site, String story) {
    this.site = site;
    this.namespace = PREFIX + story;
    this.connection = Target.of(site.kubeconfig()).connect(namespace);
    this.api = connection.api();
    this.jobs = new Jobs(api, namespace);
    this.wait = ClusterWait.on(api, site.patience());
    create("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(namespace));
    removed(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace));
    createClusterScoped(
        KueueTypes.RESOURCE_FLAVOR,
        "e2e",
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: e2e}}");
  }

  private void createClusterScoped(ResourceType<?> type, String name, String yaml) {
    create(yaml);
    removed(type, ObjectKey.cluster(name));
  }

  /** Deleted at the end, and gone before what was made before. */
  private <T extends KubernetesObject> void removed(ResourceType<T> type, ObjectKey key) {
    removals.push(
        () -> {
          api.delete(type, key, DeleteOptions.background());
          skipUntil(type.kind() + " " + key + " is gone", () -> api.get(type, key).isEmpty());
        });
  }

  void create(String yaml) {
    Manifests.parse(yaml).createIn(api);
  }

  void create(StoryJob job) {
    create(job.yaml());
  }

  /** Creates it as soon as the API server takes it, whose webhooks the core answers. */
  void createWhenServed(StoryJob job) {
    wait.until(
        "the API server takes " + job.name(),
        () -> {
          try {
            create(job);
            return true;
          } catch (KubernetesApiException.ServerFailure
              | KubernetesApiException.Unreachable notYet) {
            return false;
          }
        });
  }

  StoryJob job(String name) {
    return StoryJob.of(namespace, name, QUEUE, site.image());
  }

  StoryJob unmanagedJob(String name) {
    return StoryJob.unmanaged(namespace, name, site.image());
  }

  void queue(String cpu, String... checks) {
    clusterQueue("cpu", "{name: cpu, nominalQuota: %s}".formatted(cpu), "", checks);
  }

  /** A queue in which the class {@code e2e-urgent} preempts. */
  void preemptingQueue(String cpu) {
    createClusterScoped(
        KueueTypes.WORKLOAD_PRIORITY_CLASS,
        "e2e-urgent",
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: e2e-urgent}, value: 100}
        """);
    clusterQueue(
        "cpu",
        "{name: cpu, nominalQuota: %s}".formatted(cpu),
        "preemption: {withinClusterQueue: LowerPriority}");
  }

  /** A queue whose Jobs wait for GPUs that are free, not only for quota. */
  void gpuQueue(String cpu, String gpu) {
    api.create(
        GPU_POLICIES,
        CustomResource.of(
            GPU_POLICIES,
            new V1ObjectMeta().name("e2e-gpu"),
            Map.of(
                "resources",
                List.of(gpu),
                "backoff",
                Map.of("initial", "4s", "factor", 1, "maximum", "4s"))));
    removed(GPU_POLICIES, ObjectKey.cluster("e2e-gpu"));
    check("e2e-gpu", "kueue4j.io/gpu-availability", "GpuAvailabilityPolicy", "e2e-gpu");
    clusterQueue(
        "cpu, " + gpu,
        "{name: cpu, nominalQuota: %s}, {name: %s, nominalQuota: 10}".formatted(cpu, gpu),
        "",
        "e2e-gpu");
  }

  private void clusterQueue(String resources, String quotas, String more, String... checks) {
    createClusterScoped(
        KueueTypes.CLUSTER_QUEUE,
        namespace,
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %s}
        spec:
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
          resourceGroups: [{coveredResources: [%s], flavors: [{name: e2e, resources: [%s]}]}]
          %s
          %s
        """
            .formatted(namespace, namespace, resources, quotas, strategy(checks), more));
    create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
          metadata: {name: %s, namespace: %s}, spec: {clusterQueue: %s}}
        """
            .formatted(QUEUE, namespace, namespace));
    removed(KueueTypes.LOCAL_QUEUE, new ObjectKey(namespace, QUEUE));
    removals.push(this::removeJobs);
  }

  private static String strategy(String... checks) {
    return checks.length == 0
        ? ""
        : Stream.of(checks)
            .map("{name: %s}"::formatted)
            .collect(
                Collectors.joining(", ", "admissionChecksStrategy: {admissionChecks: [", "]}"));
  }

  private void removeJobs() {
    for (ResourceType<?> type : List.of(CoreTypes.JOB, KueueTypes.WORKLOAD)) {
      removeAll(type);
    }
  }

  private <T extends KubernetesObject> void removeAll(ResourceType<T> type) {
    for (T each : api.list(type, ListOptions.inNamespace(namespace)).items()) {
      api.delete(type, ObjectKey.of(each), DeleteOptions.background());
    }
    skipUntil(
        "every " + type.kind() + " of " + namespace + " is gone",
        () -> api.list(type, ListOptions.inNamespace(namespace)).items().isEmpty());
  }

  /** The AdmissionCheck {@code e2e-http}, which asks this URL. */
  void httpCheck(String url) {
    createClusterScoped(
        HttpCheck.TYPE,
        "e2e-http",
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: HttpCheck
        metadata: {name: e2e-http}
        spec: {endpoint: {url: "%s"}}
        """
            .formatted(url));
    check("e2e-http", "kueue4j.io/http", "HttpCheck", "e2e-http");
  }

  /** The AdmissionCheck {@code e2e-STORY-budget}: 1000 per CPU and hour, for this namespace. */
  void budget(String limit) {
    String name = namespace.replace("kueue4j-", "") + "-budget";
    createClusterScoped(
        Policy.POLICIES,
        name,
        """
        apiVersion: checks.kueue4j.io/v1alpha1
        kind: BudgetPolicy
        metadata: {name: %s}
        spec:
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
          limit: %s
          unit: EUR
          prices: [{resource: cpu, price: 1000}]
          window: {type: Monthly, timeZone: UTC}
          runtime: {undeclared: Assume, assumed: 1h}
        """
            .formatted(name, namespace, limit));
    check(name, "kueue4j.io/budget", "BudgetPolicy", name);
  }

  private void check(String name, String controller, String kind, String parameters) {
    createClusterScoped(
        KueueTypes.ADMISSION_CHECK,
        name,
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: %s}
        spec:
          controllerName: %s
          parameters: {apiGroup: checks.kueue4j.io, kind: %s, name: %s}
        """
            .formatted(name, controller, kind, parameters));
  }

  /** One node says that it has so many of a resource that doesn't exist. */
  void gpus(String resource, int amount) {
    ObjectKey node =
        ObjectKey.of(
            api.list(CoreTypes.NODE, ListOptions.all()).items().stream()
                .filter(each -> !each.getMetadata().getName().equals(lossOfNode().orElse("")))
                .filter(StoryWorld::isSchedulable)
                .findFirst()
                .orElseThrow());
    advertise(node, resource, "\"" + amount + "\"");
    removals.push(() -> advertise(node, resource, "null"));
  }

  private Optional<String> lossOfNode() {
    return site.lossOfNode().map(Site.LossOfNode::node);
  }

  private static boolean isSchedulable(V1Node node) {
    V1NodeSpec spec = Objects.requireNonNullElseGet(node.getSpec(), V1NodeSpec::new);
    return !Boolean.TRUE.equals(spec.getUnschedulable())
        && (spec.getTaints() == null || spec.getTaints().isEmpty());
  }

  private void advertise(ObjectKey node, String resource, String amount) {
    api.patchStatus(
        CoreTypes.NODE,
        node,
        merge(
            "{\"status\": {\"capacity\": {\"%1$s\": %2$s}, \"allocatable\": {\"%1$s\": %2$s}}}"
                .formatted(resource, amount)));
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  /** Waits for what comes soon, and may pass. */
  void until(String what, BooleanSupplier condition) {
    wait.until(what, condition::getAsBoolean);
  }

  /** Waits for what takes its time, and stays; see {@link Site#skipping}. */
  void skipUntil(String what, BooleanSupplier condition) {
    site.skipping(wait).until(what, condition::getAsBoolean);
  }

  /** Waits until the Jobs are complete. */
  void skipUntilComplete(String... names) {
    skipUntil(
        String.join(", ", names) + " complete", () -> Stream.of(names).allMatch(jobs::complete));
  }

  /** Waits until the Job is complete, while no pod of it runs beside one of the other Job's. */
  void skipUntilCompleteNotBeside(String job, String other) {
    skipUntil(
        job + " is complete",
        () -> {
          assertThat(jobs.withActivePods().containsAll(List.of(job, other)))
              .as("pods of %s and %s run at once", job, other)
              .isFalse();
          return jobs.complete(job);
        });
  }

  boolean isTrue(String job, String condition) {
    return condition(job, condition).filter(each -> each.status().equals("True")).isPresent();
  }

  boolean isFalse(String job, String condition) {
    return condition(job, condition).filter(each -> each.status().equals("False")).isPresent();
  }

  /** Whether the condition is True for this reason. */
  boolean is(String job, String condition, String reason) {
    return isTrue(job, condition)
        && condition(job, condition).filter(each -> each.reason().equals(reason)).isPresent();
  }

  private Optional<Condition> condition(String job, String type) {
    return jobs.findWorkload(job)
        .flatMap(workload -> Conditions.find(workload.status().conditions(), type));
  }

  /** Waits until a check has sent the Job's Workload back, and tells when that was. */
  Instant sentBack(String job) {
    until("it is sent back", () -> isFalse(job, WorkloadConditions.REQUEUED));
    return condition(job, WorkloadConditions.REQUEUED).orElseThrow().lastTransitionTime();
  }

  Instant admittedAt(String job) {
    return condition(job, WorkloadConditions.ADMITTED).orElseThrow().lastTransitionTime();
  }

  Instant createdAt(String job) {
    return time(jobs.job(job).getMetadata().getCreationTimestamp());
  }

  Instant startedAt(String job) {
    return time(jobs.status(job).getStartTime());
  }

  Instant finishedAt(String job) {
    return time(jobs.status(job).getCompletionTime());
  }

  private static Instant time(OffsetDateTime time) {
    return Objects.requireNonNull(time).toInstant();
  }

  /** When a Job's pod was told to end, once it was. */
  Instant toldToEnd(String job) {
    return wait.untilPresent("the pod of " + job + " is told to end", () -> jobs.toldToEnd(job));
  }

  /** By the cluster's clock, so to the second. */
  Instant now() {
    return site.now();
  }

  @Override
  public void close() {
    try {
      while (!removals.isEmpty()) {
        removals.pop().run();
      }
    } finally {
      connection.close();
    }
  }
}
