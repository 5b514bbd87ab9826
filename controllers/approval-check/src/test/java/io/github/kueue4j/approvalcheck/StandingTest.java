// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.approvalcheck.Standing.Approved;
import io.github.kueue4j.approvalcheck.Standing.Denied;
import io.github.kueue4j.approvalcheck.Standing.Expired;
import io.github.kueue4j.approvalcheck.Standing.Outdated;
import io.github.kueue4j.approvalcheck.Standing.Undecided;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StandingTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final String APPROVE = "Approve";
  private static final String DENY = "Deny";

  private final List<CustomResource<ApprovalSpec>> approvals = new ArrayList<>();

  private void decided(int second, String decision, Map<String, Object> more) {
    Map<String, Object> spec =
        new HashMap<>(
            Map.of(
                "workload",
                Map.of("name", "w", "uid", "u", "generation", 3),
                "check",
                "c",
                "decision",
                decision,
                "by",
                decision.equals(DENY) ? "bob" : "alice",
                "comment",
                "why"));
    spec.putAll(more);
    approvals.add(
        CustomResource.of(
            ApprovalSpec.TYPE,
            new V1ObjectMeta()
                .namespace("ml")
                .name("a-" + approvals.size())
                .creationTimestamp(START.plusSeconds(second).atOffset(ZoneOffset.UTC)),
            spec));
  }

  private Standing at(int second) {
    return at(second, null);
  }

  private Standing at(int second, @Nullable Duration holdsFor) {
    Workload named = Workload.named("ml", "w");
    return Standing.of(
        named.withMetadata(named.metadata().uid("u").generation(3L)),
        "c",
        Rulings.of(approvals),
        Optional.ofNullable(holdsFor),
        START.plusSeconds(second));
  }

  @Test
  void withoutADecisionThereIsNone() {
    decided(0, APPROVE, Map.of("check", "other"));
    decided(0, APPROVE, Map.of("workload", Map.of("name", "w", "uid", "earlier")));

    assertThat(at(1)).isEqualTo(new Undecided());
  }

  @Test
  void anApprovalHoldsUntilItsEnd() {
    decided(0, APPROVE, Map.of("until", "2026-03-02T10:01:00Z"));

    assertThat(at(59)).isInstanceOf(Approved.class);
    assertThat(at(60)).isInstanceOf(Expired.class);
    assertThat(at(59, Duration.ofSeconds(1))).isInstanceOf(Approved.class);
  }

  @Test
  void withoutAnEndOfItsOwnItHoldsAsLongAsTheParametersSay() {
    decided(0, APPROVE, Map.of());

    assertThat(at(7200, Duration.ofHours(2))).isInstanceOf(Expired.class);
    assertThat(at(7199, Duration.ofHours(2)))
        .isInstanceOfSatisfying(
            Approved.class,
            approved -> assertThat(approved.until()).contains(START.plusSeconds(7200)));
    assertThat(at(1_000_000_000)).isInstanceOf(Approved.class);
  }

  @Test
  void theLatestDecisionCounts() {
    decided(5, DENY, Map.of());
    decided(0, APPROVE, Map.of());
    assertThat(at(9)).isInstanceOf(Denied.class);

    decided(6, APPROVE, Map.of());
    assertThat(at(9)).isInstanceOf(Approved.class);
  }

  @Test
  void ofTheSameSecondADenialCounts() {
    decided(0, DENY, Map.of());
    decided(0, APPROVE, Map.of());

    assertThat(at(1)).isInstanceOf(Denied.class);
  }

  @Test
  void ofTheSameSecondTheOneAboutThePresentSpecCountsFirst() {
    decided(0, APPROVE, Map.of());
    decided(0, DENY, Map.of("workload", Map.of("name", "w", "uid", "u", "generation", 2)));

    assertThat(at(1)).isInstanceOf(Approved.class);
  }

  @Test
  void aDecisionIsAboutOneSpec() {
    Map<String, Object> earlier =
        Map.of("workload", Map.of("name", "w", "uid", "u", "generation", 2));
    decided(0, APPROVE, earlier);
    assertThat(at(1)).isInstanceOf(Outdated.class);

    decided(2, APPROVE, Map.of("workload", Map.of("name", "w", "uid", "u")));
    assertThat(at(3)).isInstanceOf(Approved.class);

    decided(4, DENY, earlier);
    assertThat(at(5)).isInstanceOf(Outdated.class);
    assertThat(at(5).summary())
        .isEqualTo("What bob denied at 2026-03-02T10:00:04Z has been changed since.");
  }

  /** It would come back to life otherwise where it was held back by a finalizer. */
  @Test
  void whatIsBeingDeletedApprovesNoMoreAndDeniesUntilItIsGone() {
    decided(0, DENY, Map.of());
    decided(1, APPROVE, Map.of());
    approvals.forEach(
        approval -> approval.getMetadata().deletionTimestamp(START.atOffset(ZoneOffset.UTC)));

    assertThat(at(2)).isInstanceOf(Denied.class);
  }

  /** A definition that was installed earlier may let through what is refused here. */
  @Test
  @ExpectedLog(logger = "Rulings", message = "Left out an Approval that can't be read")
  void whatCantBeReadConcernsNothing() {
    decided(0, APPROVE, Map.of());
    decided(1, DENY, Map.of("comment", "\t"));
    decided(2, APPROVE, Map.of("until", "2026-12-20T18:00:00+24:00"));

    assertThat(at(3)).isInstanceOf(Approved.class);
  }

  @Test
  void aUidInAnotherNamespaceIsNone() {
    decided(0, APPROVE, Map.of());
    approvals.getFirst().getMetadata().namespace("elsewhere");

    assertThat(at(1)).isEqualTo(new Undecided());
  }
}
