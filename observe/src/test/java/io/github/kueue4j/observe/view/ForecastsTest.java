// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForecastsTest {
  private static final ObjectKey ONE = new ObjectKey("team", "one");
  private static final ObjectKey OTHER = new ObjectKey("team", "other");

  private Instant now = Instant.parse("2026-01-05T00:00:00Z");
  private final List<ObjectKey> computed = new ArrayList<>();

  private QuotaForecast forecast(ObjectKey key) {
    computed.add(key);
    return new QuotaForecast(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        computed.size(),
        List.of());
  }

  @Test
  void aForecastServesForAQuarterOfAMinute() {
    Forecasts forecasts = new Forecasts(this::forecast, () -> now, Duration.ZERO);
    Forecasts.TimedForecast first = forecasts.of(ONE);
    now = now.plus(Duration.ofSeconds(14));

    assertThat(forecasts.of(ONE)).isSameAs(first);
    forecasts.of(OTHER);
    now = now.plus(Duration.ofSeconds(1));
    assertThat(forecasts.of(ONE).time()).isEqualTo(now);
    assertThat(computed).containsExactly(ONE, OTHER, ONE);
  }

  @Test
  void oneIsComputedAtATime() {
    List<Forecasts> self = new ArrayList<>();
    Forecasts forecasts =
        new Forecasts(
            key -> {
              assertThatThrownBy(() -> self.getFirst().of(OTHER))
                  .isInstanceOf(ViewProblem.class)
                  .hasMessageContaining("another forecast is being computed")
                  .extracting(problem -> ((ViewProblem) problem).status())
                  .isEqualTo(503);
              return forecast(key);
            },
            () -> now,
            Duration.ZERO);
    self.add(forecasts);

    forecasts.of(ONE);
    assertThat(computed).containsExactly(ONE);
  }

  @Test
  void afterAFailureTheNextIsComputed() {
    Forecasts forecasts =
        new Forecasts(
            key -> {
              if (key.equals(OTHER)) {
                throw new ViewProblem(404, "gone");
              }
              return forecast(key);
            },
            () -> now,
            Duration.ZERO);

    assertThatThrownBy(() -> forecasts.of(OTHER)).hasMessage("gone");
    assertThat(forecasts.of(ONE).time()).isEqualTo(now);
  }
}
