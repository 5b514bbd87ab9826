// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.A100;
import static io.github.kueue4j.sdk.fixture.Evaluations.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods of one workload that must not be together. */
class SeparationTest {

  private static final String BY_NODE = "kubernetes.io/hostname";

  private final GpuWorld world = new GpuWorld();

  @ParameterizedTest
  @CsvSource({"kubernetes.io/hostname, 3, true", "kubernetes.io/hostname, 4, false"})
  void eachPodHasItsOwnNode(String topologyKey, int pods, boolean fits) {
    world.node("n1", 8);
    world.node("n2", 8);
    world.node("n3", 8);

    assertThat(world.ask(apart(pods, topologyKey, "{\"app\": \"train\"}")) instanceof Verdict.Ready)
        .isEqualTo(fits);
  }

  @Test
  void orItsOwnZone() {
    world.node("n1", in("a"), 8, "");
    world.node("n2", in("a"), 8, "");
    world.node("n3", in("b"), 8, "");

    assertThat(world.ask(apart(2, "zone", "{\"app\": \"train\"}")))
        .isInstanceOf(Verdict.Ready.class);
    assertThat(retry(world.ask(apart(3, "zone", "{\"app\": \"train\"}"))).message())
        .startsWith(
            "The pod set 'main' has 3 pods; the three nodes that may take them have room for 2, even"
                + " if nothing else runs there.");
  }

  @Test
  void aSelectorOfOthersDoesNotSeparate() {
    world.node("n1", 8);

    assertThat(world.ask(apart(4, BY_NODE, "{\"app\": \"other\"}")))
        .isInstanceOf(Verdict.Ready.class);
  }

  /** The Job controller adds the label, so no template has it. */
  @Test
  void theNameOfTheJobIsALabelOfItsPods() {
    world.node("n1", 8);
    Workload workload = apart(2, BY_NODE, "{\"batch.kubernetes.io/job-name\": \"train\"}");
    assertThat(world.ask(workload)).isInstanceOf(Verdict.Ready.class);

    workload
        .metadata()
        .setOwnerReferences(List.of(new V1OwnerReference().kind("Job").name("train").uid("u")));
    assertThat(world.ask(workload)).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void aPortOfTheNodeIsTakenOnce() {
    world.node("n1", 8);
    world.node("n2", 8);
    world.node("n3", 1);
    world.pod("n3", 1, "another-job");
    String ports = "\"ports\": [{\"containerPort\": 80, \"hostPort\": 8080}]";

    assertThat(world.ask(workload(2, "", ports))).isInstanceOf(Verdict.Ready.class);
    assertThat(retry(world.ask(workload(3, "", ports))).message())
        .startsWith(
            "16 A100 GPUs free, but not where all pods of the workload fit on the nodes together:"
                + " some must not be together (podAntiAffinity or hostPort).");
  }

  /** The second pod's room isn't kept where the first pod runs. */
  @Test
  void roomIsKeptApartFromPodsThatAreBound() {
    world.node("n1", 2);
    world.node("n2", 2);
    world.node("n3", 2);
    world.letThrough(apart(2, BY_NODE, "{\"app\": \"train\"}"));

    world.pod("p1", "n1", 1, "Running", "job-train");
    world.nodes.remove(ObjectKey.cluster("n2"));

    assertThat(world.ask("another", 2)).isInstanceOf(Verdict.Retry.class);
  }

  private static Map<String, String> in(String zone) {
    Map<String, String> labels = new HashMap<>(A100);
    labels.put("zone", zone);
    return labels;
  }

  private static Workload apart(int pods, String topologyKey, String selected) {
    return workload(
        pods,
        """
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
          [{"topologyKey": "%s", "labelSelector": {"matchLabels": %s}}]}},
        """
            .formatted(topologyKey, selected),
        "\"ports\": []");
  }

  private static Workload workload(int pods, String spec, String container) {
    V1PodTemplateSpec template =
        KueueJson.fromJson(
            """
            {"metadata": {"labels": {"app": "train"}},
             "spec": {%s "containers": [{"name": "c", %s,
               "resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}
            """
                .formatted(spec, container),
            V1PodTemplateSpec.class);
    Workload plain = GpuWorld.workload("train", CheckState.PENDING, pods, 1, "a100");
    return plain.withSpec(
        plain.spec().withPodSets(List.of(new PodSet("main", template, pods, null))));
  }
}
