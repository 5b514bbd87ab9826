// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a single write must not do, where whole seconds make it hard to tell. */
class WriteJudgeTest {
  private static final String RESERVED = "2026-01-01T10:00:00Z";

  private static ObjectNode workload(String state, String since) throws IOException {
    return (ObjectNode)
        new ObjectMapper()
            .readTree(
                """
                {"metadata": {"name": "job"}, "spec": {"podSets": [{"name": "main"}]}, "status": {
                  "conditions": [{"type": "QuotaReserved", "lastTransitionTime": "%s"}],
                  "admissionChecks": [
                    {"name": "own", "state": "%s", "lastTransitionTime": "%s", "message": "m"}]}}
                """
                    .formatted(RESERVED, state, since));
  }

  @ParameterizedTest
  @CsvSource({
    "Pending, 2026-01-01T10:00:00Z, Ready, 2026-01-01T10:01:00Z, PASS",
    "Pending, 2026-01-01T10:00:00Z, Ready, 2026-01-01T10:00:00Z, FAIL",
    "Ready, 2026-01-01T10:01:00Z, Retry, 2026-01-01T10:01:00Z, PASS",
    "Ready, 2026-01-01T10:01:00Z, Ready, 2026-01-01T10:02:00Z, FAIL",
    "Pending, 2026-01-01T10:00:00Z, Pending, 2026-01-01T10:01:00Z, FAIL",
  })
  void timesMoveWithTheState(
      String before, String since, String after, String then, Outcome.Verdict verdict)
      throws IOException {
    Findings findings = new Findings();

    new WriteJudge("own", findings)
        .judge(List.of(new ObservedWrite(workload(before, since), workload(after, then))));

    assertThat(findings.all())
        .filteredOn(outcome -> outcome.rule() == Rule.TRANSITION_TIME)
        .extracting(Outcome::verdict)
        .containsExactly(verdict);
  }

  /** No shorter and no longer ones than the API takes. */
  @ParameterizedTest
  @CsvSource({
    "Retry, 0, PASS",
    "Retry, 604801, PASS",
    "Retry, 2147483647, PASS",
    "Retry, -1, FAIL",
    "Ready, 0, FAIL",
  })
  void aDelayOfAnyLengthBelongsToARetry(String state, int delay, Outcome.Verdict verdict)
      throws IOException {
    Findings findings = new Findings();
    ObjectNode after = workload(state, "2026-01-01T10:01:00Z");
    ((ObjectNode) after.at("/status/admissionChecks/0")).put("requeueAfterSeconds", delay);

    new WriteJudge("own", findings)
        .judge(List.of(new ObservedWrite(workload("Pending", RESERVED), after)));

    assertThat(findings.all())
        .filteredOn(outcome -> outcome.rule() == Rule.DELAY)
        .extracting(Outcome::verdict)
        .containsExactly(verdict);
  }
}
