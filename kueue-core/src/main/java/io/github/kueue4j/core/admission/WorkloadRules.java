// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.queue.WorkloadPriority;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules for Workloads beyond their schema: the spec and the annotations. */
final class WorkloadRules {

  private final FeatureGates gates;
  private final PodSetRules podSets;

  WorkloadRules(FeatureGates gates) {
    this.gates = gates;
    this.podSets = new PodSetRules(gates);
  }

  /** The violations of a Workload by itself. */
  List<Violation> of(Workload workload) {
    Findings findings = new Findings();
    podSets.check(findings, workload.spec().podSets());
    annotations(findings, Metadata.annotations(workload));
    findings.add(WorkloadStatusRules.of(workload));
    return findings.all();
  }

  private void annotations(Findings findings, Map<String, String> annotations) {
    if (gates.enabled(FeatureGate.ADMISSION_GATED_BY)) {
      AdmissionGateRules.check(findings, annotations);
    }
    String boost = annotations.get(WorkloadPriority.BOOST);
    if (boost != null && gates.enabled(FeatureGate.PRIORITY_BOOST) && !isInteger(boost)) {
      findings.invalid(
          "metadata.annotations[" + WorkloadPriority.BOOST + "]",
          boost,
          "must be an integer of 32 bits");
    }
  }

  /** The violations of an update. */
  List<Violation> ofChange(Workload before, Workload after, JsonObject from, JsonObject to) {
    Findings findings = new Findings();
    if (gates.enabled(FeatureGate.ADMISSION_GATED_BY)) {
      AdmissionGateRules.checkChange(
          findings, Metadata.annotations(before), Metadata.annotations(after));
    }
    if (before.conditions().reserved() && !Objects.equals(podSets(from), podSets(to))) {
      findings.forbidden(
          "spec.podSets",
          "field is immutable while quota is reserved; set spec.active to false first, or delete"
              + " the Workload");
    }
    List<Violation> all = new ArrayList<>(findings.all());
    all.addAll(WorkloadStatusRules.ofChange(before, after));
    return all;
  }

  private static @Nullable JsonElement podSets(JsonObject tree) {
    return tree.get("spec") instanceof JsonObject spec ? spec.get("podSets") : null;
  }

  private static boolean isInteger(String text) {
    try {
      Integer.parseInt(text);
      return true;
    } catch (NumberFormatException notAnInteger) {
      return false;
    }
  }
}
