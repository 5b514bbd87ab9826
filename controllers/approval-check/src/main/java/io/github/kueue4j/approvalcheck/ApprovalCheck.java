// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.approvalcheck.Standing.Approved;
import io.github.kueue4j.approvalcheck.Standing.Denied;
import io.github.kueue4j.approvalcheck.Standing.Expired;
import io.github.kueue4j.approvalcheck.Standing.Outdated;
import io.github.kueue4j.approvalcheck.Standing.Undecided;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Lets people decide which Workloads may start. The package says how. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ApprovalCheck implements DelayEndingCheck<ApprovalCheckSpec> {

  /** The kind of its parameters, which an AdmissionCheck may do without. */
  public static final ResourceType<CustomResource<ApprovalCheckSpec>> TYPE =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "ApprovalCheck", ApprovalCheckSpec.class);

  /** What AdmissionChecks name as their controller, unless it is run under another name. */
  public static final String CONTROLLER_NAME = "kueue4j.io/approval";

  private static final Reason UNDECIDED = Reason.of("ApprovalMissing");
  private static final Reason EXPIRED = Reason.of("ApprovalExpired");
  private static final Reason OUTDATED = Reason.of("ApprovalOutdated");
  private static final Reason DENIED = Reason.of("Denied");

  /** How late the end of an approval is seen while the Workload waits for other checks. */
  private static final Duration RECHECK = Duration.ofMinutes(1);

  private final Rulings rulings;

  ApprovalCheck(Watched<CustomResource<ApprovalSpec>> approvals) {
    this.rulings = Rulings.of(approvals);
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(
      CheckEnvironment environment, String controllerName) {
    CheckController.Builder controller = CheckController.builder(controllerName, environment);
    return controller
        .namesDelays()
        .recheckReadyUntilAdmission(RECHECK)
        // An Approval may have been seen before the edit that it is about.
        .wakeOnWorkloadChange((before, now) -> generation(before) != generation(now))
        .check(
            Parameters.of(TYPE).reportingStatus().orElse(ApprovalCheckSpec.defaults()),
            new ApprovalCheck(
                controller.watch(Watch.of(ApprovalSpec.TYPE).wakingOne(ApprovalCheck::workload))));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, String controllerName) {
    return builder(environment, controllerName).build();
  }

  /** The definitions of the kinds of its parameters and of Approvals, as YAML. */
  public static List<String> crds() {
    return Crds.beside(ApprovalCheck.class, TYPE, ApprovalSpec.TYPE);
  }

  private static long generation(Workload workload) {
    return Objects.requireNonNullElse(workload.metadata().getGeneration(), 0L);
  }

  private static @Nullable ObjectKey workload(CustomResource<ApprovalSpec> approval) {
    return Rulings.spec(approval)
        .map(
            spec ->
                new ObjectKey(
                    Objects.requireNonNull(approval.getMetadata().getNamespace()),
                    spec.workload().name()))
        .orElse(null);
  }

  @Override
  public Verdict evaluate(Evaluation<ApprovalCheckSpec> evaluation) {
    if (evaluation.workload().conditions().admitted()) {
      return Verdict.unchanged("An approval is for the start.");
    }
    Standing standing = standing(evaluation);
    return switch (standing) {
      case Approved approved -> Verdict.ready(standing.summary());
      case Denied denied -> Verdict.rejected(DENIED, standing.summary());
      case Undecided undecided -> retry(evaluation, UNDECIDED, "");
      case Expired expired -> retry(evaluation, EXPIRED, standing.summary() + ' ');
      case Outdated outdated -> retry(evaluation, OUTDATED, standing.summary() + ' ');
    };
  }

  private static Verdict retry(
      Evaluation<ApprovalCheckSpec> evaluation, Reason reason, String before) {
    Duration reminder = evaluation.parameters().reminder();
    return Verdict.retry(
        reason,
        before
            + "It waits for an approval%s: 'kueue4j approve workload/%s -n %s --check %s'."
                .formatted(
                    evaluation.parameters().approvers().map(who -> " by " + who).orElse(""),
                    evaluation.key().name(),
                    evaluation.namespace(),
                    evaluation.check())
            + " The next reminder is in {delay}.",
        Backoff.fixed(reminder).atMost(reminder));
  }

  @Override
  public Optional<String> delayEnds(Evaluation<ApprovalCheckSpec> waiting) {
    Standing standing = standing(waiting);
    return standing instanceof Approved || standing instanceof Denied
        ? Optional.of(standing.summary())
        : Optional.empty();
  }

  private Standing standing(Evaluation<ApprovalCheckSpec> evaluation) {
    return Standing.of(
        evaluation.workload(),
        evaluation.check(),
        rulings,
        evaluation.parameters().holdsFor(),
        evaluation.now());
  }
}
