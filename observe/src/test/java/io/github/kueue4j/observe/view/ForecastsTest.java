// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.observe.view.Forecasts.ForeseenWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ForecastsTest {
  private static final ForeseenWorkload ONE = life("one", "1");
  private static final ForeseenWorkload OTHER = life("other", "2");

  private static ForeseenWorkload life(String name, String uid) {
    return new ForeseenWorkload(new ObjectKey("team", name), uid);
  }

  private Forecasts forecasts(Function<ObjectKey, QuotaForecast> computation) {
    return new Forecasts(computation, () -> now, () -> wireTime, Duration.ZERO);
  }

  private Instant wireTime = Instant.parse("2026-01-05T00:00:00Z");
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
        Optional.empty(),
        OptionalInt.of(computed.size()),
        List.of());
  }

  @Test
  void aForecastServesForAQuarterOfAMinute() {
    Forecasts forecasts = forecasts(this::forecast);
    Forecasts.TimedForecast first = forecasts.of(ONE);
    now = now.plus(Duration.ofSeconds(14));

    assertThat(forecasts.of(ONE)).isSameAs(first);
    forecasts.of(OTHER);
    now = now.plus(Duration.ofSeconds(1));
    assertThat(forecasts.of(ONE).time()).isEqualTo(now);
    assertThat(computed).containsExactly(ONE.key(), OTHER.key(), ONE.key());
  }

  @Test
  void oneIsComputedAtATime() {
    List<Forecasts> self = new ArrayList<>();
    Forecasts forecasts =
        forecasts(
            key -> {
              assertThatThrownBy(() -> self.getFirst().of(OTHER))
                  .isInstanceOf(ViewProblem.class)
                  .hasMessageContaining("another forecast is being computed")
                  .extracting(problem -> ((ViewProblem) problem).status())
                  .isEqualTo(503);
              return forecast(key);
            });
    self.add(forecasts);

    forecasts.of(ONE);
    assertThat(computed).containsExactly(ONE.key());
  }

  @Test
  void anotherWorkloadOfTheNameHasAForecastOfItsOwn() {
    Forecasts forecasts = forecasts(this::forecast);
    Forecasts.TimedForecast first = forecasts.of(ONE);

    assertThat(forecasts.of(life("one", "3"))).isNotSameAs(first);
    assertThat(forecasts.of(ONE)).isSameAs(first);
  }

  @Test
  void afterALongOneTheNextWaits() {
    Forecasts forecasts =
        forecasts(
            key -> {
              wireTime = wireTime.plusSeconds(2);
              return forecast(key);
            });
    Forecasts.TimedForecast first = forecasts.of(ONE);

    wireTime = wireTime.plusMillis(7_999);
    assertThatThrownBy(() -> forecasts.of(OTHER))
        .isInstanceOf(ViewProblem.class)
        .hasMessageContaining("ask again in 1 s");
    assertThat(forecasts.of(ONE)).isSameAs(first);
    wireTime = wireTime.plusMillis(1);
    forecasts.of(OTHER);
    assertThat(computed).containsExactly(ONE.key(), OTHER.key());
  }

  @Test
  void theRestIsBounded() {
    Forecasts forecasts =
        forecasts(
            key -> {
              wireTime = wireTime.plusSeconds(60);
              return forecast(key);
            });
    forecasts.of(ONE);

    wireTime = wireTime.plusSeconds(30);
    forecasts.of(OTHER);
    assertThat(computed).containsExactly(ONE.key(), OTHER.key());
  }

  @Test
  void afterAFailureTheNextIsComputed() {
    Forecasts forecasts =
        forecasts(
            key -> {
              if (key.equals(OTHER.key())) {
                throw new ViewProblem(404, "gone");
              }
              return forecast(key);
            });

    assertThatThrownBy(() -> forecasts.of(OTHER)).hasMessage("gone");
    assertThat(forecasts.of(ONE).time()).isEqualTo(now);
  }
}
