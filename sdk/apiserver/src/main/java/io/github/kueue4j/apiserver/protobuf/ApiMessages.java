// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.kubernetes.client.proto.Meta;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** The API's messages by the names that their fields have in JSON. */
@API(status = API.Status.INTERNAL)
public final class ApiMessages {

  private static final String CORE = "k8s.io.api.core.v1.";
  private static final String ADMISSION = "k8s.io.api.admissionregistration.v1.";

  /** Messages whose fields stand in their parent in JSON. */
  private static final Set<String> INLINED =
      Set.of(
          CORE + "Volume.volumeSource",
          CORE + "PersistentVolumeSpec.persistentVolumeSource",
          CORE + "Probe.handler",
          CORE + "EphemeralContainer.ephemeralContainerCommon",
          CORE + "ConfigMapEnvSource.localObjectReference",
          CORE + "ConfigMapKeySelector.localObjectReference",
          CORE + "ConfigMapProjection.localObjectReference",
          CORE + "ConfigMapVolumeSource.localObjectReference",
          CORE + "SecretEnvSource.localObjectReference",
          CORE + "SecretKeySelector.localObjectReference",
          CORE + "SecretProjection.localObjectReference",
          ADMISSION + "RuleWithOperations.rule",
          ADMISSION + "NamedRuleWithOperations.ruleWithOperations",
          "k8s.io.api.networking.v1.IngressRule.ingressRuleValue");

  private static final Map<String, String> RENAMED =
      Map.of(
          ADMISSION + "MutatingWebhookConfiguration.Webhooks", "webhooks",
          ADMISSION + "ValidatingWebhookConfiguration.Webhooks", "webhooks",
          ADMISSION + "Validation.Expression", "expression",
          ADMISSION + "Variable.Expression", "expression",
          ADMISSION + "Variable.Name", "name");

  /** Fields of newer servers that the published messages don't have yet. */
  private static final Map<String, Set<String>> NEWER =
      Map.of(
          "PodSpec", Set.of("resources", "hostnameOverride"),
          "PodStatus", Set.of("observedGeneration", "extendedResourceClaimStatus"),
          "PodCondition", Set.of("observedGeneration"),
          "Container", Set.of("restartPolicyRules"),
          "ContainerStatus", Set.of("stopSignal"),
          "Lifecycle", Set.of("stopSignal"),
          "NodeStatus", Set.of("features", "declaredFeatures"),
          "DeploymentStatus", Set.of("terminatingReplicas"),
          "ReplicaSetStatus", Set.of("terminatingReplicas"));

  private ApiMessages() {}

  /** The field that JSON calls so, also if it stands in an inlined message. */
  public static Optional<FieldDescriptor> field(Descriptor message, String jsonName) {
    for (FieldDescriptor field : message.getFields()) {
      if (isInlined(field)) {
        Optional<FieldDescriptor> below = field(field.getMessageType(), jsonName);
        if (below.isPresent()) {
          return below;
        }
      } else if (jsonName(field).equals(jsonName)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  /** Whether newer servers than the published messages know this field. */
  public static boolean isNewer(Descriptor message, String jsonName) {
    return NEWER.getOrDefault(message.getName(), Set.of()).contains(jsonName);
  }

  /** The message of every object's metadata. */
  public static Descriptor objectMeta() {
    return Meta.ObjectMeta.getDescriptor();
  }

  static boolean isInlined(FieldDescriptor field) {
    return INLINED.contains(field.getFullName());
  }

  static String jsonName(FieldDescriptor field) {
    return RENAMED.getOrDefault(field.getFullName(), field.getName());
  }
}
