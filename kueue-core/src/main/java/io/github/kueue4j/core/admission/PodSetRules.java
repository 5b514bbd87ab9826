// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules for pod sets of a Workload beyond the schema. */
final class PodSetRules {
  private final FeatureGates gates;

  PodSetRules(FeatureGates gates) {
    this.gates = gates;
  }

  void check(Findings findings, List<PodSet> podSets) {
    int partial = 0;
    for (int i = 0; i < podSets.size(); i++) {
      PodSet podSet = podSets.get(i);
      String path = "spec.podSets[" + i + "]";
      if (podSet.minCount() != null && ++partial > 1) {
        findings.invalid(
            path + ".minCount",
            podSet.minCount(),
            "at most one podSet can use minCount; remove it here");
      }
      template(findings, path + ".template", podSet);
    }
  }

  private void template(Findings findings, String path, PodSet podSet) {
    V1ObjectMeta metadata = podSet.template().getMetadata();
    if (metadata != null && gates.enabled(FeatureGate.WORKLOAD_VALIDATION_FOR_POD_SET_METADATA)) {
      Syntax.labels(findings, path + ".metadata.labels", Metadata.labels(metadata));
      Syntax.annotations(
          findings, path + ".metadata.annotations", Metadata.annotations(metadata).keySet());
    }
    V1PodSpec pod = podSet.template().getSpec();
    if (pod != null) {
      containers(findings, path + ".spec.initContainers", pod.getInitContainers());
      containers(findings, path + ".spec.containers", pod.getContainers());
      resources(findings, path + ".spec.resources", pod.getResources());
    }
  }

  private void containers(Findings findings, String path, @Nullable List<V1Container> containers) {
    if (containers == null) {
      return;
    }
    for (int i = 0; i < containers.size(); i++) {
      resources(findings, path + "[" + i + "].resources", containers.get(i).getResources());
    }
  }

  private void resources(
      Findings findings, String path, @Nullable V1ResourceRequirements resources) {
    if (resources != null) {
      amounts(findings, path + ".requests", resources.getRequests());
      amounts(findings, path + ".limits", resources.getLimits());
    }
  }

  private void amounts(Findings findings, String path, @Nullable Map<String, Quantity> amounts) {
    if (amounts == null) {
      return;
    }
    if (amounts.containsKey(ResourceUnits.PODS)) {
      findings.invalid(
          path,
          ResourceUnits.PODS,
          "the key is reserved for internal kueue use; remove it, pods are counted by themselves");
    }
    if (gates.enabled(FeatureGate.WORKLOAD_VALIDATE_RESOURCES_ARE_NON_NEGATIVE)) {
      amounts.forEach(
          (resource, amount) -> {
            if (amount.getNumber().signum() < 0) {
              findings.invalid(
                  path + "[" + resource + "]",
                  amount.toSuffixedString(),
                  "must be greater than or equal to 0");
            }
          });
    }
  }
}
