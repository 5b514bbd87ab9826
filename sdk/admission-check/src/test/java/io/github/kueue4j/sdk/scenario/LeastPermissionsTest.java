// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.github.kueue4j.sdk.rbac.Permissions;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The generated roles are sufficient, and every permission in them is used. */
class LeastPermissionsTest {
  private static final String NAME = "all-of-it";

  /** Permissions that a run may leave unused, with the reason why they are needed. */
  private static final Map<String, String> SPARE =
      Map.of(
          "get workloads.kueue.x-k8s.io", "read again from the API after a conflict",
          "patch events.events.k8s.io", "an event that repeats is counted, not created again",
          "get podtemplates", "read if another replica created it first");

  /** Every account may ask for its own rights: the role system:basic-user of each cluster. */
  private static final String OF_EVERY_ACCOUNT =
      "create selfsubjectaccessreviews.authorization.k8s.io";

  private final ManualTime time = ManualTime.create();

  @Test
  void aCheckThatUsesEverythingNeedsAllItsRightsAndNoOthers() throws Exception {
    Permissions all =
        Permissions.of(NAME, KueueSide.NAMESPACE)
            .forChecks(List.of("license"))
            .reading(KueueTypes.LOCAL_QUEUE.qualifiedName(), "settings")
            .reading("configmaps", "")
            .reading("secrets", "settings")
            .owning("podtemplates", KueueSide.NAMESPACE)
            .withLease("the-lease");
    try (KueueSide kueue = new KueueSide(time)) {
      kueue.server().apply("{apiVersion: v1, kind: Namespace, metadata: {name: settings}}");
      kueue
          .server()
          .apply(
              """
              apiVersion: kueue.x-k8s.io/v1beta2
              kind: LocalQueue
              metadata: {name: settings, namespace: settings}
              spec: {clusterQueue: cq}
              ---
              apiVersion: kueue.x-k8s.io/v1beta2
              kind: AdmissionCheck
              metadata: {name: license}
              spec:
                controllerName: example.com/all-of-it
                parameters: {apiGroup: kueue.x-k8s.io, kind: LocalQueue, name: settings}
              """);
      try (ClusterConnection cluster = kueue.connect(NAME, permissions -> all);
          CheckController controller = usingEverything(cluster)) {
        controller.start();
        ObjectKey job = kueue.workload("job");
        kueue.reserve(job, "license");
        await().until(() -> kueue.entry(job, "license").is(CheckState.READY));
        await().until(() -> kueue.active("license").isTrue());
        await().until(() -> used(kueue).contains("create events.events.k8s.io"));
        await().until(() -> used(kueue).contains("patch leases.coordination.k8s.io"));
        await().until(() -> used(kueue).containsAll(watches(all)));
      }

      Set<String> used = used(kueue);
      assertThat(used.remove(OF_EVERY_ACCOUNT)).isTrue();
      Set<String> granted = granted(all);
      assertThat(granted).containsAll(used);
      granted.removeAll(used);
      assertThat(SPARE.keySet()).containsAll(granted);
    }
  }

  private CheckController usingEverything(ClusterConnection cluster) {
    CheckController.Builder builder =
        CheckController.builder(
            "example.com/all-of-it",
            CheckEnvironment.of(cluster, time)
                .withHosting(
                    host ->
                        host.leaderElection(
                            LeaderElection.named(KueueSide.NAMESPACE, "the-lease"))));
    Watched<?> maps = builder.watch(Watch.of(CoreTypes.CONFIG_MAP));
    builder.watch(Watch.of(CoreTypes.SECRET).inNamespace("settings"));
    ResourceClient resources = builder.resources();
    return builder
        .check(
            Parameters.from(KueueTypes.LOCAL_QUEUE).inNamespace("settings"),
            evaluation -> {
              V1PodTemplate template =
                  resources.createIfAbsent(
                      CoreTypes.POD_TEMPLATE,
                      new V1PodTemplate()
                          .apiVersion("v1")
                          .kind("PodTemplate")
                          .metadata(new V1ObjectMeta().namespace("default").name("seat")));
              V1PodTemplate another =
                  resources.createIfAbsent(
                      CoreTypes.POD_TEMPLATE,
                      new V1PodTemplate()
                          .apiVersion("v1")
                          .kind("PodTemplate")
                          .metadata(new V1ObjectMeta().namespace("default").name("seat")));
              another.getMetadata().setUid("of-one-before");
              boolean anothers = resources.delete(CoreTypes.POD_TEMPLATE, another);
              boolean own = resources.delete(CoreTypes.POD_TEMPLATE, template);
              return !anothers && own
                  ? Verdict.ready(maps.list().size() + " maps")
                  : Verdict.unchanged("deleted another's: " + anothers + ", own: " + own);
            })
        .build();
  }

  @Test
  void withoutThemNothingIsAllowed() throws Exception {
    try (KueueSide kueue = new KueueSide(time);
        ClusterConnection cluster = kueue.connect("poor")) {
      assertThatThrownBy(
              () -> cluster.api().get(CoreTypes.CONFIG_MAP, new ObjectKey("default", "x")))
          .isInstanceOf(KubernetesApiException.Forbidden.class);
      assertThatThrownBy(
              () ->
                  cluster
                      .api()
                      .delete(
                          KueueTypes.WORKLOAD,
                          new ObjectKey("default", "x"),
                          DeleteOptions.background()))
          .isInstanceOf(KubernetesApiException.Forbidden.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ConfigMaps", "configmaps.", "", "v1/configmaps", "a b"})
  void aResourceThatCannotBeIsRefusedWithItsRemedy(String resource) {
    assertThatThrownBy(() -> Permissions.of("license", "default").reading(resource, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + resource + "' can't be used; write the plural in lower case");
  }

  @Test
  void soIsAName() {
    assertThatThrownBy(() -> Permissions.of("License", "default"))
        .hasMessageContaining("'License' can't be used; write a name in lower case");
    assertThatThrownBy(() -> Permissions.of("license", "a\nb")).hasMessageContaining("namespace");
    assertThatThrownBy(() -> Permissions.of("license", "default").reading("nodes", "A"))
        .hasMessageContaining("namespace");
    assertThatThrownBy(() -> Permissions.of("license", "default").withLease("L"))
        .hasMessageContaining("Lease");
    assertThatThrownBy(() -> Permissions.of("license", "default").forChecks(List.of("*")))
        .hasMessageContaining("AdmissionCheck");
  }

  private static Set<String> used(KueueSide kueue) {
    return kueue.requests().stream()
        .filter(request -> request.resourceRequest() && request.userAgent().contains(NAME))
        .map(request -> permission(request))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String permission(ApiRequest request) {
    String resource =
        request.subresource().isEmpty()
            ? request.resource()
            : request.resource() + "/" + request.subresource();
    return permission(request.verb(), resource, request.group());
  }

  private static String permission(String verb, String resource, String group) {
    return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
  }

  private static Set<String> watches(Permissions permissions) {
    return granted(permissions).stream()
        .filter(permission -> permission.startsWith("watch "))
        .collect(Collectors.toSet());
  }

  private static Set<String> granted(Permissions permissions) {
    Set<String> all = new TreeSet<>();
    for (Object document : new Yaml().loadAll(permissions.yaml())) {
      if (document instanceof Map<?, ?> role && role.get("rules") instanceof List<?> rules) {
        for (Object each : rules) {
          Map<?, ?> rule = (Map<?, ?>) each;
          for (Object group : list(rule, "apiGroups")) {
            for (Object resource : list(rule, "resources")) {
              for (Object verb : list(rule, "verbs")) {
                all.add(permission((String) verb, (String) resource, (String) group));
              }
            }
          }
        }
      }
    }
    return all;
  }

  private static List<?> list(Map<?, ?> rule, String key) {
    return (List<?>) Objects.requireNonNull(rule.get(key));
  }
}
