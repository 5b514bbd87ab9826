// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.approvalcheck.ApprovalSpec.Decision;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The joint result of the Approvals of a Workload. The latest decision counts, by the time at which
 * the API server stored it. Of two of the same second the one about the present spec counts, and
 * then a denial.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Standing {
  /**
   * One decision.
   *
   * @param name of the Approval
   * @param at when the API server stored it
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  record Ruling(String name, ApprovalSpec spec, Instant at) {
    /** Empty if it can't be read, or approves and is being deleted: then only a denial counts. */
    static Optional<Ruling> of(CustomResource<ApprovalSpec> approval) {
      V1ObjectMeta metadata = approval.getMetadata();
      OffsetDateTime created = Objects.requireNonNull(metadata.getCreationTimestamp());
      return Rulings.spec(approval)
          .filter(
              spec -> spec.decision() == Decision.DENY || metadata.getDeletionTimestamp() == null)
          .map(
              spec ->
                  new Ruling(
                      Objects.requireNonNull(metadata.getName()), spec, created.toInstant()));
    }

    private String comment() {
      return spec.comment().map(text -> ": " + text).orElse(".");
    }

    private boolean isAboutTheSpecOf(Workload workload) {
      return spec.workload()
          .generation()
          .filter(generation -> !generation.equals(workload.metadata().getGeneration()))
          .isEmpty();
    }

    private Optional<Instant> end(Optional<Duration> holdsFor) {
      return spec.until().or(() -> holdsFor.map(at::plus));
    }
  }

  /** There is no decision. */
  record Undecided() implements Standing {}

  /**
   * It may start.
   *
   * @param until absent: without an end
   */
  record Approved(Ruling ruling, Optional<Instant> until) implements Standing {}

  /** It may not. */
  record Denied(Ruling ruling) implements Standing {}

  /** It was approved, and that has ended. */
  record Expired(Ruling ruling, Instant until) implements Standing {}

  /** Another spec of it was decided about. */
  record Outdated(Ruling ruling) implements Standing {}

  /** In a sentence, for people; empty if there is no decision. */
  default String summary() {
    return switch (this) {
      case Undecided undecided -> "";
      case Approved(Ruling ruling, var until) ->
          "Approved by %s at %s%s%s"
              .formatted(
                  ruling.spec().by(),
                  ruling.at(),
                  until.map(end -> " until " + end).orElse(""),
                  ruling.comment());
      case Denied(Ruling ruling) ->
          "Denied by %s at %s%s".formatted(ruling.spec().by(), ruling.at(), ruling.comment());
      case Expired(Ruling ruling, var until) ->
          "The approval by %s held until %s.".formatted(ruling.spec().by(), until);
      case Outdated(Ruling ruling) ->
          "What %s %s at %s has been changed since."
              .formatted(
                  ruling.spec().by(),
                  ruling.spec().decision() == Decision.DENY ? "denied" : "approved",
                  ruling.at());
    };
  }

  /**
   * Pure.
   *
   * @param rulings of all Workloads
   * @param holdsFor how long one holds that has no end of its own; absent: without an end
   */
  static Standing of(
      Workload workload, String check, Rulings rulings, Optional<Duration> holdsFor, Instant now) {
    return rulings
        .about(workload)
        .filter(ruling -> ruling.spec().check().equals(check))
        .max(
            Comparator.comparing(Ruling::at)
                .thenComparing(ruling -> ruling.isAboutTheSpecOf(workload))
                .thenComparing(ruling -> ruling.spec().decision())
                .thenComparing(Ruling::name))
        .map(latest -> of(workload, latest, holdsFor, now))
        .orElseGet(Undecided::new);
  }

  private static Standing of(
      Workload workload, Ruling latest, Optional<Duration> holdsFor, Instant now) {
    if (!latest.isAboutTheSpecOf(workload)) {
      return new Outdated(latest);
    }
    if (latest.spec().decision() == Decision.DENY) {
      return new Denied(latest);
    }
    Optional<Instant> until = latest.end(holdsFor);
    return until.filter(end -> !now.isBefore(end)).isPresent()
        ? new Expired(latest, until.get())
        : new Approved(latest, until);
  }
}
