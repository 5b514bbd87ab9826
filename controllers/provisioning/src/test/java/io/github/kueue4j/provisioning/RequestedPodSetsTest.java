// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSetMergePolicy;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRetryStrategy;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestedPodSetsTest {

  private static final ProvisioningRequestConfigSpec CONFIG = config(List.of(), null);

  @Test
  void podsAreAskedForAsTheyWouldStart() {
    AssignedPodSet podSet = podSet("main", 2, "image-a", "1");

    RequestedPodSets.Group group = RequestedPodSets.of(List.of(podSet), CONFIG).get(0);

    V1PodSpec spec = Objects.requireNonNull(group.template().getSpec());
    assertThat(group.count()).isEqualTo(2);
    assertThat(spec.getNodeSelector()).isEqualTo(Map.of("disk", "ssd", "pool", "gpu"));
    assertThat(spec.getTolerations()).extracting(V1Toleration::getKey).containsExactly("gpu");
    assertThat(Objects.requireNonNull(spec.getContainers().get(0).getResources()).getRequests())
        .containsKeys("cpu", "nvidia.com/gpu");
    assertThat(podSet.template().getSpec().getTolerations()).isNullOrEmpty();
  }

  @Test
  void onlyPodSetsThatNeedAManagedResourceAreAskedFor() {
    List<AssignedPodSet> podSets =
        List.of(
            podSet("cpu", 2, "a", "0"), podSet("gpu", 1, "a", "1"), podSet("none", 0, "a", "1"));

    assertThat(RequestedPodSets.of(podSets, config(List.of("nvidia.com/gpu"), null)))
        .extracting(RequestedPodSets.Group::name)
        .containsExactly("gpu");
    assertThat(RequestedPodSets.of(podSets, CONFIG)).hasSize(2);
    assertThat(RequestedPodSets.of(podSets, config(List.of("tpu"), null))).isEmpty();
  }

  @Test
  void noCapacityIsAskedForPodSetsWithoutPods() {
    List<AssignedPodSet> podSets =
        List.of(podSet("leader", 1, "a", "1"), podSet("workers", 0, "a", "1"));

    assertThat(counts(podSets, null)).containsExactly(1);
    assertThat(counts(podSets, PodSetMergePolicy.IDENTICAL_POD_TEMPLATES)).containsExactly(1);
    assertThat(counts(podSets.subList(1, 2), null)).isEmpty();
  }

  /** As the scheduler does it: an autoscaler reads requests only. */
  @Test
  void limitsAreTakenAsRequestsWhereTheseAreMissing() {
    RequestedPodSets.Group group =
        RequestedPodSets.of(List.of(podSet("main", 1, "a", "2")), CONFIG).getFirst();

    assertThat(
            Objects.requireNonNull(
                    Objects.requireNonNull(group.template().getSpec())
                        .getContainers()
                        .getFirst()
                        .getResources())
                .getRequests())
        .isEqualTo(
            Map.of(
                "cpu",
                new io.kubernetes.client.custom.Quantity("1"),
                "nvidia.com/gpu",
                new io.kubernetes.client.custom.Quantity("2")));
  }

  @Test
  void equalPodSetsAreMergedAsThePolicySays() {
    List<AssignedPodSet> podSets =
        List.of(
            podSet("leader", 1, "a", "1"),
            podSet("workers", 3, "a", "1"),
            podSet("other-image", 5, "b", "1"),
            podSet("more-gpus", 7, "a", "2"));

    assertThat(counts(podSets, null)).containsExactly(1, 3, 5, 7);
    assertThat(counts(podSets, PodSetMergePolicy.IDENTICAL_POD_TEMPLATES)).containsExactly(4, 5, 7);
    assertThat(counts(podSets, PodSetMergePolicy.IDENTICAL_WORKLOAD_SCHEDULING_REQUIREMENTS))
        .containsExactly(9, 7);
  }

  private static List<Integer> counts(
      List<AssignedPodSet> podSets, @Nullable PodSetMergePolicy policy) {
    return RequestedPodSets.of(podSets, config(List.of(), policy)).stream()
        .map(RequestedPodSets.Group::count)
        .toList();
  }

  private static ProvisioningRequestConfigSpec config(
      List<String> managedResources, @Nullable PodSetMergePolicy policy) {
    return new ProvisioningRequestConfigSpec(
        "", Map.of(), managedResources, ProvisioningRetryStrategy.defaults(), null, policy);
  }

  private static AssignedPodSet podSet(String name, int count, String image, String gpus) {
    V1PodTemplateSpec template =
        KueueJson.fromJson(
            """
            {"spec": {"nodeSelector": {"disk": "ssd"}, "containers": [{"name": "c",
              "image": "%s", "resources": {"requests": {"cpu": "1"},
              "limits": {"nvidia.com/gpu": "%s"}}}]}}
            """
                .formatted(image, gpus),
            V1PodTemplateSpec.class);
    AssignedFlavor flavor =
        new AssignedFlavor(
            "gpu",
            Map.of("pool", "gpu", "disk", "any"),
            List.of(new V1Toleration().key("gpu").operator("Exists")));
    return new AssignedPodSet(
        name,
        count,
        template,
        Map.of("cpu", Quantity.ONE, "nvidia.com/gpu", Quantity.parse(gpus)),
        Map.of("cpu", flavor, "nvidia.com/gpu", flavor));
  }
}
