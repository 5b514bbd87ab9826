// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.dryrun;

import static io.github.kueue4j.core.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.testing.TestJob;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a dry run says of what it doesn't know. */
class DryRunRemarksTest {
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  @Test
  void labelsThatCannotBeReadMayMatterToTheQueue() {
    DryRunResult matters = dryRun("{matchLabels: {team: blue}}", null);
    assertThat(matters.outcome()).isEqualTo(DryRunOutcome.UNKNOWN);
    assertThat(matters.summary())
        .isEqualTo(
            "Whether ClusterQueue cq takes Workloads of the namespace team can't be foreseen: that"
                + " needs get of namespaces.");

    DryRunResult all = dryRun("{}", null);
    assertThat(all.outcome()).isEqualTo(DryRunOutcome.ADMITTED);
    assertThat(all.warnings())
        .containsExactly(
            "namespaces that can't be read count as absent; that needs list of namespaces");
  }

  @Test
  void noCoreRuns() {
    V1Lease lease =
        new V1Lease()
            .metadata(new V1ObjectMeta().name("c1f6bfd2.kueue.x-k8s.io").namespace("kueue-system"))
            .spec(
                new V1LeaseSpec()
                    .holderIdentity("core-1")
                    .leaseDurationSeconds(15)
                    .renewTime(NOW.minus(Duration.ofHours(1)).atOffset(ZoneOffset.UTC)));

    assertThat(dryRun("{}", lease).warnings())
        .contains(
            "No core is running: core-1 renewed its lease 1h ago for the last time, so nothing"
                + " happens before one does");
  }

  private static DryRunResult dryRun(String selector, @Nullable V1Lease lease) {
    ReadObjects objects = new ReadObjects();
    objects.refuse(CoreTypes.NAMESPACE);
    objects.put(
        KueueTypes.RESOURCE_FLAVOR, read(ResourceFlavor.class, "{metadata: {name: default}}"));
    objects.put(
        KueueTypes.CLUSTER_QUEUE,
        read(
            ClusterQueue.class,
            "{metadata: {name: cq}, spec: {namespaceSelector: %s, %s}}"
                .formatted(selector, TeamState.cpus(4))));
    objects.put(
        KueueTypes.LOCAL_QUEUE,
        read(
            LocalQueue.class, "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}}"));
    return DryRun.of(
            new DryRunInput(
                Manifest.read(TestJob.named("job").queue("lq").cpus(1).yaml(), "team"),
                objects,
                Configuration.defaults(),
                lease),
            NOW)
        .getFirst();
  }
}
