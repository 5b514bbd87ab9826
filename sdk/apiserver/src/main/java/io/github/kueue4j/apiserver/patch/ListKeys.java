// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The lists of the built-in kinds that a strategic merge patch merges, and by which key. All others
 * are replaced whole.
 *
 * <p>Source: the patchStrategy and patchMergeKey entries of the API reference.
 */
final class ListKeys {

  private static final String CORE = "k8s.io.api.core.v1.";
  private static final String APPS = "k8s.io.api.apps.v1.";
  private static final String ADMISSION = "k8s.io.api.admissionregistration.v1.";
  private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry(META + "ObjectMeta.ownerReferences", "uid"),
          Map.entry(CORE + "PodSpec.volumes", "name"),
          Map.entry(CORE + "PodSpec.initContainers", "name"),
          Map.entry(CORE + "PodSpec.containers", "name"),
          Map.entry(CORE + "PodSpec.ephemeralContainers", "name"),
          Map.entry(CORE + "PodSpec.imagePullSecrets", "name"),
          Map.entry(CORE + "PodSpec.hostAliases", "ip"),
          Map.entry(CORE + "PodSpec.topologySpreadConstraints", "topologyKey"),
          Map.entry(CORE + "PodSpec.resourceClaims", "name"),
          Map.entry(CORE + "PodSpec.schedulingGates", "name"),
          Map.entry(CORE + "PodStatus.conditions", "type"),
          Map.entry(CORE + "PodStatus.hostIPs", "ip"),
          Map.entry(CORE + "PodStatus.podIPs", "ip"),
          Map.entry(CORE + "PodStatus.resourceClaimStatuses", "name"),
          Map.entry(CORE + "Container.ports", "containerPort"),
          Map.entry(CORE + "Container.env", "name"),
          Map.entry(CORE + "Container.volumeMounts", "mountPath"),
          Map.entry(CORE + "Container.volumeDevices", "devicePath"),
          Map.entry(CORE + "EphemeralContainerCommon.ports", "containerPort"),
          Map.entry(CORE + "EphemeralContainerCommon.env", "name"),
          Map.entry(CORE + "EphemeralContainerCommon.volumeMounts", "mountPath"),
          Map.entry(CORE + "EphemeralContainerCommon.volumeDevices", "devicePath"),
          Map.entry(CORE + "ServiceSpec.ports", "port"),
          Map.entry(CORE + "ServiceStatus.conditions", "type"),
          Map.entry(CORE + "ServiceAccount.secrets", "name"),
          Map.entry(CORE + "NodeStatus.conditions", "type"),
          Map.entry(CORE + "NodeStatus.addresses", "type"),
          Map.entry(CORE + "NamespaceStatus.conditions", "type"),
          Map.entry(CORE + "ReplicationControllerStatus.conditions", "type"),
          Map.entry(CORE + "PersistentVolumeClaimStatus.conditions", "type"),
          Map.entry(CORE + "ComponentStatus.conditions", "type"),
          Map.entry(APPS + "DeploymentStatus.conditions", "type"),
          Map.entry(APPS + "DaemonSetStatus.conditions", "type"),
          Map.entry(APPS + "StatefulSetStatus.conditions", "type"),
          Map.entry(APPS + "ReplicaSetStatus.conditions", "type"),
          Map.entry("k8s.io.api.batch.v1.JobStatus.conditions", "type"),
          Map.entry("k8s.io.api.policy.v1.PodDisruptionBudgetStatus.conditions", "type"),
          Map.entry(ADMISSION + "MutatingWebhookConfiguration.Webhooks", "name"),
          Map.entry(ADMISSION + "ValidatingWebhookConfiguration.Webhooks", "name"),
          Map.entry(ADMISSION + "MutatingWebhook.matchConditions", "name"),
          Map.entry(ADMISSION + "ValidatingWebhook.matchConditions", "name"),
          Map.entry(ADMISSION + "ValidatingAdmissionPolicySpec.matchConditions", "name"),
          Map.entry(ADMISSION + "ValidatingAdmissionPolicySpec.variables", "name"));

  /** Lists of plain values that are merged as sets. */
  private static final Set<String> SETS =
      Set.of(META + "ObjectMeta.finalizers", CORE + "NodeSpec.podCIDRs");

  /** Objects that are replaced whole. */
  private static final Set<String> REPLACED =
      Set.of("k8s.io.api.policy.v1.PodDisruptionBudgetSpec.selector");

  private ListKeys() {}

  /** The key by which a list of objects is merged; empty if it isn't. */
  static Optional<String> keyOf(FieldDescriptor field) {
    return Optional.ofNullable(KEYS.get(field.getFullName()));
  }

  static boolean isSet(FieldDescriptor field) {
    return SETS.contains(field.getFullName());
  }

  static boolean isReplaced(FieldDescriptor field) {
    return REPLACED.contains(field.getFullName());
  }

  /** Names of all fields that this table speaks about. */
  static Set<String> names() {
    return KEYS.keySet();
  }
}
