// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.shape;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The lists of the built-in kinds whose elements have owners of their own, and the objects that
 * have one owner. Lists that aren't named here are atomic.
 *
 * <p>Source: the {@code x-kubernetes-list-type}, {@code -list-map-keys} and {@code -map-type}
 * entries of the API's published OpenAPI documents.
 */
final class ListTypes {
  private static final String CORE = "k8s.io.api.core.v1.";
  private static final String APPS = "k8s.io.api.apps.v1.";
  private static final String ADMISSION = "k8s.io.api.admissionregistration.v1.";
  private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

  private static final List<String> NAME = List.of("name");
  private static final List<String> TYPE = List.of("type");
  private static final List<String> PORT_AND_PROTOCOL = List.of("containerPort", "protocol");

  private static final Map<String, List<String>> KEYS =
      Map.ofEntries(
          Map.entry(META + "ObjectMeta.ownerReferences", List.of("uid")),
          Map.entry(CORE + "PodSpec.volumes", NAME),
          Map.entry(CORE + "PodSpec.initContainers", NAME),
          Map.entry(CORE + "PodSpec.containers", NAME),
          Map.entry(CORE + "PodSpec.ephemeralContainers", NAME),
          Map.entry(CORE + "PodSpec.imagePullSecrets", NAME),
          Map.entry(CORE + "PodSpec.hostAliases", List.of("ip")),
          Map.entry(
              CORE + "PodSpec.topologySpreadConstraints",
              List.of("topologyKey", "whenUnsatisfiable")),
          Map.entry(CORE + "PodSpec.resourceClaims", NAME),
          Map.entry(CORE + "PodSpec.schedulingGates", NAME),
          Map.entry(CORE + "PodStatus.conditions", TYPE),
          Map.entry(CORE + "PodStatus.podIPs", List.of("ip")),
          Map.entry(CORE + "PodStatus.resourceClaimStatuses", NAME),
          Map.entry(CORE + "Container.ports", PORT_AND_PROTOCOL),
          Map.entry(CORE + "Container.env", NAME),
          Map.entry(CORE + "Container.volumeMounts", List.of("mountPath")),
          Map.entry(CORE + "Container.volumeDevices", List.of("devicePath")),
          Map.entry(CORE + "EphemeralContainerCommon.ports", PORT_AND_PROTOCOL),
          Map.entry(CORE + "EphemeralContainerCommon.env", NAME),
          Map.entry(CORE + "EphemeralContainerCommon.volumeMounts", List.of("mountPath")),
          Map.entry(CORE + "EphemeralContainerCommon.volumeDevices", List.of("devicePath")),
          Map.entry(CORE + "ResourceRequirements.claims", NAME),
          Map.entry(CORE + "ServiceSpec.ports", List.of("port", "protocol")),
          Map.entry(CORE + "ServiceStatus.conditions", TYPE),
          Map.entry(CORE + "ServiceAccount.secrets", NAME),
          Map.entry(CORE + "NodeStatus.conditions", TYPE),
          Map.entry(CORE + "NodeStatus.addresses", TYPE),
          Map.entry(CORE + "NamespaceStatus.conditions", TYPE),
          Map.entry(CORE + "ReplicationControllerStatus.conditions", TYPE),
          Map.entry(CORE + "PersistentVolumeClaimStatus.conditions", TYPE),
          Map.entry(APPS + "DeploymentStatus.conditions", TYPE),
          Map.entry(APPS + "DaemonSetStatus.conditions", TYPE),
          Map.entry(APPS + "StatefulSetStatus.conditions", TYPE),
          Map.entry(APPS + "ReplicaSetStatus.conditions", TYPE),
          Map.entry("k8s.io.api.policy.v1.PodDisruptionBudgetStatus.conditions", TYPE),
          Map.entry(ADMISSION + "MutatingWebhookConfiguration.Webhooks", NAME),
          Map.entry(ADMISSION + "ValidatingWebhookConfiguration.Webhooks", NAME),
          Map.entry(ADMISSION + "MutatingWebhook.matchConditions", NAME),
          Map.entry(ADMISSION + "ValidatingWebhook.matchConditions", NAME),
          Map.entry(ADMISSION + "ValidatingAdmissionPolicySpec.matchConditions", NAME),
          Map.entry(ADMISSION + "ValidatingAdmissionPolicySpec.variables", NAME),
          Map.entry(ADMISSION + "ValidatingAdmissionPolicyStatus.conditions", TYPE));

  private static final Set<String> SETS =
      Set.of(
          META + "ObjectMeta.finalizers",
          CORE + "NodeSpec.podCIDRs",
          "k8s.io.api.batch.v1.UncountedTerminatedPods.succeeded",
          "k8s.io.api.batch.v1.UncountedTerminatedPods.failed",
          "k8s.io.api.batch.v1.PodFailurePolicyOnExitCodesRequirement.values");

  private static final Set<String> ATOMIC_MESSAGES =
      Set.of(
          META + "LabelSelector",
          CORE + "NodeSelector",
          CORE + "NodeSelectorTerm",
          CORE + "ObjectReference",
          CORE + "LocalObjectReference",
          CORE + "TypedLocalObjectReference",
          CORE + "SecretReference",
          CORE + "SecretKeySelector",
          CORE + "ConfigMapKeySelector",
          CORE + "ObjectFieldSelector",
          CORE + "ResourceFieldSelector",
          CORE + "FileKeySelector",
          CORE + "ScopeSelector",
          ADMISSION + "MatchResources",
          ADMISSION + "ParamKind",
          ADMISSION + "ParamRef",
          "k8s.io.api.rbac.v1.RoleRef",
          "k8s.io.api.rbac.v1.Subject");

  private static final Set<String> ATOMIC_MAPS =
      Set.of(CORE + "PodSpec.nodeSelector", CORE + "ServiceSpec.selector");

  private ListTypes() {}

  /** The key fields of a list of objects; empty if it isn't a keyed list. */
  static List<String> keys(FieldDescriptor list) {
    return KEYS.getOrDefault(list.getFullName(), List.of());
  }

  static boolean isSet(FieldDescriptor list) {
    return SETS.contains(list.getFullName());
  }

  static boolean isAtomicMap(FieldDescriptor map) {
    return ATOMIC_MAPS.contains(map.getFullName());
  }

  static boolean isAtomic(Descriptor message) {
    return ATOMIC_MESSAGES.contains(message.getFullName());
  }

  /** Names of all fields that this table speaks about. */
  static Set<String> fieldNames() {
    return KEYS.keySet();
  }
}
