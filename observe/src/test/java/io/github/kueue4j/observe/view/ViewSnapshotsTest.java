// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.state.StateSnapshot;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ViewSnapshotsTest {
  private static final Workload WORKLOAD =
      KueueJson.fromJson(
          "{metadata: {name: a, namespace: team}, spec: {podSets: []}}", Workload.class);
  private static final StateSnapshot STATE =
      new StateSnapshot(
          QuotaTree.empty(),
          new TreeMap<>(),
          List.of(),
          new TreeMap<>(),
          Map.of(),
          Map.of(ObjectKey.of(WORKLOAD), WORKLOAD));

  private final ManualTime time = ManualTime.create();
  private final List<CompletableFuture<StateSnapshot>> questions = new CopyOnWriteArrayList<>();
  private final ViewSnapshots snapshots = new ViewSnapshots(this::ask, time, time, Patience.LIMIT);

  @AfterEach
  void close() {
    time.close();
  }

  private CompletableFuture<StateSnapshot> ask() {
    CompletableFuture<StateSnapshot> question = new CompletableFuture<>();
    questions.add(question);
    return question;
  }

  @Test
  void requestsThatComeWhileTheStateIsAskedWaitForTheSameAnswer() {
    try (Actors clients = Actors.onPlatformThreads("client")) {
      List<Act<ViewSnapshot>> requests =
          Stream.generate(() -> clients.ask(snapshots::current)).limit(3).toList();
      // All of them wait with a limit, and none for another's turn.
      await()
          .until(
              () ->
                  requests.stream()
                      .allMatch(each -> each.thread().getState() == Thread.State.TIMED_WAITING));

      assertThat(questions).hasSize(1);
      questions.getFirst().complete(STATE);
      for (Act<ViewSnapshot> request : requests) {
        assertThat(request.get()).isSameAs(requests.getFirst().get());
      }
    }
  }

  @Test
  void aSnapshotServesForASecond() {
    CompletableFuture<StateSnapshot> known = CompletableFuture.completedFuture(STATE);
    ViewSnapshots answered =
        new ViewSnapshots(
            () -> {
              questions.add(known);
              return known;
            },
            time,
            time,
            Patience.LIMIT);

    ViewSnapshot first = answered.current();
    assertThat(first.listed()).hasSize(1);
    time.advance(ViewSnapshots.KEPT_FOR.minusMillis(1));
    assertThat(answered.current()).isSameAs(first);
    time.advance(ViewSnapshots.KEPT_FOR);
    ViewSnapshot second = answered.current();
    assertThat(questions).hasSize(2);
    assertThat(second.time()).isAfter(first.time());
    assertThat(second.listed())
        .as("is computed once for a State that hasn't changed")
        .isSameAs(first.listed());
  }

  @Test
  void aQuestionWithoutAnAnswerIsAskedAgain() {
    List<CompletableFuture<StateSnapshot>> answers =
        List.of(
            CompletableFuture.failedFuture(new CancellationException("ends")),
            CompletableFuture.completedFuture(STATE));
    ViewSnapshots unsteady =
        new ViewSnapshots(
            () -> {
              questions.add(answers.get(questions.size()));
              return questions.getLast();
            },
            time,
            time,
            Patience.LIMIT);

    assertThatThrownBy(unsteady::current)
        .isInstanceOfSatisfying(
            ViewProblem.class, problem -> assertThat(problem.status()).isEqualTo(503));
    assertThat(unsteady.current().state()).isSameAs(STATE);
  }
}
