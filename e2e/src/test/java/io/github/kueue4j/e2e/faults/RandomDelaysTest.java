// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.testdefaults.DelayRule;
import io.github.kueue4j.testdefaults.RandomDelays;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests can be run with random delays: {@code -Dkueue4j.delays}. */
class RandomDelaysTest {
  private static final int STEPS = 20;

  /** A JVM of its own, since they concern every class that is loaded later. */
  @Test
  @Tag("nightly")
  void onlyMethodsThatARuleFitsWait() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-Dnet.bytebuddy.safe=true",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Program.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

    assertThat(process.waitFor()).isZero();
    List<Long> millis = Arrays.stream(printed.split(" ", -1)).map(Long::valueOf).toList();
    // Of up to 50 ms each: on average 500 ms.
    assertThat(millis.getFirst()).isGreaterThan(100);
    // Other methods, which no rule fits, and those that are told not to wait: of up to 100 s each
    // they would take minutes.
    assertThat(millis.get(1)).isLessThan(60_000);
    assertThat(millis.getLast()).isLessThan(60_000);
  }

  /** Prints how many milliseconds methods took that wait, and others that don't. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      RandomDelays.install(
          DelayRule.parse("100%x50ms@Steps.slow,100%x99999ms@Steps.never"), new Random(1));
      System.out.println(millis(Steps::slow) + " " + millis(Steps::fast) + " " + undelayed());
    }

    private static long undelayed() throws Exception {
      return RandomDelays.without(() -> millis(Steps::never));
    }

    private static long millis(Runnable step) {
      long begin = System.nanoTime();
      for (int i = 0; i < STEPS; i++) {
        step.run();
      }
      return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }
  }

  /** Loaded once the delays are there. */
  static final class Steps {
    private Steps() {}

    static void slow() {}

    static void fast() {}

    static void never() {}
  }

  @Test
  void rulesAreReadInTheirOrder() {
    assertThat(DelayRule.parse("100%x600ms@WatchSource.open,0.5%x60ms"))
        .isEqualTo(
            List.of(
                new DelayRule(100, Duration.ofMillis(600), "WatchSource.open"),
                new DelayRule(0.5, Duration.ofMillis(60), "")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0%x60ms", "101%x60ms", "5x60", "5%x60s", "5%x60ms@", "5%x60ms,"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> DelayRule.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no rule of -Dkueue4j.delays: write PERCENT%xMILLISms")
        .hasMessageNotContaining("\n");
  }
}
