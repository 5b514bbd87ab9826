// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The definitions of the kinds say with the first apply what the reader would say later. */
@KueueTest
class RefusedFieldsTest {
  private static final String SUBJECT = "workload: {name: w, uid: u}, check: c, by: alice";

  @BeforeEach
  void install(KueueCluster cluster) {
    ApprovalCheck.crds().forEach(cluster::apply);
  }

  @Test
  void ofParameters(KueueCluster cluster) {
    new ServerAndReader<>(cluster, ApprovalCheck.TYPE)
        .agree(
            List.of(
                "",
                "approvers: the operators, holdsFor: 72h, remindEvery: 24h",
                "holdsFor: 1m, remindEvery: 1m",
                "holdsFor: 8760h"),
            List.of(
                "approvers: [alice]",
                "holdsFor: 59s",
                "holdsFor: soon",
                "remindEvery: 59s",
                "remindEvery: 25h"));
  }

  @Test
  void ofApprovals(KueueCluster cluster) {
    new ServerAndReader<>(cluster, ApprovalSpec.TYPE)
        .agree(
            List.of(
                SUBJECT + ", decision: Approve",
                SUBJECT + ", decision: Approve, until: '2026-12-20T00:00:00Z', comment: Fine.",
                SUBJECT + ", decision: Approve, until: '2026-12-20T01:00:00.123456789Z'",
                SUBJECT + ", decision: Deny, comment: Too large.",
                "workload: {name: w, uid: u, generation: 2}, check: c, by: a, decision: Approve"),
            List.of(
                SUBJECT,
                SUBJECT + ", decision: Perhaps",
                SUBJECT + ", decision: Deny",
                SUBJECT + ", decision: Deny, comment: ' '",
                SUBJECT + ", decision: Deny, comment: \"\\t\\n\"",
                SUBJECT + ", decision: Approve, until: '2026-12-20T00:00:00+24:00'",
                SUBJECT + ", decision: Approve, until: '2026-12-20T00:00:00Zt'",
                SUBJECT + ", decision: Deny, comment: No., until: '2026-12-20T00:00:00Z'",
                SUBJECT + ", decision: Approve, until: '2026-12-20'",
                "workload: {name: w}, check: c, by: a, decision: Approve",
                "workload: {uid: u}, check: c, by: a, decision: Approve",
                "workload: {name: w, uid: u, generation: many}, check: c, by: a, decision: Approve",
                "workload: {name: w, uid: u}, by: a, decision: Approve",
                "workload: {name: w, uid: u}, check: c, decision: Approve"));
  }

  @Test
  void anApprovalNeverChanges(KueueCluster cluster) {
    cluster.apply(approval("by: alice"));

    assertThatCode(() -> cluster.apply(approval("by: alice"))).doesNotThrowAnyException();
    assertThatThrownBy(() -> cluster.apply(approval("by: bob")))
        .hasMessageContaining("an Approval never changes: create a later one");
    assertThatThrownBy(() -> cluster.apply(approval("by: alice, comment: Later.")))
        .hasMessageContaining("an Approval never changes");
  }

  private static String approval(String fields) {
    return """
    apiVersion: checks.kueue4j.io/v1alpha1
    kind: Approval
    metadata: {name: a, namespace: default}
    spec: {workload: {name: w, uid: u}, check: c, decision: Approve, %s}
    """
        .formatted(fields);
  }
}
