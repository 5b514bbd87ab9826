// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PodWorkloadsTest {

  private final Workload ofJobSet = workload("jobset-train", "uid-of-jobset");
  private final V1Job job = new V1Job().metadata(owned("job", "uid-of-jobset"));
  private final V1Pod pod = new V1Pod().metadata(owned("pod", "uid-of-job"));

  @Test
  void aPodBelongsToTheWorkloadOfItsOwner() {
    Workload ofJob = workload("job-train", "uid-of-job");
    assertThat(PodWorkloads.of(List.of(ofJob), List.of()).workloadOf(pod)).contains(ofJob);
  }

  @Test
  void throughAnyDepth() {
    assertThat(PodWorkloads.of(List.of(ofJobSet), List.of(job)).workloadOf(pod)).contains(ofJobSet);

    V1Job above = new V1Job().metadata(owned("jobset", "uid-of-pipeline"));
    Workload ofPipeline = workload("pipeline", "uid-of-pipeline");
    assertThat(PodWorkloads.of(List.of(ofPipeline), List.of(job, above)).workloadOf(pod))
        .contains(ofPipeline);
  }

  @Test
  void theNearestOwnerCounts() {
    Workload ofJob = workload("job-train", "uid-of-job");
    assertThat(PodWorkloads.of(List.of(ofJobSet, ofJob), List.of(job)).workloadOf(pod))
        .contains(ofJob);
  }

  @Test
  void aPodThatOwnsAWorkloadBelongsToIt() {
    Workload own = workload("plain-pod", "uid-of-pod");
    assertThat(PodWorkloads.of(List.of(own), List.of()).workloadOf(pod)).contains(own);
  }

  @Test
  void whereAnOwnerIsMissingTheAnnotationCounts() {
    PodWorkloads withoutJobs = PodWorkloads.of(List.of(ofJobSet), List.of());
    assertThat(withoutJobs.workloadOf(pod)).isEmpty();

    pod.getMetadata().setAnnotations(Map.of(PodWorkloads.ANNOTATION, "jobset-train"));
    assertThat(withoutJobs.workloadOf(pod)).contains(ofJobSet);

    pod.getMetadata().setAnnotations(Map.of(PodWorkloads.ANNOTATION, "deleted"));
    assertThat(withoutJobs.workloadOf(pod)).isEmpty();
  }

  @Test
  @Timeout(60)
  void ownersInACircleLeadNowhere() {
    V1Job one = new V1Job().metadata(owned("job", "uid-of-other"));
    V1Job other = new V1Job().metadata(owned("other", "uid-of-job"));
    assertThat(PodWorkloads.of(List.of(ofJobSet), List.of(one, other)).workloadOf(pod)).isEmpty();
  }

  @Test
  void anOwnerOfAnotherNamespaceIsNone() {
    pod.getMetadata().setNamespace("team-b");
    pod.getMetadata().setAnnotations(Map.of(PodWorkloads.ANNOTATION, "jobset-train"));
    assertThat(PodWorkloads.of(List.of(ofJobSet), List.of(job)).workloadOf(pod)).isEmpty();
  }

  @Test
  void anOwnerThatDoesNotControlIsNone() {
    pod.getMetadata().getOwnerReferences().getFirst().setController(false);
    assertThat(PodWorkloads.of(List.of(ofJobSet), List.of(job)).workloadOf(pod)).isEmpty();
    pod.getMetadata().setOwnerReferences(null);
    assertThat(PodWorkloads.of(List.of(ofJobSet), List.of(job)).workloadOf(pod)).isEmpty();
  }

  @Test
  void ofSeveralWorkloadsOfAnOwnerTheOneWithQuotaCounts() {
    Workload replaced = workload("jobset-train-1", "uid-of-jobset");
    Workload reserved =
        replaced.withStatus(
            replaced
                .status()
                .withConditions(
                    List.of(Condition.isTrue("QuotaReserved", "Reserved", "", Instant.EPOCH))));
    for (List<Workload> order : List.of(List.of(ofJobSet, reserved), List.of(reserved, ofJobSet))) {
      assertThat(PodWorkloads.of(order, List.of(job)).workloadOf(pod)).contains(reserved);
    }
  }

  private static Workload workload(String name, String owner) {
    Workload workload = Workload.named("team-a", name);
    workload.metadata().addOwnerReferencesItem(new V1OwnerReference().uid(owner));
    return workload;
  }

  private static V1ObjectMeta owned(String name, String owner) {
    return new V1ObjectMeta()
        .namespace("team-a")
        .name(name)
        .uid("uid-of-" + name)
        .addOwnerReferencesItem(new V1OwnerReference().uid(owner).controller(true));
  }
}
