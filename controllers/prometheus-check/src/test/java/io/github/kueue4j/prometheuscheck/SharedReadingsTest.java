// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SharedReadingsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Duration SHARED = Duration.ofSeconds(5);
  private static final Reading READING = new Reading(Optional.empty());

  private final AtomicReference<Instant> clock = new AtomicReference<>(NOW);
  private final SharedReadings readings = new SharedReadings(clock::get);
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void fiveThousandThatAskTheSameAtOnceAskOnce() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    Callable<Reading> slow =
        () -> {
          answered.await();
          return ask();
        };
    List<Act<Reading>> all = new ArrayList<>();
    try (Actors checks = Actors.named("check")) {
      for (int i = 0; i < 5000; i++) {
        all.add(checks.ask(() -> readings.get(question("up"), NOW, SHARED, slow)));
      }
      answered.countDown();
      for (Act<Reading> one : all) {
        assertThat(one.get()).isSameAs(READING);
      }
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void anAnswerIsSharedForATimeOnly() throws Exception {
    get("up", NOW, SHARED);
    get("up", NOW.plusMillis(4999), SHARED);
    assertThat(asked).hasValue(1);

    get("up", NOW.plus(SHARED), SHARED);
    assertThat(asked).hasValue(2);
    get("up", NOW.plus(SHARED), Duration.ZERO);
    assertThat(asked).hasValue(3);
    get("down", NOW.plus(SHARED), SHARED);
    assertThat(asked).hasValue(4);
  }

  @Test
  void aFailureIsSharedForAMomentAfterIt() throws Exception {
    Duration longTime = Duration.ofMinutes(5);
    BackendUnavailableException failure = new BackendUnavailableException("down");
    clock.set(NOW.plusSeconds(10));
    assertThatThrownBy(() -> readings.get(question("up"), NOW, longTime, failing(failure)))
        .isSameAs(failure);
    assertThatThrownBy(() -> get("up", NOW.plusMillis(11_999), longTime)).isSameAs(failure);

    get("up", NOW.plusSeconds(12), longTime);

    assertThat(asked).hasValue(1);
  }

  @Test
  void aFailureIsNotSharedWhereNothingIs() throws Exception {
    assertThatThrownBy(
            () ->
                readings.get(
                    question("up"), NOW, Duration.ZERO, failing(new RuntimeException("down"))))
        .hasMessage("down");

    get("up", NOW, Duration.ZERO);

    assertThat(asked).hasValue(1);
  }

  @Test
  void theProbeSharesAnswersButNoFailure() throws Exception {
    assertThatThrownBy(
            () -> readings.get(question("up"), NOW, SHARED, failing(new RuntimeException("down"))))
        .hasMessage("down");

    readings.probe(question("up"), NOW, SHARED, this::ask);
    readings.probe(question("up"), NOW, SHARED, this::ask);

    assertThat(asked).hasValue(1);
  }

  @Test
  void anInterruptionIsNotShared() throws Exception {
    assertThatThrownBy(
            () ->
                readings.get(
                    question("up"), NOW, SHARED, failing(new InterruptedException("too late"))))
        .isInstanceOf(InterruptedException.class);

    get("up", NOW, SHARED);

    assertThat(asked).hasValue(1);
  }

  @Test
  void thoseThatWaitForOneThatIsInterruptedAskAgain() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    Callable<Reading> hanging =
        () -> {
          sent.countDown();
          new CountDownLatch(1).await();
          return ask();
        };
    try (Actors checks = Actors.named("check")) {
      Act<Reading> first = checks.ask(() -> readings.get(question("up"), NOW, SHARED, hanging));
      sent.await();
      Act<Reading> second = checks.ask(() -> readings.get(question("up"), NOW, SHARED, this::ask));
      first.thread().interrupt();

      assertThat(second.get()).isSameAs(READING);
      assertThatThrownBy(first::get).hasCauseInstanceOf(InterruptedException.class);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void theOldestAnswersAreForgottenWhenThereAreMany() throws Exception {
    for (int i = 0; i <= 256; i++) {
      get("up " + i, NOW, SHARED);
    }
    assertThat(asked).hasValue(257);
    get("up 1", NOW, SHARED);
    assertThat(asked).hasValue(257);
    get("up 0", NOW, SHARED);
    assertThat(asked).hasValue(258);
  }

  private void get(String query, Instant now, Duration sharedFor) throws Exception {
    readings.get(question(query), now, sharedFor, this::ask);
  }

  private static Callable<Reading> failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  private Reading ask() {
    asked.incrementAndGet();
    return READING;
  }

  private static SharedReadings.Question question(String query) {
    return new SharedReadings.Question(
        HttpEndpoint.of(URI.create("http://prometheus:9090")), query, Threshold.parse("< 1"));
  }
}
