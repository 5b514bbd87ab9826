// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedReadingsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Duration SHARED = Duration.ofSeconds(5);
  private static final Reading READING = new Reading(Optional.empty(), List.of());

  private final SharedReadings readings = new SharedReadings();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void fiveThousandThatAskTheSameAtOnceAskOnce() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    Callable<Reading> slow =
        () -> {
          answered.await();
          return ask();
        };
    List<Future<Reading>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5000; i++) {
        all.add(threads.submit(() -> readings.get(question("up"), NOW, SHARED, slow)));
      }
      answered.countDown();
      for (Future<Reading> one : all) {
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
  void aFailureIsSharedToo() throws Exception {
    BackendUnavailableException failure = new BackendUnavailableException("down");
    assertThatThrownBy(
            () ->
                readings.get(
                    question("up"),
                    NOW,
                    SHARED,
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThatThrownBy(() -> get("up", NOW, SHARED)).isSameAs(failure);

    get("up", NOW.plus(SHARED), SHARED);
    assertThat(asked).hasValue(1);
  }

  @Test
  void oneThatIsInterruptedFailsTheOthersAsTheServerWould() throws Exception {
    Callable<Reading> interrupted =
        () -> {
          throw new InterruptedException("the time is over");
        };

    assertThatThrownBy(() -> readings.get(question("up"), NOW, SHARED, interrupted))
        .isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> get("up", NOW, SHARED))
        .isInstanceOf(BackendUnavailableException.class);
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

  private Reading ask() {
    asked.incrementAndGet();
    return READING;
  }

  private static SharedReadings.Question question(String query) {
    return new SharedReadings.Question(
        HttpEndpoint.of(URI.create("http://prometheus:9090")), query, Threshold.parse("< 1"));
  }
}
