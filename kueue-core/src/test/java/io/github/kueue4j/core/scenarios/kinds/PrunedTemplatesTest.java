// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A kind whose definition has no fields in the metadata of its pod template, so that the API server
 * drops the marks of a start.
 */
@Simulated
class PrunedTemplatesTest {
  private final DeclaredSample sample = OwnKind.sample();

  private static Workload workload(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(each -> each.metadata().getName().startsWith("trainingrun-"))
        .findFirst()
        .orElseThrow();
  }

  private static void activate(TestCluster cluster, boolean active) {
    cluster.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(workload(cluster)),
        TestCluster.merge("{\"spec\": {\"active\": " + active + "}}"));
  }

  private String version(TestCluster cluster) {
    return sample.read(cluster).getMetadata().getResourceVersion();
  }

  @Test
  @ExpectedLog(
      logger = "DroppedFields",
      message = "The API server stores a started Job without a field; stopping it")
  void itIsStoppedAndItsWorkloadSaysWhyUntilItsUserHasMendedTheDefinition() {
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(cluster, "Namespaced", OwnKind.PRUNED);
      cluster.queue("", "default=5", "other=5");
      cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(sample.object());
      JsonElement written = sample.spec(cluster);

      cluster.awaitThat(
          "it gave up",
          world ->
              !world.workloads().isEmpty()
                  && !workload(world).spec().active()
                  && !TestCluster.reserved(workload(world)));
      cluster.settle();

      assertThat(sample.spec(cluster)).as("as its user wrote it").isEqualTo(written);
      assertThat(TestCluster.condition(workload(cluster), WorkloadConditions.EVICTED))
          .satisfies(
              evicted -> {
                assertThat(evicted.reason()).isEqualTo("DeactivatedDueToFieldDropped");
                assertThat(evicted.message())
                    .contains(
                        "TrainingRun train without spec.worker.metadata.labels",
                        "CustomResourceDefinition trainingruns.ml.example.com",
                        "spec.active");
              });
      String stopped = version(cluster);
      cluster.pass(Duration.ofMinutes(30));
      cluster.job("other", 5);
      cluster.awaitSuspended("other", false);
      assertThat(version(cluster)).as("it is not tried again").isEqualTo(stopped);

      OwnKind.install(cluster, "Namespaced", OwnKind.KEPT);
      activate(cluster, true);
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      assertThat(sample.templates(cluster).getFirst().toString())
          .contains("\"flavor\":\"other\"", "kueue.x-k8s.io/job-uid");
      cluster.settle();
      assertThat(TestCluster.admitted(workload(cluster))).isTrue();
    }
  }

  @Test
  @ExpectedLog(
      logger = "DroppedFields",
      message = "The API server stores a started Job without a field; stopping it")
  void oneOfTwoTemplatesWithoutItsMarksIsRestoredWithTheOther() {
    DeclaredSample two = OwnKind.withHead();
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(cluster, "Namespaced", OwnKind.PRUNED);
      cluster.queue("", "default=5", "other=5");
      cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(two.object());
      JsonElement written = two.spec(cluster);

      cluster.awaitThat(
          "it gave up",
          world ->
              !world.workloads().isEmpty()
                  && !workload(world).spec().active()
                  && !TestCluster.reserved(workload(world)));

      assertThat(two.spec(cluster)).as("as its user wrote it").isEqualTo(written);
    }
  }

  /** It runs, so that its Workload hasn't failed to start. */
  @Test
  @ExpectedLog(
      logger = "DroppedFields",
      message = "The API server stores a started Job without a field; stopping it")
  @ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
  void oneThatCannotBeRestoredKeepsItsQuota() {
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(
          cluster, "Namespaced", OwnKind.PRUNED, "oldSelf.suspend || self.suspend == false");
      cluster.queue("", "default=5", "other=5");
      cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(sample.object());
      JsonElement written = sample.spec(cluster);

      cluster.passUntil(
          "it is told", world -> !world.workloads().isEmpty() && !workload(world).spec().active());

      assertThat(workload(cluster).conditions().finished()).isFalse();
      assertThat(TestCluster.reserved(workload(cluster))).isTrue();
      assertThat(sample.suspended(cluster)).isFalse();

      OwnKind.install(cluster, "Namespaced", OwnKind.PRUNED);
      cluster.passUntil("it is released", world -> !TestCluster.reserved(workload(world)));
      assertThat(sample.spec(cluster)).as("as its user wrote it").isEqualTo(written);
    }
  }

  /** As one that was started just before the core crashed, or by a core that didn't look. */
  @Test
  void oneThatRunsWithoutItsMarksIsRestoredAsItsWorkloadHasIt() {
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(cluster, "Namespaced", OwnKind.KEPT);
      cluster.queue("", "default=5", "other=5");
      cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(sample.object());
      JsonElement written = sample.spec(cluster);
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      cluster.settle();
      OwnKind.install(cluster, "Namespaced", OwnKind.PRUNED);
      cluster.api.patch(
          sample.type(),
          DeclaredSample.KEY,
          TestCluster.merge("{\"spec\": {\"worker\": {\"metadata\": null}}}"));
      cluster.settle();
      assertThat(sample.templates(cluster).getFirst().toString())
          .contains("\"flavor\":\"default\"")
          .doesNotContain("kueue.x-k8s.io");

      activate(cluster, false);

      cluster.awaitThat("it is stopped", sample::suspended);
      cluster.awaitThat("released", world -> !TestCluster.reserved(workload(world)));
      assertThat(sample.spec(cluster)).isEqualTo(written);
    }
  }
}
