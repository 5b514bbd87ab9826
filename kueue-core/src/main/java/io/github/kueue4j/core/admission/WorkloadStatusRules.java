// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.quota.ResourceUnits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for the status of a Workload beyond its schema. */
final class WorkloadStatusRules {
  private static final Set<String> STATUSES =
      Set.of(Condition.TRUE, Condition.FALSE, Condition.UNKNOWN);
  private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
  private static final int LONGEST_REASON = 1024;
  private static final int LONGEST_MESSAGE = 32_768;

  private final Workload workload;
  private final Map<String, Integer> counts = new HashMap<>();
  private final Findings findings = new Findings();

  private WorkloadStatusRules(Workload workload) {
    this.workload = workload;
    for (PodSet podSet : workload.spec().podSets()) {
      counts.put(podSet.name(), podSet.count());
    }
  }

  static List<Violation> of(Workload workload) {
    return new WorkloadStatusRules(workload).all();
  }

  private List<Violation> all() {
    conditions();
    admission();
    reclaimable();
    checks();
    return findings.all();
  }

  private void conditions() {
    List<Condition> conditions = workload.status().conditions();
    for (int i = 0; i < conditions.size(); i++) {
      Condition condition = conditions.get(i);
      String path = "status.conditions[" + i + "]";
      findings.invalid(path + ".type", condition.type(), Syntax.qualifiedName(condition.type()));
      if (!STATUSES.contains(condition.status())) {
        findings.notSupported(path + ".status", condition.status(), STATUSES, "status");
      }
      if (condition.reason().isEmpty()) {
        findings.required(path + ".reason", "must be set; use one word for programs");
      } else if (condition.reason().length() > LONGEST_REASON
          || !REASON.matcher(condition.reason()).matches()) {
        findings.invalid(
            path + ".reason",
            condition.reason(),
            "must begin with a letter and have only letters, digits, '_', ',' and ':', at most "
                + LONGEST_REASON);
      }
      if (condition.message().length() > LONGEST_MESSAGE) {
        findings.tooMany(
            path + ".message",
            condition.message().length(),
            "may have at most " + LONGEST_MESSAGE + " characters");
      }
    }
  }

  private void admission() {
    if (!workload.conditions().reserved()) {
      return;
    }
    Admission admission = workload.status().admission();
    if (admission == null) {
      findings.required(
          "status.admission",
          "must be set while the QuotaReserved condition is true; write both in one patch");
      return;
    }
    for (int i = 0; i < admission.podSetAssignments().size(); i++) {
      PodSetAssignment assignment = admission.podSetAssignments().get(i);
      String path = "status.admission.podSetAssignments[" + i + "]";
      if (!counts.containsKey(assignment.name())) {
        findings.notFound(path + ".name", assignment.name(), podSets());
      }
      usage(path + ".resourceUsage", assignment);
    }
  }

  private void usage(String path, PodSetAssignment assignment) {
    Integer count = assignment.count();
    if (count == null || count <= 0) {
      return;
    }
    assignment
        .resourceUsage()
        .forEach(
            (resource, amount) -> {
              if (ResourceUnits.of(resource, amount) % count != 0) {
                findings.invalid(
                    path + "[" + resource + "]",
                    amount,
                    "is not a multiple of the number of pods, "
                        + count
                        + "; give what one pod needs times that number");
              }
            });
  }

  private void reclaimable() {
    List<ReclaimablePod> pods = workload.status().reclaimablePods();
    for (int i = 0; i < pods.size(); i++) {
      ReclaimablePod pod = pods.get(i);
      String path = "status.reclaimablePods[" + i + "]";
      Integer count = counts.get(pod.name());
      if (count == null) {
        findings.notSupported(path + ".name", pod.name(), counts.keySet(), "podSet");
      } else if (pod.count() > count) {
        findings.invalid(
            path + ".count",
            pod.count(),
            "should be less or equal to " + count + ", the count of the podSet");
      }
    }
  }

  private void checks() {
    List<AdmissionCheckState> entries = workload.status().admissionChecks();
    for (int i = 0; i < entries.size(); i++) {
      List<PodSetUpdate> updates = entries.get(i).podSetUpdates();
      for (int j = 0; j < updates.size(); j++) {
        update("status.admissionChecks[" + i + "].podSetUpdates[" + j + "]", updates.get(j));
      }
    }
  }

  private void update(String path, PodSetUpdate update) {
    if (!counts.containsKey(update.name())) {
      findings.notSupported(path + ".name", update.name(), counts.keySet(), "podSet");
    }
    Syntax.labels(findings, path + ".labels", update.labels());
    Syntax.annotations(findings, path + ".annotations", update.annotations().keySet());
    Syntax.labels(findings, path + ".nodeSelector", update.nodeSelector());
    ResourceFlavorRules.tolerations(findings, path + ".tolerations", update.tolerations());
  }

  private String podSets() {
    return "name one of the podSets: "
        + String.join(", ", counts.keySet().stream().sorted().toList());
  }

  static List<Violation> ofChange(Workload before, Workload after) {
    Findings findings = new Findings();
    admissionChange(findings, before.status().admission(), after.status().admission());
    if (before.conditions().reserved() && after.conditions().reserved()) {
      reclaimableChange(findings, before, after);
    }
    List<AdmissionCheckState> entries = after.status().admissionChecks();
    for (int i = 0; i < entries.size(); i++) {
      AdmissionCheckState entry = entries.get(i);
      Optional<AdmissionCheckState> former = before.status().admissionCheck(entry.name());
      if (former.isPresent()
          && former.get().state().equals(CheckState.READY)
          && entry.state().equals(CheckState.READY)
          && !former.get().podSetUpdates().equals(entry.podSetUpdates())) {
        findings.forbidden(
            "status.admissionChecks[" + i + "].podSetUpdates",
            "field is immutable while the check \""
                + entry.name()
                + "\" is Ready; set its state to Retry to start anew");
      }
    }
    return findings.all();
  }

  private static void admissionChange(
      Findings findings, @Nullable Admission before, @Nullable Admission after) {
    if (before != null && after != null && !before.equals(after)) {
      findings.forbidden(
          "status.admission",
          "field is immutable once set; remove it with QuotaReserved=False, then reserve anew");
    }
  }

  private static void reclaimableChange(Findings findings, Workload before, Workload after) {
    List<ReclaimablePod> pods = after.status().reclaimablePods();
    for (ReclaimablePod former : before.status().reclaimablePods()) {
      int at = -1;
      for (int i = 0; i < pods.size(); i++) {
        at = pods.get(i).name().equals(former.name()) ? i : at;
      }
      if (at < 0) {
        findings.required(
            "status.reclaimablePods",
            "the entry \"" + former.name() + "\" cannot be removed while quota is reserved");
      } else if (pods.get(at).count() < former.count()) {
        findings.invalid(
            "status.reclaimablePods[" + at + "].count",
            pods.get(at).count(),
            "cannot be less than " + former.count() + " while quota is reserved");
      }
    }
  }
}
