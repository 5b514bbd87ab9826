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
package io.github.kueue4j.core.testing;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.CoreRest;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.ListOptions;
import io.github.kueue4j.runtime.MergePatch;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cluster for scenarios: the embedded API server, a core that can be killed, and a time that only
 * the test moves. The test plays users, checks and the Job controller, through the API alone.
 */
public final class TestCluster implements AutoCloseable {
  public static final String NAMESPACE = "team";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  public final ManualTime time = ManualTime.create();
  public final EmbeddedApiServer server = EmbeddedApiServer.builder().clock(time).start();
  private final ClusterConnection connection =
      ClusterConnection.builder("scenario").url(server.uri()).connect();
  public final KubernetesApi api = connection.api();
  private final List<Runnable> cores = new ArrayList<>();
  private final List<KueueCore> running = new ArrayList<>();
  private final Set<String> silenced = new HashSet<>();
  private @Nullable KueueCore core;

  public TestCluster() {
    server.applyCrds(Crds.kueue());
    apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
  }

  public void apply(String yaml) {
    server.apply(yaml);
  }

  /** A flavor whose nodes have the label {@code flavor=<name>}. */
  public void flavor(String name) {
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: %1$s}
        spec: {nodeLabels: {flavor: %1$s}}
        """
            .formatted(name));
  }

  /**
   * A ClusterQueue {@code cq} with its LocalQueue {@code lq}.
   *
   * @param more further fields of the spec, as the inside of a YAML flow mapping
   * @param flavorsAndCpus such as {@code reserved=4}, in order
   */
  public void queue(String more, String... flavorsAndCpus) {
    StringBuilder flavors = new StringBuilder();
    for (String flavor : flavorsAndCpus) {
      int equals = flavor.indexOf('=');
      flavor(flavor.substring(0, equals));
      flavors
          .append(flavors.isEmpty() ? "" : ", ")
          .append("{name: ")
          .append(flavor, 0, equals)
          .append(", resources: [{name: cpu, nominalQuota: ")
          .append(flavor.substring(equals + 1))
          .append("}]}");
    }
    apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [%s]}]%s}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: %s}
        spec: {clusterQueue: cq}
        """
            .formatted(flavors, more.isEmpty() ? "" : ", " + more, NAMESPACE));
  }

  /** An active AdmissionCheck that nobody but the test answers. */
  public void check(String name) {
    check(name, "v1beta2");
  }

  /** The same, written in this version of the API. */
  public void check(String name, String version) {
    apply(
        """
        apiVersion: kueue.x-k8s.io/%s
        kind: AdmissionCheck
        metadata: {name: %s}
        spec: {controllerName: example.com/test}
        """
            .formatted(version, name));
    api.patchStatus(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(name),
        merge(
            """
            {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
              "message": "", "lastTransitionTime": "%s"}]}}
            """
                .formatted(ApiTime.format(time.instant()))));
  }

  /** A suspended Job that asks for so many CPUs. */
  public void job(String name, int cpus) {
    job(name, cpus, "", true);
  }

  public void job(String name, int cpus, String podSpec, boolean suspend) {
    apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: %s, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: %s
          template:
            spec: {restartPolicy: Never, %scontainers: [{name: main, image: busybox,
              resources: {requests: {cpu: %s}}}]}
        """
            .formatted(name, NAMESPACE, suspend, podSpec.isEmpty() ? "" : podSpec + ", ", cpus));
  }

  // The core.

  public KueueCore startCore() {
    return startCore("");
  }

  /**
   * Starts a core.
   *
   * @param more further lines of its configuration
   */
  public KueueCore startCore(String more) {
    return startCore(more, time);
  }

  /**
   * Starts a core.
   *
   * @param more further lines of its configuration
   * @param pace what spares the API server, instead of this cluster's time
   */
  public KueueCore startCore(String more, TimeSource pace) {
    String listens =
        (more.contains("health:") ? "" : "health: {healthProbeBindAddress: \"0\"}\n")
            + (more.contains("metrics:") ? "" : "metrics: {bindAddress: \"0\"}\n");
    return start("leaderElection: {leaderElect: false}\n" + listens + more, pace);
  }

  /** Starts a core that competes for the lease; the namespace {@code kueue-system} must exist. */
  public KueueCore startElectedCore() {
    return start(
        """
        leaderElection: {leaderElect: true}
        health: {healthProbeBindAddress: "0"}
        metrics: {bindAddress: "0"}
        """,
        time);
  }

  private KueueCore start(String more, TimeSource pace) {
    ClusterConnection own = ClusterConnection.builder("kueue-core").url(server.uri()).connect();
    KueueCore started =
        KueueCore.builder(
                own,
                Configuration.parse(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    """
                        + more),
                time)
            .pace(pace)
            .build();
    core = started;
    cores.add(own::close);
    cores.add(started::close);
    try {
      started.start();
      running.add(started);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the core was starting", e);
    }
    return started;
  }

  public void crashCore() {
    Objects.requireNonNull(core).crash();
    running.remove(core);
  }

  // What the world does.

  /** The Job controller has created the pods. */
  public void podsRun(String job) {
    api.patchStatus(
        CoreTypes.JOB,
        key(job),
        merge(
            "{\"status\": {\"active\": 1, \"startTime\": \"%s\"}}"
                .formatted(ApiTime.format(time.instant()))));
  }

  /** The Job controller has removed the pods. */
  public void podsGone(String job) {
    api.patchStatus(CoreTypes.JOB, key(job), merge("{\"status\": {\"active\": 0}}"));
  }

  public void jobSucceeds(String job) {
    api.patchStatus(
        CoreTypes.JOB,
        key(job),
        merge(
            """
            {"status": {"active": 0, "succeeded": 1, "conditions": [{"type": "Complete",
              "status": "True", "message": "Job finished successfully"}]}}
            """));
  }

  /** A check answers; other fields of its entry stay. */
  public void answer(
      String job, String check, CheckState state, @Nullable Integer requeueAfterSeconds) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(KubernetesApiException.Conflict.class)
        .until(() -> answered(job, check, state, requeueAfterSeconds));
  }

  private boolean answered(
      String job, String check, CheckState state, @Nullable Integer requeueAfterSeconds) {
    Workload workload = workload(job);
    if (workload.status().admissionCheck(check).isEmpty()) {
      return false;
    }
    List<AdmissionCheckState> entries =
        workload.status().admissionChecks().stream()
            .map(
                entry ->
                    entry.name().equals(check)
                        ? entry
                            .withState(state)
                            .withLastTransitionTime(time.instant())
                            .withMessage(state + " by the test")
                            .withRequeueAfterSeconds(requeueAfterSeconds)
                        : entry)
            .toList();
    Workload after = workload.withStatus(workload.status().withAdmissionChecks(entries));
    api.patchStatus(KueueTypes.WORKLOAD, GuardedPatch.ofStatus(workload, after));
    return true;
  }

  public void delete(String job) {
    api.delete(CoreTypes.JOB, key(job), DeleteOptions.background());
  }

  // What can be seen.

  public V1Job job(String name) {
    return api.get(CoreTypes.JOB, key(name)).orElseThrow();
  }

  /** The Workload of a Job; waits for it to be created. */
  public Workload workload(String job) {
    ObjectKey key = JobWorkload.keyOf(CoreTypes.JOB, job(job));
    return await()
        .atMost(PATIENCE)
        .until(() -> api.get(KueueTypes.WORKLOAD, key), Optional::isPresent)
        .orElseThrow();
  }

  public List<Workload> workloads() {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(NAMESPACE)).items();
  }

  public ClusterQueue clusterQueue() {
    return api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq")).orElseThrow();
  }

  public LocalQueue localQueue() {
    return api.get(KueueTypes.LOCAL_QUEUE, key("lq")).orElseThrow();
  }

  public static boolean isTrue(Workload workload, String condition) {
    return Conditions.isTrue(workload.status().conditions(), condition);
  }

  public static boolean reserved(Workload workload) {
    return isTrue(workload, WorkloadConditions.QUOTA_RESERVED);
  }

  public static boolean admitted(Workload workload) {
    return isTrue(workload, WorkloadConditions.ADMITTED);
  }

  public static Condition condition(Workload workload, String type) {
    return Conditions.find(workload.status().conditions(), type).orElseThrow();
  }

  /** Waits until the Workload of a Job is as it should be, and returns it. */
  public Workload awaitWorkload(String job, Predicate<Workload> expected) {
    return await()
        .alias("workload of " + job)
        .atMost(PATIENCE)
        .until(() -> workload(job), expected);
  }

  /** Waits until the Job runs or is suspended. */
  public void awaitSuspended(String job, boolean suspended) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                Boolean.TRUE.equals(Objects.requireNonNull(job(job).getSpec()).getSuspend())
                    == suspended);
  }

  /** Waits until something holds. */
  public void awaitThat(String what, Predicate<TestCluster> expected) {
    await().alias(what).atMost(PATIENCE).until(() -> expected.test(this));
  }

  /**
   * Waits until the running cores have heard of everything that was written so far and have nothing
   * to do: a Job that is created now gets its Workload, and nothing else is written meanwhile.
   */
  public void settle() {
    await()
        .alias("the core comes to rest")
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .atMost(PATIENCE)
        .until(
            () ->
                running.stream()
                    .allMatch(each -> CoreRest.rests(each, api, this::requestsOfCores, silenced)));
  }

  private long requestsOfCores() {
    return server.requests().byUserAgent().entrySet().stream()
        .filter(entry -> entry.getKey().contains("kueue-core"))
        .mapToLong(entry -> entry.getValue())
        .sum();
  }

  /** From now on no watch on this type tells anything; cores can settle nevertheless. */
  public void silence(String plural) {
    server.faults().silenceWatches(RequestMatcher.resource(plural));
    silenced.add(plural);
  }

  /** Lets time pass at once, as soon as the core has nothing to do any more. */
  public void advance(Duration duration) {
    settle();
    time.advance(duration);
  }

  /** The same, and lets whatever becomes due be carried out. */
  public void pass(Duration duration) {
    advance(duration);
    settle();
  }

  /** Lets time pass, a second at each look and none while the core has to do, until it holds. */
  public void passUntil(String what, Predicate<TestCluster> expected) {
    await()
        .alias(what)
        .pollInterval(Duration.ofMillis(10))
        .atMost(PATIENCE)
        .until(
            () -> {
              settle();
              boolean holds = expected.test(this);
              if (!holds) {
                time.advance(Duration.ofSeconds(1));
              }
              return holds;
            });
  }

  public static ObjectKey key(String name) {
    return new ObjectKey(NAMESPACE, name);
  }

  /** A merge patch; lists are replaced as a whole. */
  public static MergePatch merge(String json) {
    JsonObject document = JsonParser.parseString(json).getAsJsonObject();
    return new MergePatch(document);
  }

  @Override
  public void close() {
    cores.reversed().forEach(Runnable::run);
    connection.close();
    server.close();
  }
}
