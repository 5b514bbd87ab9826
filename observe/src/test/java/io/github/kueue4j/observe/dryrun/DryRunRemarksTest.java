// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  @Test
  void whatTheServerRefusesIsKnownWithTheRightToCreateOnly() {
    DryRunResult quota =
        answered("jobs.batch \"job\" is forbidden: exceeded quota: team, requested: cpu=1");
    assertThat(quota.outcome()).isEqualTo(DryRunOutcome.REFUSED);
    assertThat(quota.summary())
        .isEqualTo(
            "It is refused: jobs.batch \"job\" is forbidden: exceeded quota: team, requested: cpu=1.");

    DryRunResult right =
        answered(
            "jobs.batch is forbidden: User \"ann\" cannot create resource \"jobs\" in API group"
                + " \"batch\" in the namespace \"team\"");
    assertThat(right.outcome()).isEqualTo(DryRunOutcome.ADMITTED);
    assertThat(right.warnings())
        .contains(
            "you may not create jobs.batch in the namespace team: what its schema, quotas and other"
                + " webhooks refuse isn't foreseen");

    DryRunResult webhook = answered("admission webhook \"a.io\" denied the request: no team");
    assertThat(webhook.outcome()).isEqualTo(DryRunOutcome.REFUSED);
  }

  private static DryRunResult answered(String forbidden) {
    return dryRun(
        "{}",
        null,
        Optional.of(
            new KubernetesApiException.Forbidden(forbidden, new V1Status().message(forbidden))),
        CoreTypes.NAMESPACE,
        job());
  }

  @Test
  void aPriorityClassThatCannotBeReadMayMatter() {
    DryRunResult matters =
        dryRun(
            "{}",
            null,
            Optional.empty(),
            CoreTypes.PRIORITY_CLASS,
            job().replace("restartPolicy", "priorityClassName: high, restartPolicy"));

    assertThat(matters.outcome()).isEqualTo(DryRunOutcome.UNKNOWN);
    assertThat(matters.summary())
        .isEqualTo("Its priority can't be foreseen: that needs get and list of priorityclasses.");
  }

  @Test
  void aDefaultQueueThatCannotBeReadMayBeThere() {
    DryRunResult matters =
        dryRun(
            "{}",
            null,
            Optional.empty(),
            KueueTypes.LOCAL_QUEUE,
            TestJob.named("job").cpus(1).yaml());

    assertThat(matters.outcome()).isEqualTo(DryRunOutcome.UNKNOWN);
    assertThat(matters.summary()).contains("that needs get and list of localqueues");
  }

  private static String job() {
    return TestJob.named("job").queue("lq").cpus(1).yaml();
  }

  private static DryRunResult dryRun(String selector, @Nullable V1Lease lease) {
    return dryRun(selector, lease, Optional.empty(), CoreTypes.NAMESPACE, job());
  }

  private static DryRunResult dryRun(
      String selector,
      @Nullable V1Lease lease,
      Optional<KubernetesApiException> refusal,
      ResourceType<?> unreadable,
      String job) {
    List<Manifest> manifests = Manifest.read(job, "team");
    ReadObjects objects = new ReadObjects();
    objects.refuse(unreadable);
    if (!unreadable.equals(CoreTypes.NAMESPACE)) {
      objects.put(CoreTypes.NAMESPACE, read(V1Namespace.class, "{metadata: {name: team}}"));
    }
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
                manifests,
                refusal.map(why -> Map.of(manifests.getFirst(), why)).orElseGet(Map::of),
                objects,
                Configuration.defaults(),
                lease),
            NOW)
        .getFirst();
  }
}
