// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an uninstalled release leaves behind, on an embedded API server and in a time of its own.
 */
class LeftoversTest {
  private static final String NAMESPACE = "kueue-system";
  private static final ObjectKey LEASE = new ObjectKey(NAMESPACE, "core");
  private static final String SERVICE = "kueue-webhook-service";
  private static final List<ResourceType<?>> CONVERTED =
      List.of(
          KueueTypes.WORKLOAD, KueueTypes.CLUSTER_QUEUE, KueueTypes.LOCAL_QUEUE, KueueTypes.COHORT);

  private final List<String> lines = new ArrayList<>();
  private EmbeddedApiServer server;
  private ClusterConnection connection;
  private KubernetesApi api;
  private Instant now = Instant.parse("2026-03-02T10:00:00Z");

  /** What the rest of the cluster does between two looks. */
  private Runnable meanwhile = () -> {};

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    connection = ClusterConnection.builder("leftovers").url(server.uri()).connect();
    api = connection.api();
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
  }

  @AfterEach
  void stop() {
    connection.close();
    server.close();
  }

  private List<String> remove(List<String> leases, @Nullable String service)
      throws InterruptedException {
    return new Leftovers(
            api,
            NAMESPACE,
            leases,
            service,
            lines::add,
            () -> now,
            time -> {
              now = now.plus(time);
              meanwhile.run();
              return false;
            })
        .remove(Duration.ofMinutes(2));
  }

  private void lease(String holder) {
    server.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: core, namespace: kueue-system}
        spec: {holderIdentity: "%s", leaseDurationSeconds: 15, renewTime: "2026-03-02T09:59:59.000000Z"}
        """
            .formatted(holder));
  }

  private boolean leaseExists() {
    return api.get(CoreTypes.LEASE, LEASE).isPresent();
  }

  @Test
  void aLeaseThatWasReleasedIsDeletedAtOnce() throws Exception {
    lease("");
    Instant before = now;

    assertThat(remove(List.of("core"), null)).isEmpty();
    assertThat(leaseExists()).isFalse();
    assertThat(lines).containsExactly("Lease kueue-system/core: deleted");
    assertThat(Duration.between(before, now)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aLeaseWhoseHolderWasKilledIsDeletedWhenItHasExpired() throws Exception {
    lease("pod-1");
    List<Boolean> there = new ArrayList<>();
    Instant before = now;
    meanwhile =
        () -> {
          if (now.isBefore(before.plusSeconds(15))) {
            there.add(leaseExists());
          }
        };

    assertThat(remove(List.of("core"), null)).isEmpty();
    assertThat(leaseExists()).isFalse();
    assertThat(there).isNotEmpty().containsOnly(true);
    assertThat(lines)
        .containsExactly(
            "Lease kueue-system/core is held by pod-1: waiting until it is released or has expired",
            "Lease kueue-system/core: deleted");
  }

  @Test
  void aLeaseThatIsRenewedStaysAndIsNamed() throws Exception {
    lease("pod-1");
    meanwhile = () -> patchLease("{\"spec\":{\"renewTime\":\"" + now.plusNanos(1000) + "\"}}");

    assertThat(remove(List.of("core"), null))
        .containsExactly(
            "the Lease kueue-system/core is held by pod-1, which renews it: see whether that pod"
                + " runs on");
    assertThat(leaseExists()).isTrue();
  }

  /** The old leader releases it, and a replica that is still ending takes it once more. */
  @Test
  void aLeaseThatIsMadeAnewWhileTheOldPodsEndIsDeletedAgain() throws Exception {
    lease("");
    List<String> again = new ArrayList<>();
    meanwhile =
        () -> {
          if (!leaseExists() && again.isEmpty()) {
            again.add("pod-2");
            lease("pod-2");
          }
        };

    assertThat(remove(List.of("core"), null)).isEmpty();
    assertThat(again).isNotEmpty();
    assertThat(leaseExists()).isFalse();
  }

  @Test
  void leasesOfOthersStay() throws Exception {
    lease("");
    server.apply(
        "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: other, namespace:"
            + " kueue-system}, spec: {holderIdentity: \"\"}}");

    assertThat(remove(List.of("core", "never-there"), null)).isEmpty();
    assertThat(api.get(CoreTypes.LEASE, new ObjectKey(NAMESPACE, "other"))).isPresent();
    assertThat(lines)
        .containsExactlyInAnyOrder(
            "Lease kueue-system/core: deleted", "Lease kueue-system/never-there: there is none");
  }

  @Test
  void onlyTheStoredVersionIsServedOnceTheWebhookIsGone() throws Exception {
    assertThat(remove(List.of(), SERVICE)).isEmpty();

    for (ResourceType<?> type : CONVERTED) {
      assertThat(served(type))
          .as(type.plural())
          .isEqualTo(Map.of("v1beta2", true, "v1beta1", false));
      assertThat(definition(type).getSpec().getConversion().getStrategy()).isEqualTo("None");
    }
    assertThat(served(KueueTypes.RESOURCE_FLAVOR)).containsEntry("v1beta1", true);
    assertThat(lines)
        .hasSize(4)
        .allMatch(
            line ->
                line.endsWith(
                    "only its stored version is served, and no webhook is asked to convert"));

    lines.clear();
    assertThat(remove(List.of(), SERVICE)).as("once more").isEmpty();
    assertThat(lines)
        .hasSize(4)
        .allMatch(line -> line.endsWith("no webhook is asked to convert; left as it is"));
  }

  @Test
  void theConversionOfAnotherCoreStays() throws Exception {
    patchDefinition(
        KueueTypes.COHORT,
        "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"service\":{\"namespace\":"
            + "\"other\"}}}}}}");

    assertThat(remove(List.of(), SERVICE)).isEmpty();
    assertThat(served(KueueTypes.COHORT)).containsEntry("v1beta1", true);
    assertThat(definition(KueueTypes.COHORT).getSpec().getConversion().getStrategy())
        .isEqualTo("Webhook");
    assertThat(served(KueueTypes.WORKLOAD)).containsEntry("v1beta1", false);
    assertThat(lines)
        .contains(
            "definition cohorts.kueue.x-k8s.io: its conversion names the Service"
                + " other/kueue-webhook-service, not this release's; left as it is");
  }

  @Test
  void whatMayBeStoredInAnotherVersionStaysConverted() throws Exception {
    api.patchStatus(
        CoreTypes.CUSTOM_RESOURCE_DEFINITION,
        key(KueueTypes.COHORT),
        merge("{\"status\":{\"storedVersions\":[\"v1beta1\",\"v1beta2\"]}}"));

    assertThat(remove(List.of(), SERVICE)).isEmpty();
    assertThat(served(KueueTypes.COHORT)).containsEntry("v1beta1", true);
    assertThat(lines)
        .contains(
            "definition cohorts.kueue.x-k8s.io: objects may be stored as v1beta1, which only a"
                + " core's webhook can convert; left as it is");
  }

  @Test
  void definitionsThatAreGoneNeedNothing() throws Exception {
    api.delete(
        CoreTypes.CUSTOM_RESOURCE_DEFINITION, key(KueueTypes.COHORT), DeleteOptions.background());
    await("the server has removed its objects, and then the definition")
        .until(
            () -> api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key(KueueTypes.COHORT)).isEmpty());

    assertThat(remove(List.of(), SERVICE)).isEmpty();
    assertThat(lines).contains("definition cohorts.kueue.x-k8s.io: there is none");
  }

  /** As where the hook is applied as any other object, by 'helm template' and kubectl. */
  @Test
  void aReleaseThatIsInstalledIsLeftAlone() throws Exception {
    lease("");
    server.apply(
        "{apiVersion: v1, kind: Service, metadata: {name: kueue-webhook-service, namespace:"
            + " kueue-system}, spec: {ports: [{port: 443}]}}");

    assertThat(remove(List.of("core"), SERVICE))
        .containsExactly(
            "the Service kueue-system/kueue-webhook-service of the core's webhooks still exists:"
                + " uninstall the release first");
    assertThat(leaseExists()).isTrue();
    assertThat(served(KueueTypes.WORKLOAD)).containsEntry("v1beta1", true);
    assertThat(lines).isEmpty();
  }

  private void patchLease(String patch) {
    api.patch(CoreTypes.LEASE, LEASE, merge(patch));
  }

  private void patchDefinition(ResourceType<?> type, String patch) {
    api.patch(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key(type), merge(patch));
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private V1CustomResourceDefinition definition(ResourceType<?> type) {
    return api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key(type)).orElseThrow();
  }

  private Map<String, Boolean> served(ResourceType<?> type) {
    return definition(type).getSpec().getVersions().stream()
        .collect(
            Collectors.toMap(
                V1CustomResourceDefinitionVersion::getName,
                V1CustomResourceDefinitionVersion::getServed));
  }

  private static ObjectKey key(ResourceType<?> type) {
    return ObjectKey.cluster(type.qualifiedName());
  }
}
