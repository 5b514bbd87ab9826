// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakReportTest {
  private static final SoakCounts COUNTS = new SoakCounts(36_000, 36_000, 1_800, 4_000, 2);
  private static final int MINUTES = 30;

  @Test
  void growthIsTheSlopeOfTheLineThroughWhatCounts() {
    List<Growth.Point> points = new ArrayList<>(List.of(new Growth.Point(0, 1000)));
    for (int minute = 1; minute < 10; minute++) {
      points.add(new Growth.Point(minute, 7 + 0.5 * minute));
    }

    assertThat(Growth.perMinute(points, 1)).isCloseTo(0.5, within(1e-9));
    assertThat(Growth.perMinute(points, 0)).isNegative();
    assertThatThrownBy(() -> Growth.perMinute(points, 8))
        .hasMessage("only 2 measurements after minute 8.0; let it run for longer");
  }

  @Test
  void whatFillsInTheFirstThirdIsNoGrowth() {
    SoakReport report = report(MINUTES, i -> sample(i, Math.min(i, MINUTES / 3), 0));

    assertThat(report.grows()).isFalse();
    assertThat(report)
        .hasToString(
            """

            36,000 created, 36,000 deleted after they had run; 1,800 evicted by preemption, 4,000 \
            delayed by the check; 2 writes unanswered

            Growth over the last two thirds:
            resident memory            +0.000 MiB a minute, at most 0.5
            heap after a collection    +0.000 MiB a minute, at most 0.2
            threads                    +0.000     a minute, at most 0.1
            file handles               +0.000     a minute, at most 0.1
            series of /metrics         +0.000     a minute, at most 0.1
            Nothing grows.
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 'Grows: resident memory, heap after a collection.'",
    "0, 1, 'Grows: threads, file handles, series of /metrics.'"
  })
  void whatGrowsIsNamed(int mebibytes, int count, String verdict) {
    SoakReport report = report(MINUTES, i -> sample(i, mebibytes * i, count * i));

    assertThat(report.grows()).isTrue();
    assertThat(report.toString()).endsWith(verdict + "\n");
  }

  @Test
  void aShortTimeTellsNothing() {
    SoakReport report = report(9, i -> sample(i, 100 * i, i));

    assertThat(report.grows()).isFalse();
    assertThat(report.toString()).contains("No verdict").contains("at least 10 minutes");
  }

  @Test
  void theLineOfASample() {
    assertThat(SoakReport.HEADER + SoakReport.line(sample(2, 30, 4), COUNTS))
        .isEqualTo(
            """
             MINUTE   CREATED  EXISTING   RESIDENT       HEAP  THREADS   FILES  SERIES      CPU
                2.0    36,000         0  130.0 MiB   30.0 MiB        4       4       4    1.0 s
            """);
  }

  @Test
  void aHistogramTellsWhichClassesHaveGrown() {
    String text =
        """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:          7000        %d  [B (java.base@25.0.3)
           2:           700         16800  java.lang.String (java.base@25.0.3)
           3:            10          8000  io.github.kueue4j.core.KueueCore
           4:             1       5000000  [Ljdk.internal.vm.FillerElement; (java.base@25.0.3)
        Total          7710       %d
        """;
    ClassHistogram before = ClassHistogram.parse(text.formatted(200_000, 224_800));
    ClassHistogram after = ClassHistogram.parse(text.formatted(1_200_000, 1_224_800));

    assertThat(before.bytes()).isEqualTo(224_800);
    assertThat(after.growthSince(before, 10)).isEqualTo("   1,000,000 bytes more  [B\n");
  }

  @Test
  void whatComesIsOfAllKinds() {
    List<SoakArrival> arrivals = IntStream.rangeClosed(1, 100).mapToObj(SoakArrival::of).toList();

    assertThat(arrivals.stream().map(SoakArrival::name)).doesNotHaveDuplicates();
    assertThat(arrivals).filteredOn(one -> one.kind() == SoakArrival.Kind.URGENT).hasSize(5);
    assertThat(arrivals).filteredOn(one -> one.kind() == SoakArrival.Kind.JOB).hasSize(20);
    assertThat(arrivals)
        .filteredOn(one -> Objects.equals(one.queue(), SoakArrival.CHECKED))
        .hasSize(50);
  }

  private static SoakReport report(int minutes, IntFunction<SoakSample> sample) {
    return new SoakReport(IntStream.rangeClosed(1, minutes).mapToObj(sample).toList(), COUNTS);
  }

  private static SoakSample sample(int minute, int mebibytes, int count) {
    return new SoakSample(
        minute, (100L + mebibytes) << 20, (long) mebibytes << 20, count, count, count, 1);
  }
}
