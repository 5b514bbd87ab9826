// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Grants;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What was granted counts until the watch shows it. */
class GrantsTest extends EvaluatorFixture {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final Grants<String> grants = new Grants<>(workloads::get, nanos::get);

  @Test
  void aGrantCountsForOthersUntilItsVerdictIsVisible() throws Exception {
    Evaluation<NoParameters> first = evaluation();
    grants.granted(first, "a seat");

    assertThat(grants.outstanding(first)).as("its own grant does not count").isEmpty();
    assertThat(grants.outstanding(another(first))).containsEntry(KEY, "a seat");
    author = evaluation -> Verdict.ready("seated");
    reconcile();
    assertThat(grants.outstanding(another(first))).containsEntry(KEY, "a seat");
    workloads.sync();
    assertThat(grants.outstanding(another(first))).isEmpty();
  }

  @Test
  void aGrantWhoseVerdictNeverAppearsEndsAfterAMinuteOfTheMachinesTime() throws Exception {
    Evaluation<NoParameters> first = evaluation();
    grants.granted(first, "a seat");

    time.advance(Duration.ofHours(5));
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(grants.outstanding(another(first))).hasSize(1);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(grants.outstanding(another(first))).isEmpty();
  }

  @Test
  void theGrantsOfAllChecksAreToldTogether() throws Exception {
    Evaluation<NoParameters> first = evaluation();
    grants.granted(first, "a seat");
    assertThat(grants.outstanding()).containsExactly(Map.entry(KEY, "a seat"));

    nanos.addAndGet(Duration.ofSeconds(61).toNanos());
    assertThat(grants.outstanding()).isEmpty();
  }

  private Evaluation<NoParameters> evaluation() throws Exception {
    Check<NoParameters> before = author;
    author = evaluation -> Verdict.unchanged("");
    reconcile();
    author = before;
    memory = new EvaluationMemory();
    return evaluations.getLast();
  }

  private Evaluation<NoParameters> another(Evaluation<NoParameters> like) {
    ObjectKey other = new ObjectKey("team-a", "other");
    assertThat(cluster.get(KueueTypes.WORKLOAD, other)).isEmpty();
    return new Evaluation<>(
        like.check(),
        Workload.named(other.namespace(), other.name()),
        like.podSets(),
        like.entry(),
        like.parameters(),
        time.instant(),
        time.instant());
  }
}
