// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CostlyAnswersTest {
  private static final String ONE = "one";
  private static final String OTHER = "other";

  private CostlyAnswers<String, Integer> answers(Function<String, Integer> computation) {
    return new CostlyAnswers<>(
        "forecast", Duration.ofSeconds(15), computation, () -> now, () -> wireTime, Duration.ZERO);
  }

  private Instant wireTime = Instant.parse("2026-01-05T00:00:00Z");
  private Instant now = Instant.parse("2026-01-05T00:00:00Z");
  private final List<String> computed = new ArrayList<>();

  private int answer(String subject) {
    computed.add(subject);
    return computed.size();
  }

  @Test
  void anAnswerServesForItsTime() {
    CostlyAnswers<String, Integer> answers = answers(this::answer);
    CostlyAnswers.TimedAnswer<Integer> first = answers.of(ONE);
    now = now.plus(Duration.ofSeconds(14));

    assertThat(answers.of(ONE)).isSameAs(first);
    answers.of(OTHER);
    now = now.plus(Duration.ofSeconds(1));
    assertThat(answers.of(ONE).time()).isEqualTo(now);
    assertThat(computed).containsExactly(ONE, OTHER, ONE);
  }

  @Test
  void oneIsComputedAtATime() {
    List<CostlyAnswers<String, Integer>> self = new ArrayList<>();
    CostlyAnswers<String, Integer> answers =
        answers(
            key -> {
              assertThatThrownBy(() -> self.getFirst().of(OTHER))
                  .isInstanceOf(ViewProblem.class)
                  .hasMessageContaining("another forecast is being computed")
                  .extracting(problem -> ((ViewProblem) problem).status())
                  .isEqualTo(503);
              return answer(key);
            });
    self.add(answers);

    answers.of(ONE);
    assertThat(computed).containsExactly(ONE);
  }

  @Test
  void eachSubjectHasAnAnswerOfItsOwn() {
    CostlyAnswers<String, Integer> answers = answers(this::answer);
    CostlyAnswers.TimedAnswer<Integer> first = answers.of(ONE);

    assertThat(answers.of("another")).isNotSameAs(first);
    assertThat(answers.of(ONE)).isSameAs(first);
  }

  @Test
  void afterALongOneTheNextWaits() {
    CostlyAnswers<String, Integer> answers =
        answers(
            key -> {
              wireTime = wireTime.plusSeconds(2);
              return answer(key);
            });
    CostlyAnswers.TimedAnswer<Integer> first = answers.of(ONE);

    wireTime = wireTime.plusMillis(7_999);
    assertThatThrownBy(() -> answers.of(OTHER))
        .isInstanceOf(ViewProblem.class)
        .hasMessageContaining("ask again in 1 s");
    assertThat(answers.of(ONE)).isSameAs(first);
    wireTime = wireTime.plusMillis(1);
    answers.of(OTHER);
    assertThat(computed).containsExactly(ONE, OTHER);
  }

  @Test
  void theRestIsBounded() {
    CostlyAnswers<String, Integer> answers =
        answers(
            key -> {
              wireTime = wireTime.plusSeconds(60);
              return answer(key);
            });
    answers.of(ONE);

    wireTime = wireTime.plusSeconds(30);
    answers.of(OTHER);
    assertThat(computed).containsExactly(ONE, OTHER);
  }

  @Test
  void afterAFailureTheNextIsComputed() {
    CostlyAnswers<String, Integer> answers =
        answers(
            key -> {
              if (key.equals(OTHER)) {
                throw new ViewProblem(404, "gone");
              }
              return answer(key);
            });

    assertThatThrownBy(() -> answers.of(OTHER)).hasMessage("gone");
    assertThat(answers.of(ONE).time()).isEqualTo(now);
  }
}
