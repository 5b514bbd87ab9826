// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static io.github.kueue4j.e2e.charts.Chart.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.e2e.charts.Chart.Rendered;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an operator sets about pods, Services and accounts arrives where it belongs. */
@Tag("thorough")
class PodSettingsTest {
  private static final Chart CORE = Chart.named("kueue-core");
  private static final Chart CHECKS = Chart.named("admission-checks");

  private static final String CORE_VALUES =
      """
      crds: {install: false}
      controllerManager:
        strategy: {type: Recreate}
        affinity: {nodeAffinity: {by: core}}
        tolerations: [{key: core, operator: Exists}]
        nodeSelector: {pool: core}
        topologySpreadConstraints: [{maxSkew: 3}]
        imagePullSecrets: [{name: login}]
        serviceAccount: {annotations: {cloud.example.com/role: reader}}
        featureGates: [{name: PartialAdmission, enabled: false}, {name: FlavorFungibility, enabled: true}]
        initContainers: [{name: first, image: first}]
        volumes: [{name: more, emptyDir: {}}]
        startupProbe: {failureThreshold: 7}
        drain: 9s
        podDisruptionBudget: {enabled: true, minAvailable: 50%}
        manager:
          logging: {level: debug, format: json}
          args: [--context=a]
          env: [{name: A, value: b}]
          envFrom: [{configMapRef: {name: more}}]
          volumeMounts: [{name: more, mountPath: /more}]
          priorityClassName: system-cluster-critical
          podAnnotations: {annotated: "yes"}
          podLabels: {labelled: "yes"}
          resources: {limits: {memory: 2Gi}}
      webhookService:
        labels: {service: "yes"}
        annotations: {balanced: "yes"}
        ipDualStack: {enabled: true, ipFamilies: [IPv6, IPv4], ipFamilyPolicy: RequireDualStack}
      """;

  private static final String CHECKS_VALUES =
      """
      crds: {install: false}
      imagePullSecrets: [{name: login}]
      logging: {level: debug, format: json}
      strategy: {type: Recreate}
      podLabels: {labelled: all}
      podAnnotations: {annotated: all}
      priorityClassName: low
      nodeSelector: {pool: checks}
      tolerations: [{key: checks, operator: Exists}]
      affinity: {nodeAffinity: {by: checks}}
      checks:
        gpu: {replicas: 2}
        budget:
          args: [--recheck-ready-every=5m]
          env: [{name: A, value: b}]
          envFrom: [{secretRef: {name: more}}]
          resources: {limits: {memory: 99Mi}}
          serviceAccount: {annotations: {cloud.example.com/role: reader}}
          initContainers: [{name: first, image: first}]
          volumes: [{name: more, emptyDir: {}}]
          volumeMounts: [{name: more, mountPath: /more}]
          podLabels: {own: "yes"}
          podAnnotations: {annotated: budget}
          nodeSelector: {pool: budget}
          priorityClassName: high
      """;

  @Test
  void settingsOfTheCoreArrive() {
    List<Rendered> objects = CORE.renderWith(CORE_VALUES);

    Rendered deployment = only(objects, "Deployment");
    assertThat(text(deployment, "spec", "strategy")).isEqualTo("{\"type\":\"Recreate\"}");
    assertThat(text(deployment, "spec", "template", "metadata", "annotations"))
        .contains("\"annotated\":\"yes\"", "config-checksum");
    assertThat(text(deployment, "spec", "template", "metadata", "labels"))
        .contains("\"labelled\":\"yes\"", "app.kubernetes.io/name");
    assertThat(pod(deployment))
        .contains(
            "\"affinity\":{\"nodeAffinity\":{\"by\":\"core\"}}",
            "\"tolerations\":[{\"key\":\"core\",\"operator\":\"Exists\"}]",
            "\"nodeSelector\":{\"pool\":\"core\"}",
            "\"topologySpreadConstraints\":[{\"maxSkew\":3}]",
            "\"imagePullSecrets\":[{\"name\":\"login\"}]",
            "\"priorityClassName\":\"system-cluster-critical\"",
            "\"initContainers\":[{\"image\":\"first\",\"name\":\"first\"}]",
            "{\"emptyDir\":{},\"name\":\"more\"}",
            "{\"mountPath\":\"/more\",\"name\":\"more\"}",
            "{\"name\":\"A\",\"value\":\"b\"}",
            "{\"name\":\"KUEUE4J_LOG\",\"value\":\"debug\"}",
            "{\"name\":\"KUEUE4J_LOG_FORMAT\",\"value\":\"json\"}",
            "\"envFrom\":[{\"configMapRef\":{\"name\":\"more\"}}]",
            "\"--feature-gates=PartialAdmission=false,FlavorFungibility=true\"",
            "\"--context=a\"",
            "\"startupProbe\":{\"httpGet\":{\"path\":\"/healthz?until-ready=8s\",\"port\":\"health\"},\"failureThreshold\":7",
            "\"--drain=9s\"")
        .contains("\"memory\":\"2Gi\"");
    assertThat(text(only(objects, "ServiceAccount"), "metadata", "annotations"))
        .isEqualTo("{\"cloud.example.com/role\":\"reader\"}");
    assertThat(text(only(objects, "PodDisruptionBudget"), "spec", "minAvailable"))
        .isEqualTo("\"50%\"");
    Rendered webhooks = named(objects, "Service/kueue-webhook-service");
    assertThat(text(webhooks, "metadata", "labels")).contains("\"service\":\"yes\"");
    assertThat(text(webhooks, "metadata", "annotations")).isEqualTo("{\"balanced\":\"yes\"}");
    assertThat(text(webhooks, "spec"))
        .contains("\"ipFamilies\":[\"IPv6\",\"IPv4\"],\"ipFamilyPolicy\":\"RequireDualStack\"");
  }

  @Test
  void settingsOfAllChecksArriveUnlessOneHasItsOwn() {
    List<Rendered> objects = CHECKS.renderWith(CHECKS_VALUES);

    Rendered budget = named(objects, "Deployment/kueue-budget");
    assertThat(text(budget, "spec", "strategy")).isEqualTo("{\"type\":\"Recreate\"}");
    assertThat(text(budget, "spec", "template", "metadata"))
        .contains("\"own\":\"yes\"", "\"labelled\":\"all\"", "\"annotated\":\"budget\"");
    assertThat(pod(budget))
        .contains(
            "\"nodeSelector\":{\"pool\":\"budget\"}",
            "\"priorityClassName\":\"high\"",
            "\"tolerations\":[{\"key\":\"checks\",\"operator\":\"Exists\"}]",
            "\"affinity\":{\"nodeAffinity\":{\"by\":\"checks\"}}",
            "\"imagePullSecrets\":[{\"name\":\"login\"}]",
            "\"initContainers\":[{\"image\":\"first\",\"name\":\"first\"}]",
            "{\"emptyDir\":{},\"name\":\"more\"}",
            "{\"mountPath\":\"/more\",\"name\":\"more\"}",
            "\"envFrom\":[{\"secretRef\":{\"name\":\"more\"}}]",
            "{\"name\":\"A\",\"value\":\"b\"}",
            "{\"name\":\"KUEUE4J_LOG_FORMAT\",\"value\":\"json\"}",
            "\"--http-port=8081\",\"--recheck-ready-every=5m\"",
            "\"resources\":{\"limits\":{\"memory\":\"99Mi\"}}",
            "\"startupProbe\":")
        .doesNotContain("topologySpreadConstraints");
    assertThat(text(named(objects, "ServiceAccount/kueue-budget"), "metadata", "annotations"))
        .isEqualTo("{\"cloud.example.com/role\":\"reader\"}");
    Rendered gpu = named(objects, "Deployment/kueue-gpu");
    assertThat(text(gpu, "spec", "template", "metadata")).contains("\"annotated\":\"all\"");
    assertThat(pod(gpu))
        .contains(
            "\"nodeSelector\":{\"pool\":\"checks\"}",
            "\"priorityClassName\":\"low\"",
            "\"memory\":\"512Mi\"",
            "\"topologyKey\":\"kubernetes.io/hostname\"");
  }

  /** A kubelet takes only the user from an image, not the group. */
  @Test
  void allPodsRunAsTheUserAndTheGroupOfTheImage() {
    assertThat(
            Stream.concat(CORE.renderWith("{}").stream(), CHECKS.renderWith(CHECKS_VALUES).stream())
                .filter(each -> each.kind().equals("Deployment")))
        .hasSizeGreaterThan(2)
        .allSatisfy(
            each ->
                assertThat(text(each, "spec", "template", "spec", "securityContext"))
                    .contains(
                        "\"runAsGroup\":65532", "\"runAsNonRoot\":true", "\"runAsUser\":65532"));
  }

  @Test
  void aStartupProbeCanBeLeftOut() {
    assertThat(pod(only(CORE.renderWith("controllerManager: {startupProbe: null}"), "Deployment")))
        .contains("readinessProbe")
        .doesNotContain("startupProbe");
    assertThat(CHECKS.renderWith("startupProbe: null"))
        .filteredOn(each -> each.kind().equals("Deployment"))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(pod(each)).contains("readinessProbe").doesNotContain("startupProbe"));
  }

  @Test
  void onlyAChecksSeveralReplicasGetABudgetForDisruptions() {
    List<Rendered> objects =
        CHECKS.renderWith("{podDisruptionBudget: {enabled: true}, checks: {gpu: {replicas: 2}}}");

    assertThat(only(objects, "PodDisruptionBudget").id())
        .isEqualTo("PodDisruptionBudget/kueue-gpu");
  }

  @Test
  void anExistingAccountGetsTheRightsAndIsNotCreated() {
    List<Rendered> core =
        CORE.renderWith("controllerManager: {serviceAccount: {create: false, name: mine}}");
    List<Rendered> checks =
        CHECKS.renderWith("checks: {budget: {serviceAccount: {create: false, name: mine}}}");

    assertThat(core).noneMatch(each -> each.kind().equals("ServiceAccount"));
    assertThat(pod(only(core, "Deployment"))).contains("\"serviceAccountName\":\"mine\"");
    assertThat(core)
        .filteredOn(each -> each.kind().endsWith("RoleBinding"))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(text(each, "subjects")).contains("\"name\":\"mine\""));
    assertThat(core)
        .filteredOn(each -> each.kind().contains("Validating") && !each.kind().endsWith("Binding"))
        .filteredOn(each -> !each.id().endsWith("-unmanaged-kinds")) // It binds all users alike.
        .hasSize(4)
        .allSatisfy(
            each -> assertThat(text(each)).contains("system:serviceaccount:kueue-system:mine"));
    assertThat(checks).map(Rendered::id).doesNotContain("ServiceAccount/kueue-budget");
    assertThat(text(named(checks, "ClusterRoleBinding/kueue-budget"), "subjects"))
        .contains("\"name\":\"mine\"");
    assertThat(checks)
        .filteredOn(each -> each.kind().equals("ValidatingAdmissionPolicy"))
        .hasSize(2)
        .allSatisfy(
            each -> assertThat(text(each)).contains("system:serviceaccount:kueue-system:mine"));
    assertThatThrownBy(
            () -> CORE.renderWith("controllerManager: {serviceAccount: {create: false}}"))
        .hasMessageContaining("name the existing one in controllerManager.serviceAccount.name");
  }

  @Test
  void statefulSetsOfLeaderWorkerSetsMayNameTheQueue() {
    String frameworks =
        "managerConfig: {controllerManagerConfigYaml: \"{integrations: {frameworks: [batch/job, pod%s]}, webhook: {port: 9443}}\"}";
    assertThat(unmanagedKinds(frameworks.formatted(", leaderworkerset.x-k8s.io/leaderworkerset")))
        .contains("is-no-part-of-a-leaderworkerset", "\"statefulsets\"");
    assertThat(unmanagedKinds(frameworks.formatted("")))
        .doesNotContain("is-no-part-of-a-leaderworkerset");
  }

  private static String unmanagedKinds(String values) {
    return CORE.renderWith(values).stream()
        .filter(each -> each.kind().equals("ValidatingAdmissionPolicy"))
        .filter(each -> each.id().endsWith("-unmanaged-kinds"))
        .map(each -> text(each))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void featureGatesStandInOnePlace() {
    assertThatThrownBy(
            () ->
                CORE.renderWith(
                    """
                    controllerManager: {featureGates: [{name: PartialAdmission, enabled: true}]}
                    managerConfig: {controllerManagerConfigYaml: "featureGates: {PartialAdmission: true}"}
                    """))
        .hasMessageContaining("put all of them in one of the two");
  }

  @Test
  void aNetworkPolicyOpensThePortsThatAreServed() {
    assertThat(CORE.render()).noneMatch(each -> each.kind().equals("NetworkPolicy"));
    Rendered closed =
        only(
            CORE.renderWith(
                """
                networkPolicy: {enabled: true, metricsFrom: [{podSelector: {}}], extraIngress: [{from: []}]}
                managerConfig: {controllerManagerConfigYaml: "health: {healthProbeBindAddress: ':9000'}"}
                """),
            "NetworkPolicy");
    assertThat(text(closed, "spec", "policyTypes")).isEqualTo("[\"Ingress\"]");
    assertThat(text(closed, "spec", "ingress"))
        .isEqualTo(
            "[{\"ports\":[{\"protocol\":\"TCP\",\"port\":\"health\"}]},"
                + "{\"ports\":[{\"protocol\":\"TCP\",\"port\":\"metrics\"}],\"from\":[{\"podSelector\":{}}]},"
                + "{\"from\":[]}]");
    String egress =
        "networkPolicy: {enabled: true, egress: {enabled: true, extraEgress: [{to: [{ipBlock:"
            + " {cidr: 10.0.0.0/8}}]}]}}";
    assertThat(text(only(CORE.renderWith(egress), "NetworkPolicy"), "spec"))
        .contains("\"webhook\"", "k8s-app", "6443", "10.0.0.0/8", "[\"Ingress\",\"Egress\"]");
    assertThat(CHECKS.renderWith(egress))
        .filteredOn(each -> each.kind().equals("NetworkPolicy"))
        .hasSize(2)
        .allSatisfy(
            each ->
                assertThat(text(each, "spec"))
                    .contains("\"kubernetes.io/metadata.name\":\"monitoring\"", "10.0.0.0/8"));
    assertThatThrownBy(
            () ->
                CORE.renderWith(
                    "{networkPolicy: {enabled: true}, controllerManager: {hostNetwork: true}}"))
        .hasMessageContaining("exclude each other");
    for (Chart chart : List.of(CORE, CHECKS)) {
      assertThatThrownBy(() -> chart.renderWith("{networkPolicy: {egress: {enabled: true}}}"))
          .hasMessageContaining("networkPolicy.egress.enabled needs networkPolicy.enabled");
    }
  }

  private static String pod(Rendered deployment) {
    return text(deployment, "spec", "template", "spec");
  }

  private static String text(Rendered object, String... path) {
    return String.valueOf(object.at(path));
  }

  private static Rendered named(List<Rendered> objects, String id) {
    return objects.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }
}
