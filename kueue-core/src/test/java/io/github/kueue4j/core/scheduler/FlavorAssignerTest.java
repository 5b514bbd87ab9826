// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.queue.NodeConstraints;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.PodSetDemands;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlavorAssignerTest {
  private static final ClusterQueueSpec TWO_FLAVORS =
      read(
          ClusterQueueSpec.class,
          """
          {resourceGroups: [{coveredResources: [cpu, memory], flavors: [
            {name: reserved, resources: [{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 8Gi}]},
            {name: spot, resources: [{name: cpu, nominalQuota: 10}, {name: memory, nominalQuota: 8Gi}]}]}]}
          """);
  private static final Map<String, ResourceFlavor> PLAIN =
      Map.of("reserved", flavor("reserved", "{}"), "spot", flavor("spot", "{}"));

  @Test
  void takesTheFirstFlavorThatFitsAndLaterPodSetsCountEarlierOnes() {
    Assignment assignment =
        assigner(TWO_FLAVORS, Amounts.none(), PLAIN)
            .assign(List.of(pods("driver", 1, 3000, 1), pods("workers", 4, 1000, 1)));

    assertThat(assignment)
        .isInstanceOfSatisfying(
            Assignment.Fits.class,
            fits -> {
              assertThat(fits.podSets())
                  .extracting(PodSetAssignment::flavors)
                  .containsExactly(
                      Map.of("cpu", "reserved", "memory", "reserved"),
                      Map.of("cpu", "spot", "memory", "spot"));
              assertThat(fits.podSets().get(1).resourceUsage().get("cpu")).hasToString("4");
              assertThat(fits.podSets().get(1).resourceUsage().get("memory")).hasToString("4");
              assertThat(fits.podSets().get(1).count()).isEqualTo(4);
              assertThat(fits.usage().get(new FlavorResource("spot", "cpu"))).isEqualTo(4000);
            });
  }

  @Test
  void oneResourceOfAGroupWithoutQuotaMovesAllToTheNextFlavor() {
    Amounts<FlavorResource> memoryUsed =
        Amounts.of(new FlavorResource("reserved", "memory"), 8L << 30);

    assertThat(flavorOfCpu(memoryUsed, pods("main", 1, 1000, 1))).isEqualTo("spot");
  }

  @Test
  void namesTheMissingQuotaOfEveryFlavorAndWaitsIfThatHelpsInOne() {
    Amounts<FlavorResource> used = Amounts.of(new FlavorResource("spot", "cpu"), 6500);

    Assignment assignment =
        assigner(TWO_FLAVORS, used, PLAIN).assign(List.of(pods("main", 1, 5000, 1)));

    assertThat(assignment)
        .isInstanceOfSatisfying(
            Assignment.NoFit.class,
            noFit -> {
              assertThat(noFit.reason()).isEqualTo(NoFitReason.WAITING_FOR_QUOTA);
              assertThat(noFit.message())
                  .isEqualTo(
                      "couldn't assign flavors to pod set main: insufficient quota for cpu in"
                          + " flavor reserved, previously considered podsets requests (0) +"
                          + " current podset request (5) > maximum capacity (4), insufficient"
                          + " unused quota for cpu in flavor spot, 1500m more needed");
              assertThat(noFit.awaitedQuota().get(new FlavorResource("spot", "cpu")))
                  .isEqualTo(5000);
            });
  }

  @Test
  void theMostSevereReasonOfThePodSetsCounts() {
    assertThat(
            assigner(TWO_FLAVORS, Amounts.of(new FlavorResource("reserved", "cpu"), 4000), PLAIN)
                .assign(List.of(pods("a", 1, 11_000, 1), pods("b", 1, 1000, 1))))
        .isInstanceOfSatisfying(
            Assignment.NoFit.class,
            noFit -> {
              assertThat(noFit.reason()).isEqualTo(NoFitReason.EXCEEDS_MAX_QUOTA);
              assertThat(noFit.message()).startsWith("couldn't assign flavors to pod set a: ");
            });
  }

  @Test
  void aResourceThatNoGroupCoversBlocksUnlessItIsZero() {
    PodSetDemand gpu = PodSetDemands.of("main", 1, Amounts.of("nvidia.com/gpu", 1));
    PodSetDemand none = PodSetDemands.of("main", 0, Amounts.of("nvidia.com/gpu", 1));
    FlavorAssigner assigner = assigner(TWO_FLAVORS, Amounts.none(), PLAIN);

    assertThat(assigner.assign(List.of(gpu)))
        .isEqualTo(
            hopeless(
                NoFitReason.NO_MATCHING_FLAVOR,
                "couldn't assign flavors to pod set main: resource nvidia.com/gpu unavailable in"
                    + " ClusterQueue"));
    assertThat(assigner.assign(List.of(none))).isInstanceOf(Assignment.Fits.class);
  }

  /** All have succeeded: they need no quota, but a flavor, in case they are started again. */
  @Test
  void podsThatCanNoLongerRunGetAFlavorAndNoQuota() {
    Amounts<FlavorResource> full = Amounts.of(new FlavorResource("reserved", "cpu"), 4000);
    PodSetDemand done = pods("done", 0, 1000, 1);

    assertThat(assigner(TWO_FLAVORS, full, PLAIN).assign(List.of(done)))
        .isInstanceOfSatisfying(
            Assignment.Fits.class,
            fits -> {
              PodSetAssignment assigned = fits.podSets().getFirst();
              assertThat(assigned.flavors())
                  .isEqualTo(Map.of("cpu", "reserved", "memory", "reserved"));
              assertThat(assigned.resourceUsage().get("cpu")).hasToString("0");
              assertThat(assigned.count()).isZero();
              assertThat(fits.usage().isEmpty()).isTrue();
              assertThat(fits.progress().untried()).isFalse();
            });
    assertThat(assigner(TWO_FLAVORS, full, Map.of()).assign(List.of(done)))
        .isInstanceOf(Assignment.Fits.class);
  }

  @Test
  void podsAreCountedWhereTheQueueCoversThem() {
    ClusterQueueSpec spec =
        read(
            ClusterQueueSpec.class,
            "{resourceGroups: [{coveredResources: [pods], flavors: [{name: spot, resources:"
                + " [{name: pods, nominalQuota: 3}]}]}]}");
    PodSetDemand four = PodSetDemands.of("main", 4, Amounts.none());

    assertThat(assigner(spec, Amounts.none(), PLAIN).assign(List.of(four)))
        .isInstanceOfSatisfying(
            Assignment.NoFit.class,
            noFit -> assertThat(noFit.reason()).isEqualTo(NoFitReason.EXCEEDS_MAX_QUOTA));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no demands               | {nodeLabels: {tier: reserved}} | {} | reserved
          selector matches         | {nodeLabels: {tier: reserved}} | {nodeSelector: {tier: reserved}} | reserved
          selector differs         | {nodeLabels: {tier: reserved}} | {nodeSelector: {tier: spot}} | spot
          selector on other labels | {nodeLabels: {tier: reserved}} | {nodeSelector: {zone: a}} | reserved
          taint                    | {nodeTaints: [{key: t, value: v, effect: NoSchedule}]} | {} | spot
          taint that only prefers  | {nodeTaints: [{key: t, value: v, effect: PreferNoSchedule}]} | {} | reserved
          taint tolerated by pod   | {nodeTaints: [{key: t, value: v, effect: NoSchedule}]} | {tolerations: [{key: t, value: v}]} | reserved
          toleration of all values | {nodeTaints: [{key: t, value: v, effect: NoExecute}]} | {tolerations: [{key: t, operator: Exists, effect: NoExecute}]} | reserved
          toleration of everything | {nodeTaints: [{key: t, value: v, effect: NoExecute}]} | {tolerations: [{operator: Exists}]} | reserved
          another effect           | {nodeTaints: [{key: t, value: v, effect: NoExecute}]} | {tolerations: [{key: t, operator: Exists, effect: NoSchedule}]} | spot
          another value            | {nodeTaints: [{key: t, value: v, effect: NoExecute}]} | {tolerations: [{key: t, value: w}]} | spot
          tolerated by the flavor  | {nodeTaints: [{key: t, value: v, effect: NoSchedule}], tolerations: [{key: t, value: v}]} | {} | reserved
          affinity matches         | {nodeLabels: {tier: reserved}} | {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [reserved]}]}]}}}} | reserved
          affinity excludes        | {nodeLabels: {tier: reserved}} | {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: NotIn, values: [reserved]}]}]}}}} | spot
          one of two terms         | {nodeLabels: {tier: reserved}} | {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [spot]}]}, {matchExpressions: [{key: tier, operator: Exists}]}]}}}} | reserved
          a term about other keys  | {nodeLabels: {tier: reserved}} | {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}}} | reserved
          greater than             | {nodeLabels: {gen: '7'}}       | {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: gen, operator: Gt, values: ['7']}]}]}}}} | spot
          """)
  void skipsFlavorsThatDoNotSuitThePods(
      String name, String reserved, String pod, String expectedFlavor) {
    Map<String, ResourceFlavor> flavors =
        Map.of("reserved", flavor("reserved", reserved), "spot", flavor("spot", "{}"));
    PodSetDemand demand =
        new PodSetDemand(
            "main", 1, 1, Amounts.of("cpu", 1000), NodeConstraints.of(read(V1PodSpec.class, pod)));

    assertThat(assigner(TWO_FLAVORS, Amounts.none(), flavors).assign(List.of(demand)))
        .isInstanceOfSatisfying(
            Assignment.Fits.class,
            fits ->
                assertThat(fits.podSets().getFirst().flavors())
                    .containsEntry("cpu", expectedFlavor));
  }

  @Test
  void namesTheObstacles() {
    Map<String, ResourceFlavor> flavors =
        Map.of(
            "reserved",
            flavor("reserved", "{nodeTaints: [{key: t, value: v, effect: NoSchedule}]}"));

    assertThat(
            assigner(TWO_FLAVORS, Amounts.none(), flavors).assign(List.of(pods("main", 1, 1, 1))))
        .isEqualTo(
            hopeless(
                NoFitReason.NO_MATCHING_FLAVOR,
                "couldn't assign flavors to pod set main: flavor spot not found, untolerated taint"
                    + " t=v:NoSchedule in flavor reserved"));
  }

  /** Waiting for the quota of others is pointless. */
  private static Assignment.NoFit hopeless(NoFitReason reason, String message) {
    return new Assignment.NoFit(reason, message, Amounts.none(), 0, FlavorProgress.none());
  }

  private static String flavorOfCpu(Amounts<FlavorResource> used, PodSetDemand podSet) {
    return assigner(TWO_FLAVORS, used, PLAIN).assign(List.of(podSet))
            instanceof Assignment.Fits fits
        ? fits.podSets().getFirst().flavors().getOrDefault("cpu", "")
        : "";
  }

  private static FlavorAssigner assigner(
      ClusterQueueSpec spec, Amounts<FlavorResource> used, Map<String, ResourceFlavor> flavors) {
    return new FlavorAssigner(
        "cq",
        spec,
        QuotaTree.of(List.of(), List.of(QueueQuotas.of("cq", spec))).reserve("cq", used),
        flavors);
  }

  private static PodSetDemand pods(String name, int count, long milliCpu, long memory) {
    return PodSetDemands.of(name, count, Amounts.of(Map.of("cpu", milliCpu, "memory", memory)));
  }

  private static ResourceFlavor flavor(String name, String spec) {
    return read(ResourceFlavor.class, "{metadata: {name: " + name + "}, spec: " + spec + "}");
  }
}
