// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceTypeTest {

  @Test
  void pathsFollowGroupScopeAndNamespace() {
    ObjectKey key = new ObjectKey("ns", "a");

    assertThat(KueueTypes.WORKLOAD.path(key))
        .isEqualTo("/apis/kueue.x-k8s.io/v1beta2/namespaces/ns/workloads/a");
    assertThat(KueueTypes.WORKLOAD.path()).isEqualTo("/apis/kueue.x-k8s.io/v1beta2/workloads");
    assertThat(KueueTypes.CLUSTER_QUEUE.path(ObjectKey.cluster("a")))
        .isEqualTo("/apis/kueue.x-k8s.io/v1beta2/clusterqueues/a");
    assertThat(CoreTypes.POD.path("ns")).isEqualTo("/api/v1/namespaces/ns/pods");
    assertThat(CoreTypes.NODE.path("ignored")).isEqualTo("/api/v1/nodes");
    assertThat(KueueTypes.WORKLOAD.inVersion("v1beta1").apiVersion())
        .isEqualTo("kueue.x-k8s.io/v1beta1");
    assertThat(KueueTypes.WORKLOAD.qualifiedName()).isEqualTo("workloads.kueue.x-k8s.io");
  }

  @Test
  void aKindIsMadeOfItsApiVersionItsNameAndItsClass() {
    ResourceType<V1Job> job = ResourceType.of("batch/v1", "Job", V1Job.class);

    assertThat(job.path("ns")).isEqualTo("/apis/batch/v1/namespaces/ns/jobs");
    assertThat(job.readAs()).isEqualTo(V1Job.class);
    assertThat(ResourceType.of("v1", "Node", V1Node.class).clusterScoped())
        .isEqualTo(CoreTypes.NODE);
    assertThat(job.clusterScoped().path("ignored")).isEqualTo("/apis/batch/v1/jobs");
    assertThat(job.clusterScoped().orInVersions(List.of("v2")).as(V1Pod.class))
        .returns(V1Pod.class, ResourceType::type)
        .returns(V1Pod.class, ResourceType::readAs)
        .returns(false, ResourceType::namespaced)
        .returns(List.of("v1", "v2"), ResourceType::versions);
    assertThatThrownBy(() -> ResourceType.of("batch/1", "Job", V1Job.class))
        .hasMessageStartingWith("'batch/1' is no apiVersion");
    assertThatThrownBy(() -> ResourceType.of("batch/v1", "jobs", V1Job.class))
        .hasMessageStartingWith("'jobs' is no kind");
  }

  @Test
  void aKindOfSeveralVersionsIsNamedInEachAndAskedForInTheFirst() {
    ResourceType<Workload> type = KueueTypes.WORKLOAD.orInVersions(List.of("v1beta1"));

    assertThat(type.versions()).containsExactly("v1beta2", "v1beta1");
    assertThat(type.path()).isEqualTo("/apis/kueue.x-k8s.io/v1beta2/workloads");
    assertThat(type.isNamed("kueue.x-k8s.io/v1beta2", "Workload")).isTrue();
    assertThat(type.isNamed("kueue.x-k8s.io/v1beta1", "Workload")).isTrue();
    assertThat(type.isNamed("kueue.x-k8s.io/v1", "Workload")).isFalse();
    assertThat(type.isNamed("v1beta1", "Workload")).isFalse();
    assertThat(type.isNamed("kueue.x-k8s.io/v1beta1", "Cohort")).isFalse();
    assertThat(type.isNamed(null, null)).isFalse();
    assertThat(type.inVersion("v1beta1").versions()).containsExactly("v1beta1");
    assertThat(type.withPlural("others").versions()).isEqualTo(type.versions());
    assertThatThrownBy(() -> type.orInVersions(List.of("v1", "v1beta2")))
        .hasMessage("'v1beta2' is named twice among the versions of Workload");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../../../jobs", "a/b", "a%2Fb", "/", "%"})
  void aNameThatWouldChangeThePathIsRefused(String name) {
    ObjectKey key = new ObjectKey("ns", name);

    assertThatThrownBy(() -> CoreTypes.JOB.path(key))
        .isInstanceOf(PathSegmentException.class)
        .hasMessageContaining("an object's name");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "../kube-system", "a%2Fb"})
  void aNamespaceThatWouldChangeThePathIsRefused(String namespace) {
    assertThatThrownBy(() -> CoreTypes.JOB.path(namespace))
        .isInstanceOf(PathSegmentException.class)
        .hasMessageContaining("an object's namespace");
    assertThatThrownBy(() -> CoreTypes.JOB.path(new ObjectKey(namespace, "a")))
        .isInstanceOf(PathSegmentException.class);
  }

  @Test
  void namesWithDotsAndColonsAreOrdinary() {
    assertThat(CoreTypes.JOB.path(new ObjectKey("ns", "a..b:c")))
        .isEqualTo("/apis/batch/v1/namespaces/ns/jobs/a..b:c");
  }

  @Test
  void keysAreWrittenAndOrderedByNamespaceAndName() {
    assertThat(new ObjectKey("ns", "a")).hasToString("ns/a");
    assertThat(ObjectKey.cluster("a")).hasToString("a");
    assertThat(ObjectKey.of(Workload.named("ns", "a"))).isEqualTo(new ObjectKey("ns", "a"));
    assertThat(new ObjectKey("a", "z")).isLessThan(new ObjectKey("b", "a"));
  }
}
