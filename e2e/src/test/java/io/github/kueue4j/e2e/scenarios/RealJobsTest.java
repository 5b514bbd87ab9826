// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Jobs that the Job controller of Kubernetes runs, on a real API server with its garbage collector;
 * the test writes into the pods' statuses what kubelets would.
 */
class RealJobsTest {

  @Test
  void jobsRunStopAndGoAndNothingIsLeftBehind() throws InterruptedException {
    try (Stage stage =
        new Stage(ScenarioCluster.binariesWithJobs(), Playground.quietConfiguration(), 2)) {
      stage.create(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ResourceFlavor
          metadata: {name: labelled}
          spec: {nodeLabels: {pool: batch}}
          """);
      stage.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.cluster("ml"),
          merge(
              """
              {"spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
                {"name": "labelled", "resources": [{"name": "cpu", "nominalQuota": 2}]}]}]}}
              """));
      stage.create(job("first"));
      stage.until("the first has its pods", () -> stage.jobs.pods("first").size() == 2);
      assertThat(nodeSelector(stage, "first")).containsEntry("pool", "batch");
      stage.create(job("second"));
      stage.until("the second has a Workload", () -> hasWorkload(stage, "second"));

      activate(stage, "first", false);
      stage.until("the first stops", () -> stage.jobs.suspended("first"));
      stage.until("its pods go", () -> stage.jobs.pods("first").isEmpty());
      stage.until("its template is as it was", () -> nodeSelector(stage, "first").isEmpty());
      stage.until("the second runs", () -> stage.jobs.pods("second").size() == 2);

      succeed(stage, "second");
      stage.until("the second is complete", () -> stage.jobs.complete("second"));
      stage.until("so is its Workload", () -> stage.is("second", WorkloadConditions.FINISHED));

      activate(stage, "first", true);
      stage.until("the first runs again", () -> stage.jobs.pods("first").size() == 2);
      stage.create(job("third"));
      stage.until("the third has a Workload", () -> hasWorkload(stage, "third"));
      for (String name : List.of("third", "first", "second")) {
        stage.api.delete(CoreTypes.JOB, stage.jobs.key(name), DeleteOptions.background());
      }
      stage.until("no Workload is left", () -> count(stage) == 0);
      stage.until(
          "no pod is left",
          () -> stage.api.list(CoreTypes.POD, ListOptions.inNamespace("ml")).items().isEmpty());
      stage.until("the quota is free", stage::quotaIsFree);
    }
  }

  private static String job(String name) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          suspend: true
          parallelism: 2
          completions: 2
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: example.invalid/main,
              resources: {requests: {cpu: 1}}}]}
        """
        .formatted(name);
  }

  private static Map<String, String> nodeSelector(Stage stage, String job) {
    V1Job found = stage.jobs.job(job);
    return Objects.requireNonNullElse(
        Objects.requireNonNull(found.getSpec().getTemplate().getSpec()).getNodeSelector(),
        Map.of());
  }

  private static void activate(Stage stage, String job, boolean active) {
    stage.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(stage.jobs.workload(job)),
        merge("{\"spec\": {\"active\": %s}}".formatted(active)));
  }

  private static void succeed(Stage stage, String job) {
    stage
        .jobs
        .pods(job)
        .forEach(
            pod ->
                stage.api.patchStatus(
                    CoreTypes.POD,
                    ObjectKey.of(pod),
                    merge("{\"status\": {\"phase\": \"Succeeded\"}}")));
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private static boolean hasWorkload(Stage stage, String job) {
    return stage.api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items().stream()
        .anyMatch(each -> each.metadata().getOwnerReferences().getFirst().getName().equals(job));
  }

  private static int count(Stage stage) {
    return stage.api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items().size();
  }
}
