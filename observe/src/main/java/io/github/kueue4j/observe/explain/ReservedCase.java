// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains a Workload that has quota and waits for its checks. */
final class ReservedCase {
  /**
   * For how long a check may be silent because it is being evaluated: the SDK's timeout of 30 s,
   * after which the entry says more, and as much again.
   */
  private static final Duration EVALUATING = Duration.ofMinutes(1);

  /** How long a check may answer no Workload before that is told; as of the alert on it. */
  private static final Duration SILENCE = Duration.ofMinutes(30);

  private ReservedCase() {}

  static Explanation explain(WorkloadView workloadView) {
    List<AdmissionCheckState> retries = workloadView.entries(CheckState.RETRY);
    if (!retries.isEmpty()) {
      return CoreSteps.due(
          workloadView,
          retries.getFirst().lastTransitionTime(),
          "evicts it, because a check is in Retry",
          retries.stream().map(workloadView::seen).toList());
    }
    Set<String> missing = new TreeSet<>(workloadView.required());
    workloadView
        .workload()
        .status()
        .admissionChecks()
        .forEach(entry -> missing.remove(entry.name()));
    missing.removeAll(workloadView.withheld().keySet());
    if (!missing.isEmpty()) {
      return CoreSteps.due(
          workloadView,
          null,
          "adds the checks " + String.join(", ", missing) + " to its status",
          List.of(workloadView.seen("status.admissionChecks", "no entry for " + missing)));
    }
    List<AdmissionCheckState> open =
        workloadView.workload().status().admissionChecks().stream()
            .filter(entry -> workloadView.required().contains(entry.name()))
            .filter(entry -> !entry.is(CheckState.READY) || ObservedAnswer.of(entry).isPresent())
            .filter(entry -> !workloadView.observes(entry.name()))
            .filter(entry -> !workloadView.overruled(entry))
            .filter(entry -> !workloadView.isReady(entry.name()))
            .sorted(
                Comparator.comparing((AdmissionCheckState entry) -> kind(workloadView, entry))
                    .reversed()
                    .thenComparing(AdmissionCheckState::lastTransitionTime))
            .toList();
    Optional<DeferredPreemptionCase> deferral = DeferredPreemptionCase.of(workloadView);
    return open.isEmpty()
        ? allReady(workloadView, deferral)
        : pending(workloadView, open, deferral);
  }

  private static Explanation allReady(
      WorkloadView workloadView, Optional<DeferredPreemptionCase> deferral) {
    Instant last =
        workloadView.workload().status().admissionChecks().stream()
            .map(AdmissionCheckState::lastTransitionTime)
            .max(Comparator.naturalOrder())
            .orElse(null);
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(workloadView.seen(WorkloadConditions.QUOTA_RESERVED));
    workloadView
        .workload()
        .status()
        .admissionChecks()
        .forEach(entry -> evidence.add(workloadView.seen(entry)));
    if (DeferredPreemptionCase.mayBeHidden(workloadView)) {
      return workloadView
          .finding(
              Reason.CORE_ABOUT_TO_ACT,
              "All its checks are Ready: the core admits it, unless another workload still holds"
                  + " the quota that is reserved for it.")
          .seen(evidence)
          .by(
              Actor.NONE,
              "Ask again in a few seconds."
                  + MissingRights.forDeferredPreemption(workloadView.around()));
    }
    if (deferral.isEmpty()) {
      return CoreSteps.due(workloadView, last, "admits it, because all checks are ready", evidence);
    }
    DeferredPreemptionCase others = deferral.get();
    evidence.addAll(others.evidence(workloadView));
    return others.evictingVictims().isEmpty()
        ? CoreSteps.due(
            workloadView,
            last,
            "preempts others for it; all its checks are Ready, but " + others.waits(),
            evidence)
        : workloadView
            .finding(Reason.PREEMPTING, "All its checks are Ready; " + others.waits() + ".")
            .seen(evidence)
            .by(
                Actor.NONE,
                "It is admitted when their Jobs have stopped. If one doesn't stop, explain that"
                    + " one.");
  }

  private static Explanation pending(
      WorkloadView workloadView,
      List<AdmissionCheckState> open,
      Optional<DeferredPreemptionCase> deferral) {
    AdmissionCheckState first = open.getFirst();
    Reason reason = kind(workloadView, first);
    AdmissionCheck check = workloadView.check(first.name());
    String controller = controller(workloadView, check);
    List<Evidence> evidence = new ArrayList<>();
    open.forEach(entry -> evidence.add(workloadView.seen(entry)));
    evidence.add(active(workloadView, first.name(), check));
    evidence.add(workloadView.seen(WorkloadConditions.QUOTA_RESERVED));
    deferral.ifPresent(claim -> evidence.addAll(claim.evidence(workloadView)));
    return workloadView
        .finding(
            reason,
            summary(workloadView, first, reason, controller)
                + silent(workloadView, first, check)
                + others(open)
                + workloadView.anyOf(first.name())
                + workloadView.askedLater()
                + deferral.map(DeferredPreemptionCase::besides).orElse(""))
        .seen(evidence)
        .wakes(timeout(workloadView, open))
        .by(
            Actor.CHECK_OPERATOR,
            action(workloadView, first, reason, controller)
                + MissingRights.forChecks(workloadView.around()));
  }

  /** {@code the controller NAME}, or what to call one whose name can't be read. */
  private static String controller(WorkloadView workloadView, @Nullable AdmissionCheck check) {
    if (check != null) {
      return "the controller " + check.spec().controllerName();
    }
    return hidden(workloadView, null) ? "its controller" : "an unknown controller";
  }

  /** Whether a check may exist that can't be read. */
  private static boolean hidden(WorkloadView workloadView, @Nullable AdmissionCheck check) {
    return check == null && !workloadView.around().mayRead(KueueTypes.ADMISSION_CHECK);
  }

  /** The kind of wait, ordered by severity: an inactive check can't answer, a silent one may. */
  private static Reason kind(WorkloadView workloadView, AdmissionCheckState entry) {
    AdmissionCheck check = workloadView.check(entry.name());
    boolean active =
        check == null
            ? hidden(workloadView, null)
            : Conditions.isTrue(check.status().conditions(), Health.ACTIVE);
    if (!active) {
      return Reason.CHECK_INACTIVE;
    }
    // The core writes "Reset ..." when it resets an entry; that is no message of the check.
    boolean silent = entry.message().isEmpty() || entry.message().startsWith("Reset ");
    return silent ? Reason.CHECK_UNANSWERED : Reason.CHECK_PENDING;
  }

  private static String summary(
      WorkloadView workloadView, AdmissionCheckState entry, Reason reason, String controller) {
    String name = "The admission check \"" + entry.name() + "\"";
    String waits = workloadView.since(askedSince(workloadView, entry));
    return switch (reason) {
      case CHECK_INACTIVE ->
          name + " isn't active, so it doesn't answer; it has been pending " + waits + ".";
      case CHECK_UNANSWERED ->
          name
              + " has been pending "
              + waits
              + (maybeEvaluating(workloadView, entry)
                  ? ": " + controller + " may be evaluating it."
                  : ", and " + controller + " has not said why.");
      default -> name + " has been pending " + waits + ": " + entry.message();
    };
  }

  /**
   * The message that nothing shows that the controller of an active check runs; empty if something
   * does.
   */
  private static String silent(
      WorkloadView workloadView, AdmissionCheckState entry, @Nullable AdmissionCheck check) {
    Optional<Condition> active =
        check == null
            ? Optional.empty()
            : Conditions.find(check.status().conditions(), Health.ACTIVE).filter(Condition::isTrue);
    if (active.isEmpty()) {
      return "";
    }
    Instant word = active.get().lastTransitionTime();
    Instant answer = workloadView.around().answered().get(entry.name());
    Instant last =
        Stream.of(word, entry.lastTransitionTime(), Objects.requireNonNullElse(answer, word))
            .max(Comparator.naturalOrder())
            .orElse(word);
    return last.plus(SILENCE).isAfter(workloadView.now())
        ? ""
        : " It has answered "
            + (answer == null
                ? "no Workload that can be seen"
                : "no other Workload since " + answer)
            + ": its condition Active may be left from a controller that no longer runs.";
  }

  private static String others(List<AdmissionCheckState> open) {
    return open.size() == 1
        ? ""
        : " Also pending: "
            + open.stream().skip(1).map(AdmissionCheckState::name).collect(Collectors.joining(", "))
            + ".";
  }

  private static String action(
      WorkloadView workloadView, AdmissionCheckState entry, Reason reason, String controller) {
    String keeps = " Quota stays reserved meanwhile";
    String bound = bound(workloadView, entry);
    return switch (reason) {
      case CHECK_INACTIVE ->
          "Repair AdmissionCheck %s, which %s answers for.%s%s"
              .formatted(entry.name(), controller, keeps, bound);
      case CHECK_UNANSWERED ->
          (maybeEvaluating(workloadView, entry)
                  ? "Ask again in a minute. If it is silent then, check that "
                  : "Check that ")
              + controller
              + " runs: its Deployment, its log."
              + keeps
              + bound;
      default ->
          "What the check waits for is in its message; otherwise ask %s.%s%s"
              .formatted(controller, keeps, bound);
    };
  }

  private static String bound(WorkloadView workloadView, AdmissionCheckState entry) {
    if (hidden(workloadView, workloadView.check(entry.name()))) {
      return ".";
    }
    return timeout(workloadView, List.of(entry)) == null
        ? "; spec.pendingTimeoutSeconds of the AdmissionCheck would limit that."
        : ", until the check's pending timeout at the latest.";
  }

  /** The condition Active of an AdmissionCheck, and its controller. */
  static Evidence active(WorkloadView workloadView, String name, @Nullable AdmissionCheck check) {
    if (hidden(workloadView, check)) {
      return MissingRights.unread(KueueTypes.ADMISSION_CHECK, name);
    }
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

  private static boolean maybeEvaluating(WorkloadView workloadView, AdmissionCheckState entry) {
    return askedSince(workloadView, entry).plus(EVALUATING).isAfter(workloadView.now());
  }

  /** Since when the check can answer: an entry may be Pending before quota is reserved. */
  private static Instant askedSince(WorkloadView workloadView, AdmissionCheckState entry) {
    Instant reserved =
        workloadView
            .conditions()
            .changedAt(WorkloadConditions.QUOTA_RESERVED)
            .orElse(Instant.EPOCH);
    Instant from = entry.lastTransitionTime();
    return from.isAfter(reserved) ? from : reserved;
  }

  /** When the first pending timeout elapses; null if no check has one. */
  private static @Nullable Instant timeout(
      WorkloadView workloadView, List<AdmissionCheckState> open) {
    return open.stream()
        .flatMap(entry -> Optional.ofNullable(lastTimeout(workloadView, entry)).stream())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** When the last pending timeout of a check and its alternatives elapses; null for never. */
  private static @Nullable Instant lastTimeout(
      WorkloadView workloadView, AdmissionCheckState entry) {
    Instant last = null;
    for (AdmissionCheckState answer : workloadView.answers(entry.name())) {
      Integer seconds = timeoutSeconds(workloadView, answer);
      if (!workloadView.overruled(answer)) {
        if (seconds == null) {
          return null;
        }
        Instant timeout = askedSince(workloadView, answer).plusSeconds(seconds);
        last = last == null || timeout.isAfter(last) ? timeout : last;
      }
    }
    return last;
  }

  private static @Nullable Integer timeoutSeconds(
      WorkloadView workloadView, AdmissionCheckState entry) {
    AdmissionCheck check = workloadView.check(entry.name());
    return check == null ? null : check.spec().pendingTimeoutSeconds();
  }
}
