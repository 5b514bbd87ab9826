/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Quota is reserved, the checks run. */
final class Reserved {
  private Reserved() {}

  static Explanation explain(Look look) {
    List<AdmissionCheckState> retries = look.entries(CheckState.RETRY);
    if (!retries.isEmpty()) {
      return CoreSteps.due(
          look,
          retries.getFirst().lastTransitionTime(),
          "evicts it, since a check asks for another try",
          retries.stream().map(look::seen).toList());
    }
    Set<String> missing = new TreeSet<>(look.required());
    look.workload().status().admissionChecks().forEach(entry -> missing.remove(entry.name()));
    if (!missing.isEmpty()) {
      return CoreSteps.due(
          look,
          null,
          "adds the checks " + String.join(", ", missing) + " to its status",
          List.of(look.seen("status.admissionChecks", "no entry for " + missing)));
    }
    List<AdmissionCheckState> open =
        look.workload().status().admissionChecks().stream()
            .filter(entry -> look.required().contains(entry.name()))
            .filter(entry -> !entry.is(CheckState.READY))
            .sorted(
                Comparator.comparing((AdmissionCheckState entry) -> kind(look, entry))
                    .reversed()
                    .thenComparing(AdmissionCheckState::lastTransitionTime))
            .toList();
    Optional<Deferral> deferral = Deferral.of(look);
    return open.isEmpty() ? allReady(look, deferral) : pending(look, open, deferral);
  }

  private static Explanation allReady(Look look, Optional<Deferral> deferral) {
    Instant last =
        look.workload().status().admissionChecks().stream()
            .map(AdmissionCheckState::lastTransitionTime)
            .max(Comparator.naturalOrder())
            .orElse(null);
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(look.seen(WorkloadConditions.QUOTA_RESERVED));
    look.workload().status().admissionChecks().forEach(entry -> evidence.add(look.seen(entry)));
    if (deferral.isEmpty()) {
      return CoreSteps.due(look, last, "admits it, all checks are ready", evidence);
    }
    Deferral others = deferral.get();
    evidence.addAll(others.evidence(look));
    return others.leaving().isEmpty()
        ? CoreSteps.due(
            look,
            last,
            "preempts others for it; all its checks are Ready, but " + others.waits(),
            evidence)
        : look.finding(Reason.PREEMPTING, "All its checks are Ready; " + others.waits() + ".")
            .seen(evidence)
            .by(
                Party.NOBODY,
                "It is admitted when their Jobs have stopped. If one doesn't stop, explain that one.");
  }

  private static Explanation pending(
      Look look, List<AdmissionCheckState> open, Optional<Deferral> deferral) {
    AdmissionCheckState first = open.getFirst();
    Reason reason = kind(look, first);
    AdmissionCheck check = look.check(first.name());
    String controller = check == null ? "unknown" : check.spec().controllerName();
    List<Evidence> evidence = new ArrayList<>();
    open.forEach(entry -> evidence.add(look.seen(entry)));
    evidence.add(active(first.name(), check));
    evidence.add(look.seen(WorkloadConditions.QUOTA_RESERVED));
    deferral.ifPresent(claim -> evidence.addAll(claim.evidence(look)));
    return look.finding(
            reason,
            summary(look, first, reason, controller)
                + others(open)
                + deferral.map(Deferral::besides).orElse(""))
        .seen(evidence)
        .wakes(timeout(look, open))
        .by(Party.CHECK_OPERATOR, action(look, first, reason, controller));
  }

  /** The graver reason comes first: an inactive check can't answer, a silent one may. */
  private static Reason kind(Look look, AdmissionCheckState entry) {
    AdmissionCheck check = look.check(entry.name());
    if (check == null || !Conditions.isTrue(check.status().conditions(), Health.ACTIVE)) {
      return Reason.CHECK_INACTIVE;
    }
    // The core clears an entry with "Reset ...": no word of the check's own.
    boolean silent = entry.message().isEmpty() || entry.message().startsWith("Reset ");
    return silent ? Reason.CHECK_UNANSWERED : Reason.CHECK_PENDING;
  }

  private static String summary(
      Look look, AdmissionCheckState entry, Reason reason, String controller) {
    String name = "The admission check \"" + entry.name() + "\"";
    String waits = look.since(entry.lastTransitionTime());
    return switch (reason) {
      case CHECK_INACTIVE ->
          name + " isn't active, so nobody answers; it has been pending " + waits + ".";
      case CHECK_UNANSWERED ->
          name + " has been pending " + waits + ", and " + controller + " has not said why.";
      default -> name + " has been pending " + waits + ": " + entry.message();
    };
  }

  private static String others(List<AdmissionCheckState> open) {
    return open.size() == 1
        ? ""
        : " Also pending: "
            + open.stream().skip(1).map(AdmissionCheckState::name).collect(Collectors.joining(", "))
            + ".";
  }

  private static String action(
      Look look, AdmissionCheckState entry, Reason reason, String controller) {
    String keeps = " Quota stays reserved meanwhile";
    String bound =
        timeout(look, List.of(entry)) == null
            ? "; spec.pendingTimeoutSeconds of the AdmissionCheck would bound that."
            : ", until the check's pending timeout at the latest.";
    return switch (reason) {
      case CHECK_INACTIVE ->
          "Repair AdmissionCheck "
              + entry.name()
              + ": its controller is "
              + controller
              + "."
              + keeps
              + bound;
      case CHECK_UNANSWERED ->
          "See that the controller "
              + controller
              + " runs: its Deployment, its log."
              + keeps
              + bound;
      default ->
          "What the check waits for is in its message; otherwise ask the controller "
              + controller
              + "."
              + keeps
              + bound;
    };
  }

  private static Evidence active(String name, @Nullable AdmissionCheck check) {
    if (check == null) {
      return new Evidence("AdmissionCheck/" + name, "metadata", "not found");
    }
    return new Evidence(
        "AdmissionCheck/" + name,
        "status.conditions[" + Health.ACTIVE + "]",
        Conditions.find(check.status().conditions(), Health.ACTIVE)
                .map(Evidence::words)
                .orElse("absent")
            + ", controller "
            + check.spec().controllerName());
  }

  /** When the first pending timeout elapses; null if no check has one. */
  private static @Nullable Instant timeout(Look look, List<AdmissionCheckState> open) {
    Instant reserved =
        look.condition(WorkloadConditions.QUOTA_RESERVED)
            .map(Condition::lastTransitionTime)
            .orElse(Instant.EPOCH);
    return open.stream()
        .filter(entry -> timeoutSeconds(look, entry) != null)
        .map(
            entry -> {
              Instant from = entry.lastTransitionTime();
              Integer seconds = timeoutSeconds(look, entry);
              return (from.isAfter(reserved) ? from : reserved)
                  .plusSeconds(seconds == null ? 0 : seconds);
            })
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static @Nullable Integer timeoutSeconds(Look look, AdmissionCheckState entry) {
    AdmissionCheck check = look.check(entry.name());
    return check == null ? null : check.spec().pendingTimeoutSeconds();
  }
}
