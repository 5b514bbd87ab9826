// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rights that come with the configuration: a core that manages several kinds of Jobs, one of
 * them declared, and deletes what it has deactivated, with the roles that the chart renders for
 * exactly this configuration.
 */
class ConfiguredRightsTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  private static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      leaderElection: {leaderElect: true}
      health: {healthProbeBindAddress: "0"}
      metrics: {bindAddress: "0"}
      integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset, kubeflow.org/pytorchjob, pod]}
      kueue4j:
        jobKinds:
        - framework: example.com/render
          apiVersion: example.com/v1
          kind: Render
          suspend: spec.paused
          podSets: [{name: main, template: spec.template, count: [spec.workers]}]
          running: [{condition: Running}]
      objectRetentionPolicies: {workloads: {afterFinished: 1m, afterDeactivatedByKueue: 1m}}
      """;

  /**
   * All may run for eight minutes, in which they must have been started; then they are deactivated.
   */
  private static final String TOO_LONG =
      """
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata:
        name: set
        namespace: ml
        labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: "480"}
      spec:
        suspend: true
        replicatedJobs:
          - name: workers
            replicas: 2
            template: {spec: {template: {spec: {restartPolicy: Never,
              containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: job
        namespace: ml
        labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: "480"}
      spec:
        suspend: true
        template: {spec: {restartPolicy: Never,
          containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}
      ---
      apiVersion: kubeflow.org/v1
      kind: PyTorchJob
      metadata:
        name: train
        namespace: ml
        labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: "480"}
      spec:
        runPolicy: {suspend: true}
        pytorchReplicaSpecs:
          Worker:
            replicas: 2
            template: {spec: {containers: [{name: pytorch, image: busybox, resources: {requests: {cpu: 1}}}]}}
      ---
      apiVersion: example.com/v1
      kind: Render
      metadata:
        name: film
        namespace: ml
        labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: "480"}
      spec:
        paused: true
        workers: 2
        template: {spec: {containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: pod
        namespace: ml
        labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/max-exec-time-seconds: "480",
          kueue.x-k8s.io/managed: "true"}
        finalizers: [kueue.x-k8s.io/managed]
      spec:
        schedulingGates: [{name: kueue.x-k8s.io/admission}]
        containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]
      """;

  private static final List<String> KINDS =
      List.of(
          "batch/jobs",
          "example.com/renders",
          "jobset.x-k8s.io/jobsets",
          "kubeflow.org/pytorchjobs",
          "pods");

  @Test
  @ExpectedLog(
      logger = "ConfiguredSettings",
      message = "The configuration has keys that have no effect")
  void kindsOfJobsAndRetentionWorkWithExactlyTheRightsThatTheChartGives(@TempDir Path folder)
      throws InterruptedException {
    Requests requests = new Requests();
    List<JsonNode> roles = roles();
    RoleBasedAccess access = RoleBasedAccess.of(roles);
    try (WindableTime time = new WindableTime(START);
        EmbeddedApiServer server =
            EmbeddedApiServer.builder()
                .clock(time)
                .webhookPatience(Duration.ofMinutes(1))
                .objects(initialObjects(roles))
                .secure()
                .onRequest(requests)
                .start();
        ClusterConnection users =
            Target.of(server.kubeconfig(folder.resolve("administrator"))).connect("users");
        RunningCore core =
            RunningCore.start(
                Target.of(server.kubeconfig(folder.resolve("core"), Component.CORE.user())),
                Configuration.parse(CONFIGURATION),
                time)) {
      ClusterWait wait =
          ClusterWait.on(users.api(), Patience.LIMIT).passing(time, Duration.ofSeconds(10));
      wait.until("the core leads", core::leading);
      server.apply(QueueYaml.ML.cpus(10));
      server.apply(TOO_LONG);

      Set<String> awaited = used("list", "watch", "patch", "delete");
      try {
        wait.until(
            "all are started, stopped, and deleted",
            () -> permissions(requests).containsAll(awaited));
      } catch (AssertionError e) {
        awaited.removeAll(permissions(requests));
        throw new AssertionError("it goes no further; not used was " + awaited, e);
      }
      wait.until(
          "so are their Workloads",
          () ->
              users
                  .api()
                  .list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml"))
                  .items()
                  .isEmpty());
    } finally {
      assertThat(denied(requests, access)).isEmpty();
    }
    // It reads again after a conflict, and refers to owners with blockOwnerDeletion.
    Set<String> expected = used("get", "list", "watch", "patch", "delete");
    KINDS.forEach(kind -> expected.add("update " + kind + "/finalizers"));
    // Of the Jobs of a JobSet, see ChildJobs.
    expected.add("patch batch/jobs/status");
    expected.add("patch pods/status");
    assertThat(granted(access)).isEqualTo(expected);
  }

  private static Set<String> used(String... verbs) {
    return KINDS.stream()
        .flatMap(kind -> Stream.of(verbs).map(verb -> verb + " " + kind))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What it may do with Jobs. */
  private static Set<String> granted(RoleBasedAccess access) {
    return access.grants(Component.CORE.user()).stream()
        .flatMap(grant -> Permission.in(grant).stream())
        .map(Permission::toString)
        .filter(
            each ->
                each.matches(
                    ".* (batch/.*|example.com/.*|jobset.x-k8s.io/.*|kubeflow.org/.*|pods(/.*)?)"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> permissions(Requests requests) {
    return requests.of(Component.CORE.client()).stream()
        .map(request -> Permission.of(request).toString())
        .collect(Collectors.toSet());
  }

  private static Set<String> denied(Requests requests, RoleBasedAccess access) {
    return requests.of(Component.CORE.client()).stream()
        .filter(ApiRequest::resourceRequest)
        .filter(request -> !access.allows(Component.CORE.user(), request))
        .map(request -> Permission.of(request).toString())
        .collect(Collectors.toSet());
  }

  private static List<JsonNode> roles() {
    ObjectMapper json = new ObjectMapper();
    return Chart.named("kueue-core")
        .render(
            values ->
                values.set(
                    "managerConfig.controllerManagerConfigYaml",
                    CONFIGURATION + "webhook: {port: 9443}\n"))
        .stream()
        .filter(each -> each.kind().contains("Role"))
        .map(each -> json.<JsonNode>valueToTree(each.tree()))
        .toList();
  }

  private static List<String> initialObjects(List<JsonNode> roles) {
    List<String> yamls = new ArrayList<>(Crds.kueue());
    yamls.add(ForeignDefinition.of("jobset.x-k8s.io", "v1alpha2", "JobSet"));
    yamls.add(ForeignDefinition.of("kubeflow.org", "v1", "PyTorchJob"));
    yamls.add(ForeignDefinition.of("example.com", "v1", "Render"));
    yamls.add("{apiVersion: v1, kind: Namespace, metadata: {name: " + Component.NAMESPACE + "}}");
    roles.forEach(role -> yamls.add(role.toString()));
    return yamls;
  }
}
